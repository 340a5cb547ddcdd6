"""Lines read and written, and every way in which a line can be wrong."""

import json
from pathlib import Path

import pytest

import santase
from santase import NotationError, Position

VECTORS = Path(__file__).parent / "vectors"
FIELDS = ("rules", "hand0", "hand1", "talon", "turned", "played", "turn", "points", "tricks", "pending",
          "closed", "known")  # fmt: skip

DEAL = "santase AQ.Q.AT.J TKJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -"
VIEW = "santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -"
OPEN = "santase T.TQJ.T. K9.AK.A.A QDTCAS9HJS9CKD QS ..J9.KJ 0:QC 8/0 2/0 0/0 -"
CLOSED = "santase T9.J.Q.9 KQ.K9.K.J THKCAC AH AJ.Q.TJ9.TQ 0:AD 15/26 2/2 0/0 0"
EXHAUSTED = "santase ...J Q9... - C AKJ.ATKQJ9.ATKQJ9.ATKQ9 0:TS 38/107 4/6 0/0 -"
SIXTY_SIX = "sixty-six A..J. ..T9. JHAHTS9SKD 9H KQJ.TKQ.AQ.ATKQJ9 1 38/32 4/3 0/0 1:18:2"
AUTOMATIC = "santase-bg .J.T9.AK9 QJ.A.AJ.J - H ATK9.TKQ9.KQ.TQ 0 28/34 2/4 0/0 -"
MARRIAGE = "santase KQ.Q.AT.J ATJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0:marriage-S 0/0 0/0 20/0 -"


def with_field(line: str, **changes: str) -> str:
    fields = line.split()
    for name, text in changes.items():
        index = FIELDS.index(name)
        fields[index : index + 1] = [text]
    return " ".join(fields)


@pytest.mark.parametrize("line", [DEAL, VIEW, OPEN, CLOSED, EXHAUSTED, SIXTY_SIX, AUTOMATIC, MARRIAGE])
def test_round_trip(line):
    assert str(Position.parse(line)) == line


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_vectors_round_trip(path):
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)["position"]
        assert str(Position.parse(line)) == line


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (DEAL.lower(), DEAL),
        (DEAL.replace(" ", "   ") + "\n", DEAL),
        (with_field(DEAL, hand0="qa.Q.ta.J", hand1="jtk.j10..A"), DEAL),
        (with_field(DEAL, talon="9♠Q♦9♦9♣A♥Q♣10CK♥9♥K♣K♦", turned="J♦"), DEAL),
        (with_field(DEAL, talon="9♠️Q♦️9♦️9♣A♥Q♣10CK♥9♥K♣K♦", turned="J♦️"), DEAL),
        (with_field(OPEN, turn="0:q♣"), OPEN),
        (with_field(MARRIAGE, turn="0:marriage-♠"), MARRIAGE),
        (with_field(EXHAUSTED, turned="♣"), EXHAUSTED),
        (DEAL + " .../.../.../...", DEAL),
    ],
)
def test_lenient_input(written, canonical):
    assert str(Position.parse(written)) == canonical


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        # what counting tells is put in place: an exhausted talon hides nothing
        (with_field(EXHAUSTED, hand1="+2"), EXHAUSTED),
        # ... nor does the last face-down card when both hands are known
        (
            "santase TQJ..J.AQ A.TK9.T9. ?5 9C K9.Q.AQ.J 1 37/6 2/1 0/0 -",
            "santase TQJ..J.AQ A.TK9.T9. ?5 9C K9.Q.AQ.J 1 37/6 2/1 0/0 -",
        ),
        # cards of a hidden hand that show are known to be there
        (with_field(VIEW, hand1=".K..+5"), with_field(VIEW, hand1=".K..+5") + " .../.../.K../..."),
        (VIEW + " .../.../.K../...", with_field(VIEW, hand1=".K..+5") + " .../.../.K../..."),
    ],
)
def test_completion(written, canonical):
    assert str(Position.parse(written)) == canonical


