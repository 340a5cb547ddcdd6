"""A slow, literal reading of the rules: the oracle that the compiled core is tested against.

Nothing here is shared with the package, so that a mistake has to be made twice to go unnoticed. A card
is a two-letter string such as ``'KS'``, a hand a frozenset of them, an action the text that the notation
uses. Every function can be read against the paragraph of the rules that its comment names; none of them
tries to be fast.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

RANKS = "9JQKTA"  # weakest first
SUITS = "CDHS"  # the order of the action numbers
SUITS_IN_A_HAND = "SHDC"  # the order in which a hand is written
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
NOTHING = frozenset()

# 0-23 the plays, 24-27 the marriages, 28 exchange, 29 close, 30 call; the same numbers in every preset.
ACTIONS = (
    [rank + suit for suit in SUITS for rank in RANKS]
    + ["marriage-" + suit for suit in SUITS]
    + ["exchange", "close", "call"]
)
NUMBER = {action: number for number, action in enumerate(ACTIONS)}
STRENGTH = {rank: strength for strength, rank in enumerate(RANKS)}


@dataclasses.dataclass(frozen=True)
class LiteralRules:
    """One column of the table of presets, field by field; the defaults are `santase`."""

    name: str = "santase"
    ranks: str = "9JQKTA"
    suits: str = "CDHS"
    hand_size: int = 6
    automatic: bool = False
    exchange_rank: str = "9"
    exchange_needs_trick: bool = True
    exchange_min_talon: int = 3
    close_before_first_trick: bool = False
    close_min_talon: int = 1
    marriage_before_first_trick: bool = True
    last_trick_bonus: int = 10
    last_trick_wins: bool = False
    tie_void: bool = False
    closer_under_33: int = 2
    score_at_closing: bool = False
    closer_fails: int = 2
    closer_fails_trickless: int = 3
    wrong_call: int = 2
    wrong_call_trickless: int = 3
    trickless: str = "failed"
    target: int = 66
    schneider: int = 33
    match_target: int = 11

    def deck(self):
        return [rank + suit for suit in self.suits for rank in self.ranks]

    def remembers_closing(self):
        """Whether some score depends on how things stood when the talon was closed."""
        return self.score_at_closing or self.trickless == "other"


PRESETS = {
    rules.name: rules
    for rules in [
        LiteralRules(),
        LiteralRules(
            name="santase-bg",
            automatic=True,
            exchange_min_talon=2,
            close_min_talon=2,
            marriage_before_first_trick=False,
            tie_void=True,
            closer_under_33=3,
            closer_fails=3,
            closer_fails_trickless=3,
        ),
        LiteralRules(
            name="santase-engine",
            automatic=True,
            exchange_min_talon=2,
            close_min_talon=2,
            marriage_before_first_trick=False,
            tie_void=True,
            closer_fails=3,
            closer_fails_trickless=3,
        ),
        LiteralRules(
            name="schnapsen",
            ranks="JQKTA",
            hand_size=5,
            exchange_rank="J",
            exchange_needs_trick=False,
            exchange_min_talon=1,
            close_before_first_trick=True,
            last_trick_bonus=0,
            last_trick_wins=True,
            score_at_closing=True,
            trickless="other",
            match_target=7,
        ),
        LiteralRules(
            name="sixty-six",
            exchange_min_talon=1,
            close_before_first_trick=True,
            tie_void=True,
            score_at_closing=True,
            trickless="other",
            match_target=7,
        ),
    ]
}


def strength(card):
    return STRENGTH[card[0]]


def of_suit(cards, suit):
    return {card for card in cards if card[1] == suit}


def beats(reply, led, trump):
    """Whether the reply takes the trick from the card led."""
    if reply[1] == led[1]:
        return strength(reply) > strength(led)
    return reply[1] == trump


def write_hand(cards):
    """Spades.hearts.diamonds.clubs, strongest first; a void is empty."""
    return ".".join(
        "".join(card[0] for card in sorted(of_suit(cards, suit), key=strength, reverse=True))
        for suit in SUITS_IN_A_HAND
    )


def read_hand(text):
    suits = text.split(".")
    assert len(suits) == 4, text
    return frozenset(
        rank + suit for suit, ranks in zip(SUITS_IN_A_HAND, suits, strict=False) for rank in ranks
    )


def replaced(pair, player, value):
    """The pair (of player 0, of player 1) with one player's entry changed."""
    return (value, pair[1]) if player == 0 else (pair[0], value)


