"""The local page's server: positions set up, answers, games, and who is refused."""

import base64
import http.client
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("waitress", reason="waitress is not installed")

from situations import SITUATIONS

from santase import ACTIONS, CARDS, RULES, Game, Position, SantaseError, analyze, deal, solve
from santase.cli import main
from santase.web import make_server, table
from santase.web import server as server_module
from santase.web.key import kept_key
from santase.web.server import Server

VIEW = "santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -"
FULL = "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"
PAGE = Path(server_module.__file__).parent / "page"


@contextmanager
def serving(key: bytes | None = None) -> Iterator[Server]:
    server = make_server(0, key=key)
    ended = threading.Event()

    def run() -> None:
        try:
            server.run()
        finally:
            ended.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        assert ended.wait(20)
        thread.join()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(b"k" * 32) as running:
        yield running


def send(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as client:
        client.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = client.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def ask(server: Server, path: str, lang: str = "en", **asked: Any) -> tuple[int, dict[str, Any]]:
    body = json.dumps(asked).encode()
    while True:
        status, headers, data = send(
            server, "POST", f"/api/{path}", body, Content_Type="application/json", X_Santase=lang
        )
        if status != 503 or "retry-after" not in headers:  # other tests may be thinking
            return status, json.loads(data)
        time.sleep(0.1)


def answer(server: Server, path: str, **asked: Any) -> dict[str, Any]:
    status, found = ask(server, path, **asked)
    assert status == 200, found
    return found


def lines(server: Server, **asked: Any) -> list[dict[str, Any]]:
    while True:
        status, _headers, data = send(
            server,
            "POST",
            "/api/analyse",
            json.dumps(asked).encode(),
            Content_Type="application/json",
            X_Santase="en",
        )
        if status != 503:
            assert status == 200, data
            return [json.loads(line) for line in data.splitlines()]
        time.sleep(0.1)


# ---------------------------------------------------------------- setting up


def laid(*, won: str = "", lost: str = "", mine: str = "", **more: Any) -> dict[str, Any]:
    """A draft with cards at places, as in ``mine="KS QS"``."""
    places = {
        card: name for name, cards in (("won", won), ("lost", lost), ("mine", mine)) for card in cards.split()
    }
    return {"places": places | more.pop("places", {}), **more}


def test_a_hand_set_up_card_by_card(server: Server) -> None:
    def check(draft: dict[str, Any]) -> dict[str, Any]:
        return answer(server, "check", draft=draft)

    assert check({})["error"]["field"] == "turned"
    draft = laid(mine="AS QS QH AD TD", places={"JD": "turned"})
    # the library's own words, at its own field
    with pytest.raises(SantaseError) as refused:
        Position.parse("santase AQ.Q.AT. +6 ?11 JD ... 0 0/0 0/0 0/0 -")
    assert check(draft)["error"] == {"field": "hand0", "message": str(refused.value).removeprefix("hand0: ")}
    draft["places"]["JC"] = "mine"
    found = check(draft)
    assert found["line"] == "santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -"
    assert found["position"]["legal"] == Position.parse(found["line"]).legal_actions()
    assert found["values"] == {
        "tricks": [0, 0],
        "points": [0, 0],
        "pending": [0, 0],
        "facedown": 11,
        "hidden": 6,
    }


def test_points_come_from_the_tricks_and_marriages(server: Server) -> None:
    draft = laid(won="AH TH KS 9S", mine="QS JS AD TD 9H JC", places={"JD": "turned"}, marriages=[20, 0])
    assert answer(server, "check", draft=draft)["line"].split()[7:9] == ["45/0", "2/0"]
    # a marriage that does not count yet is pending
    draft = laid(lost="KS TS", mine="QS JS AD TD 9H JC", places={"JD": "turned"}, marriages=[20, 0], leader=1)
    assert answer(server, "check", draft=draft)["line"].split()[7:10] == ["0/14", "0/1", "20/0"]


def test_marriages_are_offered_where_points_are_wrong(server: Server) -> None:
    draft = laid(won="AH TH KS 9S", mine="QS JS AD TD 9H JC", places={"JD": "turned"}, points=[44, 0])
    found = answer(server, "check", draft=draft)
    assert found["error"]["field"] == "points"
    offered = {tuple(offer["points"]): offer["marriages"] for offer in found["offers"]}
    assert offered[25, 0] == [0, 0] and offered[45, 0] == [20, 0]
    for points, marriages in offered.items():
        draft |= {"points": None, "marriages": marriages}
        assert answer(server, "check", draft=draft)["values"]["points"] == list(points)


@pytest.mark.parametrize("me", [0, 1])
def test_either_seat(server: Server, me: int) -> None:
    dealt = deal(11, leader=me)
    for card in ("legal", "legal"):
        dealt = (
            dealt.play(next(action for action in dealt.legal_actions() if action.kind == "play"))
            if card
            else dealt
        )
    view = dealt.view(me)
    draft = answer(server, "read", line=str(view))["draft"]
    assert draft["me"] == me
    played = [card for card, place in draft["places"].items() if place == "gone"]
    taken = "won" if dealt.tricks[me] else "lost"
    draft["places"] |= dict.fromkeys(played, taken)
    draft |= dict.fromkeys(("tricks", "points", "pending", "hidden", "facedown"))
    assert answer(server, "check", draft=draft)["line"] == str(view)


@pytest.mark.parametrize("preset", list(RULES))
def test_every_position_can_be_read_and_set_up(server: Server, preset: str) -> None:
    """Full positions and views through a hand: the draft of each makes the same line again."""
    for seed in range(3):
        position = deal(seed, preset)
        while not position.is_over:
            for shown in (position, position.view(0), position.view(1)):
                draft = table.Draft.of(shown)
                assert table.check(table.Draft.read(json.loads(json.dumps(draft.to_json()))))["line"] == str(
                    shown
                )
                # without the numbers that can be found
                draft.hidden = draft.facedown = None
                if shown.closer is None:
                    assert table.check(draft)["line"] == str(shown)
            actions = [action for action in position.legal_actions() if action != "call"]
            position = position.play(actions[(seed + sum(position.tricks)) % len(actions)])
        assert table.check(table.Draft.of(position))["position"]["over"]


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(st.sampled_from(CARDS), st.sampled_from(table.PLACES), max_size=24),
    st.fixed_dictionaries(
        {},
        optional={
            "rules": st.sampled_from([*RULES, "santase+hand_size=4+ranks=QKTA", "nonsense", "", "a b"]),
            "me": st.integers(0, 1),
            "trump": st.sampled_from([None, *"CDHS"]),
            "leader": st.integers(0, 1),
            "declared": st.sampled_from([None, *"CDHS"]),
            "marriages": st.sampled_from([[0, 0], [20, 40], [100, 100]]),
            "closer": st.sampled_from([None, 0, 1]),
            "closing": st.sampled_from([None, [0, 0], [12, 1]]),
            "hidden": st.sampled_from([None, 0, 6, 250]),
            "facedown": st.sampled_from([None, 0, 3, 250]),
            "tricks": st.sampled_from([None, [1, 1], [250, 0]]),
            "points": st.sampled_from([None, [20, 10]]),
            "pending": st.sampled_from([None, [20, 0]]),
            "known": st.sampled_from([None, ".../.../.../...", "<b>", "K"]),
        },
    ),
)
def test_any_draft_is_a_position_or_an_error(places: dict[str, str], more: dict[str, Any]) -> None:
    talon = [card for card, place in places.items() if place == "talon"]
    draft = table.Draft.read({"places": places, "talon": talon, **more})
    found = table.check(draft)
    if "position" in found:
        assert str(Position.parse(found["line"])) == found["line"]
    else:
        assert found["error"]["message"]
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    "draft",
    [
        None, [], 7, {"x": 1}, {"me": 2}, {"me": True}, {"me": 1.0}, {"places": []}, {"places": {"1S": "mine"}},
        {"places": {"KS": "up"}}, {"talon": ["KS"]}, {"talon": [1]}, {"points": [1]}, {"points": [1, 251]},
        {"points": [-1, 0]}, {"points": [True, 0]}, {"trump": "X"}, {"trump": "CD"}, {"known": "\n"}, {"rules": 1},
        {"rules": "x" * 401}, {"leader": None},
    ],
)  # fmt: skip
def test_what_is_no_draft(server: Server, draft: Any) -> None:
    status, found = ask(server, "check", draft=draft)
    assert status == 400 and found["error"].startswith("draft:")


