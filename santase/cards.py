"""Cards as people write them: rank then suit, ``KS``; and as numbers 0-23."""

from __future__ import annotations

from types import MappingProxyType

from santase.errors import NotationError

RANKS = "9JQKTA"
"""The ranks, weakest first."""
SUITS = "CDHS"
"""Clubs, diamonds, hearts, spades: the order of the numbers."""
SUIT_SIGNS = "♣♦♥♠"
CARDS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 24 cards; a card's index is its number and the number of the action that plays it."""

RANK_NUMBER = MappingProxyType(
    {rank: number for number, rank in enumerate(RANKS)}
    | {rank.lower(): number for number, rank in enumerate(RANKS)}
    | {"10": RANKS.index("T")}
)
SUIT_NUMBER = MappingProxyType(
    {
        letter: number
        for letters in (SUITS, SUITS.lower(), SUIT_SIGNS, "♧♢♡♤")
        for number, letter in enumerate(letters)
    }
)


def parse_suit(text: str) -> int:
    """The number 0-3 of a suit written as letter or sign; raises ``NotationError``."""
    number = SUIT_NUMBER.get(text.rstrip("\ufe0f"))
    if number is None:
        raise NotationError(f"{text!r} is no suit")
    return number


def parse_card(text: str) -> int:
    """The number 0-23 of a card such as ``KS``, ``ks``, ``10C`` or ``K♠``; raises ``NotationError``."""
    bare = text.rstrip("\ufe0f")
    rank = RANK_NUMBER.get(bare[:-1])
    suit = SUIT_NUMBER.get(bare[-1:])
    if rank is None or suit is None:
        raise NotationError(f"{text!r} is no card")
    return 6 * suit + rank
