"""The state of a table apart from its game: pauses, timeouts, seats that sit out, links and devices that changed.

Every game's log may hold table events (`pokersvc.core.tables.table_events`), which the games do not know. `Table` is
the fold over these events. A `Replay` has a `Table` beside the game's state; the `Table` decides which table event may
come when.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.common_events import RoundForgone
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.randomness.share_events import (
    DEALING_EVENTS,
    DealingSet,
    ShareMissed,
    ShareOpened,
    SharesAwaited,
)
from pokersvc.core.seats import HUMAN, OPEN, Seat
from pokersvc.core.state import State
from pokersvc.core.tables.table_event import TableAction, TableEvent
from pokersvc.core.tables.table_events import (
    CameBack,
    ClockChanged,
    ClockRestarted,
    DeviceChanged,
    SeatRemoved,
    SeatReplaced,
    TablePaused,
    TableResumed,
    TableSet,
    TableSettings,
    TimedOut,
    event_of,
    settings_of,
    together,
    with_clock,
)
from pokersvc.errors import InvalidValue

SITS_OUT_AFTER: Final = 2
"""A person's seat sits out after this many timeouts in a row."""


class Due(NamedTuple):
    """An event about a seat that must come next, recorded by the same command as the event before it."""

    seat: int
    leaves: bool
    """Whether the seat's player must leave; if not, the seat's time is over, and the game's default move must come."""
    away: bool
    """Whether the seat was already sitting out when its time was over."""


class Table:
    """The state of a table, computed from the table's events and from the seats that chose the game's events."""

    __slots__ = ("dealing", "due", "moved", "names", "paused", "people", "replaced", "settings", "timeouts")

    def __init__(self, seats: tuple[Seat, ...]) -> None:
        self.names = ("", *(seat.name for seat in seats))
        self.people = frozenset(number for number, seat in enumerate(seats, 1) if seat.kind in (HUMAN, OPEN))
        """The seats of people, including those at which a person may sit down."""
        self.settings: TableSettings | None = None
        self.dealing: Dealing | None = None
        """The common shuffle of the table; None if the dealer shuffles alone."""
        self.paused = False
        self.timeouts: dict[int, int] = {}
        """Seat → the number of its timeouts in a row; a seat without timeouts has no entry."""
        self.replaced: dict[int, int] = {}
        """Seat → how often its link was replaced."""
        self.moved: dict[int, int] = {}
        """Seat → how often its person moved it to another device."""
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
        """Return whether every person in the game sits out; False if only bots play."""
        playing = set(filter(state.playing, self.people))
        return bool(playing) and playing.issubset(self.sitting_out)

    def apply(self, event: TableEvent) -> None:
        """Take a table event; raise `ImpossibleEvent` if its seat does not exist or the settings are already set."""
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
                self.settings = together(self.settings, event)
                self.dealing = Dealing(event.seconds)
            case TimedOut():
                self.due = Due(seat, leaves=False, away=seat in self.sitting_out)
                self.timeouts[seat] = self.timeouts.get(seat, 0) + 1
            case CameBack():
                self.timeouts.pop(seat, None)
            case TablePaused() | TableResumed():
                self.paused = isinstance(event, TablePaused)
            case ClockChanged():
                if self.settings is None:
                    raise ImpossibleEvent(event, "a clock changes only where the table has settings")
                self.settings = with_clock(self.settings, event)
            case SeatReplaced() | DeviceChanged():
                changes = self.replaced if isinstance(event, SeatReplaced) else self.moved
                changes[seat] = changes.get(seat, 0) + 1
                if self.dealing is not None:
                    self.dealing.link_replaced(seat)
            case SeatRemoved():
                self.due = Due(seat, leaves=True, away=False)
            case _ if event.__class__ in DEALING_EVENTS:
                if self.dealing is None:
                    raise ImpossibleEvent(event, "the dealer of this table shuffles alone")
                self.dealing.apply(event, self.sitting_out)
                if isinstance(event, ShareMissed):
                    self.timeouts[seat] = max(SITS_OUT_AFTER, self.timeouts.get(seat, 0))

    def went_on(self, event: Event, chooser: int | None, *, shuffled: bool = False) -> None:
        """Note a game event and the seat that chose it, if any; a seat that makes its own choice sits out no longer.

        ``shuffled`` says that the event was a shuffle.
        """
        if self.dealing is not None:
            if shuffled:
                self.dealing.shuffled()
            elif isinstance(event, RoundForgone):
                self.dealing.forgone(event.seat)
        due, self.due = self.due, None
        if due is None and chooser is not None:
            self.timeouts.pop(chooser, None)

    def reseated(self, seats: tuple[Seat, ...]) -> tuple[int, ...]:
        """Note the current seats, and return the seats whose holder has changed.

        A newcomer does not sit out, and is not bound to the former holder's chain of shares.
        """
        before, self.names = self.names, ("", *(seat.name for seat in seats))
        newcomers = tuple([number for number, name in enumerate(self.names) if name != before[number]])
        for number in newcomers:
            self.timeouts.pop(number, None)
            if self.dealing is not None:
                self.dealing.reseated(number, before[number])
        return newcomers

    # Checks of the events that may come now.

    def decide(self, action: TableAction, state: State) -> TableEvent:
        """Return the event of an action; raise `IllegalAction` if the action is impossible now."""
        event = event_of(action)
        self.check(event, state)
        return event

    def check(self, event: TableEvent, state: State) -> None:
        """Raise `IllegalAction` for an event that may not come now; only a `Clock` can tell whether time is over."""
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
            raise IllegalAction("dealer_shuffles", "At this table the dealer shuffles alone, so nobody sends shares.")
        if self.paused and isinstance(event, SharesAwaited | ShareOpened | ShareMissed):
            self.check_choice()
        self.dealing.check(event, state, self.people, self.sitting_out)

    def check_shares(self) -> None:
        """Raise `IllegalAction` while the table waits for shares of a common shuffle, which must come first."""
        if self.dealing is not None:
            self.dealing.check_none_awaited()

    def check_choice(self) -> None:
        """Raise `IllegalAction` if no seat may choose because the table is paused."""
        if self.paused:
            raise IllegalAction("paused", "The table is paused; nobody can choose until it is resumed.")

    def check_round(self, state: State) -> None:
        """Raise `IllegalAction` if no round may begin: in a pause, and while all people who play sit out."""
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

    def _check_clock_changed(self, event: ClockChanged, state: State) -> None:
        if self.settings is None:
            raise IllegalAction("no_settings", "This table has no settings, so it has no clock that could change.")
        if not state.changeable:
            raise IllegalAction("not_changeable", "The clock of this game was fixed when it started.")
        if event.by is not None:
            self._check_person(event.by)
        if not state.pausing:
            raise IllegalAction("not_between_rounds", "The clock can only be changed between two rounds.")
        try:
            changed = replace(self.settings, bank=event.bank, seconds=event.seconds)
        except InvalidValue as refused:
            raise IllegalAction("illegal_clock", str(refused)) from None
        if changed == self.settings:
            raise IllegalAction("nothing_changes", "This is the clock already; name other seconds, or another bank.")

    def _check_held(self, event: SeatReplaced | DeviceChanged, state: State) -> None:
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
    ClockChanged: Table._check_clock_changed,
    SeatReplaced: Table._check_held,
    DeviceChanged: Table._check_held,
    SeatRemoved: Table._check_removed,
}
