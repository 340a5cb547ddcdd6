"""Why an action is not legal, or a position not right, said to the person at the table.

The reason is the core's, in its words; here they are put in the language of the
context, and those about an action in the second person. No rule is looked at.
"""

from __future__ import annotations

import re

from santase.actions import Action
from santase.cards import CARDS, SUIT_SIGNS, SUITS
from santase.errors import IllegalActionError, NotationError
from santase.language import N_, _

# what the core says, as a pattern, and what the person is told
_REASONS = (
    (r"the hand is over", N_("The hand is over.")),
    (r"player \d does not hold it", N_("You do not hold {action}.")),
    (r"after declaring (?P<a>\w), its K or Q is led", N_("You have declared {a}: lead its king or queen.")),
    (r"player \d has no (?P<a>\w) and must trump", N_("You have no {a}, so you must trump.")),
    (r"player \d must follow suit to (?P<a>\w+)", N_("{a} was led: you must follow suit.")),
    (r"player \d must beat (?P<a>\w+)", N_("{a} was led: you hold a higher card and must play it.")),
    (r"player \d is not on lead", N_("You can do that only when you are on lead.")),
    (r"(?P<a>\d+) needs no call under these rules", N_("Under these rules nobody calls: {a} ends the hand.")),
    (
        r"no marriage before a trick has been played",
        N_("Under these rules there is no marriage before a trick has been played."),
    ),
    (r"player \d does not hold both K and Q", N_("You do not hold both king and queen of that suit.")),
    (r"the talon is closed", N_("The talon is closed.")),
    (r"the talon is exhausted", N_("The talon is exhausted.")),
    (r"closing takes (?P<a>\d+) cards face down", N_("Closing takes {a} cards face down in the talon.")),
    (r"no closing before a trick has been played", N_("Nobody closes before a trick has been played.")),
    (r"player \d does not hold (?P<a>\w+)", N_("You do not hold {a}, which is exchanged.")),
    (
        r"an exchange takes (?P<a>\d+) cards face down, there are (?P<b>\d+)",
        N_("An exchange takes {a} cards face down in the talon, there are {b}."),
    ),
    (r"player \d has taken no trick", N_("You have taken no trick yet.")),
)


def sign_of(word: str) -> str:
    """Cards and suits with their signs, ``10♠``; numbers and other words as they are."""
    if " " in word:
        return " ".join(map(sign_of, word.split()))
    if word in CARDS:
        return ("10" if word[0] == "T" else word[0]) + sign_of(word[1])
    return SUIT_SIGNS[SUITS.index(word)] if word and word in SUITS else word


def reason_for(error: IllegalActionError, action: Action) -> str:
    """The sentence for the person; the core's own words where there is none."""
    reason = str(error).removeprefix(f"{action}: ")
    return _translated(reason, _REASONS, action=sign_of(str(action))) or str(error)


def _translated(reason: str, table: tuple[tuple[str, str], ...], **more: str) -> str | None:
    for pattern, text in table:
        found = re.fullmatch(pattern, reason)
        if found:
            return _(text).format(
                **{name: sign_of(value) for name, value in found.groupdict().items()}, **more
            )
    return None


