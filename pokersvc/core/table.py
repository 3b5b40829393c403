"""What happens at a table and not in its game: pauses, time that is over, who sits out, whose seat it is.

Every game's log may hold these events; the games do not know them. `Table` is the fold over them. It stands beside the
game's state in a `Replay`, and says which of them may come where.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field

from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.codec import EventTypes
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.given import Number, RoundForgone
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.share_events import (
    DEALING_EVENTS,
    MOST_SHARE_SECONDS,
    SHARE_SECONDS,
    DealingSet,
    ShareMissed,
    ShareOpened,
    SharesAwaited,
    share_event_of,
)
from pokersvc.core.state import State
from pokersvc.core.table_event import TableAction, TableEvent
from pokersvc.core.together import Dealing
from pokersvc.errors import InvalidValue

MOST_SECONDS: Final = 30 * 86_400
"""The longest time for a choice, and the largest bank: 30 days."""
SITS_OUT_AFTER: Final = 2
"""After so many choices in a row that a person let lapse, their seat sits out."""

Seconds: TypeAlias = Annotated[int, Field(ge=0, le=MOST_SECONDS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What is agreed when a table is made; `InvalidValue` for what cannot be."""

    advice: bool = True
    """Whether players may ask for advice."""
    bank: int = 0
    """Seconds that each person has in reserve for the whole game."""
    dealing: Literal["dealer", "together"] = "dealer"
    """Who shuffles: the dealer alone, or the dealer and the seats together (`pokersvc.core.together`)."""
    opens_seeds: bool = False
    """Whether everyone may see the dealer's secrets once the game is over, and with them everything that was hidden."""
    seconds: int = 0
    """Seconds that a person has for a choice; 0 for no clock."""
    share_seconds: int = SHARE_SECONDS
    """Seconds that shares of a common shuffle are waited for."""

    def __post_init__(self) -> None:
        for name in ("bank", "seconds"):
            value = getattr(self, name)
            if type(value) is not int or not 0 <= value <= MOST_SECONDS:
                raise InvalidValue(f"{name} = {value!r} cannot be; it must be 0 to {MOST_SECONDS:,} whole seconds.")
        if self.bank and not self.seconds:
            raise InvalidValue(f"A bank of {self.bank} seconds needs a time for a choice; seconds must be 1 or more.")
        if self.dealing not in ("dealer", "together"):
            raise InvalidValue(f"dealing = {self.dealing!r} cannot be; it must be 'dealer' or 'together'.")
        if type(self.share_seconds) is not int or not 1 <= self.share_seconds <= MOST_SHARE_SECONDS:
            raise InvalidValue(
                f"share_seconds = {self.share_seconds!r} cannot be; it must be 1 to {MOST_SHARE_SECONDS:,} seconds."
            )


# Events.


@dataclass(frozen=True, slots=True)
class TableSet(TableEvent):
    """The settings of the table: the second event of a game that has any. With 0 ``seconds`` there is no clock."""

    advice: bool
    bank: Seconds
    opens_seeds: bool
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class TimedOut(TableEvent):
    """A person's time is over: the next event, of the same command, is the move that the game names for the seat."""

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
    """After an outage: every choice that is being made has its full time again."""


@dataclass(frozen=True, slots=True)
class SeatReplaced(TableEvent):
    """A seat's link was replaced: another person may hold the seat from here on."""

    seat: Number


@dataclass(frozen=True, slots=True)
class SeatRemoved(TableEvent):
    """The host removed a seat, between two rounds: the next event, of the same command, is that its player left."""

    seat: Number


TABLE_EVENT_TYPES: Final[EventTypes] = {
    (event.__name__, 1): event
    for event in (
        TableSet, TimedOut, CameBack, TablePaused, TableResumed, ClockRestarted, SeatReplaced, SeatRemoved,
        *DEALING_EVENTS,
    )
}  # fmt: skip
TABLE_EVENTS: Final = frozenset(TABLE_EVENT_TYPES.values())
"""The classes, to be looked up by the class of an event: most events are of the game."""


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
    """Give every choice that is being made its full time again, after an outage."""


@dataclass(frozen=True, slots=True)
class ReplaceSeat(TableAction):
    """Tell the table that a seat's link was replaced."""

    seat: int


_EVENT_OF: Final[dict[type[TableAction], Callable[[Any], TableEvent]]] = {
    ComeBack: lambda action: CameBack(action.seat),
    PauseTable: lambda _: TablePaused(),
    ResumeTable: lambda _: TableResumed(),
    RestartClock: lambda _: ClockRestarted(),
    ReplaceSeat: lambda action: SeatReplaced(action.seat),
}


def event_of(action: TableAction) -> TableEvent:
    """Return the event of an action; `IllegalAction` for what is not an action at a table."""
    if (making := _EVENT_OF.get(type(action))) is not None:
        return making(action)
    if (event := share_event_of(action)) is None:
        raise IllegalAction("unknown_action", f"{action!r} is not an action at a table.")
    return event


