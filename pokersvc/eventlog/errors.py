"""The database errors, and the one place where the drivers' errors are translated into them."""

import errno
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DataError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pokersvc.errors import InvalidValue, PokersvcError

# Constraints that a correct append violates only if somebody changed the stored rows.
_CONTRADICTIONS = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT_UNIQUE,
        sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
        sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
    }
)

_UNDONE = "the last change was not recorded"


class InvalidDatabase(InvalidValue):
    """The text is not a database's address: the URL is invalid, or the kind of database is not supported."""

    code = "invalid_database"


class DatabaseMissing(PokersvcError):
    """There is nothing to read where the database should be."""

    code = "database_missing"


class NotADatabase(PokersvcError):
    """A folder, an ordinary file or another program's database is there instead of a pokersvc database."""

    code = "not_a_database"


class SchemaTooOld(PokersvcError):
    """An older pokersvc wrote the database, and the current command may not change it."""

    code = "schema_too_old"


class SchemaTooNew(PokersvcError):
    """A newer pokersvc wrote the database."""

    code = "schema_too_new"


class DatabaseUnreadable(PokersvcError):
    """The database exists but may not be read."""

    code = "database_unreadable"


class DatabaseUnreachable(PokersvcError):
    """The server does not answer, refused the connection, or went away."""

    code = "database_unreachable"


class DatabaseReadOnly(PokersvcError):
    """The command must write to the database, but it is not allowed to."""

    code = "database_read_only"


class DatabaseBusy(PokersvcError):
    """Another process holds the database for longer than the timeout."""

    code = "database_busy"


class StorageFailed(PokersvcError):
    """The disk is full or failed; nothing of the transaction was recorded."""

    code = "storage_failed"


class DatabaseDamaged(PokersvcError):
    """The database is damaged: its content does not have the expected format."""

    code = "database_damaged"


class EventsLost(PokersvcError):
    """Recorded events are missing from the file: it can be read, but not written."""

    code = "events_lost"


@contextmanager
def translated(label: str, *, undone: str = _UNDONE) -> Iterator[None]:
    """Translate errors that a database driver raises in the context into this module's, which name ``label``.

    ``undone`` is the message's part on the state after a failed write.

    Errors of the program itself (an invalid statement, a value of a type that no driver takes) are not translated: a
    traceback is the right answer to those.
    """
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseBusy(f"{label} is in use by this process: finish the other reading or writing first.") from error
    except DBAPIError as error:
        meant = _meant(error.orig, label, undone) or _meant_by_postgresql(error, label)
        if meant is None:
            raise
        raise meant from error
    except sqlite3.Error as error:
        meant = _meant(error, label, undone)
        if meant is None:
            raise
        raise meant from error
    except UnicodeDecodeError as error:  # from the driver, for names in the schema and for its own messages
        raise DatabaseDamaged(f"{label} is damaged: it holds a text that is not UTF-8.") from error


@contextmanager
def opening(label: str, *, undone: str = _UNDONE) -> Iterator[None]:
    """Translate errors of the driver and the operating system while files of the database ``label`` are opened or made.

    In other places an OSError may concern a different file, such as an export that is written from the database.
    """
    try:
        with translated(label, undone=undone):
            yield
    except OSError as error:
        raise _meant_by_system(error, label, undone) from error


def undecodable(error: BaseException | None) -> bool:
    """Return whether the driver refused a text because it is not UTF-8 (SQLite stores any bytes as a text)."""
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith("Could not decode")


def _meant(error: BaseException | None, label: str, undone: str) -> PokersvcError | None:
    if not isinstance(error, sqlite3.Error):
        return None
    if undecodable(error):
        return DatabaseDamaged(f"{label} is damaged: it holds a text that is not UTF-8.")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:
        return DatabaseReadOnly(
            f"{label} was left in the middle of a write, which reading cannot repair: run `pokersvc db upgrade` on it."
        )
    primary = code & 0xFF
    if primary in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return DatabaseBusy(f"{label} is locked by another process: try again when that has finished.")
    if primary in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}:
        return DatabaseReadOnly(f"{label} may not be written: change its permissions, or name another.")
    if primary == sqlite3.SQLITE_FULL:
        return StorageFailed(f"{label} could not be written, the disk is full: {undone}; free some space, try again.")
    if primary == sqlite3.SQLITE_IOERR:
        return StorageFailed(
            f"{label} failed with a disk error ({error}): {undone}; check the disk and its free space."
        )
    if primary == sqlite3.SQLITE_CANTOPEN:
        return DatabaseUnreadable(f"{label} cannot be opened: check the permissions of the file and its folder.")
    if primary == sqlite3.SQLITE_NOTADB:
        return NotADatabase(f"{label} is not a database: name one that pokersvc made, or a new file.")
    missing = primary == sqlite3.SQLITE_ERROR and any(said in str(error) for said in _OF_ANOTHER_SCHEMA)
    if missing or primary == sqlite3.SQLITE_CORRUPT or code in _CONTRADICTIONS:
        return DatabaseDamaged(f"{label} is damaged ({error}): restore a backup.")
    return None


