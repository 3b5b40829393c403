"""Events that games share: the start, a forfeit, a person leaving, a round forgone, and the closing of the game."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias, TypedDict, TypeVar

from pydantic import Field
from typing_extensions import dataclass_transform

from pokersvc.core.actions import FORFEIT_CODES, Forfeit, ForfeitCode, IllegalAction
from pokersvc.core.event import Audience, Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat

Number: TypeAlias = Annotated[int, Field(ge=1)]
"""A seat, a round, a number of chips: a whole number from 1. A stored event with another value is unreadable."""

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def _fields_to_inherit() -> Callable[[type[_T]], type[_T]]:
    """Make type checkers see the fields of a class that is not a dataclass itself."""
    return lambda cls: cls


@_fields_to_inherit()
class Started(Event):
    """Base of the event that starts a game: it holds everything that is needed to read the game later.

    A game's own start is a dataclass (``frozen=True, slots=True, kw_only=True``) that holds the game's kind in ``game``
    and the game's rules. Its fields and these stand in one alphabetical order, in which every event is stored. So this
    class is not a dataclass: the fields of a dataclass would come before those of its subclass.
    """

    __slots__ = ()

    engine: Number
    """The number of the engine that deals the game; see `Game.engine`."""
    entropy: Annotated[EntropySource | None, Audience.DEALER]
    """The dealer's secret; None where it was withheld."""
    game: str
    """The kind of game."""
    hidden_kinds: bool
    """Whether the kinds of players are hidden while the game is on."""
    program: str
    """The version of pokersvc that started the game."""
    reproducible: bool
    """Whether all seeds of the game are derived from a text."""
    seats: tuple[Seat, ...]
    """The players, from seat 1."""

    def __init_subclass__(cls) -> None:
        """Give a game's own event all the fields, in alphabetical order."""
        cls.__annotations__ = dict(sorted({**Started.__annotations__, **cls.__annotations__}.items()))
        super().__init_subclass__()


class StartedAs(TypedDict):
    """The fields of a `Started` that follow from the setup in every game."""

    engine: int
    entropy: EntropySource
    hidden_kinds: bool
    program: str
    reproducible: bool
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Forfeited(Event):
    """A bot gave no legal answer; the game determines the effect on its seat."""

    code: ForfeitCode
    seat: Number


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A person left the game, between two rounds."""

    seat: Number


@dataclass(frozen=True, slots=True)
class RoundForgone(Event):
    """A seat is out of the round because it gave no share to the common shuffle; recorded before any choice."""

    seat: Number


@dataclass(frozen=True, slots=True)
class GameClosed(Event):
    """The game was closed early; its rules determine the result of each seat."""


_ForfeitedT = TypeVar("_ForfeitedT", bound=Forfeited)


def forfeited(action: Forfeit, event: type[_ForfeitedT]) -> _ForfeitedT:
    """Return the event of a seat's forfeit, of the given class; raise `IllegalAction` for an unknown code."""
    if action.code not in FORFEIT_CODES:
        raise IllegalAction(
            "unknown_code", f"{action.code!r} is no reason to forfeit; reasons are {', '.join(FORFEIT_CODES)}."
        )
    return event(action.code, action.seat)


def open_kinds(event: Event) -> Event:
    """Return a start event with the players' kinds no longer hidden; return any other event unchanged."""
    return replace(event, hidden_kinds=False) if isinstance(event, Started) and event.hidden_kinds else event
