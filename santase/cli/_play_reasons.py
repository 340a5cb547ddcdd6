"""Why an action is not legal, said to the person at the table.

The reason is the core's, in its words; here they are put in the second person and
in the language of the context. No rule is looked at.
"""

from __future__ import annotations

import re

from santase.actions import Action
from santase.cards import CARDS, SUITS
from santase.cli._show import card_face, suit_sign
from santase.errors import IllegalActionError
from santase.language import N_, _

# what the core says, as a pattern, and what the person is told
_REASONS = (
    (r"the hand is over", N_("The hand is over.")),
    (r"player \d does not hold it", N_("You do not hold {action}.")),
    (r"after declaring (?P<a>\w), its K or Q is led", N_("You have declared {a}: lead its king or queen.")),
    (r"player \d has no (?P<a>\w) and must trump", N_("You have no {a}, so you must trump.")),
    (r"player \d must follow suit to (?P<a>\w+)", N_("{a} was led: you must follow suit.")),
    (r"player \d must beat (?P<a>\w+)", N_("{a} was led: you hold a higher card and must play it.")),
    (r"player \d is not on lead", N_("You can do that only when you are on lead.")),
    (r"(?P<a>\d+) needs no call under these rules", N_("Under these rules nobody calls: {a} ends the hand.")),
    (
        r"no marriage before a trick has been played",
        N_("Under these rules there is no marriage before a trick has been played."),
    ),
    (r"player \d does not hold both K and Q", N_("You do not hold both king and queen of that suit.")),
    (r"the talon is closed", N_("The talon is closed.")),
    (r"the talon is exhausted", N_("The talon is exhausted.")),
    (r"closing takes (?P<a>\d+) cards face down", N_("Closing takes {a} cards face down in the talon.")),
    (r"no closing before a trick has been played", N_("Nobody closes before a trick has been played.")),
    (r"player \d does not hold (?P<a>\w+)", N_("You do not hold {a}, which is exchanged.")),
    (
        r"an exchange takes (?P<a>\d+) cards face down, there are (?P<b>\d+)",
        N_("An exchange takes {a} cards face down in the talon, there are {b}."),
    ),
    (r"player \d has taken no trick", N_("You have taken no trick yet.")),
)


def reason_for(error: IllegalActionError, action: Action) -> str:
    """The sentence for the person; the core's own words where there is none."""
    reason = str(error).removeprefix(f"{action}: ")
    for pattern, text in _REASONS:
        found = re.fullmatch(pattern, reason)
        if found:
            parts = {name: _sign(value) for name, value in found.groupdict().items()}
            return _(text).format(action=_sign(str(action)), **parts)
    return str(error)


def _sign(word: str) -> str:
    """Cards and suits with their signs, numbers as they are."""
    return card_face(word) if word in CARDS else suit_sign(word) if word in SUITS else word
