"""The time to the next level of a tournament, or to the end of a break, by a clock that this program checks."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pokersvc import core

if TYPE_CHECKING:
    from pokersvc.core.tables.level_clock import LevelClock


def level_time(clock: "LevelClock", what: str, now: datetime | None = None) -> list[str]:
    """Return a line with the time left; no line in the last level.

    ``what`` says what the next level brings, such as its blinds.
    """
    at = core.tables.clock.microseconds(now or datetime.now(UTC))
    if rest := clock.rest_left(at):
        return [f"Break: the next round may begin in {_minutes(rest)}."]
    if (left := clock.left(at)) is None:
        return []
    level = f"Next level{what and ' '}{what}"
    return [f"{level} in {_minutes(left)}." if left else f"{level} with the next round."]


def _minutes(microseconds: int) -> str:
    """Return a time in minutes and seconds, rounded up.

    >>> _minutes(59_000_001), _minutes(754_000_000)
    ('1:00', '12:34')
    """
    minutes, seconds = divmod(-(-microseconds // core.tables.clock.SECOND), 60)
    return f"{minutes}:{seconds:02}"
