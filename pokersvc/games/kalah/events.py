"""The events of Kalah. Seat 1 is South, seat 2 North; holes count from 1; fields stand in alphabetical order."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from pokersvc.core import common_events
from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Number, Started
from pokersvc.core.event import Event
from pokersvc.games.kalah.rules import KalahRules

Beans: TypeAlias = Annotated[int, Field(ge=0)]
Side: TypeAlias = Annotated[int, Field(ge=1, le=2)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    """A game began."""

    game: Literal["kalah"]
    rules: KalahRules


@dataclass(frozen=True, slots=True)
class BeansSown(Event):
    """A seat sowed the beans of a hole; the last fell into ``last_hole`` (0: its pot) on the side of ``last_side``."""

    beans: Number
    hole: Number
    last_hole: Beans
    last_side: Side
    seat: Side


@dataclass(frozen=True, slots=True)
class BeansCaptured(Event):
    """The last bean fell into an empty hole of the seat: this bean and those opposite (``beans``) went to its pot."""

    beans: Number
    hole: Number
    seat: Side


@dataclass(frozen=True, slots=True)
class BeansSwept(Event):
    """No more moves are possible, or the game was closed: the ``beans`` of a side went to the pot of its seat."""

    beans: Number
    seat: Side


@dataclass(frozen=True, slots=True)
class Forfeited(common_events.Forfeited):
    """A bot gave no legal answer and so loses the game."""

    seat: Side


GameClosed: TypeAlias = common_events.GameClosed


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over: a side has no beans (after `GameClosed` neither has), or a seat forfeited.

    ``pots`` are South's and North's.
    """

    pots: tuple[Beans, Beans]
    reason: Literal["no_beans", "forfeit"]
    winners: tuple[Side, ...]


EVENT_TYPES: Final[EventTypes] = {
    ("GameStarted", 2): GameStarted,
    ("BeansSown", 1): BeansSown,
    ("BeansCaptured", 1): BeansCaptured,
    ("BeansSwept", 1): BeansSwept,
    ("Forfeited", 1): Forfeited,
    ("GameClosed", 1): GameClosed,
    ("GameEnded", 1): GameEnded,
}
