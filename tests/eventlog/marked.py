"""A database whose newest events are in its write-ahead log alone."""

import subprocess
from pathlib import Path

from pokersvc.eventlog.check import flaws
from pokersvc.eventlog.database import Database

from .support import command_line, written

# Writes one game after another and says how many events there are, until it is killed: nothing is checkpointed then.
WRITER = """
import sys
from uuid import uuid4
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
events = [NewEvent("A", 1, '{"text":"%s"}' % ("x" * 200), "{}")] * 3
with Database.for_writing(sys.argv[1]) as database:
    for number in range(int(sys.argv[2])):
        EventLog(database).append(str(uuid4()), events, expected=0, command_id="c", kind="test")
        print(3 * (number + 1), flush=True)
    sys.stdin.read()
"""


def with_a_killed_writer(folder: Path) -> None:
    """Make a database whose last twenty games are in its write-ahead log alone: its writer was killed."""
    path = written(folder / "games.sqlite")
    process = subprocess.Popen(command_line(WRITER, path, 20), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while process.stdout.readline() != "60\n":
        pass
    process.kill()
    process.communicate()


def wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def whole(path: Path) -> bool:
    """Return whether a database is intact and writable."""
    with Database.for_reading(str(path)) as database:
        found = list(flaws(database))
    Database.for_writing(str(path)).close()
    return not found
