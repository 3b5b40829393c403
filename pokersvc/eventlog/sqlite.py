"""Opening, making, recognising and copying SQLite files: everything that only SQLite needs."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote_from_bytes

from sqlalchemy import Connection, Engine, PoolProxiedConnection, create_engine, event
from sqlalchemy.pool import QueuePool

from pokersvc.eventlog import high_water_mark, schema
from pokersvc.eventlog.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseMissing,
    DatabaseReadOnly,
    DatabaseUnreadable,
    NotADatabase,
)
from pokersvc.system.files import beside, draft_of, make_folders, publish, sync
from pokersvc.system.files import make as make_file
from pokersvc.text import counted

BUSY_TIMEOUT = 5.0  # seconds
_BEGIN = "pokersvc_begin"  # the execution option that says how a transaction begins

_Connect = Callable[[], sqlite3.Connection]


def writing_engine(path: Path) -> Engine:
    """Open an existing file for reading and writing."""
    return _engine(lambda: _writable(_connect(path, "mode=rw")))


def memory_engine() -> Engine:
    """Open a database in memory; all threads of the process share its one connection in turn."""
    return _engine(
        lambda: _writable(_connect_uri("file::memory:")), pool_size=1, max_overflow=0, pool_timeout=BUSY_TIMEOUT
    )


def immediate(engine: Engine) -> Engine:
    """Return an engine whose transactions exclude other writers from their beginning."""
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def reading_engine(path: Path) -> "tuple[Engine, bool]":
    """Return an engine that reads a file and leaves no other files behind, and whether it reads without any locks.

    Reading a file in WAL mode needs two more files beside it, and SQLite would leave them there:

    - if they exist already, somebody else is writing or was killed: open read-only and leave them alone;
    - if they do not, open so that SQLite may make them, and refuse every statement that writes; SQLite
      removes them on closing;
    - if we may not make files, read the file as one that does not change. That is right while nobody
      changes it, so the caller compares ``fingerprint`` before and after.
    """
    options = "mode=ro"
    if not _waiting(path) and not beside(path, "-journal").exists():
        unlocked = not (os.access(path, os.W_OK) and os.access(_folder(path), os.W_OK))
        options = "mode=ro&immutable=1" if unlocked else "mode=rw"
    return _engine(lambda: _query_only(_connect(path, options))), "immutable" in options


def watching(path: Path) -> sqlite3.Connection:
    """Connect to a file only to detect writes by others; the file must be open for writing by another connection."""
    return _query_only(_connect(path, "mode=rw"))


def fingerprint(path: Path) -> tuple[int, ...]:
    """Return a value that changes when any process writes the file."""
    status = path.stat()
    return (status.st_ino, status.st_size, status.st_mtime_ns, int(_waiting(path)))


def refuse_no_file(path: Path, label: str) -> None:
    """Raise an error unless the path leads to a file that may be read."""
    if path.is_symlink() and not path.exists():
        raise NotADatabase(f"{label} is a link to a missing file: name a database.")
    if not path.exists():
        raise DatabaseMissing(f"There is no database {label}: `pokersvc play` makes one, or name another with --db.")
    if path.is_dir():
        raise NotADatabase(f"{label} is a folder: name a database in it.")
    if not path.is_file():
        raise NotADatabase(f"{label} is not a file: name a database.")
    for suffix in ("-wal", "-journal"):
        other = beside(path, suffix)
        if other.exists() and not other.is_file():  # SQLite might wait for ever for the other end of a pipe
            raise NotADatabase(f"{label} cannot be read: {other}, which SQLite would also read, is not a file.")
    if path.stat().st_size == 1:  # SQLite takes that for an empty database
        raise NotADatabase(f"{label} is not a database: name one that pokersvc made, or a new file.")
    if not os.access(path, os.R_OK):
        raise DatabaseUnreadable(f"{label} may not be read: change its permissions, or name another.")


def refuse_no_writing(path: Path, label: str) -> None:
    """Raise an error unless the file and its folder may be written."""
    if not os.access(path, os.W_OK) or not os.access(_folder(path), os.W_OK):
        what = "it" if not os.access(path, os.W_OK) else "its folder"
        raise DatabaseReadOnly(
            f"{label} may not be written: change the permissions of {what}, or name another with --db."
        )


def revision(connection: Connection, label: str) -> str | None:
    """Return a file's schema revision, None if it is empty; raise NotADatabase if it is another program's."""
    found = connection.exec_driver_sql("PRAGMA application_id").scalar()
    if found == schema.APPLICATION_ID:
        current = schema.current_revision(connection)
        if current is None:
            raise DatabaseDamaged(f"{label} is damaged, its schema number is missing: restore a backup.")
        return current
    if found == 0 and not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
        return None
    raise NotADatabase(f"{label} is another program's database: name one that pokersvc made, or a new file.")


def number(connection: Connection, question: str) -> int:
    """Return the single number that a query yields; calling the driver takes a fifth of the time of SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    (found,) = driver.execute(question).fetchone()
    return int(found)


def rows(
    connection: PoolProxiedConnection, text: str, values: Mapping[str, object] | tuple[object, ...]
) -> list[tuple[object, ...]]:
    """Execute a statement as a transaction of its own, and return its rows."""
    driver = connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver.execute(text, values).fetchall()


