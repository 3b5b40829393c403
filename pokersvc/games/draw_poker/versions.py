"""Events in the formats of earlier versions, frozen and readable for ever, and how each is upcast to the next.

The duplication is on purpose: the rules of today may gain fields, and those of a stored game never do.
"""

from dataclasses import dataclass, fields
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from pokersvc.core.chance import EntropySource
from pokersvc.core.codec import EventTypes, Upcasters
from pokersvc.core.event import Audience, Event
from pokersvc.core.given import Number, Started
from pokersvc.core.lifting import by_first_engine
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import events, recorded_events
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.rules import DrawPokerRules

_Chips = Annotated[int, Field(ge=0, le=1_000_000_000)]
_Bet = Annotated[int, Field(ge=1, le=1_000_000_000)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class _Ante(_Part):
    amount: _Chips
    increase: _Chips = 0
    short: Literal["sit_out", "surrender", "post"] = "sit_out"
    when: Literal["before_deal", "after_deal"] = "before_deal"


class _Betting(_Part):
    cap: _Bet | None = None
    check: Literal["always", "final"] = "always"
    check_ends: bool = False
    final_minimum: _Bet | None = None
    fold_free: bool = False
    maximum: _Bet | None = None
    minimum: _Bet
    most_bets: Annotated[int, Field(ge=1)] | None = None
    opener: Literal["first", "random", "button"] = "first"
    raises: Literal["none", "double", "no_limit", "pot_limit", "fixed_limit"] = "none"
    short: Literal["fold", "all_in"] = "fold"


class _Blinds(_Part):
    big: _Bet
    small: _Bet


class _SeatCount(_Part):
    default: Annotated[int, Field(ge=2, le=10)]
    most: Annotated[int, Field(ge=2, le=10)] = 10


class DrawPokerRules1(_Part):
    """The rules of a house as they were: forward-moving buttons, and hands that stay hidden unless they were shown."""

    advice: Literal["linear", "code", "rank", "win"]
    ante: _Ante
    betting: _Betting
    blinds: _Blinds | None = None
    discards: Annotated[int, Field(ge=0, le=5)]
    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
    open_hands: Literal["after_draw", "showdown", "in_order"] = "showdown"
    player: str
    remainder: Literal["carry", "odd_chips"] = "carry"
    samples: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    seats: _SeatCount
    stack: _Bet
    stay: _Chips = 1
    version: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class GameStarted1(Event):
    """A game began, by the first engine."""

    entropy: Annotated[EntropySource | None, Audience.DEALER]
    game: Literal["draw"]
    program: str
    reproducible: bool
    rounds: Annotated[int, Field(ge=1)] | None
    rules: DrawPokerRules1
    seats: tuple[Seat, ...]
    shuffle: Annotated[int, Field(ge=1)]


class DrawPokerRules2(_Part):
    """The rules of a house as they were: no rake, one order of the draw and of the showdown."""

    advice: Literal["linear", "code", "rank", "win"]
    ante: _Ante
    betting: _Betting
    blinds: _Blinds | None = None
    button_rule: Literal["forward", "dead"] = "forward"
    discards: Annotated[int, Field(ge=0, le=5)]
    history: Literal["all", "shown"] = "shown"
    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
    open_hands: Literal["after_draw", "showdown", "in_order"] = "showdown"
    player: str
    remainder: Literal["carry", "odd_chips"] = "carry"
    samples: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    seats: _SeatCount
    stack: _Bet
    stay: _Chips = 1
    version: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted2(Started):
    """A game began, by engine 1 or 2: every seat with the stack of the house."""

    game: Literal["draw"]
    rounds: Number | None
    rules: DrawPokerRules2
    shuffle: Number


def _name_the_engine(stored: GameStarted1) -> GameStarted2:
    return by_first_engine(stored, GameStarted2, DrawPokerRules2)


def _without_a_table(stored: GameStarted2) -> GameStarted:
    said = {field.name: getattr(stored, field.name) for field in fields(stored)}
    return GameStarted(**{**said, "rules": DrawPokerRules.model_validate(stored.rules.model_dump()), "table": None})


EVENT_TYPES: Final[EventTypes] = {
    **events.EVENT_TYPES,
    **recorded_events.EVENT_TYPES,
    ("GameStarted", 1): GameStarted1,
    ("GameStarted", 2): GameStarted2,
}
"""Every event that a log may hold, of today and of before."""
UPCASTERS: Final[Upcasters] = {GameStarted1: _name_the_engine, GameStarted2: _without_a_table}
