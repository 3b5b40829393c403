"""The high-water mark of a SQLite file: a note of the last recorded event, in a small file beside the database.

SQLite keeps the newest commits in a second file, ``-wal``. If that file is lost or damaged, SQLite opens the database
as it was before, without an error. The mark is written after each commit, so that the loss can be detected. It is a
lower bound: there may be later events, never fewer. docs/backups.md describes the mark for outsiders.
"""

import os
import re
import stat
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from secrets import randbits
from threading import Lock
from typing import Final, NamedTuple

from sqlalchemy import Connection

from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.record import GENESIS, shown
from pokersvc.system.files import beside, opened_beside

SUFFIX: Final = "-mark"

_DOMAIN: Final = b"pokersvc/mark/1\0"
_LINE: Final = re.compile(rb"([0-9a-f]{8} ([0-9]{19}) ([0-9a-f]{64})) ([0-9a-f]{16})\n")
_BYTES: Final = 8 + 1 + 19 + 1 + 64 + 1 + 16 + 1
_LINES: Final = 2  # written in turn: if the power fails while one is written, the other is intact


class Mark(NamedTuple):
    """The last event known to be recorded in one copy of a database."""

    copy: int
    """The number of the copy (SQLite's ``user_version``), different in each file that is written; see `new_copy`."""
    position: int
    hash: bytes


class LostEvents(NamedTuple):
    """The finding that recorded events are missing."""

    mark: Mark
    last: int
    """The position of the last event in the database; 0 if it has no events."""
    stored: str | None
    """The hash stored at the mark's position, as text, even if it is no valid hash; None if there is no such event."""

    @property
    def found(self) -> str:
        """A description of what the database holds instead, to follow the word "found"."""
        if self.stored is None:
            return f"the end after event {self.last} of all" if self.last else "no event"
        return f"the hash {self.stored} at event {self.mark.position} of all"


def path_of(database: Path) -> Path:
    """Return the path of the mark file, beside the database file; beside a link's target if ``database`` is a link."""
    return beside(database, SUFFIX)


def new_copy() -> int:
    """Return a random number, never 0, to distinguish a database file from its copies.

    Backups, however often they are copied, and files of an older pokersvc have the number 0. They get a number of their
    own when they are first opened for writing. So 0 stands for many files, and a mark with 0 says nothing about any.
    """
    return randbits(31) or 1


def read(database: Path) -> tuple[Mark, ...]:
    """Return the valid marks in the mark file, for all copies of the database; none if the file cannot be read."""
    try:
        descriptor = os.open(path_of(database), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ()
    try:
        content = os.pread(descriptor, _LINES * _BYTES, 0) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return ()
    finally:
        os.close(descriptor)
    lines = [content[start : start + _BYTES] for start in range(0, len(content), _BYTES)]
    return tuple(mark for line in lines if (mark := _parsed(line)) is not None)


def says_nothing(database: Path) -> bool:
    """Return whether there is a mark file that cannot be read or is damaged."""
    return os.path.lexists(path_of(database)) and not read(database)


def newest(marks: Iterable[Mark]) -> Mark | None:
    """Return the mark with the highest position, or None; marks of copy 0, which may be any file, do not count."""
    return max((mark for mark in marks if mark.copy), key=lambda mark: mark.position, default=None)


def lost(connection: Connection, marks: Iterable[Mark], *, empty: bool) -> LostEvents | None:
    """Return a finding if an event that ``marks`` name is missing, else None.

    The marks must be read before the connection's transaction begins. Marks of other copies say nothing about this
    one, and marks of copy 0 say nothing about any. For an ``empty`` file, which is no copy of anything, the marks
    of all copies but 0 are considered: everything may be lost.
    """
    copy = connection.exec_driver_sql("PRAGMA user_version").scalar()
    last = newest(mark for mark in marks if empty or mark.copy == copy)
    if last is None or empty:
        return None if last is None else LostEvents(last, 0, None)
    found = connection.exec_driver_sql("SELECT hash FROM events WHERE position = ?", (last.position,)).first()
    if found is not None and found[0] == last.hash:
        return None
    end = connection.exec_driver_sql("SELECT max(position) FROM events").scalar()
    return LostEvents(last, end or 0, None if found is None else shown(found[0]))


def present(connection: Connection) -> Mark | None:
    """Return a mark for a database's last event, or None; raise DatabaseDamaged if the event is invalid."""
    copy = connection.exec_driver_sql("PRAGMA user_version").scalar() or 0
    last = connection.exec_driver_sql("SELECT position, hash FROM events ORDER BY position DESC LIMIT 1").first()
    if last is None:
        return None
    position, hash_ = last
    if not isinstance(hash_, bytes) or len(hash_) != len(GENESIS) or position < 1:
        raise DatabaseDamaged(f"Event {position} of all has the hash {shown(hash_)}; it is damaged, restore a backup.")
    return Mark(copy, position, hash_)


def accept(database: Path, mark: Mark | None) -> None:
    """Make ``mark`` the only mark in the mark file; raises OSError.

    If ``mark`` is None, or is of a copy that has no number yet, the mark file is removed.
    """
    if mark is None or not mark.copy:
        path_of(database).unlink(missing_ok=True)
        return
    descriptor = opened_beside(database, SUFFIX)
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, _line(mark), 0)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Marker:
    """Writes the marks of a database that this process writes to.

    A failure is not an error: the events are recorded, and an old mark is still a lower bound.
    """

    def __init__(self, database: Path, copy: int) -> None:
        self._database = database
        self._copy = copy
        self._descriptor = -1
        self._last = 0
        self._line = 0
        self._lock = Lock()

    def note(self, position: int, hash_: bytes) -> None:
        """Write the mark of an event whose transaction is committed and on the disk."""
        with self._lock:
            if position <= self._last:
                return
            self._last = position
            try:
                if self._descriptor < 0:
                    self._descriptor = opened_beside(self._database, SUFFIX)
                os.pwrite(self._descriptor, _line(Mark(self._copy, position, hash_)), self._line * _BYTES)
            except OSError:
                return
            self._line = (self._line + 1) % _LINES

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._descriptor = -1


def _line(mark: Mark) -> bytes:
    said = b"%08x %019d %s" % (mark.copy & 0xFFFFFFFF, mark.position, mark.hash.hex().encode())
    return b"%s %s\n" % (said, _sum(said))


def _parsed(line: bytes) -> Mark | None:
    found = _LINE.fullmatch(line)
    if found is None or _sum(found[1]) != found[4]:
        return None
    copy = int(found[1][:8], 16)
    return Mark(copy - (1 << 32) if copy >> 31 else copy, int(found[2]), bytes.fromhex(found[3].decode()))


def _sum(said: bytes) -> bytes:
    return sha256(_DOMAIN + said).hexdigest()[:16].encode()
