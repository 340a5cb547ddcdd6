"""Positions from the command line or from standard input, and answers in turn."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any, TypeVar

from santase._core import Position
from santase.errors import NotationError, SantaseError
from santase.language import _

Answer = TypeVar("Answer")

_MAX_LINE = 4000  # bytes; no position is half as long


def positions_from(stream: IO[bytes]) -> Iterator[tuple[int, Position | SantaseError]]:
    """The positions of a stream, each with the number of its line, or what is wrong with it.

    A line is read only when it is asked for, and never held longer than it can be a position.
    """
    number = 0
    while raw := stream.readline(_MAX_LINE):
        number += 1
        try:
            if len(raw) == _MAX_LINE and not raw.endswith(b"\n"):
                while rest := stream.readline(1 << 16):
                    if rest.endswith(b"\n"):
                        break
                raise NotationError(f"a line of more than {_MAX_LINE} bytes is no position")
            try:
                line = raw.decode("utf-8-sig")
            except UnicodeDecodeError as error:
                raise NotationError(f"byte {error.start + 1} of the line is not text in UTF-8") from None
            yield number, Position.parse(line)
        except SantaseError as error:
            yield number, error


def answer_all(
    words: list[str],
    *,
    as_json: bool,
    answer: Callable[[Position], Answer],
    to_json: Callable[[Answer], dict[str, Any]],
    to_line: Callable[[Answer], str],
    show: Callable[[Answer], None],
    seconds: float | None = None,
) -> int:
    """Answer for the position that the words make, or, for ``-``, for each line of standard input.

    From standard input every line gets one line, written out before the next
    is read: the answer, or with ``as_json`` ``{"error": ..., "line": n}``, or
    else an empty line and the error on standard error. ``seconds`` is how long
    an answer takes, if that is known. Returns the exit status.
    """
    if words != ["-"]:
        position = Position.parse(" ".join(words))
        if as_json:
            emit(json_text(to_json(answer(position))))
            return 0
        from santase.cli._show import working

        with working(seconds):
            answered = answer(position)
        show(answered)
        return 0
    if sys.stdin is None:
        raise SantaseError("standard input is closed")
    status = 0
    for number, read in positions_from(sys.stdin.buffer):
        try:
            if isinstance(read, SantaseError):
                raise read
            answered = answer(read)
            emit(json_text(to_json(answered)) if as_json else to_line(answered))
        except SantaseError as error:
            status = 2
            if as_json:
                emit(json_text({"error": str(error), "line": number}))
            else:
                from santase.cli._app import complain
                from santase.cli._language import error_text

                line = _("line {number}").format(number=number)
                complain(f"{line}: {error_text(error)}", 2)
                emit("")
    return status


def json_text(value: dict[str, Any]) -> str:
    """One line of JSON; what is infinite or no number becomes null."""
    return json.dumps(_finite(value), allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def emit(line: str) -> None:
    """Write a line so that whoever reads has it at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
