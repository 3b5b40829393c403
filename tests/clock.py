"""A clock that goes on by itself, so that what is played by it is recorded at the same moments each time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final

FIRST: Final = datetime(2026, 1, 31, 12, tzinfo=UTC)
_STEP: Final = timedelta(milliseconds=1250)


def ticking() -> Callable[[], datetime]:
    """Return a clock that begins at `FIRST`, and is a step later each time that it is looked at."""
    ticks = count()
    return lambda: FIRST + _STEP * next(ticks)