def test_a_line_that_is_no_position(server: Server) -> None:
    status, found = ask(server, "read", line="santase AQ.Q.AT.J +5 ?11 JD ... 0 0/0 0/0 0/0 -")
    assert status == 400
    assert found == {
        "error": "hand1: 5 cards, but after 0 tricks player 1 holds 6",
        "field": "hand1",
    }


def test_dealing_and_going_on(server: Server) -> None:
    dealt = answer(server, "deal", rules="schnapsen")
    assert dealt["checked"]["position"]["rules"] == "schnapsen" and not dealt["checked"]["position"]["full"]
    dealt = answer(server, "deal", rules="santase", open=True)["checked"]["position"]
    position = Position.parse(dealt["line"])
    assert position.is_full
    action = position.legal_actions()[0]
    assert answer(server, "after", line=str(position), action=action)["checked"]["line"] == str(
        position.play(action)
    )
    status, found = ask(server, "after", line=str(position), action="exchange")
    assert (status, found["error"]) == (
        400,
        "exchange: player 0 does not hold 9" + position.trump,
    ) or status == 400


# ---------------------------------------------------------------- answers


def test_analysis_comes_line_by_line(server: Server) -> None:
    found = lines(server, line=VIEW, seconds=1.2)
    assert [line["final"] for line in found] == [False] * (len(found) - 1) + [True]
    assert len(found) > 1
    last = found[-1]
    assert {row["action"] for row in last["actions"]} == set(Position.parse(VIEW).legal_actions())
    assert last["actions"][0]["action"] == last["best"] in ("TH", "close")
    assert last["closing"] == {"legal": True, "reason": None}
    assert all(row["match"] is None for row in last["actions"])
    worlds = [line["worlds"] for line in found]
    assert worlds == sorted(worlds)


