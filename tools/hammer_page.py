"""Bad requests by the thousand for ``santase serve``, and what became of them.

``python tools/hammer_page.py --requests 10000`` starts a server of its own and sends
it garbage, broken HTTP, other hosts' requests, paths out of the package, questions
that are no questions, and connections that are dropped half-way; then a hundred
analyses at once; then slow clients; then an interrupt with analyses running. It
prints a table for docs/serve.md, and its exit status is 1 if the server gave a
wrong answer, fell silent, or did not end.

A right answer to a bad request is 4xx, 503 or a closed connection.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import santase

VIEW = "santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -"
TRAVERSALS = (
    "/../../../../etc/passwd", "/..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
    "/cards/../../app.py", "/cards/..%5c..%5capp.py", "/page/../app.py", "/web/page/main.js",
    "/words/../app.py", "/cards/%00AS.svg", "/main.js%00.html", "/app.py", "/__init__.py", "/cards/",
    "/words/xx.json", "/.git/config", "file:///etc/passwd", "/index.html/..", "/main.js/", "/MAIN.JS",
)  # fmt: skip


class Server:
    """The command in a process of its own."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "santase", "--lang", "en", "serve", "--port", "0", "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.port = int(line.rpartition(":")[2].strip().rstrip("/"))
        self.host = f"127.0.0.1:{self.port}"

    def memory(self) -> float:
        """Resident memory in MB; NaN where the system does not tell."""
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines():
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return float("nan")

    def threads(self) -> int:
        with contextlib.suppress(OSError):
            return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))
        return 0

    def connect(self, timeout: float = 20.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def send(self, data: bytes, patience: float = 30.0) -> int:
        """The status of the answer to these bytes; 0 if there is none before the connection is closed,
        by the server or after ``patience`` seconds by us. What is wrong with a position that is being
        set up is told with status 200, here 400."""
        with self.connect(patience) as client:
            answer = b""
            with contextlib.suppress(ConnectionError, TimeoutError):
                client.sendall(data)
                while part := client.recv(65536):
                    answer += part
            status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else 0
            return 400 if status == 200 and b'"error":{' in answer else status

    def look(self) -> float:
        """Seconds until the page itself is there; raises when it is not."""
        started = time.perf_counter()
        status = self.send(self.request("GET", "/"))
        if status != 200:
            raise AssertionError(f"the page answers {status}")
        return time.perf_counter() - started

    def request(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> bytes:
        sent = {"Host": self.host, "Connection": "close"} | (headers or {})
        if body:
            sent.setdefault("Content-Length", str(len(body)))
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1", "replace") + body

    def question(
        self, path: str, value: object, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> bytes:
        asking = {"Content-Type": "application/json", "X-Santase": "en"}
        asked = json.dumps(value).encode() if body is None else body
        return self.request("POST", f"/api/{path}", asked, asking | (headers or {}))


# ---------------------------------------------------------------- bad requests


def garbage(server: Server, dice: random.Random) -> bytes:
    return dice.randbytes(dice.choice((1, 7, 100, 3000)))


def broken_http(server: Server, dice: random.Random) -> bytes:
    good = server.question("check", {"draft": {}})
    return dice.choice(
        (
            good.replace(b"HTTP/1.1", b"HTTP/9.9", 1),
            good.replace(b"POST", b"P\x00ST", 1),
            good.replace(b"\r\n", b"\n"),
            good.replace(b"Content-Length: ", b"Content-Length: -", 1),
            good.replace(b"Content-Length: ", b"Content-Length: 9, ", 1),
            good.replace(b"Content-Length: ", b"Content-Length: 99999999999999999999999", 1),
            good.replace(b"Connection", b"Transfer-Encoding: chunked\r\nConnection", 1),
            good.replace(b"Connection: close", b"Transfer-Encoding: gzip", 1),
            good.replace(b"Host", b"Host\x0b", 1),
            good.replace(b"Host: ", b"Host: evil.example\r\nHost: ", 1),
            good[: dice.randrange(1, len(good))],
            good.replace(b"X-Santase", b"X" * 20000, 1),
            good.replace(b"\r\n\r\n", b"\r\n" + b"A: b\r\n" * 5000 + b"\r\n", 1),
        )
    )


def too_large(server: Server, dice: random.Random) -> bytes:
    return server.question("check", {"draft": {"known": "x" * dice.choice((70_000, 300_000))}})


def foreign(server: Server, dice: random.Random) -> bytes:
    headers = dice.choice(
        (
            {"Host": "evil.example"},
            {"Host": f"evil.example:{server.port}"},
            {"Host": "127.0.0.1"},
            {"Host": f"127.0.0.1:{server.port}.evil.example"},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": f"https://{server.host}"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"X-Santase": ""},
            {"X-Santase": "xx"},
            {"X-Santase": "../en"},
            {"Content-Type": "text/plain"},
            {"Content-Type": "application/x-www-form-urlencoded"},
        )
    )
    return server.question("deal", {"rules": "santase"}, headers)


def traversal(server: Server, dice: random.Random) -> bytes:
    return server.request(dice.choice(("GET", "HEAD", "PUT", "DELETE")), dice.choice(TRAVERSALS))


def broken_json(server: Server, dice: random.Random) -> bytes:
    body = dice.choice(
        (
            b"{", b"[]", b"null", b"1e999", b'"text"', b"\xff\xfe", b"[" * 60_000, b'{"draft":' * 6_000,
            b'{"draft": NaN}', b'{"line": ' + b"9" * 60_000 + b"}", b'{"line": "\\ud800"}', b"{}", b" ",
            b'{"line": 1e400}', b"\xef\xbb\xbf{}", b'{"draft": {"places": {"\\u0000": "mine"}}}',
        )
    )  # fmt: skip
    return server.question(dice.choice(("check", "read", "solve", "analyse", "game/look")), None, None, body)


FIELDS = ("places", "talon", "points", "me", "rules", "known", "x")
SCORES = (1, [1], [99, 0], [-1, 0], "ab", [[], 0], [0.5, 0], [0, 0, 0])


def wrong_question(server: Server, dice: random.Random) -> bytes:
    """Well-formed, but with a value that cannot be in one place."""
    junk = dice.choice(
        (
            None,
            -1,
            1e308,
            True,
            [],
            {},
            "",
            "x" * 5000,
            "<script>alert(1)</script>",
            "\ud800",
            [[]] * 100,
            2**70,
        )
    )
    path, asked = dice.choice(
        (
            ("check", {"draft": {dice.choice(FIELDS): junk}}),
            ("read", {"line": junk}),
            ("deal", {"rules": junk or "no"}),
            ("solve", {"line": junk}),
            ("analyse", {"line": VIEW, "seconds": dice.choice((-1, 21, 1e308, "1", [], True))}),
            ("analyse", {"line": VIEW, "seconds": 0, "match": dice.choice(SCORES)}),
            ("after", {"line": VIEW, "action": junk}),
            ("game/new", {"level": junk}),
            ("game/new", {"level": "easy", "match": dice.choice((1, "yes", None)), "first": junk}),
            ("game/play", {"state": junk, "action": "KS"}),
            ("game/answer", {"state": junk}),
            ("game/undo", {"state": junk}),
        )
    )  # fmt: skip
    return server.question(path, asked)


def wrong_line(server: Server, dice: random.Random) -> bytes:
    """A position with something wrong in it: never one that parses."""
    while True:
        line = list(str(santase.deal(dice.getrandbits(32)).view()))
        for _ in range(dice.randrange(1, 6)):
            line[dice.randrange(len(line))] = dice.choice("AKQJT9.+?-/: 0123456789SHDC<>\"'&\\\u2660")
        text = "".join(line)
        try:
            santase.Position.parse(text)
        except santase.SantaseError:
            return server.question(
                dice.choice(("read", "solve", "analyse", "after")), {"line": text, "action": "KS"}
            )


def wrong_state(server: Server, dice: random.Random) -> bytes:
    """A state of a game that was changed in one place."""
    state = list(_state(server))
    at = dice.randrange(len(state) - 4)
    state[at] = dice.choice([c for c in "ABCDEFGHabcdefgh0123456789-_" if c != state[at]])
    path = dice.choice(("look", "play", "answer", "next", "undo", "record"))
    return server.question(f"game/{path}", {"state": "".join(state), "action": "KS"})


def _state(server: Server) -> str:
    with server.connect() as client:
        client.sendall(server.question("game/new", {"level": "easy", "match": True}))
        answer = b""
        while part := client.recv(65536):
            answer += part
    state: str = json.loads(answer.partition(b"\r\n\r\n")[2])["state"]
    return state


def dropped(server: Server, dice: random.Random) -> bytes:
    good = server.question("analyse", {"line": VIEW, "seconds": 1})
    return good[: dice.randrange(1, len(good) + 1)]


KINDS: dict[str, Callable[[Server, random.Random], bytes]] = {
    "garbage": garbage,
    "broken HTTP": broken_http,
    "too large": too_large,
    "of another host": foreign,
    "other files": traversal,
    "broken JSON": broken_json,
    "wrong values": wrong_question,
    "wrong positions": wrong_line,
    "forged games": wrong_state,
    "dropped half-way": dropped,
}
# seconds to wait for an answer to what may well be no whole request, to which there is none
PATIENCE = {"garbage": 0.1, "broken HTTP": 0.3, "dropped half-way": 0.001}
# what is right, beside no answer
FINE = {400, 403, 404, 405, 413, 414, 415, 431, 501, 503, 505}


def hammer(server: Server, number: int, seed: int) -> Iterator[str]:
    """Send the bad requests, and say what came back; a wrong answer is a line that begins with ``wrong``."""
    answers = {kind: Counter[int]() for kind in KINDS}
    looks = []
    for index in range(number):
        kind = list(KINDS)[index % len(KINDS)]
        dice = random.Random(seed * 1_000_003 + index)
        data = KINDS[kind](server, dice)
        status = server.send(data, PATIENCE.get(kind, 30.0))
        answers[kind][status] += 1
        # some broken HTTP is whole to a lenient reader, and what was dropped may have come to its end
        lenient = kind in ("broken HTTP", "dropped half-way") and status == 200
        if status and status not in FINE and not lenient:
            yield f"wrong: {kind}, request {index}: {status} to {data[:200]!r}"
        if index % 250 == 0:
            looks.append(server.look())
    for kind, counts in answers.items():
        told = ", ".join(f"{count:,} × {status or 'no answer'}" for status, count in sorted(counts.items()))
        yield f"| {kind} | {sum(counts.values()):,} | {told} |"
    yield f"| the page meanwhile | {len(looks)} | slowest after {1000 * max(looks):.0f} ms |"


# ---------------------------------------------------------------- many at once, slow ones, the end


def at_once(server: Server, number: int, seconds: float) -> Iterator[str]:
    """So many analyses at the same moment, and the page beside them."""
    statuses: Counter[int] = Counter()
    lock = threading.Lock()
    gate = threading.Barrier(number + 1)

    def ask() -> None:
        data = server.question("analyse", {"line": VIEW, "seconds": seconds})
        gate.wait()
        status = server.send(data)
        with lock:
            statuses[status] += 1

    threads = [threading.Thread(target=ask) for _ in range(number)]
    for thread in threads:
        thread.start()
    gate.wait()
    looks = [server.look() for _ in range(20)]
    for thread in threads:
        thread.join()
    told = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    slowest = f"the page meanwhile after {1000 * max(looks):.0f} ms at most"
    yield f"| {number} analyses at once | {number} | {told}; {slowest} |"
    if set(statuses) - {200, 503} or not statuses[200] or not statuses[503]:
        yield f"wrong: {number} at once: {told}"


def slow(server: Server, number: int) -> Iterator[str]:
    """Clients that send a byte a second, of the head or of the body, and silent ones."""
    head = server.question("check", {"draft": {}})
    body_at = head.index(b"\r\n\r\n") + 5
    clients = []
    for index in range(number):
        client = server.connect()
        sent = (0, body_at, 20)[index % 3]
        client.sendall(head[:sent])
        clients.append((client, sent))
    started = time.perf_counter()
    looks, left = [], clients
    while left and time.perf_counter() - started < 100:
        looks.append(server.look())
        still = []
        for client, sent in left:
            # those at 0 stay silent; the others never come to an end
            try:
                if sent:
                    client.sendall(b"x" if sent == 20 else b" ")
                client.settimeout(0.0)
                if not client.recv(1000):
                    raise ConnectionError
            except BlockingIOError:
                still.append((client, sent))
            except OSError:
                client.close()
        left = still
        time.sleep(1)
    spent = time.perf_counter() - started
    yield (
        f"| slow and silent clients | {number} | the page meanwhile after {1000 * max(looks):.0f} ms at most;"
        f" all were shut out within {spent:.0f} s |"
    )
    if left:
        yield f"wrong: {len(left)} slow clients are still there after {spent:.0f} s"


def end(server: Server) -> Iterator[str]:
    """Ctrl-C with analyses running."""
    clients = []
    for _ in range(4):
        client = server.connect()
        client.sendall(server.question("analyse", {"line": VIEW, "seconds": 20}))
        clients.append(client)
    time.sleep(1.0)
    started = time.perf_counter()
    server.process.send_signal(signal.SIGINT)
    try:
        _out, err = server.process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        server.process.kill()
        yield "wrong: it does not end"
        return
    spent = time.perf_counter() - started
    for client in clients:
        client.close()
    status = server.process.returncode
    yield f"| Ctrl-C with analyses running | 1 | ended after {spent:.1f} s with status {status} |"
    if status != 0 or err:
        yield f"wrong: status {status}, and on standard error: {err[-2000:]}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Send bad requests to a server of its own.")
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=100)
    parser.add_argument("--slow", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    server = Server()
    lines = []
    try:
        server.look()
        server.send(server.question("analyse", {"line": VIEW, "seconds": 0.1}))
        before, threads = server.memory(), server.threads()
        for step in (
            hammer(server, chosen.requests, chosen.seed),
            at_once(server, chosen.at_once, 2.0),
            slow(server, chosen.slow),
        ):
            for line in step:
                print(line, flush=True)
                lines.append(line)
        after = f"{server.memory():.0f} MB and {server.threads()} threads after it"
        print(f"| memory | | {before:.0f} MB and {threads} threads before, {after} |")
        for line in end(server):
            print(line)
            lines.append(line)
    finally:
        server.process.kill()
        server.process.wait()
    return 1 if any(line.startswith("wrong") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
