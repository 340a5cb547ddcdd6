"""What is asked by HTTP, and who may ask.

A request is answered when it comes from this page or from a program on this
machine, not from a page of another host that has the browser send it: ``Host``
must be ours (or else a name that was made to point here could read the
answers), ``Origin`` and ``Sec-Fetch-Site`` too where there are any, and what
is asked needs a header that no form can send and no foreign script may.

Files are those read from the package at the start, found by their whole name.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.resources import files
from typing import Any, TypeAlias

from santase._core import Position, deal
from santase._version import __version__
from santase.actions import Action
from santase.cards import CARDS
from santase.drawing import back_svg, card_name, card_svg
from santase.error_words import in_words
from santase.errors import NotationError, SantaseError
from santase.language import _, language, languages, ngettext, pgettext, use_language
from santase.match import checked_score
from santase.players import LEVELS
from santase.rules import rules_of
from santase.web import opponent, table
from santase.web.think import MOST_SECONDS, BusyError, StoppedError, Thinking

Environ: TypeAlias = dict[str, Any]
StartResponse: TypeAlias = Callable[..., Callable[[bytes], object]]
Asked: TypeAlias = dict[str, Any]

ASKING = "X-Santase"
"""The header that every question must have; its value is the language to answer in."""

_PAGE = (
    "index.html",
    "style.css",
    "main.js",
    "api.js",
    "words.js",
    "cards.js",
    "setup.js",
    "answer.js",
    "play.js",
)
_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
    "json": "application/json; charset=utf-8",
}
_LANGUAGES = {"en": "English", "bg": "Български"}

# Nothing from elsewhere, no inline script or style, no frame around the page, and no text that
# becomes markup.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
    " trusted-types 'none'"
)
_HEADERS = [
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
]

_STATUS = {
    200: "200 OK",
    304: "304 Not Modified",
    400: "400 Bad Request",
    403: "403 Forbidden",
    404: "404 Not Found",
    405: "405 Method Not Allowed",
    415: "415 Unsupported Media Type",
    500: "500 Internal Server Error",
    503: "503 Service Unavailable",
}


class RefusedError(Exception):
    """A request that is not answered, with the status to say so."""

    def __init__(self, status: int, reason: str, headers: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = list(headers)


class App:
    """The WSGI application. It keeps nothing from one request to the next."""

    def __init__(self, port: int, thinking: Thinking, key: bytes) -> None:
        self._thinking = thinking
        self._key = key
        self._language = language()
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = {f"{name}:{port}" for name in names} | set(names if port == 80 else ())
        self._files = _read_files()
        self._questions: dict[str, Callable[[Asked], dict[str, Any]]] = {
            "/api/check": self._check,
            "/api/read": self._read,
            "/api/deal": self._deal,
            "/api/solve": self._solve,
            "/api/after": self._after,
            "/api/game/new": self._new_game,
            "/api/game/look": partial(self._on_table, lambda board, asked: board.game(self._key)),
            "/api/game/play": partial(
                self._on_table, lambda board, asked: opponent.play(board, self._key, asked.get("action"))
            ),
            "/api/game/answer": self._computer_plays,
            "/api/game/next": partial(
                self._on_table, lambda board, asked: opponent.next_hand(board, self._key)
            ),
            "/api/game/undo": partial(self._on_table, lambda board, asked: opponent.undo(board, self._key)),
            "/api/game/record": self._record,
        }
        self._streams = {"/api/analyse": self._analyse}

    # ------------------------------------------------ requests

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return self._answer(environ, start_response)
        except RefusedError as refused:
            return _send_json(start_response, refused.status, {"error": str(refused)}, refused.headers)

    def _answer(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        self._guard(environ, path)
        if path in self._questions or path in self._streams:
            if environ["REQUEST_METHOD"] != "POST":
                raise RefusedError(405, "this is asked with POST", [("Allow", "POST")])
            return self._ask(environ, start_response, path)
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            raise RefusedError(405, "files are read with GET", [("Allow", "GET, HEAD")])
        return self._file(environ, start_response, path)

    def _guard(self, environ: Environ, path: str) -> None:
        """Refuse what other hosts' pages have the browser send."""
        if environ.get("HTTP_HOST") not in self._hosts:
            raise RefusedError(403, "this page is for this machine alone")
        origin = environ.get("HTTP_ORIGIN")
        if origin is not None and origin != f"http://{environ['HTTP_HOST']}":
            raise RefusedError(403, "asked by another host's page")
        site = environ.get("HTTP_SEC_FETCH_SITE")
        # somebody may follow a link to the page, but nothing else may come from elsewhere
        followed = path == "/" and environ.get("HTTP_SEC_FETCH_MODE") == "navigate"
        if site not in (None, "same-origin", "none") and not followed:
            raise RefusedError(403, "asked by another host's page")

    # ------------------------------------------------ files

    def _file(self, environ: Environ, start_response: StartResponse, path: str) -> Iterable[bytes]:
        found = self._files.get("/index.html" if path == "/" else path)
        if found is None:
            raise RefusedError(404, "there is nothing here")
        kind, data = found
        if path == "/":
            data = data.replace(b'lang="en"', f'lang="{self._language}"'.encode())
        tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        headers = [("Content-Type", _TYPES[kind]), ("ETag", tag), ("Cache-Control", "no-cache"), *_HEADERS]
        if environ.get("HTTP_IF_NONE_MATCH") == tag:
            start_response(_STATUS[304], headers)
            return []
        start_response(_STATUS[200], [*headers, ("Content-Length", str(len(data)))])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [data]

    # ------------------------------------------------ questions

    def _ask(self, environ: Environ, start_response: StartResponse, path: str) -> Iterable[bytes]:
        code = environ.get(f"HTTP_{ASKING.upper().replace('-', '_')}")
        if code not in languages():
            raise RefusedError(403, f"the header {ASKING} is missing, or names no language that there is")
        if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
            raise RefusedError(415, "questions are asked in JSON")
        with use_language(code):
            try:
                asked = _read_json(environ["wsgi.input"].read())
                if path in self._streams:
                    return self._streams[path](asked, start_response)
                return _send_json(start_response, 200, self._questions[path](asked))
            except BusyError as busy:
                raise RefusedError(503, str(busy), [("Retry-After", "1")]) from None
            except StoppedError as stopped:
                raise RefusedError(503, str(stopped)) from None
            except SantaseError as error:
                return _send_json(start_response, 400, _error_json(error))
            except OSError:
                raise  # the client has gone
            except Exception as error:
                if type(error).__module__.startswith("waitress"):
                    raise  # so has this one
                traceback.print_exc(file=sys.stderr)
                raise RefusedError(
                    500, _("something went wrong here, which is a mistake of the program's")
                ) from None

    def _analyse(self, asked: Asked, start_response: StartResponse) -> Iterable[bytes]:
        """The analysis as lines of JSON, each better than the one before; the last is final."""
        view = _position(asked)
        seconds = asked.get("seconds", 1.0)
        if (
            not isinstance(seconds, (int, float))
            or isinstance(seconds, bool)
            or not 0 <= seconds <= MOST_SECONDS
        ):
            raise SantaseError(f"seconds: a number from 0 to {MOST_SECONDS:.0f}")
        history = self._history_of(view, asked.get("state"))
        score = asked.get("match")
        if score is not None:
            score = checked_score(tuple(score) if isinstance(score, list) else score, view.rules)
        write: Callable[[bytes], object] | None = None

        def report(found: dict[str, Any]) -> None:
            nonlocal write
            if write is None:
                write = start_response(_STATUS[200], [("Content-Type", "application/x-ndjson"), *_NEVER_KEPT])
            write(_json_text(found) + b"\n")

        with self._thinking.place():
            try:
                self._thinking.analyze(view, float(seconds), score, report, history)
            except StoppedError as stopped:
                if write is None:
                    raise
                report({"error": str(stopped)})
        return []

    def _history_of(self, view: Position, state: object) -> opponent.History:
        """What the computer has done in the game of this state, if the view is the person's there."""
        if state is None:
            return []
        try:
            game = opponent.Table.unsealed(state, self._key).game(self._key)
        except opponent.StateError:
            return []  # of another server: the position can be analysed all the same
        # a position may be taken from the table and then changed
        return game.history(opponent.HUMAN) if game.view(opponent.HUMAN) == view else []

    def _check(self, asked: Asked) -> dict[str, Any]:
        return table.check(table.Draft.read(asked.get("draft")))

    def _read(self, asked: Asked) -> dict[str, Any]:
        draft = table.Draft.of(_position(asked))
        return {"draft": draft.to_json(), "checked": table.check(draft)}

    def _deal(self, asked: Asked) -> dict[str, Any]:
        rules = asked.get("rules", "santase")
        if not isinstance(rules, str) or len(rules) > 400:
            raise SantaseError("rules: a text is needed")
        dealt = deal(opponent.fresh_seed(), rules_of(rules))
        draft = table.Draft.of(dealt if asked.get("open") is True else dealt.view())
        return {"draft": draft.to_json(), "checked": table.check(draft)}

    def _after(self, asked: Asked) -> dict[str, Any]:
        """The position after an action, to go on from."""
        position, action = _position(asked), asked.get("action")
        if not isinstance(action, str):
            raise SantaseError("action: a text is needed")
        draft = table.Draft.of(position.play(Action(action)))
        return {"draft": draft.to_json(), "checked": table.check(draft)}

    def _solve(self, asked: Asked) -> dict[str, Any]:
        position = _position(asked)
        with self._thinking.place():
            return self._thinking.solve(position)

    # ------------------------------------------------ against the computer

    def _new_game(self, asked: Asked) -> dict[str, Any]:
        board = opponent.begin(
            asked.get("rules", "santase"), asked.get("match", False), asked.get("level"), asked.get("first")
        )
        return opponent.table_json(board, board.game(self._key), self._key)

    def _on_table(self, do: Callable[[opponent.Table, Asked], Any], asked: Asked) -> dict[str, Any]:
        board = opponent.Table.unsealed(asked.get("state"), self._key)
        return opponent.table_json(board, do(board, asked), self._key)

    def _computer_plays(self, asked: Asked) -> dict[str, Any]:
        with self._thinking.place():
            return self._on_table(lambda board, asked: opponent.answer(board, self._key), asked)

    def _record(self, asked: Asked) -> dict[str, Any]:
        board = opponent.Table.unsealed(asked.get("state"), self._key)
        return {"record": opponent.record(board, self._key)}