def test_analysis_of_the_policy_alone_and_for_a_match(server: Server) -> None:
    (found,) = lines(server, line=VIEW, seconds=0, match=[9, 10])
    expected = analyze(Position.parse(VIEW), 0, match=(9, 10))
    assert found["best"] == expected.best
    assert {row["action"]: row["policy"] for row in found["actions"] if row["policy"] is not None} == {
        action: estimate.policy
        for action, estimate in expected.actions.items()
        if estimate.policy == estimate.policy
    }


def test_the_analysis_of_a_game_goes_by_what_the_computer_has_played(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from santase.web import think

    given: list[Any] = []

    def spy(*arguments: Any, history: Any = (), **options: Any) -> Any:
        given.append(list(history))
        return analyze(*arguments, history=history, **options)

    monkeypatch.setattr(think, "analyze", spy)
    board = answer(server, "game/new", level="easy", first=0)
    seen: list[tuple[Position, str]] = []
    for _turn in range(6):
        line = board["position"]["line"]
        if board["position"]["over"]:
            break
        if board["position"]["toMove"] == 0:
            lines(server, line=line, seconds=0, state=board["state"])
            assert given[-1] == seen
            board = answer(server, "game/play", state=board["state"], action=board["position"]["legal"][0])
        else:
            before = Position.parse(line)
            board = answer(server, "game/answer", state=board["state"])
            seen.append((before, board["history"][-1]["steps"][-1]["action"]))
    assert len(given) >= 2 and seen
    # not of another position, nor of a game of another server, nor without a game
    with serving(b"another key, which is 32 bytes....") as other:
        state = answer(other, "game/new", level="easy", first=0)["state"]
    for asked in ({"state": board["state"]}, {"state": state}, {"state": "nonsense"}, {"state": 5}, {}):
        lines(server, line=VIEW, seconds=0, **asked)
        assert given[-1] == []


def test_what_is_wrong_is_told_in_the_language_of_the_page(server: Server) -> None:
    """Syntax errors of a line, rules, scores: not a word of English on the Bulgarian page."""
    fields = VIEW.split()
    wrong = ["foo", " ".join(fields[:5])]
    for number, value in enumerate(
        ("foo", ".T9.AT.X", "+x", "ZZ", "?12", "XS", "AQ", "2", "3", "a/b", "1", "7")[: len(fields)]
    ):
        wrong.append(" ".join([*fields[:number], value, *fields[number + 1 :]]))
    for line in wrong:
        status, found = ask(server, "read", "bg", line=line)
        assert status == 400
        told = re.sub(r"^\w+: |'[^']*'|santase[\w-]*|schnapsen|sixty-six", "", found["error"])
        assert not re.search(r"[a-z]{2}", told), found
    for path, asked in (("deal", {"rules": "foo"}), ("analyse", {"line": VIEW, "match": [11, 0]})):
        status, found = ask(server, path, "bg", **asked)
        assert status == 400 and re.search(r"[а-я]{3}", found["error"]), found


def test_why_one_cannot_close(server: Server) -> None:
    (found,) = lines(server, line=str(deal(7).view()), seconds=0)
    assert found["closing"] == {"legal": False, "reason": "Nobody closes before a trick has been played."}


def test_exact_values(server: Server) -> None:
    found = answer(server, "solve", line=FULL)
    expected = solve(Position.parse(FULL))
    assert found["value"] == expected.value == 1
    assert {row["action"]: row["value"] for row in found["actions"]} == expected.actions
    assert [step["action"] for step in found["line"]] == expected.line
    assert found["outcome"] == {"winner": 0, "game_points": 1, "reason": "played out"}
    assert ask(server, "solve", line=VIEW)[0] == 400


@pytest.mark.parametrize(
    "asked",
    [
        {"line": VIEW, "seconds": 20.5}, {"line": VIEW, "seconds": -1}, {"line": VIEW, "seconds": "1"},
        {"line": VIEW, "seconds": True}, {"line": VIEW, "seconds": None}, {"line": 5}, {},
        {"line": VIEW, "match": [11, 0]}, {"line": VIEW, "match": "9-10"}, {"line": VIEW, "match": [1]},
        {"line": FULL.replace(" 0 55/43", " 1 55/43"), "match": 3},
        {"line": "santase ... ... - C TKAQJ9.AKTQJ9.ATKQJ9.ATKQJ9 0 65/65 6/6 0/0 -"},
    ],
)  # fmt: skip
def test_what_cannot_be_analysed(server: Server, asked: dict[str, Any]) -> None:
    status, found = ask(server, "analyse", **asked)
    assert status == 400 and found["error"]


# ---------------------------------------------------------------- against the computer


def played_through(server: Server, board: dict[str, Any], choose: Any) -> dict[str, Any]:
    """Play the hand on the table to its end, choosing among the legal actions."""
    while not board["position"]["over"]:
        if board["position"]["toMove"] == 1:
            # which is told only where counting tells the cards
            assert (board["position"]["legal"] is None) == (board["position"]["hidden"][1] > 0)
            board = answer(server, "game/answer", state=board["state"])
        else:
            board = answer(
                server, "game/play", state=board["state"], action=choose(board["position"]["legal"])
            )
    return board


@pytest.mark.parametrize("preset", list(RULES))
def test_a_match_to_its_end(server: Server, preset: str) -> None:
    """Another player, the library's own record, agrees with all that the page was told."""
    board = answer(server, "game/new", rules=preset, level="easy", match=True, first=0)
    assert board["dealer"] == 1
    hands = 0
    while True:
        board = played_through(server, board, lambda legal: next(a for a in legal if a != "call"))
        hands += 1
        if board["over"]:
            break
        board = answer(server, "game/next", state=board["state"])
    game = Game.loads(answer(server, "game/record", state=board["state"])["record"])
    assert len(game.hands) == hands and game.is_over
    assert list(game.score) == board["score"] and game.winner == board["winner"]
    assert str(game.rules) == preset and game.seed is None
    assert ask(server, "game/next", state=board["state"])[0] == 400


def test_the_page_never_sees_the_computers_cards(server: Server) -> None:
    """In no answer before the hand's end, and not in the state, whatever is asked."""
    board = answer(server, "game/new", level="easy", first=1)
    while not board["position"]["over"]:
        position = board["position"]
        shown = Position.parse(position["line"])
        assert not position["talon"] and shown == shown.view(0)
        unseen = len(shown.hands[1]) + shown.hidden[1]
        if shown.phase != "exhausted" and shown.led is None:
            assert unseen == len(shown.hands[0])
        # what is signed is what has been done, and the number from which only the key makes the deals
        inside = json.loads(base64.urlsafe_b64decode(board["state"])[16:])
        assert set(inside) == {"v", "rules", "match", "level", "dealer", "nonce", "hands", "undone"}
        assert inside["hands"] == [
            " ".join(step["action"] for trick in board["history"] for step in trick["steps"])
        ]
        status, found = ask(server, "game/record", state=board["state"])
        assert (status, list(found)) == (400, ["error"])
        if position["toMove"] == 1:
            # nor can the page play for the computer, to see what it holds
            for action in ACTIONS:
                assert ask(server, "game/play", state=board["state"], action=action) == (
                    400,
                    {"error": "it is the computer's turn"},
                )
            board = answer(server, "game/answer", state=board["state"])
        else:
            board = answer(server, "game/play", state=board["state"], action=position["legal"][0])


def test_the_deals_depend_on_the_key() -> None:
    from santase.web import opponent

    board = opponent.begin("santase", False, "easy", 0)
    deals = {str(board.game(bytes([number] * 32)).deal) for number in range(20)}
    assert len(deals) == 20
    assert str(board.game(b"a" * 32).deal) == str(board.game(b"a" * 32).deal)


def test_forged_states(server: Server) -> None:
    state = answer(server, "game/new", level="easy")["state"]
    raw = base64.urlsafe_b64decode(state)
    forged = [
        "", "AAAA", state[:-4], state + "AAAA", "é", " " + state, "=" * 8, "A" * 50_000,
        base64.urlsafe_b64encode(raw[:16] + raw[16:].replace(b'"hands":[""]', b'"hands":["KS"]')).decode(),
        base64.urlsafe_b64encode(bytes(16) + raw[16:]).decode(),
        base64.urlsafe_b64encode(bytes([raw[0] ^ 1]) + raw[1:]).decode(),
    ]  # fmt: skip
    for wrong in [*forged, None, 7, []]:
        for path in ("look", "play", "answer", "next", "undo", "record"):
            status, found = ask(server, f"game/{path}", state=wrong, action="KS")
            assert status == 400 and found["lost"], (wrong, path)
    with serving(b"another key, which is 32 bytes....") as other:
        status, found = ask(other, "game/look", state=state)
        assert status == 400 and found["lost"]
    with serving(b"k" * 32) as same:
        assert answer(same, "game/look", state=state)["state"] == state


def test_take_back_to_the_first_decision(server: Server) -> None:
    first = answer(server, "game/new", level="easy", match=True, first=0)
    board = played_through(server, first, lambda legal: legal[0])
    if not board["over"]:
        board = answer(server, "game/next", state=board["state"])
    number = 0
    while board["canUndo"]:
        board = answer(server, "game/undo", state=board["state"])
        number += 1
        assert board["position"]["toMove"] == 0 and board["undone"] == number
    assert board["position"] == first["position"] and board["history"] == []
    assert ask(server, "game/undo", state=board["state"])[0] == 400


def test_illegal_actions_explain_themselves(server: Server) -> None:
    board = answer(server, "game/new", level="easy", first=0)
    for action in ("exchange", "close", "nonsense", "", "KS " * 100):
        status, found = ask(server, "game/play", state=board["state"], action=action)
        assert status == 400 and found["error"]
    assert answer(server, "game/look", state=board["state"]) == board
    assert ask(server, "game/answer", state=board["state"])[1] == {"error": "it is not the computer's turn"}
    assert ask(server, "game/next", state=board["state"])[0] == 400


def test_a_wrong_call_is_told_beforehand(server: Server) -> None:
    board = answer(server, "game/new", level="easy", first=0)
    assert "call" in board["position"]["legal"] and board["position"]["callIsWrong"]
    over = answer(server, "game/play", state=board["state"], action="call")
    assert over["position"]["outcome"] == {"winner": 1, "game_points": 3, "reason": "wrong call"}


# ---------------------------------------------------------------- who is refused


def own(server: Server) -> dict[str, str]:
    return {"Content_Type": "application/json", "X_Santase": "en", "Host": f"127.0.0.1:{server.port}"}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:PORT", "Origin": "http://localhost:PORT"}, 200),
        ({"Host": "[::1]:PORT"}, 200),
        ({"Origin": "http://127.0.0.1:PORT", "Sec_Fetch_Site": "same-origin"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:PORT"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Host": "127.0.0.1:1"}, 403),
        ({"Host": "localhost.:PORT"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:PORT"}, 403),
        ({"Origin": "https://127.0.0.1:PORT"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}, 403),
        ({"X_Santase": "de"}, 403),
        ({"X_Santase": ""}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Type": ""}, 415),
    ],
)
def test_other_hosts_pages_are_refused(server: Server, headers: dict[str, str], status: int) -> None:
    sent = own(server) | {name: value.replace("PORT", str(server.port)) for name, value in headers.items()}
    assert send(server, "POST", "/api/deal", b"{}", **sent)[0] == status


def test_a_question_needs_its_header(server: Server) -> None:
    assert send(server, "POST", "/api/deal", b"{}", Content_Type="application/json")[0] == 403
    # a preflight gets no leave
    status, headers, _body = send(
        server,
        "OPTIONS",
        "/api/deal",
        Origin="http://evil.example",
        Access_Control_Request_Headers="x-santase",
    )
    assert status == 403 and not any(name.startswith("access-control") for name in headers)


def test_a_link_to_the_page_may_be_followed(server: Server) -> None:
    crossing = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert send(server, "GET", "/", **crossing)[0] == 200
    assert send(server, "GET", "/main.js", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")[0] == 403


def test_only_loopback(server: Server) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in others - {"127.0.0.1"}:
        with pytest.raises(OSError), socket.create_connection((str(address), server.port), 2):
            pass


FILES = [
    "/",
    *(f"/{path.name}" for path in sorted(PAGE.iterdir())),
    "/icon.svg",
    "/cards/KS.svg",
    "/cards/back.svg",
]


@pytest.mark.parametrize("path", [*FILES, "/words/en.json", "/words/bg.json"])
def test_files_and_their_headers(server: Server, path: str) -> None:
    status, headers, body = send(server, "GET", path)
    assert status == 200 and body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
    assert "frame-ancestors 'none'" in policy and "require-trusted-types-for 'script'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    again = send(server, "GET", path, If_None_Match=headers["etag"])
    assert (again[0], again[2]) == (304, b"")
    assert send(server, "HEAD", path)[2] == b""
    assert send(server, "POST", path, b"{}", **own(server))[0] == 405


def test_answers_have_the_headers_too(server: Server) -> None:
    for status, path in ((200, "/api/deal"), (400, "/api/read")):
        found, headers, _body = send(server, "POST", path, b"{}", **own(server))
        assert found == status
        assert headers["cache-control"] == "no-store" and "content-security-policy" in headers


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/page/index.html", "/app.py", "/./index.html", "/cards/",
        "/cards/../index.html", "/cards/..%5c..%5capp.py", "/words/../index.html", "/words/xx.json", "/etc/passwd",
        "/index.html%00", "/index.html/", "/INDEX.HTML", "/api", "/api/", "/api/none", "/.git/config", "/main.js~",
    ],
)  # fmt: skip
def test_no_other_files(server: Server, path: str) -> None:
    assert send(server, "GET", path)[0] == 404


def test_nothing_from_outside_in_the_page() -> None:
    """The page names no other host, and makes no markup of text."""
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?:|//[a-z]+\.[a-z]", text), path.name
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text
        ), path.name
        assert not re.search(r"\son[a-z]+=|style=|<script>|javascript:", text), path.name