# The fold.


class Due(NamedTuple):
    """Which event must come next, in the command of the last one."""

    seat: int
    leaves: bool
    """That its player left; if not, the move that the game names for a seat whose time is over."""
    away: bool
    """Whether the seat sat out already when its time was over."""


class Table:
    """What the events at a table have made: a fold over them, and over whose choices the game's events were."""

    __slots__ = ("dealing", "due", "names", "paused", "people", "replaced", "settings", "timeouts")

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self.names = ("", *(seat.name for seat in seats))
        self.people = frozenset(number for number, seat in enumerate(seats, 1) if seat.kind == HUMAN)
        self.settings: TableSettings | None = None
        self.dealing: Dealing | None = None
        """How the table shuffles together; None where the dealer shuffles alone."""
        self.paused = False
        self.timeouts: dict[int, int] = {}
        """Seat → how many of its choices lapsed in a row, where any did."""
        self.replaced: dict[int, int] = {}
        """Seat → how often its link was replaced."""
        self.due: Due | None = None

    @property
    def timed(self) -> bool:
        """Whether the table has a clock."""
        return self.settings is not None and self.settings.seconds > 0

    @property
    def sitting_out(self) -> tuple[int, ...]:
        """The seats that sit out, in ascending order: their time for a choice is zero."""
        return tuple(sorted(seat for seat, lapsed in self.timeouts.items() if lapsed >= SITS_OUT_AFTER))

    def nobody_sits_in(self, state: State) -> bool:
        """Tell whether people play and all of them sit out."""
        playing = set(filter(state.playing, self.people))
        return bool(playing) and playing.issubset(self.sitting_out)

    def apply(self, event: TableEvent) -> None:
        """Take an event at the table; `ImpossibleEvent` for a seat that there is not, and for second settings."""
        seat = getattr(event, "seat", 1)
        if not 1 <= seat < len(self.names):
            raise ImpossibleEvent(event, f"there is no seat {seat}")
        self.due = None
        match event:
            case TableSet():
                if self.settings is not None:
                    raise ImpossibleEvent(event, "the settings of a table are chosen once")
                self.settings = settings_of(event)
            case DealingSet():
                if self.dealing is not None or self.settings is None:
                    raise ImpossibleEvent(event, "how a table shuffles is chosen once, after its settings")
                self.settings = _together(self.settings, event)
                self.dealing = Dealing(event.seconds)
            case TimedOut():
                self.due = Due(seat, leaves=False, away=seat in self.sitting_out)
                self.timeouts[seat] = self.timeouts.get(seat, 0) + 1
            case CameBack():
                self.timeouts.pop(seat, None)
            case TablePaused() | TableResumed():
                self.paused = isinstance(event, TablePaused)
            case SeatReplaced():
                self.replaced[seat] = self.replaced.get(seat, 0) + 1
            case SeatRemoved():
                self.due = Due(seat, leaves=True, away=False)
            case _ if event.__class__ in DEALING_EVENTS:
                if self.dealing is None:
                    raise ImpossibleEvent(event, "the dealer of this table shuffles alone")
                self.dealing.apply(event, self.sitting_out)
                if isinstance(event, ShareMissed):
                    self.timeouts[seat] = max(SITS_OUT_AFTER, self.timeouts.get(seat, 0))

    def went_on(self, event: Event, chooser: int | None, *, shuffled: bool = False) -> None:
        """Note an event of the game, and whose choice it was, if a seat's: its own choice ends sitting out.

        ``shuffled`` says that it was a shuffle.
        """
        if self.dealing is not None:
            if shuffled:
                self.dealing.shuffled()
            elif isinstance(event, RoundForgone):
                self.dealing.forgone(event.seat)
        due, self.due = self.due, None
        if due is None and chooser is not None:
            self.timeouts.pop(chooser, None)

    # What may come now.

    def decide(self, action: TableAction, state: State) -> TableEvent:
        """Return the event of an action; `IllegalAction` for one that cannot be done now."""
        event = event_of(action)
        self.check(event, state)
        return event

    def check(self, event: TableEvent, state: State) -> None:
        """Raise `IllegalAction` for an event that may not come now. Whether time is over, a `Clock` says."""
        if self.due is not None:
            raise IllegalAction("event_due", f"The event of {self.names[self.due.seat]} comes first.")
        if isinstance(event, TableSet):
            if self.settings is not None:
                raise IllegalAction("already_set", "The settings of a table are chosen once.")
            return
        if isinstance(event, DealingSet):
            if self.dealing is not None or self.settings is None:
                raise IllegalAction("already_set", "How a table shuffles is chosen once, after its settings.")
            return
        if type(seat := getattr(event, "seat", 1)) is not int:
            raise IllegalAction("no_seat", f"{seat!r} is not a seat; seats are numbers from 1.")
        if state.outcome is not None:
            raise IllegalAction("game_over", "The game is over, so nothing happens at its table any more.")
        if not state.awaited and not state.pausing and (self.dealing is None or not self.dealing.holds_up(state)):
            raise IllegalAction("dealer_to_act", "The dealer is to act, and the table waits for that.")
        if event.__class__ in DEALING_EVENTS:
            self._check_dealing(event, state)
            return
        if self.dealing is not None and not isinstance(event, TablePaused | TableResumed):
            self.dealing.check_none_awaited()
        _CHECKS[type(event)](self, event, state)

    def _check_dealing(self, event: TableEvent, state: State) -> None:
        if self.dealing is None:
            raise IllegalAction("dealer_shuffles", "The dealer of this table shuffles alone; it takes no shares.")
        if self.paused and isinstance(event, SharesAwaited | ShareOpened | ShareMissed):
            self.check_choice()
        self.dealing.check(event, state, self.people, self.sitting_out)

    def check_shares(self) -> None:
        """Raise `IllegalAction` while shares are awaited, as then nothing else happens in the game."""
        if self.dealing is not None:
            self.dealing.check_none_awaited()

    def check_choice(self) -> None:
        """Raise `IllegalAction` where no seat may choose, because the table is paused."""
        if self.paused:
            raise IllegalAction("paused", "The table is paused; nobody can choose until it is resumed.")

    def check_round(self, state: State) -> None:
        """Raise `IllegalAction` where no round may begin: in a pause, and where all people who play sit out."""
        if self.paused:
            raise IllegalAction("paused", "The table is paused; no round begins until it is resumed.")
        if self.nobody_sits_in(state):
            raise IllegalAction("nobody_sits_in", "Everybody sits out; a round begins when somebody has come back.")

    def _check_person(self, seat: int) -> None:
        if seat not in self.people:
            people = ", ".join(map(str, sorted(self.people))) or "none"
            raise IllegalAction("not_a_person", f"Seat {seat} is not a person's; the seats of people are {people}.")

    def _check_timed_out(self, event: TimedOut, state: State) -> None:
        self._check_clock(event, state)
        self._check_person(event.seat)
        self.check_choice()
        if event.seat not in state.awaited:
            raise IllegalAction("not_your_turn", f"{self.names[event.seat]} is not to choose now, so no time runs.")

    def _check_came_back(self, event: CameBack, state: State) -> None:
        self._check_person(event.seat)
        if event.seat not in self.sitting_out:
            raise IllegalAction("not_sitting_out", f"{self.names[event.seat]} does not sit out.")

    def _check_paused(self, event: TablePaused, state: State) -> None:
        if self.paused:
            raise IllegalAction("already_paused", "The table is paused already.")

    def _check_resumed(self, event: TableResumed, state: State) -> None:
        if not self.paused:
            raise IllegalAction("not_paused", "The table is not paused.")

    def _check_clock(self, event: TableEvent, state: State) -> None:
        if not self.timed:
            raise IllegalAction("no_clock", "The table has no clock; its settings give no seconds for a choice.")

    def _check_replaced(self, event: SeatReplaced, state: State) -> None:
        self._check_person(event.seat)

    def _check_removed(self, event: SeatRemoved, state: State) -> None:
        self._check_person(event.seat)
        state.decide(Leave(event.seat))