# what is wrong with a position: the check's words as a pattern, and the text that is translated
_PROBLEMS = (
    (
        r"(?P<a>[A-Z0-9 ]+) not in the deck of these rules",
        N_("not in the deck of these rules: {a}"),
    ),
    (r"(?P<a>[A-Z0-9 ]+) stands in an earlier field too", N_("lies elsewhere too: {a}")),
    (r"a card is not in the deck of these rules", N_("a card is not in the deck of these rules")),
    (r"a card stands there twice", N_("a card stands there twice")),
    (
        r"the trump suit is not in the deck of these rules",
        N_("the trump suit is not in the deck of these rules"),
    ),
    (r"(?P<a>\d+) tricks are more than the cards give", N_("{a} tricks are more than the cards give")),
    (
        r"(?P<a>\d+) cards? for (?P<b>\d+) tricks?, not (?P<c>\d+)",
        N_("cards played: {a}; tricks taken: {b}, which makes {c} cards"),
    ),
    (
        r"(?P<a>\d+) face down, but after (?P<b>\d+) tricks? there are (?P<c>\d+)",
        N_("cards face down: {a}, but after so many tricks ({b}) there are {c}"),
    ),
    (
        r"(?P<a>\d+) face down: after a closing there is an odd number up to (?P<b>\d+)",
        N_("cards face down: {a}, but after a closing it is an odd number up to {b}"),
    ),
    (
        r"(?P<a>\d+) face down, but for that (?P<b>\d+) tricks? must have been played",
        N_("cards face down: {a}, for which so many tricks must have been played: {b}"),
    ),
    (
        r"the talon is exhausted, so the card has been drawn: give the suit alone",
        N_("the talon is exhausted, so the turned card has been drawn: give the trump suit alone"),
    ),
    (
        r"cards lie face down, so the turned card is there: give the card",
        N_("cards lie face down, so the turned card is there: give the card"),
    ),
    (r"all cards have been played, so none can be led", N_("all cards have been played, so none can be led")),
    (
        r"(?P<a>\d+) cards?, but after (?P<b>\d+) tricks? player (?P<c>\d) holds (?P<d>\d+)",
        N_("cards: {a}, but after so many tricks ({b}) player {c} holds {d}"),
    ),
    (r"one of the two hands must be given whole", N_("one of the two hands must be given whole")),
    (
        r"player (?P<a>\d) is on lead but has taken no trick",
        N_("player {a} is on lead but has taken no trick"),
    ),
    (
        r"a declared marriage stands there only before the lead",
        N_("a declared marriage stands there only before the lead"),
    ),
    (
        r"these rules allow no marriage before a trick has been played",
        N_("these rules allow no marriage before a trick has been played"),
    ),
    (
        r"player (?P<a>\d) has declared (?P<b>\w) without K and Q of it",
        N_("player {a} has declared {b} without king and queen of it"),
    ),
    (r"who has led a card does not call", N_("who has led a card does not call")),
    (r"there is no call under these rules", N_("there is no call under these rules")),
    (
        r"closing takes (?P<a>\d+) cards? face down, there are (?P<b>\d+)",
        N_("closing takes so many cards face down: {a}; there are {b}"),
    ),
    (
        r"these rules allow no closing before a trick has been played",
        N_("these rules allow no closing before a trick has been played"),
    ),
    (
        r"player (?P<a>\d) cannot have closed: player (?P<b>\d) is on lead",
        N_("player {a} cannot have closed: player {b} is on lead"),
    ),
    (
        r"the tricks do not allow that player (?P<a>\d) was on lead to close",
        N_("the tricks do not allow that player {a} was on lead to close"),
    ),
    (
        r"player (?P<a>\d) cannot have had (?P<b>\d+) tricks? at the closing",
        N_("player {a} cannot have had so many tricks at the closing: {b}"),
    ),
    (
        r"player (?P<a>\d) cannot have had (?P<b>\d+) points at the closing",
        N_("player {a} cannot have had so many points at the closing: {b}"),
    ),
    (
        r"\S+: these rules want - or closer:points:tricks \(the other's at the closing\)",
        N_("these rules want the other's points and tricks at the closing"),
    ),
    (r"player (?P<a>\d) holds (?P<b>[A-Z0-9 ]+)", N_("player {a} holds {b}")),
    (
        r"player (?P<a>\d) both holds and lacks (?P<b>[A-Z0-9 ]+)",
        N_("player {a} both holds and lacks {b}"),
    ),
    (
        r"only under a closing does play show what a player lacks",
        N_("only under a closing does play show what a player lacks"),
    ),
    (r"player (?P<a>\d) cannot hold (?P<b>[A-Z0-9 ]+)", N_("player {a} cannot hold {b}")),
    (r"no cards are left that player (?P<a>\d) may hold", N_("no cards are left that player {a} may hold")),
    (r"player (?P<a>\d) has points without a trick", N_("player {a} has points without a trick")),
    (
        r"player (?P<a>\d) has a trick, so nothing is pending",
        N_("player {a} has a trick, so nothing is pending"),
    ),
    (r"a marriage is worth 20 or 40", N_("a marriage is worth 20 or 40")),
    (r"player (?P<a>\d) has not been on lead", N_("player {a} has not been on lead")),
    (
        r"only the first leader's marriage can be pending",
        N_("only the first leader's marriage can be pending"),
    ),
    (
        r"the tricks taken cannot share out the points of the played cards so",
        N_("the tricks taken cannot share out the points of the played cards so"),
    ),
    (
        r"with (?P<a>\d+) in the played cards, no marriages that the cards allow make points and pending so",
        N_("with {a} in the played cards, no marriages that the cards allow make points and pending so"),
    ),
    (
        r"with (?P<a>\d+) in the played cards, no marriages that the cards allow make (?P<b>\d+/\d+)",
        N_("with {a} in the played cards, no marriages that the cards allow make {b}"),
    ),
    (
        r"all cards have been played, nobody calls any more",
        N_("all cards have been played, nobody calls any more"),
    ),
    (
        r"player (?P<a>\d) has (?P<b>\d+): the hand would have ended before",
        N_("player {a} has {b}: the hand would have ended before"),
    ),
    (
        r"a position has 11 or 12 fields, this line has (?P<a>\d+)",
        N_("a position has 11 or 12 fields, this line has {a}"),
    ),
    (r"(?P<a>\d+) is more than (?P<b>\d+)", N_("{a} is more than {b}")),
)


def problem_for(error: NotationError) -> str:
    """What is wrong with a position, without its field, in the language of the context."""
    from santase.error_words import in_words

    return in_words(error.reason)


def position_problem(reason: str) -> str | None:
    """What the check of a position says, in the language of the context; ``None`` for other words."""
    return _translated(reason, _PROBLEMS)