def test_an_error_is_told_as_json_text(server: Server) -> None:
    evil = "<img src=x onerror=alert(1)>"
    for path, asked in (
        ("read", {"line": f"{evil} " * 3}),
        ("deal", {"rules": evil}),
        ("game/new", {"level": evil}),
    ):
        status, headers, _body = send(
            server, "POST", f"/api/{path}", json.dumps(asked).encode(), **own(server)
        )
        assert status == 400 and headers["content-type"].startswith("application/json")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"NaN", b'{"draft": Infinity}', b"\xff", b"[" * 60_000, b'{"a":' * 10_000, b"9" * 60_000],
)  # fmt: skip
def test_what_is_no_json(server: Server, body: bytes) -> None:
    status, _headers, answered = send(server, "POST", "/api/check", body, **own(server))
    assert status == 400 and json.loads(answered)["error"]


def test_too_large(server: Server) -> None:
    body = json.dumps({"draft": {"known": "x" * server_module.MOST_BODY}}).encode()
    assert send(server, "POST", "/api/check", body, **own(server))[0] == 413
    assert send(server, "GET", "/", X="x" * 20_000)[0] == 431


# ---------------------------------------------------------------- load


def test_so_many_analyses_at_a_time() -> None:
    """The others are told at once to come again; what runs is not disturbed, nor the page."""
    with serving() as server:
        most = server.thinking.most
        statuses: list[int] = []
        body = json.dumps({"line": VIEW, "seconds": 3.0}).encode()

        def run() -> None:
            status, headers, _body = send(server, "POST", "/api/analyse", body, **own(server))
            assert status == 200 or headers["retry-after"] == "1"
            statuses.append(status)

        threads = [threading.Thread(target=run) for _ in range(most + 10)]
        for thread in threads:
            thread.start()
        assert send(server, "GET", "/")[0] == 200
        for thread in threads:
            thread.join()
        assert (statuses.count(200), statuses.count(503)) == (most, 10)
        assert len(lines(server, line=VIEW, seconds=0)) == 1


