"""A process whose threads append at once: ``python -m tests.eventlog.group_writer DATABASE NAME``.

It says ``ready``, waits for a line on standard input, and then says what it recorded and in how many transactions.
"""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import CommandRepeated, ConcurrentUpdate, EventLog

from .support import COMMAND

THREADS: Final = 6
OWN: Final = 10
"""Commands per thread in a game of its own."""
SHARED: Final = 5
"""Commands of each thread in a game in which all threads of all processes append."""
SAME: Final = 5
"""Commands that all threads of all processes send with the same IDs."""


class Counted(Database):
    """A database that counts its transactions."""

    transactions = 0

    @contextmanager
    def append(self) -> Iterator[Connection]:
        with super().append() as connection:
            yield connection
        self.transactions += 1


class Thread:
    """A thread's commands, and those that it recorded."""

    def __init__(self, log: EventLog, name: str) -> None:
        self._log, self._name = log, name
        self.recorded: list[str] = []

    def run(self) -> list[str]:
        """Send all commands."""
        for number in range(OWN):
            self._send(self._name, f"{self._name} {number}", 3 * number)
            if number < SHARED:
                self._insist("shared", f"{self._name} {number}")
            if number < SAME:
                self._insist("same", f"same {number}")
        return self.recorded

    def _send(self, game: str, command: str, expected: int) -> None:
        self._log.append(game, COMMAND, expected=expected, command_id=command, kind="test")
        self.recorded.append(f"{game}: {command}")

    def _insist(self, game: str, command: str) -> None:
        """Send a command until it is recorded, by this thread or by another."""
        while True:
            head = self._log.head(game)
            try:
                return self._send(game, command, 0 if head is None else head.count)
            except CommandRepeated:
                return None
            except ConcurrentUpdate:
                pass


def main(url: str, name: str) -> None:
    with Counted.for_writing(url) as database:
        log = EventLog(database)
        threads = [Thread(log, f"{name}{number}") for number in range(THREADS)]
        print("ready", flush=True)
        input()
        with ThreadPoolExecutor(THREADS) as pool:
            recorded = [one for running in [pool.submit(each.run) for each in threads] for one in running.result()]
        print(json.dumps({"recorded": recorded, "transactions": database.transactions}))


if __name__ == "__main__":
    main(*sys.argv[1:])
