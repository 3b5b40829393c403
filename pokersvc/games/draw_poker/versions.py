"""Events in the formats of earlier versions, frozen and readable for ever, and the upcast of each to the next.

The duplication is on purpose: today's rules may gain fields, but the rules of a stored game never do.
"""

from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pokersvc.core.codec import EventTypes, Upcasters
from pokersvc.core.common_events import Number, Started
from pokersvc.core.event import Audience, Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat, check_name
from pokersvc.core.upcasting import by_first_engine
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.events import GameStarted, SatDown
from pokersvc.games.draw_poker.house.cash_rules import CashRules, TablePeople
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.house.levels import Levels
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.recorded_hands import recorded_events

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
    """The rules of a house in version 1: buttons move forward, and hands not shown stay hidden."""

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
    """The rules of a house in version 2: no rake, one order of the draw and of the showdown."""

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


class _Rake(_Part):
    caps: Annotated[tuple[_Chips, ...], Field(strict=False)] = ()
    no_draw_no_rake: bool = True
    rounding: Literal["down", "nearest", "up"] = "down"
    share: Annotated[int, Field(ge=0, le=10_000)]
    unit: _Bet = 1


class DrawPokerRules3(_Part):
    """The rules of a house in version 3: no straddle."""

    advice: Literal["linear", "code", "rank", "win"]
    ante: _Ante
    betting: _Betting
    blinds: _Blinds | None = None
    button_rule: Literal["forward", "dead"] = "forward"
    discards: Annotated[int, Field(ge=0, le=5)]
    draw: Literal["in_turn", "together"] = "in_turn"
    history: Literal["all", "shown"] = "shown"
    muck_all_in: bool = False
    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
    open_hands: Literal["after_draw", "showdown", "in_order"] = "showdown"
    player: str
    rake: _Rake | None = None
    remainder: Literal["carry", "odd_chips"] = "carry"
    reshuffle: Literal["others", "all"] = "others"
    samples: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    seats: _SeatCount
    shows_first: Literal["aggressor", "left_of_button"] = "aggressor"
    stack: _Bet
    stay: _Chips = 1
    version: Annotated[int, Field(ge=1)]


class _Currency(_Part):
    code: Annotated[str, Field(max_length=16)] = ""
    exponent: Annotated[int, Field(ge=0, le=4)] = 0


class _Post(_Part):
    amount: _Bet
    kind: Literal["small", "big", "extra", "dead", "straddle"]
    seat: Number


_PlaceNumber = Annotated[int, Field(ge=0, le=99)]


class CashTable3(_Part):
    """A table with stacks, numbers and money of its own, as it was before houses had straddles."""

    button: _PlaceNumber | None = None
    cash: bool = False
    currency: _Currency = _Currency()
    hand: Number = 1
    numbers: tuple[_PlaceNumber, ...]
    out: tuple[Number, ...] = ()
    posts: tuple[_Post, ...] | None = None
    rake: tuple[_Chips, ...] | None = None
    recorded: bool = False
    stacks: tuple[_Chips, ...]


class TableOfPeople(CashTable):
    """A table from a start of version 3, without open seats: a seat without chips is a person's, whatever its name."""

    has_open_seats: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted3(Started):
    """A game began, by engine 1, 2 or 3, in a house without a straddle."""

    game: Literal["draw"]
    rounds: Number | None
    rules: DrawPokerRules3
    shuffle: Number
    table: CashTable3 | None = None


class _Blinds4(_Part):
    big: _Bet
    small: _Bet
    straddle: _Chips = 0


class DrawPokerRules4(_Part):
    """The rules of a house in version 4: a cap on raises holds for two players, too."""

    advice: Literal["linear", "code", "rank", "win"]
    ante: _Ante
    betting: _Betting
    blinds: _Blinds4 | None = None
    button_rule: Literal["forward", "dead"] = "forward"
    discards: Annotated[int, Field(ge=0, le=5)]
    draw: Literal["in_turn", "together"] = "in_turn"
    history: Literal["all", "shown"] = "shown"
    muck_all_in: bool = False
    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
    open_hands: Literal["after_draw", "showdown", "in_order"] = "showdown"
    player: str
    rake: _Rake | None = None
    remainder: Literal["carry", "odd_chips"] = "carry"
    reshuffle: Literal["others", "all"] = "others"
    samples: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    seats: _SeatCount
    shows_first: Literal["aggressor", "left_of_button"] = "aggressor"
    stack: _Bet
    stay: _Chips = 1
    version: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted4(Started):
    """A game began, in a house whose cap on raises holds for two players, too."""

    game: Literal["draw"]
    rounds: Number | None
    rules: DrawPokerRules4
    shuffle: Number
    table: CashTable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted5(Started):
    """A game began, with stakes that stay as they are."""

    game: Literal["draw"]
    rounds: Number | None
    rules: DrawPokerRules
    shuffle: Number
    table: CashTable | None = None


