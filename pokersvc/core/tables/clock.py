"""The clock of a table: a fold over a game's events, their moments, and the seats that must choose after each.

Everything that needs the time a seat has left uses this clock: the service that ends a choice, a page that shows the
time, an audit that checks that no choice was ended early. Times are whole microseconds; moments count from 1970.
"""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from pokersvc.core.event import Event
from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.randomness.share_events import SharesAwaited
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_events import CameBack, ClockChanged, ClockRestarted

SECOND: Final = 1_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """Return a moment in whole microseconds since 1970.

    >>> microseconds(datetime(1970, 1, 1, 0, 0, 1, 5, UTC))
    1000005
    """
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(at: int) -> datetime:
    """Return the moment that is ``at`` microseconds after the beginning of 1970."""
    return _EPOCH + at * _MICROSECOND


class _Choice(NamedTuple):
    """A choice that a person is making."""

    since: int
    """The moment from which time counts: when the choice began, or the clock last stopped, continued or restarted."""
    used: int
    """The time that the choice had used before that moment."""


class Clock:
    """The time that each person who must choose has left.

    A choice gets the seconds of the settings, from the moment the seat became awaited, and after them the seat's bank;
    bank time that a choice used is gone. Choices of other seats change nothing. A pause stops all clocks, and
    `ClockRestarted` gives every choice its full time again. A person who sits out has no time at all until they come
    back. A moment earlier than that of a previous event counts as that event's moment.
    """

    __slots__ = ("_choices", "_paused", "_table", "bank", "now", "restarted")

    def __init__(self, table: Table) -> None:
        assert table.settings is not None
        self._table = table
        self._choices: dict[int, _Choice] = {}
        self._paused = False
        self.bank: dict[int, int] = dict.fromkeys(sorted(table.people), table.settings.bank * SECOND)
        """Seat → the time left in the person's bank (reserve), before subtracting what a choice in progress used."""
        self.now = 0
        """The latest moment so far."""
        self.restarted = False
        """Whether the last event was `ClockRestarted`."""

    def take(self, at: int | None, event: Event, chooser: int | None, awaited: tuple[int, ...]) -> None:
        """Take the next event, after the `Table` has taken it; ``awaited`` are the seats that must choose after it.

        ``at`` is the moment of the event (None: that of the event before it), ``chooser`` the seat that chose it.
        """
        self.now = now = self.now if at is None else max(at, self.now)
        choices, table = self._choices, self._table
        if table.paused is not self._paused:
            for seat, choice in choices.items():
                used = self._used(choice)
                choices[seat] = _Choice(now, used)
            self._paused = table.paused
        self.restarted = event.__class__ is ClockRestarted
        if self.restarted:
            for seat in choices:
                choices[seat] = _Choice(now, 0)
        elif isinstance(event, CameBack) and event.seat in choices:
            choices[event.seat] = _Choice(now, 0)
        elif isinstance(event, ClockChanged):
            for seat in self.bank:
                self.refill(seat)
        asked = [seat for seat in awaited if seat in table.people]
        for seat in [seat for seat in choices if seat == chooser or seat not in asked]:
            self._charge(seat, choices.pop(seat))
        for seat in asked:
            if seat not in choices:
                choices[seat] = _Choice(now, 0)

    def refill(self, seat: int) -> None:
        """Give a seat its whole bank again, because another person sits there now or the clock was changed."""
        assert self._table.settings is not None
        self.bank[seat] = self._table.settings.bank * SECOND

    def _used(self, choice: _Choice) -> int:
        return choice.used + (0 if self._paused else self.now - choice.since)

    def _charge(self, seat: int, choice: _Choice) -> None:
        """Subtract from a seat's bank the time that a choice took beyond its seconds; nothing if the seat sits out."""
        if seat not in self._table.sitting_out:
            over = self._used(choice) - self._seconds
            self.bank[seat] -= min(max(over, 0), self.bank[seat])

    @property
    def _seconds(self) -> int:
        assert self._table.settings is not None
        return self._table.settings.seconds * SECOND

    def deadline(self, seat: int) -> int | None:
        """Return the moment when a seat's time is over; None if the seat need not choose or the table is paused."""
        choice = self._choices.get(seat)
        if choice is None or self._paused:
            return None
        if seat in self._table.sitting_out:
            return choice.since
        return choice.since - choice.used + self._seconds + self.bank[seat]

    @property
    def deadlines(self) -> dict[int, int]:
        """Seat → the moment when its time is over, for all seats whose time runs."""
        found = {seat: self.deadline(seat) for seat in sorted(self._choices)}
        return {seat: deadline for seat, deadline in found.items() if deadline is not None}

    def left(self, seat: int, at: int) -> int | None:
        """Return the time that a seat has left at a moment, 0 if its time is over; None if no time runs for it."""
        deadline = self.deadline(seat)
        return None if deadline is None else max(0, deadline - max(at, self.now))


class ShareClock:
    """The time left to wait for the shares of a common shuffle: a fold like `Clock`, stopped by a pause."""

    __slots__ = ("_dealing", "_paused", "_since", "_used", "now")

    def __init__(self, dealing: Dealing) -> None:
        self._dealing = dealing
        self._paused = False
        self._since = self._used = 0
        self.now = 0
        """The latest moment so far."""

    def take(self, at: int | None, event: Event, *, paused: bool) -> None:
        """Take the next event, after the `Table` has taken it; ``paused`` tells whether the table is now paused."""
        self.now = now = self.now if at is None else max(at, self.now)
        if event.__class__ is SharesAwaited:
            self._since, self._used = now, 0
        if paused is not self._paused:
            if paused:
                self._used += now - self._since
            self._since, self._paused = now, paused

    @property
    def deadline(self) -> int | None:
        """The moment when the time for shares is over; None if no share is awaited or the table is paused."""
        if not self._dealing.waiting or self._paused:
            return None
        return self._since - self._used + self._dealing.seconds * SECOND

    def left(self, at: int) -> int | None:
        """Return the time left at a moment to wait for shares, 0 if it is over; None if no time runs."""
        deadline = self.deadline
        return None if deadline is None else max(0, deadline - max(at, self.now))
