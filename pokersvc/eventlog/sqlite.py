"""How SQLite files are opened, made, recognised and copied: everything that only SQLite needs."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote_from_bytes
from uuid import uuid4

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from pokersvc.eventlog import schema
from pokersvc.eventlog.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseMissing,
    DatabaseReadOnly,
    DatabaseUnreadable,
    NotADatabase,
)

BUSY_TIMEOUT = 5.0  # seconds
_BEGIN = "pokersvc_begin"  # the execution option that says how a transaction begins

_Connect = Callable[[], sqlite3.Connection]


def writing_engine(path: Path) -> Engine:
    """Open a file for reading and writing; it has to be there."""
    return _engine(lambda: _writable(_connect(path, "mode=rw")))


def memory_engine() -> Engine:
    """Open a database in memory: one connection, which the threads of the process take in turn."""
    return _engine(
        lambda: _writable(_connect_uri("file::memory:")), pool_size=1, max_overflow=0, pool_timeout=BUSY_TIMEOUT
    )


def immediate(engine: Engine) -> Engine:
    """Return the engine for transactions that nobody else writes beside, from their beginning."""
    return engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"})


def reading_engine(path: Path) -> "tuple[Engine, bool]":
    """Open a file to read it, leaving no trace; also tell whether it is read without any locks.

    Reading a file in WAL mode needs two more files beside it, and SQLite would leave them there:

    - where they lie already, somebody else writes or was killed: open read-only and leave them alone;
    - where they do not, open so that SQLite may make them, refuse every statement that writes, and SQLite
      removes them on closing;
    - where we may make no files, read the file as one that does not change. That is right while nobody
      changes it, so the caller compares ``fingerprint`` before and after.
    """
    journal = path.with_name(path.name + "-journal")
    options = "mode=ro"
    if not _waiting(path) and not journal.exists():
        unlocked = not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
        options = "mode=ro&immutable=1" if unlocked else "mode=rw"
    return _engine(lambda: _query_only(_connect(path, options))), "immutable" in options


def fingerprint(path: Path) -> tuple[int, ...]:
    """Return what changes when somebody writes the file."""
    status = path.stat()
    return (status.st_ino, status.st_size, status.st_mtime_ns, int(_waiting(path)))


def refuse_no_file(path: Path, label: str) -> None:
    """Raise an error unless there is a file that may be read."""
    if path.is_symlink() and not path.exists():
        raise NotADatabase(f"{label} is a link that leads to no file: name a database.")
    if not path.exists():
        raise DatabaseMissing(f"There is no database {label}: `pokersvc play` makes one, or name another with --db.")
    if path.is_dir():
        raise NotADatabase(f"{label} is a folder: name a database in it.")
    if not path.is_file():
        raise NotADatabase(f"{label} is no file: name a database.")
    for suffix in ("-wal", "-journal"):
        beside = path.with_name(path.name + suffix)
        if beside.exists() and not beside.is_file():  # SQLite might wait for ever for the other end of a pipe
            raise NotADatabase(f"{label} cannot be read: {beside}, which SQLite would read as well, is no file.")
    if path.stat().st_size == 1:  # SQLite takes that for an empty database
        raise NotADatabase(f"{label} is not a database: name one that pokersvc made, or a new file.")
    if not os.access(path, os.R_OK):
        raise DatabaseUnreadable(f"{label} may not be read: change its permissions, or name another.")


def refuse_no_writing(path: Path, label: str) -> None:
    """Raise an error unless the file and its folder may be written."""
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        what = "it" if not os.access(path, os.W_OK) else "its folder"
        raise DatabaseReadOnly(
            f"{label} may not be written: change the permissions of {what}, or name another with --db."
        )


def revision(connection: Connection, label: str) -> str | None:
    """Return the schema revision of a file, None for an empty one; raise NotADatabase for another program's."""
    found = connection.exec_driver_sql("PRAGMA application_id").scalar()
    if found == schema.APPLICATION_ID:
        current = schema.current_revision(connection)
        if current is None:
            raise DatabaseDamaged(f"{label} is damaged, its schema's number is gone: use a copy from before.")
        return current
    if found == 0 and not connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
        return None
    raise NotADatabase(f"{label} is another program's database: name one that pokersvc made, or a new file.")


