"""A server that kills itself at one moment of a command: ``python -m tests.server.mortal MOMENT BEHIND FOLDER …``.

The arguments that follow are those of `pokersvc`. The server lives as any other until there is a file ``armed`` in
the folder. The moments are those of the next transaction in which events are recorded; where the file names a type of
event, of the next one with an event of that type:

- ``before N``, ``after N``: the events of the Nth command of the transaction are written
- ``commit``, ``committed``: all is written; all is committed, and nobody has been answered

Where BEHIND is not 0, that transaction waits before its commit (which a file ``holding`` tells) until as many commands
wait for their turn behind it. The moments are then those of the transaction that these commands share.
"""

import os
import signal
import sys
from pathlib import Path
from threading import local
from time import monotonic, sleep
from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect

from pokersvc.cli.main import main
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog

PATIENCE: Final = 20.0
"""Seconds for which a transaction waits."""
_logs: Final[list[EventLog]] = []


class Transaction(local):
    """The transaction of a thread."""

    commands = 0
    """Whose events are written in it."""


class Moment:
    """When the server dies."""

    def __init__(self, name: str, behind: int, folder: Path) -> None:
        self._name, self._behind, self._folder = name, behind, folder
        self._now = Transaction()

    def writes(self, statement: str, values: object, when: str) -> None:
        """Look at a statement that is about to run, or has run."""
        armed = self._folder / "armed"
        if "INSERT INTO events" in statement and armed.exists() and armed.read_text() in repr(values):
            self._now.commands += when == "before"
            self._die_at(f"{when} {self._now.commands}")

    def committing(self) -> None:
        """Look at a transaction that is about to be committed."""
        if self._now.commands:
            self._die_at("commit")

    def committed(self) -> None:
        """Look at a transaction that is committed."""
        if self._now.commands:
            self._die_at("committed")
        self._now.commands = 0

    def _die_at(self, name: str) -> None:
        if not self._behind:
            if name == self._name:
                os.kill(os.getpid(), signal.SIGKILL)
        elif name == "commit":
            self._hold()
            self._behind = 0
            self._now.commands = 0

    def _hold(self) -> None:
        (self._folder / "holding").touch()
        end = monotonic() + PATIENCE
        while sum(log.waiting for log in _logs) < self._behind:
            assert monotonic() < end, "Nobody sends the commands that are to wait."
            sleep(0.005)


def watch(moment: Moment) -> None:
    """Have a moment see every statement and every commit of this process."""

    @event.listens_for(Engine, "before_cursor_execute")
    def before(_: Connection, __: object, statement: str, values: object, *___: object) -> None:
        moment.writes(statement, values, "before")

    @event.listens_for(Engine, "after_cursor_execute")
    def after(_: Connection, __: object, statement: str, values: object, *___: object) -> None:
        moment.writes(statement, values, "after")

    commit, make = DefaultDialect.do_commit, EventLog.__init__

    def do_commit(dialect: DefaultDialect, connection: Any) -> None:
        moment.committing()
        commit(dialect, connection)  # type: ignore[no-untyped-call]
        moment.committed()

    def made(log: EventLog, database: Database) -> None:
        make(log, database)
        _logs.append(log)

    DefaultDialect.do_commit = do_commit  # type: ignore[method-assign]
    EventLog.__init__ = made  # type: ignore[assignment, method-assign]


if __name__ == "__main__":
    _, name, behind, folder, *arguments = sys.argv
    watch(Moment(name, int(behind), Path(folder)))
    main(arguments)