# ---------------------------------------------------------------- helpers

_NEVER_KEPT = [("Cache-Control", "no-store"), *_HEADERS]


def _position(asked: Asked) -> Position:
    line = asked.get("line")
    if not isinstance(line, str):
        raise SantaseError("line: a position is needed")
    return Position.parse(line)


def _read_json(data: bytes) -> Asked:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        asked = json.loads(data.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        raise SantaseError(_("this is no JSON")) from None
    if not isinstance(asked, dict):
        raise SantaseError(_("a JSON object is needed"))
    return asked


def _error_json(error: SantaseError) -> dict[str, Any]:
    answer: dict[str, Any] = {"error": in_words(str(error))}
    if isinstance(error, NotationError):
        answer["field"] = error.field
    if isinstance(error, opponent.StateError):
        answer["lost"] = True
    return answer


def _json_text(value: dict[str, Any]) -> bytes:
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def _send_json(
    start_response: StartResponse, status: int, value: dict[str, Any], headers: Iterable[tuple[str, str]] = ()
) -> list[bytes]:
    data = _json_text(value)
    start_response(
        _STATUS[status],
        [("Content-Type", _TYPES["json"]), ("Content-Length", str(len(data))), *headers, *_NEVER_KEPT],
    )
    return [data]


# ---------------------------------------------------------------- the page's files


def _read_files() -> Mapping[str, tuple[str, bytes]]:
    """All that is served, by path: what kind it is, and the bytes."""
    folder = files("santase.web") / "page"
    found = {f"/{name}": (name.rpartition(".")[2], (folder / name).read_bytes()) for name in _PAGE}
    for card in CARDS:
        found[f"/cards/{card}.svg"] = ("svg", card_svg(card).encode())
    found["/cards/back.svg"] = ("svg", back_svg().encode())
    found["/icon.svg"] = ("svg", card_svg("AS").encode())
    sources = "".join(data.decode() for path, (kind, data) in found.items() if kind == "js")
    for code in languages():
        with use_language(code):
            found[f"/words/{code}.json"] = ("json", _json_text(_words(sources)))
    return found


_STRING = r'"((?:[^"\\\n]|\\.)*)"'
_SINGLE = re.compile(r"\b_\(\s*" + _STRING)
_PLURAL = re.compile(r"\bngettext\(\s*" + _STRING + r"\s*,\s*" + _STRING)


def _words(sources: str) -> dict[str, Any]:
    """The texts that the page's scripts mark with ``_`` and ``ngettext``, in the language of the context.

    Of a plural the page gets the forms for one and for many, which is all that
    the languages there are have.
    """
    singles = [json.loads(f'"{text}"') for text in _SINGLE.findall(sources)]
    plurals = [[json.loads(f'"{text}"') for text in pair] for pair in _PLURAL.findall(sources)]
    return {
        "language": language(),
        "languages": {code: _LANGUAGES.get(code, code) for code in languages()},
        "texts": {text: _(text) for text in singles},
        "plurals": {one: [ngettext(one, many, 1), ngettext(one, many, 2)] for one, many in plurals},
        "cards": {card: card_name(card) for card in CARDS},
        "rules": table.rules_json(),
        "levels": [{"name": level, "title": pgettext("level", level)} for level in LEVELS],
        "mostSeconds": MOST_SECONDS,
        "version": __version__,
    }