# Parts of SQLite's messages about a schema that is not the one that pokersvc made.
_OF_ANOTHER_SCHEMA = ("no such", "unknown function", "unsupported file format", "misuse of")


def _meant_by_system(error: OSError, label: str, undone: str) -> PokersvcError:
    """Translate an OSError, which may name a temporary file, into an error that names the database."""
    why = error.strerror or str(error)
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
        return StorageFailed(f"{label} could not be written ({why}): {undone}.")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return DatabaseReadOnly(f"{label} may not be used ({why}): check the permissions of the file and its folder.")
    if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP}:
        return InvalidDatabase(f"{label} cannot be a database ({why}): name another file.")
    return DatabaseUnreadable(f"{label} cannot be used ({why}): check the file and its folder, or name another.")


# PostgreSQL's error codes (SQLSTATE): all five characters, or only the first two, which are the class.
_BUSY = frozenset({"40001", "40P01", "55P03", "57014", "53300"})
_GONE = frozenset({"57P01", "57P02", "57P03", "57P05", "25P03", "08"})
_FAILED = frozenset({"53", "58"})
_DAMAGED = frozenset({"23503", "23505", "42703", "XX001", "XX002"})


def _meant_by_postgresql(error: DBAPIError, label: str) -> PokersvcError | None:
    """Translate an error of psycopg, which need not be installed; return None if the error has no translation."""
    said = error.orig
    if not type(said).__module__.startswith("psycopg"):
        return None
    state: str | None = getattr(said, "sqlstate", None)
    if state is None:
        return _meant_by_driver(error, label)
    why = _first_line(said)
    if state in _BUSY:
        return DatabaseBusy(f"{label} did not respond in time ({why}): try again.")
    if {state, state[:2]} & _GONE:
        return _gone(label, why)
    if {state, state[:2]} & _FAILED:
        return StorageFailed(f"{label} could not be written ({why}): {_UNDONE}; check the server.")
    if state == "25006":
        return DatabaseReadOnly(f"{label} may not be written: it was opened for reading, or is a replica.")
    if state == "42501":
        if (error.statement or "").lstrip().startswith("SELECT") and "FOR UPDATE" not in (error.statement or ""):
            return DatabaseUnreadable(f"{label} may not be read ({why}): use a role that may (`pokersvc db grant`).")
        return DatabaseReadOnly(f"{label} may not be written ({why}): use a role that may (`pokersvc db grant`).")
    if state == "3F000":
        return InvalidDatabase(f"{label} has no schema for its tables ({why}): check its search_path.")
    if state == "42P01":
        return DatabaseDamaged(f"{label} lacks a table ({why}): run `pokersvc db upgrade` on it, or restore a backup.")
    if state in _DAMAGED:
        return DatabaseDamaged(f"{label} is damaged ({why}): restore a backup.")
    return None


def _meant_by_driver(error: DBAPIError, label: str) -> PokersvcError | None:
    """Translate an error of psycopg itself, most often a missing connection; return None if it has no translation."""
    why = _first_line(error.orig)
    if isinstance(error, DataError) and "NUL" in why:
        return InvalidValue(
            f"{label} cannot store the character NUL, which PostgreSQL's texts may not hold: leave it out."
        )
    if not isinstance(error, OperationalError):
        return None
    if error.statement or error.connection_invalidated:
        return _gone(label, why)
    reason = why.rpartition("FATAL: ")[2].strip().removeprefix("connection failed: ")
    if re.fullmatch(r'database ".*" does not exist', reason):
        return DatabaseMissing(
            f"There is no database {label}: create it (`createdb`), then run `pokersvc db upgrade` on it."
        )
    return DatabaseUnreachable(f"{label} cannot be reached: {reason}.")


def _gone(label: str, why: str) -> DatabaseUnreachable:
    # If the server goes away in the middle of a commit, nobody can tell whether the command was recorded.
    return DatabaseUnreachable(
        f"{label} went away ({why}): try again; the log shows whether the last command was recorded."
    )


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0].rstrip(".")