class _Level6(_Part):
    ante: _Chips = 0
    big: _Bet
    hands: Annotated[int, Field(ge=1, le=10_000)] | None = None
    minutes: Annotated[int, Field(ge=1, le=10_000)] | None = None
    rest: Annotated[int, Field(ge=0, le=10_000)] = 0
    small: _Bet


class Levels6(_Part):
    """Levels in version 6: no chips are raced off."""

    schedule: Annotated[tuple[_Level6, ...], Field(min_length=1, max_length=100, strict=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted6(Started):
    """A game began; in a tournament, no chips are raced off."""

    cash: CashRules | None = None
    changeable: bool = False
    entry: TournamentEntry | None = None
    game: Literal["draw"]
    levels: Levels6 | None = None
    people: TablePeople | None = None
    rounds: Number | None
    rules: DrawPokerRules
    shuffle: Number
    table: CashTable | None = None


@dataclass(frozen=True, slots=True)
class SatDown1(Event):
    """A person sat down at an open seat of a cash game, under the name that the seat had from the start."""

    amount: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class SatDown2(Event):
    """A person sat down at an open seat of a cash game in which people have no numbers."""

    amount: Number
    name: Annotated[str, AfterValidator(check_name)] | None
    seat: Number


def _name_the_engine(stored: GameStarted1) -> GameStarted2:
    return by_first_engine(stored, GameStarted2, DrawPokerRules2)


def _without_a_table(stored: GameStarted2) -> GameStarted3:
    return _lifted(stored, GameStarted3, DrawPokerRules3.model_validate(stored.rules.model_dump()), None)


def _without_a_straddle(stored: GameStarted3) -> GameStarted4:
    rules = DrawPokerRules4.model_validate(stored.rules.model_dump())
    table = None if stored.table is None else TableOfPeople.model_validate(stored.table.model_dump())
    return _lifted(stored, GameStarted4, rules, table)


def _always_capped(stored: GameStarted4) -> GameStarted5:
    return _lifted(stored, GameStarted5, DrawPokerRules.model_validate(stored.rules.model_dump()), stored.table)


def _with_fixed_stakes(stored: GameStarted5) -> GameStarted6:
    return _lifted(stored, GameStarted6, stored.rules, stored.table)


def _without_a_race(stored: GameStarted6) -> GameStarted:
    said = {field.name: getattr(stored, field.name) for field in fields(stored)}
    levels = None if stored.levels is None else Levels.model_validate(stored.levels.model_dump())
    return GameStarted(**{**said, "levels": levels})


_StartT = TypeVar("_StartT", GameStarted3, GameStarted4, GameStarted5, GameStarted6)


def _lifted(
    stored: GameStarted2 | GameStarted3 | GameStarted4 | GameStarted5,
    start: type[_StartT],
    rules: BaseModel,
    table: CashTable | None,
) -> _StartT:
    said = {field.name: getattr(stored, field.name) for field in fields(stored)}
    return start(**{**said, "rules": rules, "table": table})


def _under_the_name_of_the_seat(stored: SatDown1) -> SatDown2:
    return SatDown2(stored.amount, None, stored.seat)


def _without_a_number(stored: SatDown2) -> SatDown:
    return SatDown(stored.amount, stored.name, None, stored.seat)


EVENT_TYPES: Final[EventTypes] = {
    **earlier_events.EVENT_TYPES,
    **events.EVENT_TYPES,
    **recorded_events.EVENT_TYPES,
    ("GameStarted", 1): GameStarted1,
    ("GameStarted", 2): GameStarted2,
    ("GameStarted", 3): GameStarted3,
    ("GameStarted", 4): GameStarted4,
    ("GameStarted", 5): GameStarted5,
    ("GameStarted", 6): GameStarted6,
    ("SatDown", 1): SatDown1,
    ("SatDown", 2): SatDown2,
}
"""Every event type that a log may hold, of this and of earlier versions."""
UPCASTERS: Final[Upcasters] = {
    GameStarted1: _name_the_engine,
    GameStarted2: _without_a_table,
    GameStarted3: _without_a_straddle,
    GameStarted4: _always_capped,
    GameStarted5: _with_fixed_stakes,
    GameStarted6: _without_a_race,
    SatDown1: _under_the_name_of_the_seat,
    SatDown2: _without_a_number,
}
