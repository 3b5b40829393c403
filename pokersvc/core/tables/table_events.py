"""The events, actions and settings of a table: pauses, timeouts, seats that sit out, links and devices that change."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field

from pokersvc.core.actions import IllegalAction
from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Number
from pokersvc.core.event import Event
from pokersvc.core.randomness.share_events import (
    DEALING_EVENTS,
    MOST_SHARE_SECONDS,
    SHARE_SECONDS,
    DealingSet,
    share_event_of,
)
from pokersvc.core.tables.table_event import TableAction, TableEvent
from pokersvc.errors import InvalidValue

MOST_SECONDS: Final = 30 * 86_400
"""The longest time for one choice, and the largest reserve for a whole game: 30 days, in seconds."""

Seconds: TypeAlias = Annotated[int, Field(ge=0, le=MOST_SECONDS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """The settings of a table, agreed when it is made; raises `InvalidValue` for impossible values."""

    advice: bool = True
    """Whether players may ask for advice."""
    bank: int = 0
    """Seconds that each person has in reserve for the whole game."""
    dealing: Literal["dealer", "together"] = "dealer"
    """Who shuffles: the dealer alone, or dealer and seats together (`pokersvc.core.randomness.common_shuffle`)."""
    opens_seeds: bool = False
    """Whether the dealer's secrets, and so everything that was hidden, are shown to everyone once the game is over."""
    seconds: int = 0
    """Seconds that a person has for a choice; 0 for no clock."""
    share_seconds: int = SHARE_SECONDS
    """Seconds to wait for the shares of a common shuffle."""

    def __post_init__(self) -> None:
        for name in ("bank", "seconds"):
            value = getattr(self, name)
            if type(value) is not int or not 0 <= value <= MOST_SECONDS:
                raise InvalidValue(f"{name} = {value!r} is not valid; it must be 0 to {MOST_SECONDS:,} whole seconds.")
        if self.bank and not self.seconds:
            raise InvalidValue(f"A bank of {self.bank} seconds needs a time for a choice; seconds must be 1 or more.")
        if self.dealing not in ("dealer", "together"):
            raise InvalidValue(f"dealing = {self.dealing!r} is not valid; it must be 'dealer' or 'together'.")
        if type(self.share_seconds) is not int or not 1 <= self.share_seconds <= MOST_SHARE_SECONDS:
            raise InvalidValue(
                f"share_seconds = {self.share_seconds!r} is not valid; it must be 1 to {MOST_SHARE_SECONDS:,} seconds."
            )


# Events.


@dataclass(frozen=True, slots=True)
class TableSet(TableEvent):
    """The settings of the table, if any, recorded right after the game's start; no clock if ``seconds`` is 0."""

    advice: bool
    bank: Seconds
    opens_seeds: bool
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class TimedOut(TableEvent):
    """A person's time is over; the next event, in the same command, is the game's default move for the seat."""

    seat: Number


@dataclass(frozen=True, slots=True)
class CameBack(TableEvent):
    """A person who sat out plays again."""

    seat: Number


@dataclass(frozen=True, slots=True)
class TablePaused(TableEvent):
    """The table is paused for all: no seat may choose, no round begins, and no clock runs."""


@dataclass(frozen=True, slots=True)
class TableResumed(TableEvent):
    """The table is not paused any more; clocks continue where they stopped."""


@dataclass(frozen=True, slots=True)
class ClockRestarted(TableEvent):
    """After an outage, every choice in progress gets its full time again."""


@dataclass(frozen=True, slots=True)
class ClockChanged(TableEvent):
    """Between two rounds, the host set the clock of all choices to come; everybody has the whole new reserve."""

    bank: Seconds
    by: Number | None
    """The seat of the host who asked; None for a host without a seat."""
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class SeatReplaced(TableEvent):
    """A seat's link was replaced: another person may hold the seat from here on."""

    seat: Number


@dataclass(frozen=True, slots=True)
class DeviceChanged(TableEvent):
    """A person moved their seat to another device; they may still see everything that they saw before."""

    seat: Number


