"""The time to the next level in words, by the clock of levels."""

from datetime import UTC, datetime, timedelta

from pokersvc.cli.play.level_time import level_time
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.state import TimedLevel
from pokersvc.core.tables.clock import microseconds
from pokersvc.core.tables.level_clock import LevelClock
from pokersvc.core.tables.table import Table

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def said(level: TimedLevel | None, seconds: float) -> list[str]:
    """Return the words for a time after the beginning of a level."""
    clock = LevelClock(Table((Seat(HUMAN, "Ann"),)))
    clock.take(microseconds(BEGAN), level, people_play=True)
    return level_time(clock, "10/20", BEGAN + timedelta(seconds=seconds))


def test_the_time_to_the_next_level_is_said_and_that_it_is_due() -> None:
    assert said(TimedLevel(1, 1200, 0), 0) == ["Next level 10/20 in 20:00."]
    assert said(TimedLevel(1, 1200, 0), 61.5) == ["Next level 10/20 in 18:59."]
    assert said(TimedLevel(1, 1200, 0), 1200) == ["Next level 10/20 with the next round."]


def test_in_a_break_its_end_is_said() -> None:
    assert said(TimedLevel(4, 1200, 600), 10) == ["Break: the next round may begin in 9:50."]
    assert said(TimedLevel(4, 1200, 600), 600) == ["Next level 10/20 in 20:00."]


def test_nothing_is_said_of_the_last_level() -> None:
    assert said(TimedLevel(9, None, 0), 10) == []
    assert said(None, 10) == []