def faults(connection: Connection) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a file, each with what should be: its pages, indexes and constraints, and lost rows.

    Events are never removed, so their positions are 1, 2, 3 … up to the last that was ever given.
    """
    for (said,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if said != "ok":
            yield f"this, by SQLite's own check: {' '.join(str(said).split())}", "a file that is whole"
    count, first, last = connection.exec_driver_sql("SELECT count(*), min(position), max(position) FROM events").one()
    given = connection.exec_driver_sql("SELECT max(seq) FROM sqlite_sequence WHERE name = 'events'").scalar()
    if count and (first != 1 or last != count):
        yield f"{count} events at positions {first} to {last}", f"positions 1 to {count}, none is ever used again"
    if (given or 0) != (last or 0):
        yield f"{last or 0} as the last position", f"{given or 0}, which was given to an event"


def make(path: Path, label: str, fill: Callable[[Engine], None]) -> None:
    """Make a file and fill it under another name first, so that it is there whole or not at all.

    Does nothing to a file that another process made meanwhile.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if (left := left_beside(path)) is not None and not path.exists():
        raise DatabaseDamaged(
            f"{left} lies there without its database {label}: put that back beside it, or move it away."
        )
    with _unfinished(path) as draft:
        try:
            with closing(_connect(draft, "mode=rwc")) as connection:
                connection.execute("PRAGMA user_version")
        except sqlite3.OperationalError as error:
            raise DatabaseReadOnly(
                f"{label} cannot be made: change the permissions of its folder, or name another with --db."
            ) from error
        engine = writing_engine(draft)
        try:
            fill(engine)
        finally:
            engine.dispose()
        use_wal(draft)
        _publish(draft, path)


def left_beside(path: Path) -> Path | None:
    """Return what a database of this name has left beside its place; a new file there would be taken for the old.

    SQLite would write the old one's pages into it.
    """
    for suffix in ("-wal", "-journal"):
        left = path.with_name(path.name + suffix)
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
                # Two processes that do this at once are refused without the busy timeout.
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return


def copy_beside(path: Path, name: str) -> Path:
    """Copy the last committed state beside the file, under a new name that starts with ``name``."""
    with _unfinished(path) as draft:
        with closing(_connect(path, "mode=rw")) as source:
            _copy(source, path, draft)
        number = 1
        while True:
            copy = path.with_name(f"{path.name}.{name}" + (f".{number}" if number > 1 else ""))
            if _publish(draft, copy):
                return copy
            number += 1


def copy_to(connection: Connection, path: Path, copy: Path) -> bool:
    """Copy a file as a connection reads it, under a new name; return False where that name is taken."""
    source = connection.connection.driver_connection
    assert isinstance(source, sqlite3.Connection)
    with _unfinished(copy) as draft:
        _copy(source, path, draft)
        return _publish(draft, copy)


@contextmanager
def unlocked_reading(path: Path, label: str) -> Iterator[None]:
    """Raise DatabaseBusy after reading, without locks, a file that somebody changed meanwhile."""
    before = fingerprint(path)
    yield
    if fingerprint(path) != before:
        raise DatabaseBusy(f"{label} was written while it was read: run the command again.")


def _engine(connect: _Connect, **pool: int | float) -> Engine:
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, **pool)
    event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: Connection) -> None:
    # The driver's own transactions begin at the first INSERT, too late to guard what was read before it.
    # Asked of the driver itself, which takes a third of the time.
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(connection.get_execution_options().get(_BEGIN, "BEGIN"))


def _connect(path: Path, options: str) -> sqlite3.Connection:
    name = quote_from_bytes(os.fsencode(path.absolute()))
    return _connect_uri(f"file:{name}?{options}")


def _connect_uri(uri: str) -> sqlite3.Connection:
    # Threads: the pool gives a connection to one at a time.
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
    """Tell whether a write-ahead log beside the file holds anything."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    draft = path.with_name(f".{path.name}.{uuid4().hex[:12]}")
    try:
        yield draft
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def _copy(source: sqlite3.Connection, path: Path, draft: Path) -> None:
    # It holds hands that are not over: nobody may read it who may not read the file.
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(_connect(draft, "mode=rw")) as target:
        source.backup(target)
        # One file, not three: the copy is for keeping.
        target.execute("PRAGMA journal_mode = DELETE").fetchone()
    draft.chmod(path.stat().st_mode & 0o777 | 0o600)


def _publish(draft: Path, path: Path) -> bool:
    """Give a finished file its name, durably; return False where the name is taken."""
    _sync(draft)
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        if path.exists():
            return False
        draft.rename(path)
    _sync(path.parent)
    return True


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
