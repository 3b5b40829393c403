"""The events of Nim. Seats and piles count from 1; fields are in alphabetical order."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from pokersvc.core.codec import EventTypes, Upcasters
from pokersvc.core.common_events import Forfeited, Number, PlayerLeft, Started
from pokersvc.core.event import Audience, Event
from pokersvc.core.randomness.chance import Seed

Count = Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    game: Literal["nim"]
    piles: Number
    rounds: Number


@dataclass(frozen=True, slots=True)
class PilesLaid(Event):
    """A round began: the stones in each pile follow from the seed."""

    piles: tuple[Number, ...]
    round: Number
    seed: Annotated[Seed | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class FavouriteNamed(Event):
    """A seat was told in secret which pile it should empty."""

    pile: Annotated[Number | None, Audience.SEAT]
    seat: Number


@dataclass(frozen=True, slots=True)
class StonesTaken1(Event):
    """How `StonesTaken` was written at first: piles were called heaps, and counted from 0."""

    heap: Count
    seat: Number
    stones: Number


@dataclass(frozen=True, slots=True)
class StonesTaken(Event):
    pile: Number
    seat: Number
    stones: Number


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    points: tuple[Count, ...]
    round: Number


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    scores: tuple[Count, ...]


def _count_piles_from_one(old: Any) -> StonesTaken:
    return StonesTaken(old.heap + 1, old.seat, old.stones)


EVENT_TYPES: Final[EventTypes] = {
    ("GameStarted", 1): GameStarted,
    ("PilesLaid", 1): PilesLaid,
    ("FavouriteNamed", 1): FavouriteNamed,
    ("StonesTaken", 1): StonesTaken1,
    ("StonesTaken", 2): StonesTaken,
    ("Forfeited", 1): Forfeited,
    ("PlayerLeft", 1): PlayerLeft,
    ("RoundEnded", 1): RoundEnded,
    ("GameEnded", 1): GameEnded,
}
UPCASTERS: Final[Upcasters] = {StonesTaken1: _count_piles_from_one}