BAD = [
    # the line as a whole
    ("", None, "11 or 12 fields"),
    ("santase", None, "11 or 12 fields"),
    (DEAL + " .../.../.../... x", None, "11 or 12 fields"),
    ("x" * 5000, None, "5000 characters"),
    # rules
    (with_field(DEAL, rules="bridge"), "rules", "no preset is called 'bridge'"),
    (with_field(DEAL, rules="santase+colour=red"), "rules", "known setting"),
    (with_field(DEAL, rules="santase+hand_size=x"), "rules", "hand_size is a number"),
    (with_field(DEAL, rules="santase+hand_size=0"), "rules", "hand_size is 1 to 11"),
    (with_field(DEAL, rules="santase+hand_size=2"), "rules", "19 cards face down, more than 11"),
    (with_field(DEAL, rules="santase+automatic=1"), "rules", "automatic is yes or no"),
    # cards
    (with_field(DEAL, hand0="AQ.Q.AT"), "hand0", "3 suits"),
    (with_field(DEAL, hand0="AQ.Q.AX.J"), "hand0", "'X' is no rank"),
    (with_field(DEAL, hand0="AAQ.Q.AT.J"), "hand0", "AS stands there twice"),
    (with_field(DEAL, hand1="AKJ.TJ..A"), "hand1", "AS stands in an earlier field"),
    (with_field(DEAL, hand0="AQ.Q.AT."), "hand0", "5 cards, but after 0 tricks player 0 holds 6"),
    (with_field(DEAL, hand1="TKJ.TJ.."), "hand1", "5 cards"),
    (with_field(DEAL, hand1="+5"), "hand1", "5 cards"),
    (with_field(DEAL, hand1="+0"), "hand1", "hides nothing"),
    (with_field(DEAL, hand1="+six"), "hand1", "no number"),
    (with_field(DEAL, hand0="+6", hand1="+6"), "hand1", "given whole"),
    (with_field(DEAL, talon="9SQD9D9CAHQCTCKH9HKC"), "talon", "10 face down"),
    (with_field(DEAL, talon="9SQD9D9CAHQCTCKH9HKCKS"), "talon", "KS stands in an earlier field"),
    (with_field(DEAL, talon="9S9SQD9CAHQCTCKH9HKCKD"), "talon", "twice"),
    (with_field(DEAL, talon="9SQD9D9CAHQCTCKH9HKCKDKDKD"), "talon", "more than 11"),
    (with_field(DEAL, talon="9SQD9D9CAHQCTCKH9HKCK"), "talon", "'K' is no card"),
    (with_field(DEAL, talon="?10"), "talon", "10 face down, but after 0 tricks there are 11"),
    (with_field(DEAL, talon="?0"), "talon", "write -"),
    (with_field(DEAL, talon="?x"), "talon", "no number"),
    (with_field(DEAL, talon="-"), "talon", "0 face down"),
    (with_field(DEAL, turned="D"), "turned", "give the card"),
    (with_field(DEAL, turned="AS"), "turned", "AS stands in an earlier field"),
    (with_field(DEAL, turned="XX"), "turned", "neither a card nor a suit"),
    (with_field(EXHAUSTED, turned="9C"), "turned", "give the suit alone"),
    (with_field(DEAL, played="+1"), "played", "no cards are hidden here"),
    (with_field(OPEN, played="T..J9.K"), "played", "TS stands in an earlier field"),
    (with_field(OPEN, played="..J9.K"), "played", "3 cards for 2 tricks, not 4"),
    ("schnapsen AQ.Q.T.J 9KJ.J..A QDTDACAHQCTCKHTHKC JD ... 0 0/0 0/0 0/0 -", "hand1", "9S not in the deck"),
    ("santase+suits=CD+hand_size=3 ..AT.J ..Q.KT QC9CKD9DJD AH ... 0 0/0 0/0 0/0 -", "turned", "AH not in"),
    (
        "santase+suits=CD+hand_size=3 ..AT.J ..Q.KT - S ..KJ9.AQ9 0 0/0 3/0 0/0 -",
        "turned",
        "trump suit is not",
    ),
    # turn
    (with_field(DEAL, turn="2"), "turn", "no player"),
    (with_field(DEAL, turn="0:XX"), "turn", "'XX' is no card"),
    (with_field(DEAL, hand0="AQ.Q.T.J", turn="0:AS"), "turn", "AS stands in an earlier field"),
    (with_field(OPEN, turn="1:QC"), "hand0", "5 cards, but"),
    (with_field(OPEN, turn="1"), "hand0", "5 cards, but after 2 tricks player 0 holds 6"),
    (with_field(EXHAUSTED, turn="0"), "hand0", "player 0 holds 2"),
    (with_field(DEAL, turn="0:marriage-S"), "turn", "without K and Q"),
    (with_field(DEAL, turn="0:marriage-X"), "turn", "no suit"),
    (with_field(MARRIAGE, rules="santase-bg"), "turn", "no marriage before a trick"),
    (with_field(AUTOMATIC, turn="0:call"), "turn", "no call"),
    (
        "santase ... ... - D ATKQJ9.ATKQJ9.ATKQJ9.ATKQJ9 0:call 70/60 6/6 0/0 -",
        "turn",
        "nobody calls any more",
    ),
    ("santase ... ... - D ATKQJ9.ATKQJ9.ATKQJ9.TKQJ9 0:AC 59/60 6/6 0/0 -", "played", "23 cards"),
    (
        "santase T.TQJ.T.Q K9.AK.A.A QDTCAS9HJS9CKD QS ..J9.KJ 1 8/0 2/0 0/0 -",
        "turn",
        "player 1 is on lead but has taken no trick",
    ),
    # points, tricks, pending
    (with_field(OPEN, points="8"), "points", "player 0/player 1"),
    (with_field(OPEN, points="8/x"), "points", "no number"),
    (with_field(OPEN, points="8/999"), "points", "999 is more than 250"),
    (with_field(OPEN, points="8/-1"), "points", "no number"),
    (with_field(OPEN, points="7/1"), "points", "without a trick"),
    (with_field(OPEN, points="9/0"), "points", "no marriages that the cards allow make 9/0"),
    (with_field(OPEN, points="68/0"), "points", "no marriages that the cards allow"),
    (with_field(CLOSED, points="2/39"), "points", "cannot share out"),
    (with_field(OPEN, tricks="1/0"), "played", "4 cards for 1 trick, not 2"),
    (with_field(OPEN, tricks="99/0"), "tricks", "99 tricks are more"),
    (with_field(OPEN, pending="20/0"), "pending", "has a trick, so nothing is pending"),
    (with_field(OPEN, pending="0/30"), "pending", "20 or 40"),
    (with_field(DEAL, pending="0/20"), "pending", "has not been on lead"),
    (with_field(DEAL, pending="20/0"), "pending", "no marriages that the cards allow"),
    (with_field(MARRIAGE, pending="40/0"), "pending", "no marriages that the cards allow"),
    (with_field(MARRIAGE, pending="0/0"), "pending", "no marriages that the cards allow"),
    (with_field(MARRIAGE, pending="20/20"), "pending", "has not been on lead"),
    (with_field(DEAL, rules="santase-bg", pending="20/0"), "pending", "no marriage before a trick"),
    (with_field(AUTOMATIC, points="62/0"), "points", "cannot share out"),
    # closed
    (with_field(CLOSED, closed="2"), "closed", "no player"),
    (with_field(CLOSED, closed="0:26:2"), "closed", "the closer alone"),
    (with_field(SIXTY_SIX, closed="1"), "closed", "closer:points:tricks"),
    (with_field(SIXTY_SIX, closed="1:18:x"), "closed", "no number"),
    (with_field(SIXTY_SIX, closed="1:90:2"), "closed", "cannot have had 90 points"),
    (with_field(SIXTY_SIX, closed="1:18:0"), "closed", "cannot have had"),
    (with_field(SIXTY_SIX, closed="1:18:3"), "closed", "cannot have had 3 tricks"),
    (with_field(CLOSED, talon="THKC", hand0="T9.J.Q.9", hand1="KQ.K9.K.ACJ"), "hand1", "rank"),
    (with_field(DEAL, closed="0"), "closed", "no closing before a trick"),
    (with_field(CLOSED, talon="?4"), "talon", "odd number"),
    (with_field(DEAL, rules="sixty-six", closed="1:0:0"), "closed", "player 0 is on lead"),
    # known
    (DEAL + " .../...", "known", "2 hands"),
    (DEAL + " .../K.../.../...", "known", "only under a closing"),
    (DEAL + " K.../.../.../...", "known", "player 0 cannot hold KS"),
    (VIEW + " .../.../A.../...", "known", "cannot hold AS"),
    (CLOSED + " .../9.../.../...", "known", "player 0 holds 9S"),
    (CLOSED + " T.../T.../.../...", "known", "both holds and lacks TS"),
    (
        "schnapsen AQ.Q.T.J TKJ.J..A AHTHKHADKDQDTCKCQC JD ... 0 0/0 0/0 0/0 - 9.../.../.../...",
        "known",
        "not in",
    ),
]