def faults(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield a pair (found, expected) for each fault of a file: in its pages, indexes or constraints, or missing events.

    Events are never removed, so their positions are 1, 2, 3 … up to the last that was ever given.
    """
    for (said,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if said != "ok":
            yield f"this, by SQLite's own check: {' '.join(str(said).split())}", "an intact file"
    count, first, last = connection.exec_driver_sql("SELECT count(*), min(position), max(position) FROM events").one()
    given = connection.exec_driver_sql("SELECT max(seq) FROM sqlite_sequence WHERE name = 'events'").scalar()
    if count and (first != 1 or last != count):
        yield (
            f"{counted(count, 'event')} at positions {first} to {last}",
            f"positions 1 to {count}, as none is ever used again",
        )
    if (given or 0) != (last or 0):
        yield f"{last or 0} as the last position", f"{given or 0}, which was given to an event"


def make(path: Path, label: str, fill: Callable[[Engine], None]) -> None:
    """Make a database file, under a temporary name until ``fill`` has filled it: ``path`` is never a partial file.

    A file that another process has made in the meantime is left unchanged.
    """
    make_folders(path.parent)
    if (left := left_beside(path)) is not None and not path.exists():
        raise DatabaseDamaged(
            f"{left} is there without its database {label}: put that back beside it, or move it away."
        )
    with _unfinished(path) as draft:
        try:
            os.close(make_file(draft))  # SQLite gives the files that it makes beside this one the same permissions
        except PermissionError as error:
            raise DatabaseReadOnly(
                f"{label} cannot be made: change the permissions of its folder, or name another with --db."
            ) from error
        engine = writing_engine(draft)
        try:
            fill(engine)
        finally:
            engine.dispose()
        use_wal(draft)
        sync(draft)
        publish(draft, path)


def left_beside(path: Path) -> Path | None:
    """Return the path of a journal or write-ahead log left by an earlier database of this name; None if there is none.

    SQLite would take a new file for the old one, and write the old file's pages into it.
    """
    for suffix in ("-wal", "-journal"):
        left = beside(path, suffix)
        if os.path.lexists(left) and not (left.is_file() and left.stat().st_size == 0):
            return left
    return None


def use_wal(path: Path) -> None:
    """Turn on write-ahead logging, which stays on: readers and a writer then do not wait for each other."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    with closing(_connect(path, "mode=rw")) as connection:
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as error:
                # If two processes do this at once, SQLite refuses one of them without waiting for the busy timeout.
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return


def adopt(path: Path) -> None:
    """Assign a file a number that distinguishes it from its copies, unless it has one; see `eventlog.high_water_mark`.

    The number must be in the file itself: in the write-ahead log, it could be lost together with the events.
    """
    with closing(_connect(path, "mode=rw")) as connection:
        if _copy_of(connection):
            return
        connection.execute("BEGIN IMMEDIATE")
        if not _copy_of(connection):  # checked again under the lock
            connection.execute(f"PRAGMA user_version = {high_water_mark.new_copy()}")
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()


def copy_beside(path: Path, name: str) -> Path:
    """Copy a file's last committed state to a new file beside it: ``FILE.name``, or ``FILE.name.2`` and so on."""
    with _unfinished(path) as draft:
        with closing(_connect(path, "mode=rw")) as source:
            _copy(source, draft)
        number = 1
        while True:
            copy = path.with_name(f"{path.name}.{name}" + (f".{number}" if number > 1 else ""))
            if publish(draft, copy):
                return copy
            number += 1


def copy_to(connection: Connection, copy: Path) -> bool:
    """Copy a database, as a connection reads it, to a new file; return False if that name is taken."""
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection)
    with _unfinished(copy) as draft:
        _copy(source, draft)
        return publish(draft, copy)


@contextmanager
def unlocked_reading(path: Path, label: str) -> Iterator[None]:
    """Guard a read without locks: raise DatabaseBusy at its end if the file was changed during the read."""
    before = fingerprint(path)
    yield
    if fingerprint(path) != before:
        raise DatabaseBusy(f"{label} was changed while it was read: run the command again.")


def _engine(connect: _Connect, **pool: int | float) -> Engine:
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, **pool)
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    # The driver's own transactions begin at the first INSERT, too late to guard what was read before it.
    # Executed by the driver directly, which takes a third of the time.
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def _connect(path: Path, options: str) -> sqlite3.Connection:
    name = quote_from_bytes(os.fsencode(path.absolute()))
    return _connect_uri(f"file:{name}?{options}")


def _connect_uri(uri: str) -> sqlite3.Connection:
    # No check of threads: the pool gives a connection to one thread at a time.
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_TIMEOUT, check_same_thread=False)


def _writable(connection: sqlite3.Connection) -> sqlite3.Connection:
    return _set(connection, "synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON")


def _query_only(connection: sqlite3.Connection) -> sqlite3.Connection:
    return _set(connection, "query_only = ON")


def _set(connection: sqlite3.Connection, *pragmas: str) -> sqlite3.Connection:
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _waiting(path: Path) -> bool:
    """Return whether a write-ahead log beside the file holds anything."""
    try:
        return beside(path, "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


def _folder(path: Path) -> Path:
    """Return the folder in which SQLite makes files: that of the database itself, not of a link to it."""
    return Path(os.path.realpath(path)).parent


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    draft = draft_of(path)
    try:
        yield draft
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def _copy_of(connection: sqlite3.Connection) -> int:
    (copy,) = connection.execute("PRAGMA user_version").fetchone()
    return int(copy)


def _copy(source: sqlite3.Connection, draft: Path) -> None:
    os.close(make_file(draft))  # only for its owner: it holds hands that are not over
    with closing(_connect(draft, "mode=rw")) as target:
        source.backup(target)
        # One file, not three: the copy is for keeping.
        target.execute("PRAGMA journal_mode = DELETE").fetchone()
        target.execute("PRAGMA user_version = 0")  # so that no high-water mark applies to the copy, wherever it is put
    sync(draft)