@dataclass(frozen=True, slots=True)
class SeatRemoved(TableEvent):
    """The host removed a seat's player between two rounds; the next event, in the same command, is `PlayerLeft`."""

    seat: Number


TABLE_EVENT_TYPES: Final[EventTypes] = {
    (event.__name__, 1): event
    for event in (
        TableSet, TimedOut, CameBack, TablePaused, TableResumed, ClockRestarted, ClockChanged, SeatReplaced,
        DeviceChanged, SeatRemoved, *DEALING_EVENTS,
    )
}  # fmt: skip
TABLE_EVENTS: Final = frozenset(TABLE_EVENT_TYPES.values())
"""The classes of table events, as a set for fast look-up."""


# Actions.


@dataclass(frozen=True, slots=True)
class ComeBack(TableAction):
    """A person who sits out plays again."""

    seat: int


@dataclass(frozen=True, slots=True)
class PauseTable(TableAction):
    """Pause the table for all."""


@dataclass(frozen=True, slots=True)
class ResumeTable(TableAction):
    """End the pause."""


@dataclass(frozen=True, slots=True)
class RestartClock(TableAction):
    """Give every choice in progress its full time again, after an outage."""


@dataclass(frozen=True, slots=True)
class ChangeClock(TableAction):
    """Set the seconds of a choice (0: no clock) and each person's reserve; ``seat`` is the host's, 0 for none."""

    seconds: int
    bank: int = 0
    seat: int = 0


@dataclass(frozen=True, slots=True)
class ReplaceSeat(TableAction):
    """Tell the table that a seat's link was replaced."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChangeDevice(TableAction):
    """Tell the table that a person moved their seat to another device."""

    seat: int


_EVENT_OF: Final[dict[type[TableAction], Callable[[Any], TableEvent]]] = {
    ComeBack: lambda action: CameBack(action.seat),
    PauseTable: lambda _: TablePaused(),
    ResumeTable: lambda _: TableResumed(),
    RestartClock: lambda _: ClockRestarted(),
    ChangeClock: lambda action: ClockChanged(action.bank, action.seat or None, action.seconds),
    ReplaceSeat: lambda action: SeatReplaced(action.seat),
    ChangeDevice: lambda action: DeviceChanged(action.seat),
}


def event_of(action: TableAction) -> TableEvent:
    """Return the event of an action; raise `IllegalAction` if it is not an action at a table."""
    if (making := _EVENT_OF.get(type(action))) is not None:
        return making(action)
    if (event := share_event_of(action)) is None:
        raise IllegalAction("unknown_action", f"{action!r} is not an action at a table.")
    return event


# Settings, and the events that record them.


def settings_of(event: TableSet) -> TableSettings:
    """Return the settings that a `TableSet` event records; those of a common shuffle are in `DealingSet`."""
    bank = event.bank if event.seconds else 0
    return TableSettings(advice=event.advice, bank=bank, opens_seeds=event.opens_seeds, seconds=event.seconds)


def settings_events(settings: TableSettings) -> tuple[TableEvent, ...]:
    """Return the events that record settings, in their order."""
    events: tuple[TableEvent, ...] = (TableSet(settings.advice, settings.bank, settings.opens_seeds, settings.seconds),)
    if settings.dealing == "together":
        events += (DealingSet(1, settings.share_seconds),)
    return events


def agreed(events: Iterable[Event]) -> TableSettings | None:
    """Return the settings recorded by the events after a game's start; None if there are none."""
    settings = None
    for event in events:
        if isinstance(event, TableSet):
            settings = settings_of(event)
        elif isinstance(event, DealingSet) and settings is not None:
            settings = together(settings, event)
        else:
            break
    return settings


def with_clock(settings: TableSettings, event: ClockChanged) -> TableSettings:
    """Return settings with a changed clock; there is no reserve without a time for a choice."""
    return replace(settings, bank=event.bank if event.seconds else 0, seconds=event.seconds)


def together(settings: TableSettings, event: DealingSet) -> TableSettings:
    """Return settings with those of a common shuffle added from its event."""
    return replace(settings, dealing="together", share_seconds=event.seconds)
