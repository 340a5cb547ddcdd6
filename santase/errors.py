"""The exceptions: one family, all of them ``ValueError``."""


class SantaseError(ValueError):
    """The base of every error about input; its message says what was wrong and where."""


class RulesError(SantaseError):
    """House rules that make no game, or a preset that does not exist."""


class NotationError(SantaseError):
    """A position, action or card that cannot be read or cannot come about.

    ``field`` is the field of the notation that is wrong, or ``None`` when the
    whole line is; the message begins with it.
    """

    def __init__(self, reason: str, field: str | None = None) -> None:
        super().__init__(reason, field)
        self.reason = reason
        self.field = field

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}" if self.field else self.reason


class IllegalActionError(SantaseError):
    """An action that the rules do not allow in this position."""


class HiddenCardsError(SantaseError):
    """A question that needs cards which the position does not show."""


class RecordError(SantaseError):
    """A record of a hand or match that cannot be read.

    ``line`` is the number of the line that is wrong, the first being 1; the
    message begins with it.
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason, line)
        self.reason = reason
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def require(given: object, *kinds: type) -> None:
    """Raises ``TypeError`` where what was given is of none of these kinds."""
    if not isinstance(given, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        article = "an" if names[0] in "AEIOaeio" else "a"
        raise TypeError(f"{article} {names} is needed, not {type(given).__name__}")
