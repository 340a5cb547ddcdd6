"""What errors say, in the language of the context.

The library's errors are in English, also where a program reads them (JSON,
exceptions). A person is told the same in the language of the context: each text
stands here once, with its gaps, and is found by its form.
"""

from __future__ import annotations

import re
from functools import cache

from santase.language import N_, SOURCE_LANGUAGE, _, language

_TEXTS = (
    # cards, actions, the notation of a position
    N_("a line of {a} characters is no position"),
    N_("a line of more than {a} bytes is no position"),
    N_("byte {a} of the line is not text in UTF-8"),
    N_("no cards are hidden here"),
    N_("+0 hides nothing: leave it out"),
    N_("{a} has {b} suits, not four between three dots"),
    N_("{a} is no rank"),
    N_("{a} stands there twice"),
    N_("write - when no card lies face down"),
    N_("more than {a} cards"),
    N_("{a} is neither a card nor a suit"),
    N_("these rules want - or the closer alone"),
    N_("{a} has {b} hands, not holds0/lacks0/holds1/lacks1"),
    N_("{a} is not of the form player 0/player 1"),
    N_("{a} is no number"),
    N_("{a} is no player: 0 or 1"),
    N_("an action is text, not {a}"),
    N_("{a} is no action"),
    N_("{a} is no suit"),
    N_("{a} is no card"),
    N_("player {a} is to move, whose hand is hidden in this view"),
    # the rules
    N_("{a} are some of {b} in that order, not {c}"),
    N_("exchange_rank is one of {a}, not {b}"),
    N_("trickless is 'failed' or 'other', not {a}"),
    N_("hand_size {a} leaves no talon of the {b} cards"),
    N_("the talon of {a} cards must be even, so that it is drawn in pairs"),
    N_("hand_size {a} leaves {b} cards face down, more than {c}"),
    N_("no preset is called {a}; there are {b}"),
    N_("{a} is yes or no, not {b}"),
    N_("{a} is a number, not {b}"),
    N_("{a} takes a text, not {b}"),
    N_("{a} takes True or False, not {b}"),
    N_("{a} takes a whole number, not {b}"),
    N_("{a} is {b} to {c}, not {d}"),
    N_("{a} is no setting=value of a known setting"),
    N_("{a} is set twice"),
    # an action that is not legal, of either player
    N_("the hand is over"),
    N_("player {a} does not hold it"),
    N_("after declaring {a}, its K or Q is led"),
    N_("player {a} has no {b} and must trump"),
    N_("player {a} must follow suit to {b}"),
    N_("player {a} must beat {b}"),
    N_("player {a} is not on lead"),
    N_("{a} needs no call under these rules"),
    N_("no marriage before a trick has been played"),
    N_("player {a} does not hold both K and Q"),
    N_("the talon is closed"),
    N_("the talon is exhausted"),
    N_("closing takes {a} cards face down"),
    N_("no closing before a trick has been played"),
    N_("player {a} does not hold {b}"),
    N_("an exchange takes {a} cards face down, there are {b}"),
    N_("player {a} has taken no trick"),
    # records
    N_("not text in UTF-8"),
    N_("a record begins with {a}, this with {b}"),
    N_("a record begins with {a}, this is empty"),
    N_("there is no hand in this record"),
    N_("{a} characters are too long for a line"),
    N_("{a} is neither 'name: value' nor a trick"),
    N_("it is '0 deals' or '1 deals', not {a}"),
    N_("a record has no {a}"),
    N_("{a} stands before the first hand"),
    N_("{a} is there twice"),
    N_("{a} is no whole number"),
    N_("it is 'hand' or 'match', not {a}"),
    N_("the record must say them before the first hand"),
    N_("both players have a name or neither"),
    N_("by these rules a match is to {a}, not {b}"),
    N_("two names are needed, not {a}"),
    N_("a name is of 1 to {a} printing characters, no # and no blank at an end, not {b}"),
    N_("hand {a} is not over, so no other begins"),
    N_("hand {a} has no end and no result, so no other begins"),
    N_("this is the record of one hand, there is no other"),
    N_("this is the record of one hand, there is no next one"),
    N_("player {a} has won the match, there is no other hand"),
    N_("player {a} has won the match, there is no next hand"),
    N_("the match is won, there is no other hand"),
    N_("player {a} deals this one"),
    N_("this is hand {a}"),
    N_("it stands right after the line that begins a hand"),
    N_("hand {a} must be given, for there is no seed"),
    N_("hand {a} of seed {b} is {c}"),
    N_("no hand has begun"),
    N_("the hand is over, there is no other trick"),
    N_("trick {a} has begun on an earlier line: write it on one"),
    N_("this is trick {a}, not {b}"),
    N_("trick {a} is complete, the next is a line of its own"),
    N_("player {a} is to move, not {b}"),
    N_("it does not say who does it"),
    N_("nothing is done in trick {a}"),
    N_("nobody takes the trick, for it has no reply"),
    N_("it is {a} by the actions, not {b}"),
    N_("it is {a} by the results, not {b}"),
    N_("hand {a} is not over"),
    N_("it is of {a}, the game is of {b}"),
    N_("all cards must be given, these are hidden in part"),
    N_("this is a position later than the first lead"),
    N_("player {a} deals, so player {b} leads"),
    N_("{a} is not in the form '0 takes: 23/10'"),
    N_("two cards are needed, the winner's and the loser's, ? for unknown"),
    N_("{a} is not in the form '0 wins 2 (call)'"),
    N_("player {a} must have played another card"),
    N_("player {a} cannot hold it"),
    N_("this is no reply"),
    N_("nothing is drawn after this trick"),
    N_("the loser takes the turned card, {a}"),
    N_("it is {a} by the deal"),
    N_("{a} cannot have been drawn by player {b}"),
    N_("by the cards player {a} takes the trick, not {b}"),
    N_("by the actions the points are {a}, not {b}"),
    N_("no card fits here with the rest of the record"),
    N_("by the actions player {a} wins {b}"),
    N_("the hand is void"),
    # what the commands and the players of the arena are told
    N_("1 or more are needed, not {a}"),
    N_("0 or more are needed, not {a}"),
    N_("0 or more is needed, not {a}"),
    N_("a number from {a} to {b} is needed, not {c}"),
    N_("a whole number is needed, not {a}"),
    N_("a whole number, 2 or more, is needed, not {a}"),
    N_("a whole number from {a} to {b} is needed, not {c}"),
    N_("True or False is needed, not {a}"),
    N_("player 0 or 1 is needed, not {a}"),
    N_("a level between 0 and 1 is needed, not {a}"),
    N_("two numbers are needed, as in 0,0.1, not {a}"),
    N_("there are only {a} seeds from {b} on"),
    N_("there is no directory {a}"),
    N_("{a} is a directory"),
    N_("{a} cannot be written"),
    N_("a file ending in .png, .svg or .pdf is needed, not {a}"),
    N_("Matplotlib is needed: pip install 'santase[plot]'"),
    N_("seconds, 0 or more, are needed, not {a}"),
    N_("seconds, more than 0, are needed, not {a}"),
    N_("the score is written as in 9-10, my points first, not {a}"),
    N_("two numbers, my points and theirs, are needed, not {a}"),
    N_("points from 0 to {a} are needed, for a match to {b}, not {c}"),
    N_("points are whole numbers, 0 or more, not {a}"),
    N_("the position is the record's, none can be given as well"),
    N_("a position is needed, or - for standard input, or --record FILE"),
    N_("standard input is closed"),
    N_("there is nothing to take back"),
    N_("both players are called {a}: say 0 or 1"),
    N_("0 or 1, {a} or {b} is needed, not {c}"),
    N_("0 or 1 is needed, not {a}"),
    N_("there is no {a}, there are {b}"),
    N_("a language is needed, one of {a}"),
    N_("the hand is over, there is nothing to play"),
    N_("no player is called {a}; there are {b}, program:COMMAND"),
    N_("{a} is no parameter; {b} takes {c}, as name=value"),
    N_("{a} is given twice"),
    N_("seconds, 0 or more"),
    N_("a number from {a} to {b}"),
    N_("a whole number from 1 on"),
    N_("two bounds in game points are needed, the lower first, not {a},{b}"),
    N_("a number above 0"),
    N_("yes or no"),
    N_("yes, no or always"),
    N_("this build has no exact solver"),
    N_("it ended (exit status {a}) before it answered {b}"),
    N_("it closed its output before it answered {a}"),
    N_("no answer in {a} seconds to {b}"),
    N_("to {a} it answered {b}, which is not legal"),
    N_("to {a} it answered {b}, which names no action as 'best'"),
    N_("a command line is needed, as in 'program:santase best --json -'"),
    N_("{a} is no command line: {b}"),
    N_("{a} cannot be started: {b}"),
    N_("not a file that training/ship.py wrote"),
    N_("not enough memory"),
    N_("standard output is closed"),
    N_("{a} is no parameter; {b} takes no parameters, as name=value"),
    # typer
    N_("No such option: {a}"),
    N_("No such option: {a} Did you mean {b}?"),
    N_("No such option: {a} (Possible options: {b})"),
    N_("No such command {a}."),
    N_("No such command {a}. Did you mean {b}?"),
    N_("Missing argument {a}."),
    N_("Missing command."),
    N_("Option {a} requires an argument."),
    N_("Option {a} does not take a value."),
    N_("Invalid value for {a}: {problem}"),
    N_("Input should be a valid integer, unable to parse string as an integer"),
    N_("Input should be a valid number, unable to parse string as a number"),
    N_("Got unexpected extra argument(s) ({a})"),
    # the system
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("File exists"),
    N_("No space left on device"),
    N_("Read-only file system"),
    N_("File name too long"),
    N_("Address already in use"),
)