_CHECKS: Final[dict[type[TableEvent], Callable[[Table, Any, State], None]]] = {
    TimedOut: Table._check_timed_out,
    CameBack: Table._check_came_back,
    TablePaused: Table._check_paused,
    TableResumed: Table._check_resumed,
    ClockRestarted: Table._check_clock,
    SeatReplaced: Table._check_replaced,
    SeatRemoved: Table._check_removed,
}


def settings_of(event: TableSet) -> TableSettings:
    """Return the settings that an event records, without those of `DealingSet`."""
    bank = event.bank if event.seconds else 0
    return TableSettings(advice=event.advice, bank=bank, opens_seeds=event.opens_seeds, seconds=event.seconds)


def settings_events(settings: TableSettings) -> tuple[TableEvent, ...]:
    """Return the events that record settings, in their order."""
    events: tuple[TableEvent, ...] = (TableSet(settings.advice, settings.bank, settings.opens_seeds, settings.seconds),)
    if settings.dealing == "together":
        events += (DealingSet(1, settings.share_seconds),)
    return events


def agreed(events: Iterable[Event]) -> TableSettings | None:
    """Return the settings that the events after a game's start record; None where there are none."""
    settings = None
    for event in events:
        if isinstance(event, TableSet):
            settings = settings_of(event)
        elif isinstance(event, DealingSet) and settings is not None:
            settings = _together(settings, event)
        else:
            break
    return settings


def _together(settings: TableSettings, event: DealingSet) -> TableSettings:
    return replace(settings, dealing="together", share_seconds=event.seconds)