def test_an_analysis_ends_when_nobody_waits() -> None:
    with serving() as server:
        body = json.dumps({"line": VIEW, "seconds": 20}).encode()
        head = f"POST /api/analyse HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\nX-Santase: en\r\n"
        for _ in range(server.thinking.most):
            with socket.create_connection(("127.0.0.1", server.port), 20) as client:
                client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                assert client.recv(20).startswith(b"HTTP/1.1 200")
        # all places are free again long before the 20 seconds are over
        started = time.monotonic()
        assert lines(server, line=VIEW, seconds=0)
        assert time.monotonic() - started < 15


def test_slow_clients_are_shut_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_ARRIVAL", 1.0)
    with serving() as server:
        head = f"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode()
        for begun in (head, head + b"Content-Length: 1000\r\n\r\n{"):
            with socket.create_connection(("127.0.0.1", server.port), 20) as client:
                client.sendall(begun)
                with pytest.raises(OSError):
                    while True:  # dribble until it is closed
                        client.sendall(b"x")
                        client.settimeout(0.2)
                        try:
                            if not client.recv(100):
                                raise ConnectionResetError
                        except TimeoutError:
                            assert send(server, "GET", "/")[0] == 200


def test_too_many_connections_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_MOST_CONNECTIONS", 10)
    with serving() as server:
        silent = [socket.create_connection(("127.0.0.1", server.port), 20) for _ in range(30)]
        assert send(server, "GET", "/")[0] == 200
        for client in silent:
            client.close()


