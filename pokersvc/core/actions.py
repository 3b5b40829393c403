"""Actions: the choices of a seat, the actions that only the service sends, and refusals."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from pokersvc.core.value import Value
from pokersvc.errors import PokersvcError


class IllegalAction(PokersvcError):
    """An action that the rules do not allow now; the state is unchanged.

    ``code`` is from the game's closed list of codes, and ``str(error)`` says what would be legal.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code  # type: ignore[misc]  # each refusal has its own


@dataclass(frozen=True, slots=True)
class Action(Value):
    """Base of every choice a seat may make; an action carries its seat (from 1)."""

    seat: int
    """The seat that acts, from 1."""


@dataclass(frozen=True, slots=True)
class BetweenRounds(Action):
    """Base of the actions that a person may take between two rounds (`State.pausing`): `Leave` and the game's own."""


@dataclass(frozen=True, slots=True)
class Leave(BetweenRounds):
    """A person leaves the game, between rounds."""


@dataclass(frozen=True, slots=True)
class ServiceAction(Action):
    """Base of actions that only the service itself sends for a seat, such as a forfeit; callers cannot send them.

    Rules have no clock and no failures: they define the effect of such an action, and the service decides when to send
    it.
    """


@dataclass(frozen=True, slots=True)
class Forfeit(ServiceAction):
    """A bot raised an exception, took too long or gave an illegal answer: ``code`` is one of `FORFEIT_CODES`."""

    code: str


@dataclass(frozen=True, slots=True)
class Lapse(ServiceAction):
    """A person's time for a choice is over, and the game has no default move (`State.default_action`)."""


@dataclass(frozen=True, slots=True)
class ForgoRound(ServiceAction):
    """Take a seat out of the round that was just dealt, even out of turn; the chips that it posted are not returned.

    The seat gave no share to the common shuffle. The action is legal while some seat must choose and this seat is in
    the round.
    """


@dataclass(frozen=True, slots=True)
class CloseGame(ServiceAction):
    """End the game early; its rules determine the result of each seat."""

    seat: int = 0
    """Always 0: the action belongs to no seat."""


@dataclass(frozen=True, slots=True)
class BeginLevel(ServiceAction):
    """Begin the next level between two rounds, because the time of the current one is over (`State.timed_level`)."""

    seat: int = 0
    """Always 0: the action belongs to no seat."""


ForfeitCode: TypeAlias = Literal["illegal", "raised", "timeout"]
FORFEIT_CODES: Final[tuple[ForfeitCode, ...]] = ("illegal", "raised", "timeout")
