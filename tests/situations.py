"""Situations that the rules decide, worked out by hand from the rules and written as data.

Each case starts from a full position, plays some actions and says what must hold then. No expectation here
was copied from a program's output, so the same list serves the literal engine and the compiled core.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Situation:
    """What must hold in the position reached from `start` by `play`; None leaves a thing unsaid.

    Every action of `play` is legal in its turn. `over`, `winner` and `game_points` always count: by default
    the hand goes on.
    """

    name: str
    start: str
    play: tuple[str, ...] = ()
    legal: tuple[str, ...] | None = None  # all of the legal actions, in the order of their numbers
    illegal: tuple[str, ...] = ()
    line: str | None = None
    points: tuple[int, int] | None = None
    tricks: tuple[int, int] | None = None
    pending: tuple[int, int] | None = None
    over: bool = False
    winner: int | None = None
    game_points: int = 0
    views: tuple[str, str] | None = None  # as player 0 and as player 1 sees it
    values: dict[str, int] | None = None  # of every legal action, for the player to move


def acts(text):
    return tuple(text.split())


# ---------------------------------------------------------------- marriages

# Clubs are trump. Player 0 holds K and Q of spades on the very first lead.
FIRST_LEAD = "{} KQ.AJ.T9. AT.KQ.J.T 9SJS9HTHQDKDAD9CJCQCKC AC ... 0 0/0 0/0 0/0 -"

MARRIAGES = [
    Situation(
        "first lead in santase: marriage and call, but neither exchange nor closing",
        FIRST_LEAD.format("santase"),
        legal=acts("9D TD JH AH QS KS marriage-S call"),
        illegal=acts("exchange close marriage-H AC"),
        views=(
            "santase KQ.AJ.T9. +6 ?11 AC ... 0 0/0 0/0 0/0 -",
            "santase +6 AT.KQ.J.T ?11 AC ... 0 0/0 0/0 0/0 -",
        ),
    ),
    Situation(
        "first lead in santase-bg: no marriage before a trick is played, and never a call",
        FIRST_LEAD.format("santase-bg"),
        legal=acts("9D TD JH AH QS KS"),
        illegal=acts("marriage-S exchange close call"),
    ),
    Situation(
        "first lead in sixty-six: closing is legal as well",
        FIRST_LEAD.format("sixty-six"),
        legal=acts("9D TD JH AH QS KS marriage-S close call"),
        illegal=acts("exchange"),
    ),
    Situation(
        "a marriage declared leaves its K, its Q or a call",
        FIRST_LEAD.format("santase"),
        acts("marriage-S"),
        legal=acts("QS KS call"),
        illegal=acts("AH marriage-S exchange close"),
        line="santase KQ.AJ.T9. AT.KQ.J.T 9SJS9HTHQDKDAD9CJCQCKC AC ... 0:marriage-S 0/0 0/0 20/0 - "
        "KQ.../.../.../...",
    ),
    Situation(
        "a first-lead marriage that loses the trick is pending",
        FIRST_LEAD.format("santase"),
        acts("marriage-S QS AS"),
        line="santase KJ.AJ.T9. T9.KQ.J.T 9HTHQDKDAD9CJCQCKC AC AQ... 1 0/14 0/1 20/0 - K.../.../.../...",
        views=(
            "santase KJ.AJ.T9. +6 ?9 AC AQ... 1 0/14 0/1 20/0 - K.../.../.../...",
            "santase K...+5 T9.KQ.J.T ?9 AC AQ... 1 0/14 0/1 20/0 - K.../.../.../...",
        ),
    ),
    Situation(
        "and counts with the declarer's first trick",  # K and A of hearts, 15, and the 20
        FIRST_LEAD.format("santase"),
        acts("marriage-S QS AS KH AH"),
        line="santase KJ.J9.T9. T9.TQ.J.T QDKDAD9CJCQCKC AC AQ.AK.. 0 35/14 1/1 0/0 - K.../.../.../...",
        points=(35, 14),
        pending=(0, 0),
    ),
    Situation(
        "a marriage that wins its own trick counts with it",  # Q and 9 of spades, 3, and the 20
        "santase KQ.AJ.T9. 9.KQ.J.TK ASTSJSTH9HADKDQDJCQC9C AC ... 0 0/0 0/0 0/0 -",
        acts("marriage-S QS 9S"),
        points=(23, 0),
        tricks=(1, 0),
        pending=(0, 0),
    ),
    Situation(
        "pending points are no use to a call",
        FIRST_LEAD.format("santase"),
        acts("marriage-S call"),
        line="santase KQ.AJ.T9. AT.KQ.J.T 9SJS9HTHQDKDAD9CJCQCKC AC ... 0:call 0/0 0/0 20/0 - "
        "KQ.../.../.../...",
        over=True,
        winner=1,
        game_points=3,
    ),
    Situation(
        "a marriage never counts for a player without a trick",  # 109 + 11 + 10 for the last trick
        "santase ..9. ..A. - C ATKQJ9.ATKQJ9.TKQJ.ATKQJ9 1 0/109 0/11 20/0 -",
        acts("AD 9D"),
        line="santase ... ... - C ATKQJ9.ATKQJ9.ATKQJ9.ATKQJ9 1 0/130 0/12 20/0 -",
        over=True,
        winner=1,
        game_points=3,
    ),
    Situation(
        "a marriage that reaches 66, before the call",
        "santase KQ..9. A.J..T - H TJ9.ATKQ9.ATKQJ.AKQJ9 0 46/44 5/4 0/0 -",
        acts("marriage-S"),
        legal=acts("QS KS call"),
        line="santase KQ..9. A.J..T - H TJ9.ATKQ9.ATKQJ.AKQJ9 0:marriage-S 66/44 5/4 0/0 -",
    ),
    Situation(
        "a marriage that reaches 66 is called before anyone replies",
        "santase KQ..9. A.J..T - H TJ9.ATKQ9.ATKQJ.AKQJ9 0 46/44 5/4 0/0 -",
        acts("marriage-S call"),
        line="santase KQ..9. A.J..T - H TJ9.ATKQ9.ATKQJ.AKQJ9 0:call 66/44 5/4 0/0 -",
        legal=(),
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "a marriage that reaches 66 ends the hand where 66 is automatic",
        "santase-bg KQ..9. A.J..T - H TJ9.ATKQ9.ATKQJ.AKQJ9 0 46/44 5/4 0/0 -",
        acts("marriage-S"),
        line="santase-bg KQ..9. A.J..T - H TJ9.ATKQ9.ATKQJ.AKQJ9 0:marriage-S 66/44 5/4 0/0 -",
        legal=(),
        over=True,
        winner=0,
        game_points=1,
    ),
    # The closer has 40. With the marriage, K and J bring 66 and a right call; Q and J bring 65, and the
    # last card loses to the trump nine.
    Situation(
        "of K and Q of a marriage only the K wins",
        "santase KQ... J.9.. ACTCADTDAS KH T9.ATQJ.KQJ9.KQJ9 0 40/14 5/2 0/0 0",
        acts("marriage-S"),
        legal=acts("QS KS call"),
        points=(60, 14),
        values={"QS": -2, "KS": 2, "call": -2},
    ),
    Situation(
        "of K and Q of a marriage, the K",
        "santase KQ... J.9.. ACTCADTDAS KH T9.ATQJ.KQJ9.KQJ9 0 40/14 5/2 0/0 0",
        acts("marriage-S KS JS call"),
        line="santase Q... .9.. ACTCADTDAS KH TKJ9.ATQJ.KQJ9.KQJ9 0:call 66/14 6/2 0/0 0 Q.../.../.../A...",
        over=True,
        winner=0,
        game_points=2,
    ),
    Situation(
        "of K and Q of a marriage, the Q",
        "santase KQ... J.9.. ACTCADTDAS KH T9.ATQJ.KQJ9.KQJ9 0 40/14 5/2 0/0 0",
        acts("marriage-S QS JS KS 9H"),
        points=(65, 18),
        over=True,
        winner=1,
        game_points=2,
    ),
]

# ---------------------------------------------------------------- calls

CALLS = [
    Situation(
        f"a wrong call on the first lead of {name}",
        FIRST_LEAD.format(name),
        acts("call"),
        line=FIRST_LEAD.format(name).replace(" 0 0/0", " 0:call 0/0"),
        legal=(),
        over=True,
        winner=1,
        game_points=3,
    )
    for name in ("santase", "sixty-six")
] + [
    # Player 0 takes T and J of diamonds, 12 points, and calls.
    Situation(
        "a wrong call in santase by a player with a trick",
        FIRST_LEAD.format("santase"),
        acts("TD JD call"),
        points=(12, 0),
        over=True,
        winner=1,
        game_points=2,
    ),
    Situation(
        "a wrong call in sixty-six while the other has no trick",
        FIRST_LEAD.format("sixty-six"),
        acts("TD JD call"),
        points=(12, 0),
        over=True,
        winner=1,
        game_points=3,
    ),
    Situation(
        "a wrong call while the other has closed is not a successful closing",
        "santase ..9. ..A. TS KC AKQJ9.ATKQJ9.TKQJ.ATQJ9 1 35/60 5/5 0/0 0",
        acts("call"),
        over=True,
        winner=0,
        game_points=2,
    ),
    Situation(
        "a right call by the opponent of the closer",
        "santase ..9. ..A. TS KC AKQJ9.ATKQJ9.TKQJ.ATQJ9 1 28/67 5/5 0/0 0",
        acts("call"),
        over=True,
        winner=1,
        game_points=2,
    ),
    Situation(
        "a right call by the opponent of the closer, who had a trick at the closing",
        "sixty-six ..9. ..A. TS KC AKQJ9.ATKQJ9.TKQJ.ATQJ9 1 28/67 5/5 0/0 0:2:1",
        acts("call"),
        over=True,
        winner=1,
        game_points=2,
    ),
    Situation(
        "a right call by the opponent of the closer, who had no trick at the closing",
        "sixty-six ..9. ..A. TS KC AKQJ9.ATKQJ9.TKQJ.ATQJ9 1 28/67 5/5 0/0 0:0:0",
        acts("call"),
        over=True,
        winner=1,
        game_points=3,
    ),
]

# ---------------------------------------------------------------- exchanging and closing

# Spades are trump, the turned card is their ace. Three cards lie face down on it, or one.
THREE_LEFT = "{} 9.KQ.T.AJ KJ.T.A9.T QS9HQC AS T.AJ.KQJ.K9 0 23/13 2/2 0/0 -"
ONE_LEFT = "{} 9.KQ.T.AJ KJ.T.A9.T QS AS T.AJ9.KQJ.KQ9 0 26/13 3/2 0/0 -"

EXCHANGES = [
    Situation(
        "exchange with exactly three cards on the turned one",
        THREE_LEFT.format("santase"),
        legal=acts("JC AC TD QH KH 9S marriage-H exchange close call"),
    ),
    Situation(
        "exchange refused with one card on the turned one, closing not",
        ONE_LEFT.format("santase"),
        legal=acts("JC AC TD QH KH 9S marriage-H close call"),
        illegal=acts("exchange"),
    ),
    Situation(
        "santase-bg refuses both with one card on the turned one",
        ONE_LEFT.format("santase-bg"),
        legal=acts("JC AC TD QH KH 9S marriage-H"),
        illegal=acts("exchange close call"),
    ),
    Situation(
        "santase-engine allows both with three cards on the turned one",
        THREE_LEFT.format("santase-engine"),
        legal=acts("JC AC TD QH KH 9S marriage-H exchange close"),
    ),
    Situation(
        "sixty-six allows both with one card on the turned one",
        ONE_LEFT.format("sixty-six"),
        legal=acts("JC AC TD QH KH 9S marriage-H exchange close call"),
    ),
    Situation(
        "sixty-six, exchange and closing with one card on the turned one",
        ONE_LEFT.format("sixty-six"),
        acts("exchange close"),
        line="sixty-six A.KQ.T.AJ KJ.T.A9.T QS 9S T.AJ9.KQJ.KQ9 0 26/13 3/2 0/0 0:13:2 A.../.../.../...",
    ),
    Situation(
        "closing with one card on the turned one",
        ONE_LEFT.format("santase"),
        acts("close"),
        legal=acts("JC AC TD QH KH 9S marriage-H call"),
        illegal=acts("exchange close"),
        line="santase 9.KQ.T.AJ KJ.T.A9.T QS AS T.AJ9.KQJ.KQ9 0 26/13 3/2 0/0 0",
    ),
    Situation(
        "the other knows which card was taken by the exchange",
        THREE_LEFT.format("santase"),
        acts("exchange"),
        illegal=acts("exchange 9S"),
        line="santase A.KQ.T.AJ KJ.T.A9.T QS9HQC 9S T.AJ.KQJ.K9 0 23/13 2/2 0/0 - A.../.../.../...",
        views=(
            "santase A.KQ.T.AJ +6 ?3 9S T.AJ.KQJ.K9 0 23/13 2/2 0/0 - A.../.../.../...",
            "santase A...+5 KJ.T.A9.T ?3 9S T.AJ.KQJ.K9 0 23/13 2/2 0/0 - A.../.../.../...",
        ),
    ),
    Situation(
        "after a marriage neither exchange nor closing",
        THREE_LEFT.format("santase"),
        acts("marriage-H"),
        legal=acts("QH KH call"),
        illegal=acts("exchange close"),
        points=(43, 13),
    ),
    Situation(
        "exchange, closing and marriage on one lead",
        THREE_LEFT.format("santase"),
        acts("exchange close marriage-H"),
        legal=acts("QH KH call"),
        line="santase A.KQ.T.AJ KJ.T.A9.T QS9HQC 9S T.AJ.KQJ.K9 0:marriage-H 43/13 2/2 0/0 0 "
        "A.KQ../.../.../...",
    ),
    Situation(
        "exchange, closing and marriage, and the reply must beat the K",
        THREE_LEFT.format("santase"),
        acts("exchange close marriage-H KH"),
        legal=acts("TH"),
    ),
    Situation(
        "exchange, closing, marriage and the trick, after which nobody draws",
        THREE_LEFT.format("santase"),
        acts("exchange close marriage-H KH TH"),
        line="santase A.Q.T.AJ KJ..A9.T QS9HQC 9S T.ATKJ.KQJ.K9 1 43/27 2/3 0/0 0 A.Q../.../.../...",
    ),
    Situation(
        "closing before exchanging leaves nothing to exchange",
        THREE_LEFT.format("santase"),
        acts("close"),
        illegal=acts("exchange"),
    ),
    Situation(
        "the last draw: the winner takes the face-down card, the loser the turned one",
        ONE_LEFT.format("santase"),
        acts("AC TC"),
        legal=acts("JC TD QH KH 9S QS marriage-H call"),
        illegal=acts("close exchange"),
        line="santase Q9.KQ.T.J AKJ.T.A9. - S T.AJ9.KQJ.ATKQ9 0 47/13 4/2 0/0 -",
        views=(
            "santase Q9.KQ.T.J AKJ.T.A9. - S T.AJ9.KQJ.ATKQ9 0 47/13 4/2 0/0 -",
            "santase Q9.KQ.T.J AKJ.T.A9. - S T.AJ9.KQJ.ATKQ9 0 47/13 4/2 0/0 -",
        ),
    ),
    Situation(
        "strict play: void of the suit led, any trump",
        ONE_LEFT.format("santase"),
        acts("AC TC JC"),
        legal=acts("JS KS AS"),
    ),
    Situation(
        "strict play: follow with a higher card",
        ONE_LEFT.format("santase"),
        acts("AC TC TD"),
        legal=acts("AD"),
    ),
    *(
        Situation(
            f"the trump nine on the first lead of {name}: no exchange before a trick of one's own",
            f"{name} KQ.AJ.T.9 AT.KQ.J.T 9SJS9HTHQDKDAD9DJCQCKC AC ... 0 0/0 0/0 0/0 -",
            legal=acts("9C TD JH AH QS KS marriage-S " + more),
            illegal=acts("exchange"),
        )
        for name, more in [("santase", "call"), ("sixty-six", "close call")]
    ),
    # In schnapsen the very first lead may do everything.
    Situation(
        "first lead in schnapsen: marriage, exchange with no trick taken, closing and call",
        "schnapsen J.KQ.A.T AK.T.K.J QSAHJHTDQDJDACKCQC TS ... 0 0/0 0/0 0/0 -",
        legal=acts("TC AD QH KH JS marriage-H exchange close call"),
    ),
    Situation(
        "schnapsen, everything on the first lead",
        "schnapsen J.KQ.A.T AK.T.K.J QSAHJHTDQDJDACKCQC TS ... 0 0/0 0/0 0/0 -",
        acts("exchange close marriage-H KH TH"),
        line="schnapsen T.Q.A.T AK..K.J QSAHJHTDQDJDACKCQC JS .TK.. 1 0/14 0/1 20/0 0:0:0 T.Q../.../.../...",
    ),
    Situation(
        "schnapsen, a wrong call by the opponent of a closer without a trick",
        "schnapsen J.KQ.A.T AK.T.K.J QSAHJHTDQDJDACKCQC TS ... 0 0/0 0/0 0/0 -",
        acts("exchange close marriage-H KH TH call"),
        over=True,
        winner=0,
        game_points=3,
    ),
    # J and T of clubs, 12, and the pending 20. The other has a trick now but had none at the closing; a
    # closer who calls wrongly fails at what he staked then.
    Situation(
        "schnapsen, a wrong call by the closer himself",
        "schnapsen J.KQ.A.T AK.T.K.J QSAHJHTDQDJDACKCQC TS ... 0 0/0 0/0 0/0 -",
        acts("exchange close marriage-H KH TH JC TC call"),
        points=(32, 14),
        tricks=(1, 1),
        pending=(0, 0),
        over=True,
        winner=1,
        game_points=3,
    ),
]

# ---------------------------------------------------------------- how closings end

# Player 1 has closed with 56 and all eight tricks; hearts are trump. The trump nine can take the nine of
# spades: a trick worth nothing.
WORTH_NOTHING = "{} .9..T 9...A ADASTS AH KQJ.TKQJ.TKQJ9.KQJ9 1 0/56 0/8 0/0 1"

# Player 0 has closed with one card face down on the turned one, and leads to the last trick.
LAST_OF_CLOSED = "{} ..A. ..9. TS KC AKQJ9.ATKQJ9.TKQJ.ATQJ9 0 {} 5/5 0/0 {}"

# Player 0 closes on the very first lead, and player 1 takes all six tricks: 10, 23, 36, 49, 62, 75.
CLOSED_AT_ONCE = (
    "sixty-six QJ9..QJ.J AT..AT.AT KSAHTHKHQHJHKD9DKCQC9C 9H ... 0 0/0 0/0 0/0 -",
    acts("close 9S TS AS JS AD JD TD QD AC JC"),
)

# Player 0 has closed with 20 and ends with 52.
FAILING = "{} A..Q.A ..K9.T TSQHJH KH KQJ9.AT9.ATJ.KQJ9 0 20/42 4/3 0/0 0"

CLOSINGS = [
    Situation(
        "a trick worth nothing saves from three",
        WORTH_NOTHING.format("santase"),
        values={"AC": 3, "9S": 2, "call": -2},
    ),
    Situation(
        "a trick worth nothing, taken",
        WORTH_NOTHING.format("santase"),
        acts("9S 9H TC AC"),
        line="santase ... ... ADASTS AH KQJ9.TKQJ9.TKQJ9.ATKQJ9 1 0/77 1/9 0/0 1 .../AT.../.../...",
        over=True,
        winner=1,
        game_points=2,
    ),
    Situation(
        "a trick worth nothing, not taken in time",
        WORTH_NOTHING.format("santase"),
        acts("AC TC call"),
        points=(0, 77),
        over=True,
        winner=1,
        game_points=3,
    ),
    Situation(
        "a trick worth nothing saves nothing in santase-bg",
        WORTH_NOTHING.format("santase-bg"),
        acts("9S 9H TC AC"),
        points=(0, 77),
        over=True,
        winner=1,
        game_points=3,
    ),
    Situation(
        "a trick worth nothing saves from three in santase-engine",
        WORTH_NOTHING.format("santase-engine"),
        acts("9S 9H TC AC"),
        over=True,
        winner=1,
        game_points=2,
    ),
    Situation(
        "closed: no bonus for the last trick",  # 50 + 11, where +10 would have made 71
        LAST_OF_CLOSED.format("santase", "50/45", "0"),
        acts("AD 9D"),
        line="santase ... ... TS KC AKQJ9.ATKQJ9.ATKQJ9.ATQJ9 0 61/45 6/5 0/0 0",
        over=True,
        winner=1,
        game_points=2,
    ),
    Situation(
        "closed: 66 with the last trick needs no call; the other's points at the end count",
        LAST_OF_CLOSED.format("santase", "55/40", "0"),
        acts("AD 9D"),
        points=(66, 40),
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "closed: the other's points at the closing count in sixty-six",
        LAST_OF_CLOSED.format("sixty-six", "55/40", "0:20:2"),
        acts("AD 9D"),
        line="sixty-six ... ... TS KC AKQJ9.ATKQJ9.ATKQJ9.ATQJ9 0 66/40 6/5 0/0 0:20:2",
        over=True,
        winner=0,
        game_points=2,
    ),
    Situation(
        "closed: the other had no trick at the closing",
        LAST_OF_CLOSED.format("sixty-six", "55/40", "0:0:0"),
        acts("AD 9D"),
        over=True,
        winner=0,
        game_points=3,
    ),
    Situation(
        "closed: the other had a trick worth nothing at the closing",
        LAST_OF_CLOSED.format("sixty-six", "55/40", "0:0:1"),
        acts("AD 9D"),
        over=True,
        winner=0,
        game_points=2,
    ),
    Situation(
        "closed: the other had 33 at the closing",
        LAST_OF_CLOSED.format("sixty-six", "55/40", "0:33:3"),
        acts("AD 9D"),
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "closed on the first lead: the reply must beat the nine",
        CLOSED_AT_ONCE[0],
        acts("close 9S"),
        legal=acts("TS AS"),
    ),
    Situation(
        "closed on the first lead: the reply to the ace must follow",
        CLOSED_AT_ONCE[0],
        acts("close 9S TS AS"),
        legal=acts("JS QS"),
    ),
    Situation(
        "closed on the first lead and failed: the other had no trick then, though he has six now",
        CLOSED_AT_ONCE[0],
        CLOSED_AT_ONCE[1] + acts("TC QS"),
        line="sixty-six ... ... KSAHTHKHQHJHKD9DKCQC9C 9H ATQJ9..ATQJ.ATJ 1 0/75 0/6 0/0 0:0:0 "
        ".../.ATKQJ..KQ9/.../...",
        over=True,
        winner=1,
        game_points=3,
    ),
    Situation(
        "a wrong call against a closer who has no trick",
        CLOSED_AT_ONCE[0],
        CLOSED_AT_ONCE[1] + acts("call"),
        points=(0, 62),
        over=True,
        winner=0,
        game_points=3,
    ),
] + [
    Situation(
        f"closed and failed in {name}",
        FAILING.format(name),
        acts("AS 9D QD KD TC AC"),
        points=(52, 49),
        over=True,
        winner=1,
        game_points=game_points,
    )
    for name, game_points in [("santase", 2), ("santase-bg", 3), ("santase-engine", 3)]
]

# ---------------------------------------------------------------- the last trick of an exhausted talon

# Player 0 leads the ace of diamonds to the last trick, worth 11 with the nine, or 13 with the J.
LAST_TRICK = "{} ..A. ..9. - C ATKQJ9.ATKQJ9.TKQJ.ATKQJ9 0 {} 5/6 0/0 -"
LAST_TRICK_OF_TEN = "schnapsen ..A. ..J. - C ATKQJ.ATKQJ.TKQ.ATKQJ 0 {} 4/5 0/0 -"

LAST_TRICKS = [
    Situation(
        "65:65 in santase: the last trick's winner scores 1",
        LAST_TRICK.format("santase", "44/65"),
        acts("AD 9D"),
        line="santase ... ... - C ATKQJ9.ATKQJ9.ATKQJ9.ATKQJ9 0 65/65 6/6 0/0 -",
        over=True,
        winner=0,
        game_points=1,
    ),
    *(
        Situation(
            f"65:65 in {name}: a void hand",
            LAST_TRICK.format(name, "44/65"),
            acts("AD 9D"),
            points=(65, 65),
            over=True,
            winner=None,
            game_points=0,
        )
        for name in ("santase-bg", "santase-engine", "sixty-six")
    ),
    Situation(
        "schnapsen: no bonus, and the last trick's winner scores 1 with less than 66",
        LAST_TRICK_OF_TEN.format("44/63"),
        acts("AD JD"),
        line="schnapsen ... ... - C ATKQJ.ATKQJ.ATKQJ.ATKQJ 0 57/63 5/5 0/0 -",
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "schnapsen: the last trick beats a 66 that was not called",
        LAST_TRICK_OF_TEN.format("40/67"),
        acts("AD JD"),
        points=(53, 67),
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "schnapsen: the last trick's winner with 66 scores as by a right call",
        LAST_TRICK_OF_TEN.format("77/30"),
        acts("AD JD"),
        points=(90, 30),
        over=True,
        winner=0,
        game_points=2,
    ),
    Situation(
        "the last trick decides with its ten points",  # 46 + 11 + 10
        LAST_TRICK.format("santase", "46/63"),
        acts("AD 9D"),
        points=(67, 63),
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "the last trick decides with its ten points where 66 is automatic",
        LAST_TRICK.format("santase-bg", "46/63"),
        acts("AD 9D"),
        points=(67, 63),
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "a player past 66 who did not call still wins when the other ends below it",
        LAST_TRICK.format("santase", "39/70"),
        acts("AD 9D"),
        points=(60, 70),
        over=True,
        winner=1,
        game_points=1,
    ),
    Situation(
        "both have 66: the last trick's winner",
        LAST_TRICK.format("santase", "50/79"),  # a marriage of 20 among them
        acts("AD 9D"),
        points=(71, 79),
        over=True,
        winner=0,
        game_points=1,
    ),
    Situation(
        "before the last trick one who has 66 may still call, and one who has not calls wrongly",
        LAST_TRICK.format("santase", "67/42"),
        values={"AD": 1, "call": 1},
    ),
    # A and T of spades bring 69 with cards still in the talon; the draw takes place.
    Situation(
        "where 66 is automatic a trick ends the hand, after the draw",
        "santase-bg A9..KQ.TJ TJ.KQ.T.A ADKCQC 9C KQ.ATJ9.J9. 0 48/4 3/1 0/0 -",
        acts("AS TS"),
        legal=(),
        line="santase-bg 9..AKQ.TJ J.KQ.T.AK QC 9C ATKQ.ATJ9.J9. 0 69/4 4/1 0/0 -",
        over=True,
        winner=0,
        game_points=2,
    ),
    Situation(
        "where 66 is automatic a marriage ends the hand with cards in the talon",
        "santase-bg A9..KQ.TJ TJ.KQ.T.A ADKCQC 9C KQ.ATJ9.J9. 0 48/4 3/1 0/0 -",
        acts("marriage-D"),
        legal=(),
        line="santase-bg A9..KQ.TJ TJ.KQ.T.A ADKCQC 9C KQ.ATJ9.J9. 0:marriage-D 68/4 3/1 0/0 - "
        "..KQ./.../.../...",
        over=True,
        winner=0,
        game_points=2,
    ),
]

# ---------------------------------------------------------------- what play shows after a closing

# Player 0 has closed; the face-down cards are spades and hearts, and hearts are trump. A diamond thrown on
# the ace of spades shows that player 1 has neither.
SHOWING = "santase A..Q.A ..K9.T TSQHJH KH KQJ9.AT9.ATJ.KQJ9 0 40/22 4/3 0/0 0"
SHOWING_ONE = "santase A..Q.A ..K9.T TS KH KQJ9.ATQJ9.ATJ.KQJ9 0 43/24 4/4 0/0 0"

KNOWLEDGE = [
    Situation(
        "after a closing the hands are hidden at first",
        SHOWING,
        views=(
            "santase A..Q.A +3 ?3 KH KQJ9.AT9.ATJ.KQJ9 0 40/22 4/3 0/0 0",
            "santase +3 ..K9.T ?3 KH KQJ9.AT9.ATJ.KQJ9 0 40/22 4/3 0/0 0",
        ),
    ),
    Situation(
        "a discard after a closing shows every card of the hand",
        SHOWING,
        acts("AS 9D"),
        line="santase ..Q.A ..K.T TSQHJH KH AKQJ9.AT9.ATJ9.KQJ9 0 51/22 5/3 0/0 0 .../.../.../T.QJ..",
        views=(
            "santase ..Q.A ..K.T ?3 KH AKQJ9.AT9.ATJ9.KQJ9 0 51/22 5/3 0/0 0 .../.../.../T.QJ..",
            "santase +2 ..K.T ?3 KH AKQJ9.AT9.ATJ9.KQJ9 0 51/22 5/3 0/0 0",
        ),
    ),
    Situation(
        "and the card face down, when there is one",
        SHOWING_ONE,
        acts("AS 9D"),
        line="santase ..Q.A ..K.T TS KH AKQJ9.ATQJ9.ATJ9.KQJ9 0 54/24 5/4 0/0 0 .../.../.../T...",
        views=(
            "santase ..Q.A ..K.T TS KH AKQJ9.ATQJ9.ATJ9.KQJ9 0 54/24 5/4 0/0 0 .../.../.../T...",
            "santase +2 ..K.T ?1 KH AKQJ9.ATQJ9.ATJ9.KQJ9 0 54/24 5/4 0/0 0",
        ),
    ),
]

SITUATIONS = MARRIAGES + CALLS + EXCHANGES + CLOSINGS + LAST_TRICKS + KNOWLEDGE