# ---------------------------------------------------------------- the command, the key, the words

posix = pytest.mark.skipif(os.name == "nt", reason="signals and file modes as on POSIX")


@contextmanager
def command(tmp_path: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    # an installed santase, or that of the checkout
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [sys.executable, "-m", "santase", "serve", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def port_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    found = re.fullmatch(r"The page is at http://127\.0\.0\.1:(\d+)/\n", process.stdout.readline())
    assert found
    return int(found[1])


@posix
@pytest.mark.thread_unsafe
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_command_ends_cleanly_with_analyses_in_flight(tmp_path: Path, how: signal.Signals) -> None:
    with command(tmp_path, "--port", "0", "--no-browser") as process:
        port = port_of(process)
        body = json.dumps({"line": VIEW, "seconds": 20}).encode()
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        client.request("POST", "/api/analyse", body, {"Content-Type": "application/json", "X-Santase": "en"})
        assert client.getresponse().status == 200
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
        client.close()
        assert (process.returncode, err) == (0, "")
        assert out.endswith("Ended.\n")
        assert stat.S_IMODE((tmp_path / "santase" / "page.key").stat().st_mode) == 0o600


@posix
def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str], server: Server) -> None:
    assert main(["serve", "--no-browser", "--port", str(server.port)]) == 1
    assert capsys.readouterr().err == (
        f"santase: port {server.port} is taken; --port gives another, --port 0 any that is free\n"
    )


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_no_port(capsys: pytest.CaptureFixture[str], port: str) -> None:
    assert main(["serve", "--no-browser", "--port", port]) == 2
    assert capsys.readouterr().err == f"santase: a port is a number from 0 to 65535, not {port}\n"


