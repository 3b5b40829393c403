"""The errors that pokersvc raises: each has a type, a code and one sentence."""

from typing import ClassVar


class PokersvcError(Exception):
    """Base of every error a caller may expect; ``str(error)`` is one sentence.

    The sentence names the value that was wrong and what would be right.
    """

    code: ClassVar[str] = "error"


class InvalidValue(PokersvcError, ValueError):
    """A value from outside that is not what it has to be: a card, a name, a rule, an option."""

    code = "invalid_value"
