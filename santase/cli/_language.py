"""The language of the command, and its help in that language.

Help texts are written in English where the options are declared, unmarked:
``tools/translations.py`` finds them by going through the commands, as
``translate_help`` does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from santase.errors import SantaseError
from santase.language import N_, SOURCE_LANGUAGE, _, choose_language, language, languages

OPTION = "--lang"

# what typer has in constants of its own, by their names
_TYPER_WORDS = (
    ("ARGUMENTS_PANEL_TITLE", N_("Arguments")),
    ("OPTIONS_PANEL_TITLE", N_("Options")),
    ("COMMANDS_PANEL_TITLE", N_("Commands")),
    ("DEFAULT_STRING", N_("[default: {}]")),
    ("REQUIRED_LONG_STRING", N_("[required]")),
)


def take_language(arguments: list[str]) -> tuple[str, list[str]]:
    """The language asked for with ``--lang``, else by the locale, and the other arguments.

    The option may stand anywhere before ``--``, so that it goes with every command,
    and is taken out first, so that help and errors of the others are in it.
    Raises ``SantaseError`` for a language that there is not.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    code = None
    left: list[str] = []
    at = 0
    while at < end:
        word = arguments[at]
        at += 1
        if word == OPTION:
            if at == end:
                raise SantaseError(f"{OPTION}: a language is needed, one of {', '.join(languages())}")
            code = arguments[at]
            at += 1
        elif word.startswith(f"{OPTION}="):
            code = word.partition("=")[2]
        else:
            left.append(word)
    if code is None:
        code = choose_language()
    elif code not in languages():
        raise SantaseError(f"{OPTION}: there is no {code!r}, there are {', '.join(languages())}")
    return code, left + arguments[end:]


def error_text(error: Exception) -> str:
    """What an error says, in the language of the context."""
    if isinstance(error, OSError):
        from santase.error_words import os_error_text

        return os_error_text(error)
    whole = getattr(error, "format_message", None)
    text = str(error) if whole is None else str(whole())
    if language() == SOURCE_LANGUAGE:
        return text
    from santase.error_words import in_words

    metavar = getattr(getattr(error, "param", None), "metavar", None)
    if metavar:
        # as the help in this language calls it
        text = text.replace(f"'{metavar}'", _(metavar))
    return in_words(text)


def help_texts(command: Any) -> Iterator[tuple[Any, str, str]]:
    """Each text of a command's help and those under it: whose it is, its attribute, the text."""
    for owner in (command, *command.params):
        for attribute in ("help", "short_help", "metavar", "options_metavar", "subcommand_metavar"):
            text = getattr(owner, attribute, None)
            if text:
                yield owner, attribute, text
    for child in getattr(command, "commands", {}).values():
        yield from help_texts(child)


@contextlib.contextmanager
def translated_help(command: Any) -> Iterator[None]:
    """The help of a command, made for this one run, in the language of the context."""
    from rich.markup import escape

    for owner, attribute, text in list(help_texts(command)):
        # typer takes [default: ...] for markup
        setattr(owner, attribute, escape(_(text)) if attribute == "help" else _(text))
        if hasattr(owner, "display_type_rich") and (
            getattr(owner, "is_flag", False) or owner.param_type_name == "argument"
        ):
            # its names of Python's types tell a player nothing
            owner.display_type_rich = _no_type
    _translate_usage(command)
    if language() == SOURCE_LANGUAGE:
        yield
        return
    # typer reads its words when it is imported; they are put back, for it belongs to all
    import typer.rich_utils as words

    before = {name: getattr(words, name) for name, _text in _TYPER_WORDS if hasattr(words, name)}
    try:
        for name, text in _TYPER_WORDS:
            if name in before:
                setattr(words, name, _(text))
        yield
    finally:
        for name, text in before.items():
            setattr(words, name, text)


def _no_type(ctx: Any) -> None:
    """What typer shows of a parameter's type: nothing."""


def _translate_usage(command: Any) -> None:
    in_english = command.get_usage
    own_help = command.get_help_option

    def get_usage(context: Any) -> str:
        usage: str = in_english(context)
        return usage.replace("Usage:", _("Usage:"), 1)

    def get_help_option(context: Any) -> Any:
        option = own_help(context)
        if option is not None:
            option.help = _("Show this message and exit.")
            option.display_type_rich = _no_type
        return option

    command.get_usage = get_usage
    command.get_help_option = get_help_option
    for child in getattr(command, "commands", {}).values():
        _translate_usage(child)
