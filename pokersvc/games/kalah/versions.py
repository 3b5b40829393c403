"""Events in the formats of earlier versions, frozen and readable for ever, and the upcasts from each to the next.

The duplication is on purpose: today's rules may gain fields, but those of a stored game never do.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from pokersvc.core.codec import EventTypes, Upcasters
from pokersvc.core.event import Audience, Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.upcasting import by_first_engine
from pokersvc.games.kalah import events
from pokersvc.games.kalah.events import GameStarted
from pokersvc.games.kalah.rules import KalahRules


class KalahRules1(BaseModel):
    """The size of a board and its rule in version 1."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    beans: Annotated[int, Field(ge=0, le=64)] = 4
    empty_capture: bool = False
    holes: Annotated[int, Field(ge=1, le=32)] = 6
    version: Annotated[int, Field(ge=1, le=1)] = 1


@dataclass(frozen=True, slots=True)
class GameStarted1(Event):
    """A game began."""

    entropy: Annotated[EntropySource | None, Audience.DEALER]
    game: Literal["kalah"]
    program: str
    reproducible: bool
    rules: KalahRules1
    seats: tuple[Seat, ...]


def _lift(stored: GameStarted1) -> GameStarted:
    return by_first_engine(stored, GameStarted, KalahRules)


EVENT_TYPES: Final[EventTypes] = {**events.EVENT_TYPES, ("GameStarted", 1): GameStarted1}
"""Every event that a log may hold, in its current and earlier versions."""
UPCASTERS: Final[Upcasters] = {GameStarted1: _lift}
