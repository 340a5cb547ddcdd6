"""The exceptions: one family, all of them ``ValueError``."""


class SantaseError(ValueError):
    """The base of every error about input; its message says what was wrong and where."""


class RulesError(SantaseError):
    """House rules that make no game, or a preset that does not exist."""


class NotationError(SantaseError):
    """A position, action or card that cannot be read; names the field and the reason."""


class IllegalActionError(SantaseError):
    """An action that the rules do not allow in this position."""


class HiddenCardsError(SantaseError):
    """A question that needs cards which the position does not show."""


class RecordError(SantaseError):
    """A record of a hand or match that cannot be read; says which line is wrong."""
