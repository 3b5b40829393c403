"""The clock of a table: given events at moments, the deadline and the bank that follow."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core.common_events import Forfeited
from pokersvc.core.event import Event
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.tables.clock import SECOND, Clock, microseconds, moment_of
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_events import (
    CameBack,
    ClockChanged,
    ClockRestarted,
    TablePaused,
    TableResumed,
    TableSettings,
    TimedOut,
    settings_events,
)

SEATS = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"), Seat("random", "Cy"))
SETTINGS = TableSettings(seconds=30, bank=60)


class At(NamedTuple):
    """An event at a time in seconds, the seat that chose it, and the seat that must choose next."""

    seconds: float
    event: Event
    chooser: int | None
    awaited: tuple[int, ...]


def chose(seconds: float, seat: int | None, *awaited: int) -> At:
    return At(seconds, Forfeited("timeout", seat or 1), seat, awaited)


class Timed:
    """A table and its clock, fed as a replay feeds them."""

    def __init__(self, *events: At, settings: TableSettings = SETTINGS) -> None:
        self.table = Table(SEATS)
        self.table.apply(settings_events(settings)[0])
        self.clock = Clock(self.table)
        self.awaited: tuple[int, ...] = ()
        for event in events:
            self.take(event)

    def take(self, at: At) -> None:
        if isinstance(at.event, TableEvent):
            self.table.apply(at.event)
        else:
            self.table.went_on(at.event, at.chooser)
            self.awaited = at.awaited
        self.clock.take(int(at.seconds * SECOND), at.event, at.chooser, self.awaited)

    def deadline(self, seat: int) -> float | None:
        deadline = self.clock.deadline(seat)
        return None if deadline is None else deadline / SECOND

    def bank(self, seat: int) -> float:
        return self.clock.bank[seat] / SECOND


def table(seconds: float, event: TableEvent) -> At:
    return At(seconds, event, None, ())


def test_a_seat_has_its_seconds_and_its_bank_from_the_moment_it_must_choose() -> None:
    timed = Timed(chose(100, None, 1))
    assert timed.deadline(1) == 190
    assert timed.deadline(2) is None
    assert timed.clock.deadlines == {1: 190 * SECOND}


def test_no_time_runs_for_a_program() -> None:
    assert Timed(chose(100, None, 3)).clock.deadlines == {}


def test_a_choice_within_its_seconds_leaves_the_bank_as_it_is() -> None:
    timed = Timed(chose(100, None, 1), chose(130, 1, 2))
    assert timed.bank(1) == 60
    assert timed.deadline(2) == 130 + 90


def test_what_a_choice_uses_beyond_them_is_gone_from_the_bank_to_the_microsecond() -> None:
    timed = Timed(chose(100, None, 1), chose(142.000001, 1, 2), chose(143, 2, 1))
    assert timed.bank(1) == 60 - 12.000001
    assert timed.deadline(1) == 143 + 30 + 47.999999


def test_time_is_over_when_seconds_and_bank_are_used_up_exactly() -> None:
    timed = Timed(chose(100, None, 1))
    assert timed.clock.left(1, 190 * SECOND - 1) == 1
    assert timed.clock.left(1, 190 * SECOND) == 0
    timed.take(chose(190, 1, 2))  # what is recorded first counts, also at the last moment
    assert timed.bank(1) == 0


def test_what_is_recorded_after_the_deadline_uses_no_more_than_the_bank() -> None:
    assert Timed(chose(100, None, 1), chose(1000, 1, 2)).bank(1) == 0


def test_each_of_several_has_a_clock_from_the_moment_it_must_choose() -> None:
    timed = Timed(chose(100, None, 1), chose(110, None, 1, 2), chose(115, None, 1, 2))
    assert (timed.deadline(1), timed.deadline(2)) == (190, 200)
    timed.take(chose(120, 2, 1))  # the choice of another changes nothing
    assert timed.deadline(1) == 190


def test_who_must_choose_again_after_a_choice_has_the_full_time() -> None:
    assert Timed(chose(100, None, 1), chose(110, 1, 1)).deadline(1) == 200


def test_a_changed_clock_counts_for_choices_to_come_and_makes_every_reserve_whole() -> None:
    timed = Timed(chose(100, None, 1), chose(170, 1), table(180, ClockChanged(20, None, 10)))
    assert (timed.bank(1), timed.bank(2)) == (20, 20)
    timed.take(chose(200, None, 1))
    assert timed.deadline(1) == 200 + 10 + 20


def test_a_pause_stops_the_clock_and_the_time_already_used_counts() -> None:
    timed = Timed(chose(100, None, 1), table(120, TablePaused()))
    assert timed.deadline(1) is None
    assert timed.clock.left(1, 10_000 * SECOND) is None
    timed.take(table(1000, TableResumed()))
    assert timed.deadline(1) == 1000 + 70
    timed.take(chose(1015, 1, 2))
    assert timed.bank(1) == 55  # 20 seconds before the pause, and 15 after it


def test_after_an_outage_every_choice_has_its_full_time_and_banks_are_as_before() -> None:
    timed = Timed(chose(100, None, 1, 2), table(160, ClockRestarted()))
    assert timed.clock.deadlines == {1: 250 * SECOND, 2: 250 * SECOND}
    assert timed.bank(1) == 60


def test_who_sits_out_has_no_time_until_they_are_back() -> None:
    lapse = (table(190, TimedOut(1)), chose(190, 1, 1), table(220, TimedOut(1)), chose(220, 1, 2))
    timed = Timed(chose(100, None, 1), *lapse, chose(225, 2, 1))
    assert timed.table.sitting_out == (1,)
    assert timed.deadline(1) == 225
    timed.take(table(226, CameBack(1)))
    assert timed.deadline(1) == 226 + 30  # its bank was used up


def test_a_moment_before_that_of_an_earlier_event_counts_as_that_one() -> None:
    timed = Timed(chose(100, None, 1), chose(40, 1, 2))
    assert timed.deadline(2) == 190
    timed.take(At(150, Forfeited("timeout", 2), 2, (1,)))
    timed.clock.take(None, Forfeited("timeout", 1), 1, (2,))  # and one without a moment, too
    assert timed.deadline(2) == 150 + 30 + 40


def test_a_table_without_a_bank() -> None:
    timed = Timed(chose(100, None, 1), settings=TableSettings(seconds=10))
    assert timed.deadline(1) == 110


@pytest.mark.parametrize("moment", [datetime(2026, 11, 22, 14, 0, 0, 1, UTC), datetime(1969, 12, 31, tzinfo=UTC)])
def test_a_moment_is_the_same_after_it_was_counted(moment: datetime) -> None:
    assert moment_of(microseconds(moment)) == moment


_SEAT = st.integers(1, 2)
_AWAITED = st.sets(st.integers(1, 3)).map(lambda seats: tuple(sorted(seats)))
_EVENTS = st.one_of(
    st.sampled_from([TablePaused(), TableResumed(), ClockRestarted(), Forfeited("timeout", 1)]),
    _SEAT.map(TimedOut),
    _SEAT.map(CameBack),
)
_AT = st.builds(
    At, st.floats(0, 500, allow_nan=False).map(lambda at: round(at, 6)), _EVENTS, st.none() | _SEAT, _AWAITED
)


@settings(max_examples=200, deadline=None)
@given(st.lists(_AT, max_size=25))
def test_deadlines_only_move_later_and_a_fold_goes_on_as_if_it_were_made_at_once(events: list[Any]) -> None:
    timed = Timed()
    for number, at in enumerate(events, 1):
        before, banks = timed.clock.deadlines, dict(timed.clock.bank)
        timed.take(at)
        again = Timed(*events[:number])
        assert again.clock.deadlines == timed.clock.deadlines
        assert again.clock.bank == timed.clock.bank
        for seat, bank in timed.clock.bank.items():
            assert 0 <= bank <= banks[seat]
        for seat, deadline in timed.clock.deadlines.items():
            if not isinstance(at.event, TimedOut):  # by which a seat may come to sit out
                assert deadline >= before.get(seat, 0) or at.chooser == seat
            assert deadline >= 0
