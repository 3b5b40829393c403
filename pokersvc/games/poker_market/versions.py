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
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.events import GameEnded, GameStarted
from pokersvc.games.poker_market.rules import PokerMarketRules


class PokerMarketRules1(BaseModel):
    """The rules of a market in version 1."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    markets: Annotated[int, Field(ge=1, le=1_000_000)]
    rounds: Annotated[int, Field(ge=1, le=1_000_000)]
    version: Annotated[int, Field(ge=1, le=1)]


@dataclass(frozen=True, slots=True)
class GameStarted1(Event):
    """A game began."""

    entropy: Annotated[EntropySource | None, Audience.DEALER]
    game: Literal["market"]
    program: str
    reproducible: bool
    rules: PokerMarketRules1
    seats: tuple[Seat, ...]
    shuffle: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class GameEnded1(Event):
    """All markets are over; every seat scored in each of them."""

    scores: tuple[Annotated[int, Field(ge=1)], ...]
    winners: tuple[Annotated[int, Field(ge=1)], ...]


def _lift(stored: GameStarted1) -> GameStarted:
    return by_first_engine(stored, GameStarted, PokerMarketRules)


def _lift_end(stored: GameEnded1) -> GameEnded:
    return GameEnded(stored.scores, stored.winners)


EVENT_TYPES: Final[EventTypes] = {
    **events.EVENT_TYPES,
    ("GameStarted", 1): GameStarted1,
    ("GameEnded", 1): GameEnded1,
}
"""Every event that a log may hold, in its current and earlier versions."""
UPCASTERS: Final[Upcasters] = {GameStarted1: _lift, GameEnded1: _lift_end}
