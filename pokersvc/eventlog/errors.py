"""What can be wrong with a database, and the one place where a driver's errors become these types."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pokersvc.errors import InvalidValue, PokersvcError

# Rows that a correct append cannot collide with: somebody changed what was there.
_CONTRADICTIONS = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT_UNIQUE,
        sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
        sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
    }
)


class InvalidDatabase(InvalidValue):
    """A text that names no database: a URL that cannot be read, or of a kind that is not supported."""

    code = "invalid_database"


class DatabaseMissing(PokersvcError):
    """There is nothing to read where the database should be."""

    code = "database_missing"


class NotADatabase(PokersvcError):
    """Something else is there: a folder, another file, another program's database."""

    code = "not_a_database"


class SchemaTooOld(PokersvcError):
    """An older pokersvc wrote the database, and the command at hand may not change it."""

    code = "schema_too_old"


class SchemaTooNew(PokersvcError):
    """A newer pokersvc wrote the database."""

    code = "schema_too_new"


class DatabaseUnreadable(PokersvcError):
    """The database is there and may not be read."""

    code = "database_unreadable"


class DatabaseReadOnly(PokersvcError):
    """The database would have to be written, and may not be."""

    code = "database_read_only"


class DatabaseBusy(PokersvcError):
    """Another process holds the database for longer than the timeout."""

    code = "database_busy"


class StorageFailed(PokersvcError):
    """The disk is full or failed; nothing of the transaction was recorded."""

    code = "storage_failed"


class DatabaseDamaged(PokersvcError):
    """The database contradicts its own form."""

    code = "database_damaged"


@contextmanager
def translated(label: str) -> Iterator[None]:
    """Raise what is wrong with the database ``label`` as one of this module's errors.

    What a program did wrong (a statement that cannot be, a value of a type that no driver takes) stays as
    it is: a traceback is the right answer to that.
    """
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseBusy(f"{label} is in use by this process: end the other reading or writing first.") from error
    except DBAPIError as error:
        meant = _meant(error.orig, label)
        if meant is None and isinstance(error, OperationalError) and not isinstance(error.orig, sqlite3.Error):
            meant = StorageFailed(f"{label} cannot be used: {_first_line(error.orig)}")
        if meant is None:
            raise
        raise meant from error
    except sqlite3.Error as error:
        meant = _meant(error, label)
        if meant is None:
            raise
        raise meant from error
    except OSError as error:
        meant = _meant_by_system(error, label)
        if meant is None:
            raise
        raise meant from error


def undecodable(error: BaseException | None) -> bool:
    """Tell whether the driver refused a text for not being UTF-8 (SQLite stores any bytes as a text)."""
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith("Could not decode")


def _meant(error: BaseException | None, label: str) -> PokersvcError | None:
    if not isinstance(error, sqlite3.Error):
        return None
    if undecodable(error):
        return DatabaseDamaged(f"{label} is damaged: it holds a text that is not UTF-8.")
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:
        return DatabaseReadOnly(
            f"{label} was left in the middle of a write, which reading may not put right: "
            "run `pokersvc db upgrade` on it."
        )
    primary = code & 0xFF
    if primary in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return DatabaseBusy(f"{label} is locked by another process: try again when it is done.")
    if primary in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM}:
        return DatabaseReadOnly(f"{label} may not be written: change its permissions, or name another.")
    if primary == sqlite3.SQLITE_FULL:
        return StorageFailed(
            f"{label} could not be written, the disk is full: nothing of this was recorded; make room, try again."
        )
    if primary == sqlite3.SQLITE_IOERR:
        return StorageFailed(
            f"{label} failed with a disk error ({error}): nothing of this was recorded; look at the disk and "
            "its free space."
        )
    if primary == sqlite3.SQLITE_CANTOPEN:
        return DatabaseUnreadable(f"{label} cannot be opened: look at the permissions of the file and its folder.")
    if primary == sqlite3.SQLITE_NOTADB:
        return NotADatabase(f"{label} is not a database: name one that pokersvc made, or a new file.")
    missing = primary == sqlite3.SQLITE_ERROR and "no such" in str(error)
    if missing or primary == sqlite3.SQLITE_CORRUPT or code in _CONTRADICTIONS:
        return DatabaseDamaged(f"{label} is damaged ({error}): use a copy of it from before.")
    return None


def _meant_by_system(error: OSError, label: str) -> PokersvcError | None:
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
        return StorageFailed(f"{label} could not be written ({error.strerror}): nothing of this was recorded.")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return DatabaseReadOnly(
            f"{label} may not be used ({error.strerror}): look at the permissions of the file and its folder."
        )
    if error.errno in {errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP}:
        return InvalidDatabase(f"{label} cannot be a database ({error.strerror}): name another file.")
    return None


def _first_line(error: BaseException | None) -> str:
    return (str(error).strip().splitlines() or ["no reason given"])[0]
