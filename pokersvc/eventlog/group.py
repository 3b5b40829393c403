"""Group commit: concurrent writes of several threads share one transaction and one sync of the disk."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Generic, TypeVar

from sqlalchemy import Connection

_T = TypeVar("_T")


class _Write(Generic[_T]):
    """The write of one thread, and its outcome."""

    __slots__ = ("_result", "done", "error", "run")

    def __init__(self, run: Callable[[Connection], _T]) -> None:
        self.run = run
        self.error: Exception | None = None
        self.done = False
        """Whether the write has ended: it failed with ``error``, or its result is committed."""

    def carry_out(self, connection: Connection) -> None:
        """Run the write; its result counts once the transaction is committed."""
        self._result = self.run(connection)

    def failed(self, error: Exception) -> None:
        """Mark the write as failed with this error; nothing of it was stored."""
        self.error, self.done = error, True

    def answer(self) -> _T:
        """Return the result, or raise the error."""
        if self.error is not None:
            raise self.error
        return self._result


class GroupCommit(Generic[_T]):
    """Carries out the writes of any number of threads, each write completely or not at all.

    While one thread commits, others queue up; the next of them writes for all in one transaction. A write that raises
    an error fails alone: the transaction is rolled back and repeated without it. If the transaction cannot begin or
    cannot be committed, all its writes fail. A write may therefore run more than once, and should change nothing except
    through its connection.
    """

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[Connection]],
        committed: Callable[[list[_T]], None],
    ) -> None:
        self._transaction = transaction
        self._committed = committed
        """Called with all results of a transaction after its commit, before any thread gets its result."""
        self._turn = Lock()
        self._lock = Lock()
        self._waiting: list[_Write[_T]] = []

    @property
    def waiting(self) -> int:
        """The number of writes that wait for the current transaction to end."""
        return len(self._waiting)

    def carry_out(self, run: Callable[[Connection], _T]) -> _T:
        """Run a write in a transaction, and return its result once it is committed."""
        write = _Write(run)
        self._wait_with([write])
        try:
            with self._turn:
                if not write.done:
                    self._write(self._take())
        except BaseException:  # interrupted: a write that nobody waits for any more must not happen later
            with self._lock:
                self._waiting = [other for other in self._waiting if other is not write]
            raise
        return write.answer()

    def _wait_with(self, writes: list[_Write[_T]]) -> None:
        with self._lock:
            self._waiting += writes

    def _take(self) -> list[_Write[_T]]:
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken

    def _write(self, writes: list[_Write[_T]]) -> None:
        try:
            while writes:
                writes = self._without_failed(writes)
        except BaseException:  # this thread is interrupted; the others are not
            self._wait_with(writes)
            raise

    def _without_failed(self, writes: list[_Write[_T]]) -> list[_Write[_T]]:
        """Try all writes in one transaction; if one of them fails, return the others, which must be tried again."""
        running: _Write[_T] | None = None
        try:
            with self._transaction() as connection:
                for running in writes:
                    running.carry_out(connection)
                running = None
        except Exception as error:
            failed = writes if running is None else [running]
            for write in failed:
                write.failed(error)
            return [write for write in writes if not write.done]
        self._committed([write.answer() for write in writes])
        for write in writes:
            write.done = True
        return []