def test_the_key_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "page.key"
    key, lasting = kept_key(path)
    assert lasting and len(key) == 32 and kept_key(path) == (key, True)
    path.write_bytes(b"short")
    other, lasting = kept_key(path)
    assert lasting and other != key and kept_key(path) == (other, True)
    (tmp_path / "file").write_text("")
    assert kept_key(tmp_path / "file" / "page.key")[1] is False


def test_words_of_the_page(server: Server) -> None:
    english = json.loads(send(server, "GET", "/words/en.json")[2])
    bulgarian = json.loads(send(server, "GET", "/words/bg.json")[2])
    assert english["texts"] and all(text == said for text, said in english["texts"].items())
    assert english["texts"].keys() == bulgarian["texts"].keys()
    placeholders = re.compile(r"\{\w+\}|\W")
    untranslated = [
        text for text, said in bulgarian["texts"].items() if text == said and placeholders.sub("", text)
    ]
    assert untranslated == []
    assert all(forms != [one, one] and forms[0] != one for one, forms in bulgarian["plurals"].items())
    scripts = "".join(path.read_text(encoding="utf-8") for path in PAGE.glob("*.js"))
    # where the extraction of texts does not look
    assert not re.search(r"\$\{[^}]*\b(?:_|ngettext)\(", scripts)
    # every text that is marked is served: none is made up of parts or written in other quotes
    marked = len(re.findall(r"(?<![\w.$])(?:_|ngettext)\(", scripts)) - len(
        re.findall(r"function (?:_|ngettext)\(", scripts)
    )
    assert marked == len(re.findall(r"(?<![\w.$])(?:_|ngettext)\(\s*\"", scripts))


def test_situations_can_be_analysed_in_place(server: Server) -> None:
    """Positions of every kind, seen by their mover: what is legal there is what the answer is about."""
    number = 0
    for situation in SITUATIONS:
        position = Position.parse(situation.start)
        for action in situation.play:
            position = position.play(action)
        if position.is_over:
            continue
        number += 1
        (found,) = lines(server, line=str(position.view()), seconds=0)
        assert {row["action"] for row in found["actions"]} == set(position.legal_actions())
    assert number > 20
