"""The time of a tournament's levels: a fold over a game's events, their moments, and the pauses of its table.

Everything that needs to know when a level is over uses this clock: the service that begins the next level, a page that
shows the time left, an audit that checks that no level began early or late. Times are whole microseconds; moments count
from 1970.
"""

from pokersvc.core.state import TimedLevel
from pokersvc.core.tables.clock import SECOND
from pokersvc.core.tables.table import Table


class LevelClock:
    """The time for which the current level has been played; no time passes while the table is paused.

    A level begins with its event, or with the table if it is the first. Its time begins when its break is over. There
    is no break if only bots play on. A moment earlier than that of a previous event counts as that event's moment.
    """

    __slots__ = ("_level", "_now", "_paused", "_since", "_table", "_used")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._level: TimedLevel | None = None
        self._paused = False
        self._now = self._since = self._used = 0

    def take(self, at: int | None, level: TimedLevel | None, *, people_play: bool) -> None:
        """Note the level after an event, once the `Table` has taken it; ``at`` is the event's moment.

        ``people_play`` says whether a person is still in the game. If not, a break in progress ends.
        """
        self._now = now = self._now if at is None else max(at, self._now)
        if self._table.paused is not self._paused:
            self._used, self._since, self._paused = self._played(now), now, self._table.paused
        if level is None or self._level is None or level.number != self._level.number:
            self._since, self._used = now, 0 if level is None else -level.rest * SECOND
        if not people_play and self._played(now) < 0:
            self._since, self._used = now, 0
        self._level = level

    def _played(self, at: int) -> int:
        """Return for how long the level has been played at a moment; less than 0 in the break before the level."""
        return self._used + (0 if self._paused else max(at, self._now) - self._since)

    def left(self, at: int) -> int | None:
        """Return the time left at a moment until the next level, 0 once it is due; None if no level follows."""
        if self._level is None or self._level.seconds is None:
            return None
        return max(0, self._level.seconds * SECOND - self._played(at))

    def overdue(self, at: int) -> int:
        """Return for how long the next level has been due at a moment; 0 if it is not."""
        if self._level is None or self._level.seconds is None:
            return 0
        return max(0, self._played(at) - self._level.seconds * SECOND)

    @property
    def ends(self) -> int | None:
        """The moment when the next level is due; None in a pause, and if no level follows."""
        level = self._level
        if level is None or level.seconds is None or self._paused:
            return None
        return self._since - self._used + level.seconds * SECOND

    @property
    def rests_until(self) -> int | None:
        """The moment when the break is over, possibly in the past; None in a pause, and if there is no break."""
        return None if self._paused or self._played(self._now) >= 0 else self._since - self._used

    def rest_left(self, at: int) -> int:
        """Return the time left at a moment until the break is over; 0 outside a break."""
        return 0 if self._level is None else max(0, -self._played(at))
