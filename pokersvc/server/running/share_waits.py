"""Measures the waits for the seats' parts in a common shuffle, since this server began to run the table."""

from collections.abc import Callable
from time import monotonic


class ShareWaits:
    """Measures waits for shares and bindings (a seat's key and chain of shares) since a server began to run a table.

    A server that takes a table over after an outage gives everybody the full time again, because nobody could reach the
    server before. ``time`` is a clock in seconds.
    """

    def __init__(self, time: Callable[[], float] = monotonic) -> None:
        self._time = time
        self._began = time()
        """When the server began to run the table, plus the time that the table was paused since."""
        self._paused_at: float | None = None
        self._round: int | None = None
        self._since = 0.0
        """When the server began to wait for bindings before the next round."""
        self._unbound: frozenset[int] = frozenset()
        """Seats without a binding when last checked."""
        self._waited_for: frozenset[int] = frozenset()
        """Seats without a binding, awaited in vain by a round: no other round waits for them until they have one."""

    def left_of_own(self, seconds: float) -> float:
        """Return how many of ``seconds`` are left, counted from when this server began to run the table."""
        return max(0.0, self._began + seconds - self._time())

    def left_for_bindings(self, last_round: int, unbound: tuple[int, ...], seconds: float) -> float:
        """Return for how many seconds the round after ``last_round`` still waits for seats without a binding."""
        if self._round != last_round:
            if self._round is not None:  # a round began without them
                self._waited_for |= self._unbound
            self._round, self._since = last_round, self._time()
        self._unbound = frozenset(unbound)
        self._waited_for &= self._unbound
        return max(0.0, self._since + seconds - self._time()) if self._unbound - self._waited_for else 0.0

    def stop(self) -> None:
        """Stop the clock while the table is paused; the wait for bindings starts over."""
        self._round = None
        if self._paused_at is None:
            self._paused_at = self._time()

    def go_on(self) -> None:
        """Start the clock again, if the table was paused."""
        if self._paused_at is not None:
            self._began += self._time() - self._paused_at
            self._paused_at = None
