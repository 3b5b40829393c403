"""Group commit: what several threads write at once goes into one transaction, and the disk syncs once for all."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock
from typing import Generic, TypeVar

from sqlalchemy import Connection

_T = TypeVar("_T")


class _Write(Generic[_T]):
    """What one thread wants written, and what became of it."""

    __slots__ = ("_result", "done", "error", "run")

    def __init__(self, run: Callable[[Connection], _T]) -> None:
        self.run = run
        self.error: Exception | None = None
        self.done = False
        """Whether it is known what became of it: its error, or else its result, which is committed."""

    def carry_out(self, connection: Connection) -> None:
        """Write; the result counts once the transaction is committed."""
        self._result = self.run(connection)

    def failed(self, error: Exception) -> None:
        """Note why nothing of it was written."""
        self.error, self.done = error, True

    def answer(self) -> _T:
        """Return the result, or raise the error."""
        if self.error is not None:
            raise self.error
        return self._result


class GroupCommit(Generic[_T]):
    """Carries out writes for any number of threads, each completely or not.

    While one thread commits, others queue up; the next of them writes for all in one transaction. A write that raises
    something fails alone: the transaction is rolled back and made again without it. If the transaction cannot begin or
    cannot be committed, all of it fails. A write may therefore run more than once, and should change nothing but what
    its connection writes.
    """

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[Connection]],
        committed: Callable[[list[_T]], None],
    ) -> None:
        self._transaction = transaction
        self._committed = committed
        """Told all results of a transaction after its commit, before anybody is given one."""
        self._turn = Lock()
        self._lock = Lock()
        self._waiting: list[_Write[_T]] = []

    @property
    def waiting(self) -> int:
        """How many writes wait for the one that is under way."""
        return len(self._waiting)

    def carry_out(self, run: Callable[[Connection], _T]) -> _T:
        """Write, and return the result once it is committed."""
        write = _Write(run)
        self._wait_with([write])
        try:
            with self._turn:
                if not write.done:
                    self._write(self._take())
        except BaseException:  # interrupted: what nobody waits for any more is not to be written later
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
        """Try to write all in one transaction, and return those that are to be tried again: without the failed one."""
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
