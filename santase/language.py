"""The language of what people read, through ``gettext``.

The library speaks English. A program that shows things to people says in which
language::

    with use_language(choose_language()):
        print(_("{player} leads").format(player=name))

Texts are marked with ``_``, ``ngettext`` (number), ``pgettext`` (context), and
``N_``, ``NP_`` where they are translated only later. Placeholders have names. The
catalogues are ``locale/*/LC_MESSAGES/santase.po``; ``tools/translations.py``
collects the marked texts into them and compiles them. Notation, records and
JSON are the same in every language and are never marked.

The language belongs to the context (``contextvars``), so that each thread or
task may have its own; a new thread begins with English.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING

from santase.errors import SantaseError

if TYPE_CHECKING:
    from gettext import GNUTranslations

__all__ = [
    "NP_",
    "N_",
    "Count",
    "Number",
    "_",
    "choose_language",
    "language",
    "languages",
    "ngettext",
    "pgettext",
    "use_language",
]

SOURCE_LANGUAGE = "en"
"""The language that the texts are written in."""

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "locale")
_current: ContextVar[str] = ContextVar("santase_language", default=SOURCE_LANGUAGE)


def _(message: str) -> str:
    """The text in the language of the context."""
    code = _current.get()
    return message if code == SOURCE_LANGUAGE else _catalogue(code).gettext(message)


def N_(message: str) -> str:
    """Marks a text that ``_`` translates later; gives it back as it is."""
    return message


def NP_(context: str, message: str) -> str:
    """Marks a text that ``pgettext`` translates later; gives it back as it is."""
    return message


def ngettext(singular: str, plural: str, number: int) -> str:
    """The text for that many, in the language of the context."""
    code = _current.get()
    if code == SOURCE_LANGUAGE:
        return singular if number == 1 else plural
    return _catalogue(code).ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """The text where English has one word for what other languages tell apart by ``context``."""
    code = _current.get()
    return message if code == SOURCE_LANGUAGE else _catalogue(code).pgettext(context, message)


class Count(int):
    """A number whose thousands are set off as in the language of the context, where ``{:,}`` asks for it:
    ``12,345`` in English."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        text = int.__format__(self, form)
        if "," not in form or language() == SOURCE_LANGUAGE:
            return text
        # Translators: what stands between thousands, and after it the first number that has it
        separator, least = pgettext("thousands", ", 1000").split(" ")
        return text.replace(",", separator if abs(self) >= int(least) else "")


class Number(float):
    """A number whose fraction is set off as in the language of the context: ``1.69`` in English."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        text = float.__format__(self, form)
        if language() == SOURCE_LANGUAGE:
            return text
        # Translators: what stands between whole and fraction
        return text.replace(".", pgettext("decimal", "."))


def language() -> str:
    """The code of the language of the context: ``en``, ``bg``."""
    return _current.get()


def languages() -> tuple[str, ...]:
    """The codes of all languages that there are."""
    found = {SOURCE_LANGUAGE}
    with contextlib.suppress(OSError):
        found.update(name for name in os.listdir(_FOLDER) if os.path.isfile(_compiled(name)))
    return tuple(sorted(found))


@contextlib.contextmanager
def use_language(code: str) -> Iterator[None]:
    """Speak this language within the ``with`` block; raises ``SantaseError`` for one that there is not."""
    if code != SOURCE_LANGUAGE:
        if code not in languages():
            raise SantaseError(f"language: there is no {code!r}, there are {', '.join(languages())}")
        _catalogue(code)  # now, rather than in the middle of a sentence
    before = _current.set(code)
    try:
        yield
    finally:
        _current.reset(before)


def choose_language(environment: Mapping[str, str] | None = None) -> str:
    """The language that the locale asks for, English where that is none of ours.

    As in GNU gettext: the locale is the first of ``LC_ALL``, ``LC_MESSAGES`` and
    ``LANG`` that is set; ``LANGUAGE`` may list several languages, the dearest
    first, and does not count where the locale is ``C``. On Windows, where none of
    them is set as a rule, the language of the system's own texts.
    """
    given = os.environ if environment is None else environment
    names = (given.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((name for name in names if name), "")
    if _bare(locale) in ("c", "posix"):
        return SOURCE_LANGUAGE
    wanted = given.get("LANGUAGE", "") or locale or _windows_locale()
    known = languages()
    return next((code for name in wanted.split(":") if (code := _bare(name)) in known), SOURCE_LANGUAGE)


def _bare(locale: str) -> str:
    """``bg_BG.UTF-8`` and ``bg-BG`` as ``bg``."""
    for mark in ".@_-":
        locale = locale.partition(mark)[0]
    return locale.lower()


def _windows_locale() -> str:
    if sys.platform != "win32":
        return ""
    import ctypes
    from locale import windows_locale

    return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")


def _compiled(code: str) -> str:
    return os.path.join(_FOLDER, code, "LC_MESSAGES", "santase.mo")


@cache
def _catalogue(code: str) -> GNUTranslations:
    """The texts of a language, read once in a process."""
    from gettext import GNUTranslations

    with open(_compiled(code), "rb") as file:
        return GNUTranslations(file)