@pytest.mark.parametrize(("line", "field", "reason"), BAD, ids=[f"{n}-{c[1]}" for n, c in enumerate(BAD)])
def test_errors_name_field_and_reason(line, field, reason):
    with pytest.raises(NotationError) as caught:
        Position.parse(line)
    assert caught.value.field == field
    assert reason in str(caught.value)
    if field:
        assert str(caught.value).startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("written", "hand"),
    [
        # the other's marriage is pending, so the card that is not yet played is known
        ("santase A.T.J.AJ9 +5 ?11 9D ... 1:KS 0/0 0/0 0/20 -", "Q...+4"),
        ("santase AQ.9.AT.J +6 ?9 JD .TK.. 0 14/0 1/0 0/20 -", ".Q..+5"),
        ("santase A9.T.AJ.J +6 ?11 9D ... 1:marriage-S 0/0 0/0 0/20 -", "KQ...+4"),
        # it counts, and only one suit can have given the points
        ("santase A9.T.AT.J +6 ?7 9D K..QJ.A 1 0/40 0/2 0/0 -", "Q...+5"),
        # two suits can have: nothing is known
        ("santase A9.T..QJ9 +6 ?7 9D K.K.A.T 1 0/49 0/2 0/0 -", "+6"),
    ],
)
def test_a_marriage_tells_of_a_hidden_hand(written, hand):
    position = Position.parse(written)
    assert str(position).split()[2] == hand
    assert Position.parse(str(position)) == position
    if "+6" not in hand:
        for world in santase.sample_worlds(position, 200, seed=1):
            assert Position.parse(str(world)) == world


def test_a_marriage_that_cannot_be():
    with pytest.raises(NotationError, match="pending"):
        Position.parse("santase AQ.T.J.AJ +5 ?11 9D ... 1:KS 0/0 0/0 0/20 -")
    with pytest.raises(NotationError, match="without K and Q"):
        Position.parse("santase AQ.T.AJ.J +6 ?11 9D ... 1:marriage-S 0/0 0/0 0/20 -")