class LiteralHand(NamedTuple):
    """One hand, everything known. It never changes; `play` gives the next one."""

    rules: LiteralRules
    hands: tuple  # two frozensets
    talon: tuple  # the face-down cards in draw order
    turned: str | None  # the turned card, also after closing; None once it has been drawn
    trump: str  # a suit
    played: frozenset  # the cards in taken tricks
    leader: int
    led: str | None  # the card led, when the other is to reply
    marriage: str | None  # the suit declared on this lead, until the K or Q is led
    called: bool  # the leader has called 66: the hand is over
    points: tuple  # card points that count
    tricks: tuple
    pending: tuple  # marriage points that do not count yet
    closer: int | None
    at_closing: tuple | None  # the other's (points, tricks) then, under rules that look at them
    holds: tuple  # per player, cards that the other knows him to hold
    lacks: tuple  # per player, face-down cards that the other knows him not to hold

    # ---------------------------------------------------------------- making, reading and writing

    @classmethod
    def deal(cls, rules, cards, leader=0):
        """Deal a whole deck: player 0's hand, player 1's, the turned card, then the talon in draw order."""
        cards = list(cards)
        assert sorted(cards) == sorted(rules.deck())
        n = rules.hand_size
        turned = cards[2 * n]
        talon = tuple(cards[2 * n + 1 :])
        assert len(talon) % 2 == 1, "the winner draws the last face-down card, the loser the turned one"
        return cls(
            rules=rules,
            hands=(frozenset(cards[:n]), frozenset(cards[n : 2 * n])),
            talon=talon,
            turned=turned,
            trump=turned[1],
            played=NOTHING,
            leader=leader,
            led=None,
            marriage=None,
            called=False,
            points=(0, 0),
            tricks=(0, 0),
            pending=(0, 0),
            closer=None,
            at_closing=None,
            holds=(NOTHING, NOTHING),
            lacks=(NOTHING, NOTHING),
        )

    @classmethod
    def from_line(cls, rules_by_name, line):
        """Read a full position; nothing is checked."""
        fields = line.split()
        name, hand0, hand1, talon, turned, played, turn, points, tricks, pending, closed = fields[:11]
        known = fields[11] if len(fields) > 11 else ".../.../.../..."
        holds0, lacks0, holds1, lacks1 = (read_hand(part) for part in known.split("/"))
        leader, _, doing = turn.partition(":")
        closer, *at_closing = closed.split(":")
        return cls(
            rules=rules_by_name[name],
            hands=(read_hand(hand0), read_hand(hand1)),
            talon=() if talon == "-" else tuple(talon[i : i + 2] for i in range(0, len(talon), 2)),
            turned=turned if len(turned) == 2 else None,
            trump=turned[-1],
            played=read_hand(played),
            leader=int(leader),
            led=doing if len(doing) == 2 else None,
            marriage=doing[-1] if doing.startswith("marriage-") else None,
            called=doing == "call",
            points=tuple(map(int, points.split("/"))),
            tricks=tuple(map(int, tricks.split("/"))),
            pending=tuple(map(int, pending.split("/"))),
            closer=None if closer == "-" else int(closer),
            at_closing=tuple(map(int, at_closing)) or None,
            holds=(holds0, holds1),
            lacks=(lacks0, lacks1),
        )

    def line(self):
        return self._line(
            hands=[write_hand(hand) for hand in self.hands],
            talon="".join(self.talon) or "-",
            known=self.known(),
        )

    def _line(self, hands, talon, known):
        turn = str(self.leader)
        if self.called:
            turn += ":call"
        elif self.led:
            turn += ":" + self.led
        elif self.marriage:
            turn += ":marriage-" + self.marriage
        closed = "-" if self.closer is None else str(self.closer)
        if self.at_closing is not None:
            closed += ":{}:{}".format(*self.at_closing)
        fields = [
            self.rules.name,
            *hands,
            talon,
            self.turned or self.trump,
            write_hand(self.played),
            turn,
            "{}/{}".format(*self.points),
            "{}/{}".format(*self.tricks),
            "{}/{}".format(*self.pending),
            closed,
        ]
        if any(known):
            fields.append("/".join(write_hand(cards) for cards in known))
        return " ".join(fields)

    # ---------------------------------------------------------------- the phases

    @property
    def exhausted(self):
        """All of the talon has been drawn, the turned card last."""
        return self.turned is None

    @property
    def open(self):
        """Talon neither exhausted nor closed."""
        return not self.exhausted and self.closer is None

    @property
    def to_move(self):
        """The player to act; of a hand that is over, the one whom the turn field names."""
        return self.leader if self.led is None else 1 - self.leader

    # ---------------------------------------------------------------- what a player may do

    def legal_actions(self):
        """The legal actions' texts, in the order of their numbers."""
        if self.over:
            return []
        if self.led is not None:
            actions = self._replies()
        elif self.marriage is not None:
            # "After declaring, the player must lead that K or Q, or call 66 at once."
            actions = {"K" + self.marriage, "Q" + self.marriage}
        else:
            actions = set(self.hands[self.leader])
            actions |= {"marriage-" + suit for suit in SUITS if self._may_declare(suit)}
            if self._may_exchange():
                actions.add("exchange")
            if self._may_close():
                actions.add("close")
        if self.led is None and not self.rules.automatic:
            actions.add("call")
        return sorted(actions, key=NUMBER.get)

    def _replies(self):
        """Open phase: any card. Strict phase: follow and beat, else follow, else trump, else anything."""
        hand = self.hands[1 - self.leader]
        if self.open:
            return set(hand)
        following = of_suit(hand, self.led[1])
        higher = {card for card in following if strength(card) > strength(self.led)}
        trumps = of_suit(hand, self.trump)
        return set(higher or following or trumps or hand)

    def _may_declare(self, suit):
        if self.tricks == (0, 0) and not self.rules.marriage_before_first_trick:
            return False
        return {"K" + suit, "Q" + suit} <= self.hands[self.leader]

    def _may_exchange(self):
        rules = self.rules
        return (
            self.open
            and rules.exchange_rank + self.trump in self.hands[self.leader]
            and (self.tricks[self.leader] > 0 or not rules.exchange_needs_trick)
            and len(self.talon) >= rules.exchange_min_talon
        )

    def _may_close(self):
        rules = self.rules
        return (
            self.open
            and (self.tricks != (0, 0) or rules.close_before_first_trick)
            and len(self.talon) >= rules.close_min_talon
        )

    # ---------------------------------------------------------------- doing it

    def play(self, action):
        """The position after a legal action."""
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal in {self.line()}")
        return self._after(action)

    def _after(self, action):
        if action == "call":
            return self._replace(called=True, marriage=None)
        if action == "close":
            return self._after_closing()
        if action == "exchange":
            return self._after_exchange()
        if action.startswith("marriage-"):
            return self._after_marriage(action[-1])
        if self.led is None:
            return self._after_lead(action)
        return self._after_reply(action)

    def _after_closing(self):
        other = 1 - self.leader
        return self._replace(
            closer=self.leader,
            at_closing=(self.points[other], self.tricks[other]) if self.rules.remembers_closing() else None,
        )

    def _after_exchange(self):
        """The nine becomes the turned card; the other has seen which card was taken for it."""
        nine = self.rules.exchange_rank + self.trump
        p = self.leader
        return self._replace(
            hands=replaced(self.hands, p, self.hands[p] - {nine} | {self.turned}),
            turned=nine,
            holds=replaced(self.holds, p, self.holds[p] - {nine} | {self.turned}),
        )

    def _after_marriage(self, suit):
        """20 points, 40 in trumps; pending for a declarer who has not taken a trick yet."""
        p = self.leader
        worth = 40 if suit == self.trump else 20
        after = self._replace(marriage=suit)
        if not self.exhausted:
            shown = self.holds[p] | {"K" + suit, "Q" + suit}
            after = after._replace(holds=replaced(self.holds, p, shown))
        if self.tricks[p] > 0:
            return after._replace(points=replaced(self.points, p, self.points[p] + worth))
        return after._replace(pending=replaced(self.pending, p, self.pending[p] + worth))

    def _after_lead(self, card):
        p = self.leader
        return self._replace(
            hands=replaced(self.hands, p, self.hands[p] - {card}),
            holds=replaced(self.holds, p, self.holds[p] - {card}),
            led=card,
            marriage=None,
        )

    def _after_reply(self, card):
        p = 1 - self.leader
        winner = p if beats(card, self.led, self.trump) else self.leader
        worth = CARD_POINTS[self.led[0]] + CARD_POINTS[card[0]]
        # "The points count only once the declarer has taken a trick."
        worth += self.pending[winner]
        after = self._replace(
            hands=replaced(self.hands, p, self.hands[p] - {card}),
            holds=replaced(self.holds, p, self.holds[p] - {card}),
            lacks=replaced(self.lacks, p, self.lacks[p] | self._shown_absent(card)),
            played=self.played | {self.led, card},
            leader=winner,
            led=None,
            points=replaced(self.points, winner, self.points[winner] + worth),
            tricks=replaced(self.tricks, winner, self.tricks[winner] + 1),
            pending=replaced(self.pending, winner, 0),
        )
        if after.open:
            # This takes place even when the trick ends the hand.
            return after._drawing()
        if after.exhausted and after._all_cards_played():
            bonus = self.rules.last_trick_bonus
            return after._replace(points=replaced(after.points, winner, after.points[winner] + bonus))
        return after

    def _drawing(self):
        """The trick's winner draws the top face-down card, the loser the next; the turned card is last."""
        winner, loser = self.leader, 1 - self.leader
        to_draw = (*self.talon, self.turned)
        first, second, rest = to_draw[0], to_draw[1], to_draw[2:]
        hands = replaced(self.hands, winner, self.hands[winner] | {first})
        hands = replaced(hands, loser, hands[loser] | {second})
        if rest:
            return self._replace(hands=hands, talon=rest[:-1])
        # Each hand is now known by counting, so nothing needs remembering.
        return self._replace(
            hands=hands,
            talon=(),
            turned=None,
            holds=(NOTHING, NOTHING),
            lacks=(NOTHING, NOTHING),
        )

    # ---------------------------------------------------------------- how a hand ends

    @property
    def over(self):
        return self.outcome() is not None

    @property
    def winner(self):
        """0, 1, or None for a void hand and for one that goes on."""
        outcome = self.outcome()
        return outcome[0] if outcome else None

    @property
    def game_points(self):
        """What the winner scores; 0 for a void hand and for one that goes on."""
        outcome = self.outcome()
        return outcome[1] if outcome else 0

    def outcome(self):
        """(winner, game points), (None, 0) for a void hand, or None while the hand goes on."""
        if self.called:
            if self._has_target(self.leader):
                return self._right_call(self.leader)
            return self._wrong_call(self.leader)
        if self.rules.automatic:
            for player in 0, 1:
                if self._has_target(player):
                    return self._right_call(player)
        if not self._all_cards_played():
            return None
        if self.closer is not None:
            if self._has_target(self.closer):
                return self._right_call(self.closer)
            return self._closer_fails()
        return self._last_trick_settles()

    def _has_target(self, player):
        return self.points[player] >= self.rules.target

    def _all_cards_played(self):
        return self.led is None and not self.hands[0] and not self.hands[1]

    def _right_call(self, caller):
        """Rows "right call"."""
        other = 1 - caller
        if self.closer == other:
            return self._closer_fails()
        points, tricks = self.points[other], self.tricks[other]
        if self.closer == caller and self.rules.score_at_closing:
            points, tricks = self.at_closing
        if tricks == 0:
            return caller, 3
        if points < self.rules.schneider:
            return caller, self.rules.closer_under_33 if self.closer == caller else 2
        return caller, 1

    def _wrong_call(self, caller):
        """Row "wrong call", whoever closed.

        A closer who calls wrongly has failed as well. Where the other's tricks decide, those at the
        closing are what he staked, so that a wrong call is no way to a cheaper failure. (The table alone
        reads as if the tricks at the call decided; one vector of `sixty-six` shows that they do not.)
        """
        other = 1 - caller
        if self.rules.trickless == "failed":
            tricks = self.tricks[caller]
        elif self.closer == caller:
            tricks = self.at_closing[1]
        else:
            tricks = self.tricks[other]
        return other, self.rules.wrong_call_trickless if tricks == 0 else self.rules.wrong_call

    def _closer_fails(self):
        """Rows "closer has under 66" and "right call by the opponent of the closer"."""
        tricks = self.tricks[self.closer] if self.rules.trickless == "failed" else self.at_closing[1]
        return 1 - self.closer, self.rules.closer_fails_trickless if tricks == 0 else self.rules.closer_fails

    def _last_trick_settles(self):
        """Row "talon exhausted, all cards played"; the bonus is in the points already."""
        last, other = self.leader, 1 - self.leader
        if self._has_target(last):
            return self._right_call(last)
        if self.rules.last_trick_wins:
            return last, 1
        if self._has_target(other):
            return self._right_call(other)
        return (None, 0) if self.rules.tie_void else (last, 1)

    # ---------------------------------------------------------------- what each player knows

    def known(self):
        """(holds0, lacks0, holds1, lacks1): what the other player knows of each hand beyond counting."""
        return self.holds[0], self.lacks[0], self.holds[1], self.lacks[1]

    def _shown_absent(self, reply):
        """The face-down cards that a reply shows not to be in the replier's hand.

        Only strict play after a closing tells: in the open phase any card may be played, and when the talon
        is exhausted nothing is face down.
        """
        if self.closer is None:
            return NOTHING
        in_suit = of_suit(self.talon, self.led[1])
        if reply[1] == self.led[1]:
            if strength(reply) > strength(self.led):
                return NOTHING
            # "one who follows with a lower card has no higher one"
            return {card for card in in_suit if strength(card) > strength(self.led)}
        if reply[1] == self.trump:
            # "a player who does not follow suit has none of it"
            return in_suit
        # "one who discards has no trump"
        return in_suit | of_suit(self.talon, self.trump)

    def view(self, player):
        """The line of what a player knows.

        What the other knows the player to lack is written as face-down cards, and which cards are face
        down the player may not know. So that part is left out of his view until he knows the other's hand.
        """
        if self.exhausted:
            return self.line()
        other = 1 - player
        size = len(self.hands[other])
        seen = self.hands[player] | self.played | {self.turned, self.led}
        candidates = set(self.rules.deck()) - seen - self.lacks[other]
        shown = self.holds[other]
        if len(candidates) == size:
            shown = candidates
        hidden = size - len(shown)

        hands, lacks, talon = self.hands, self.lacks, f"?{len(self.talon)}"
        texts = [write_hand(hand) for hand in hands]
        if hidden:
            texts[other] = (write_hand(shown) if shown else "") + f"+{hidden}"
            lacks = replaced(lacks, player, NOTHING)
        elif len(self.talon) == 1:
            talon = self.talon[0]
        known = self.holds[0], lacks[0], self.holds[1], lacks[1]
        return self._line(texts, talon, known)


# -------------------------------------------------------------------- searching


def minimax(state, memo=None):
    """The exact value, in game points for the player to move, both hands and the talon known."""
    return _sign(state) * _value_for_player_0(state, {} if memo is None else memo)


def action_values(state):
    """{action: value}, each in game points for the player to move in `state`."""
    memo = {}
    return {
        action: _sign(state) * _value_for_player_0(state.play(action), memo)
        for action in state.legal_actions()
    }


def _sign(state):
    return 1 if state.to_move == 0 else -1


def _value_for_player_0(state, memo):
    outcome = state.outcome()
    if outcome is not None:
        winner, game_points = outcome
        return game_points if winner == 0 else -game_points
    # What the players know (the last two entries) changes no value.
    key = state[1:-2]
    if key not in memo:
        choose = max if state.to_move == 0 else min
        memo[key] = choose(
            _value_for_player_0(state._after(action), memo) for action in state.legal_actions()
        )
    return memo[key]


def perft(state, depth):
    """How many sequences of exactly `depth` actions there are."""
    if depth == 0:
        return 1
    return sum(perft(state._after(action), depth - 1) for action in state.legal_actions())