def in_words(text: str) -> str:
    """An error's text in the language of the context; what has no translation stays as it is.

    What stands before a colon (a field, an option, a file, a line of a record) stays
    before it, since it says where.
    """
    if language() == SOURCE_LANGUAGE:
        return text
    return _translated(text) or text


def os_error_text(error: OSError, file: object = None) -> str:
    """What the system says against a file, and which file it is, in the language of the context: the
    one that is named here, or else the one of the error."""
    reason = in_words(error.strerror or str(error))
    named = error.filename if file is None else file
    return reason if named is None else f"{named}: {reason}"


def _translated(text: str) -> str | None:
    known = _(text)
    if known != text:
        return known
    from santase.reasons import position_problem

    problem = position_problem(text)
    if problem is not None:
        return problem
    for form, template in _forms():
        found = form.fullmatch(text)
        if found:
            gaps = found.groupdict()
            if "problem" in gaps:
                gaps["problem"] = in_words(gaps["problem"])
            return _(template).format(**gaps)
    where, colon, what = text.partition(": ")
    said = _translated(what) if colon else None
    if said is None:
        return None
    # a file may stand before the line
    line = re.fullmatch(r"(.*?)line (\d+)", where)
    if line:
        where = line[1] + _("line {number}").format(number=line[2])
    return f"{where}: {said}"


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each text as a pattern, those that leave the least open first."""
    ranked = sorted(_TEXTS, key=lambda text: -len(re.sub(r"\{\w+\}", "", text)))
    return tuple(
        (re.compile("".join(_form(part) for part in re.split(r"(\{\w+\})", text)), re.S), text)
        for text in ranked
    )


def _form(part: str) -> str:
    # a gap holds what was given, quoted, or something short: before ": " stands where it was
    gap = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?:(?!: ).)+?"""
    return f"(?P<{part[1:-1]}>{gap})" if part.startswith("{") else re.escape(part)
