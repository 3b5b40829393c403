"""What a seat may do, and how an action is refused."""

from dataclasses import dataclass
from typing import Final

from pokersvc.errors import PokersvcError


class IllegalAction(PokersvcError):
    """An action that the rules do not allow now; the state is as it was.

    ``code`` is one of a closed list of each game's, ``str(error)`` says what would be legal.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code  # type: ignore[misc]  # each refusal has its own


@dataclass(frozen=True, slots=True)
class Action:
    """Base of every choice a seat may make; an action carries its seat (from 1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """A person leaves for good, between rounds."""


@dataclass(frozen=True, slots=True)
class Forfeit(Action):
    """A program that raised, took too long or answered illegally; only the service sends it."""

    code: str


FORFEIT_CODES: Final = ("illegal", "raised", "timeout")
