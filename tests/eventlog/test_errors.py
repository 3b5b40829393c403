"""What a driver or the system says becomes one sentence with a type."""

import errno
import os
import sqlite3

import pytest
from sqlalchemy.exc import IntegrityError
from sqlalchemy.exc import OperationalError as WrappedError

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseReadOnly,
    DatabaseUnreadable,
    InvalidDatabase,
    NotADatabase,
    StorageFailed,
    translated,
)

BY_CODE = {
    sqlite3.SQLITE_BUSY: DatabaseBusy,
    sqlite3.SQLITE_BUSY_SNAPSHOT: DatabaseBusy,
    sqlite3.SQLITE_LOCKED: DatabaseBusy,
    sqlite3.SQLITE_READONLY: DatabaseReadOnly,
    sqlite3.SQLITE_READONLY_ROLLBACK: DatabaseReadOnly,
    sqlite3.SQLITE_PERM: DatabaseReadOnly,
    sqlite3.SQLITE_FULL: StorageFailed,
    sqlite3.SQLITE_IOERR: StorageFailed,
    sqlite3.SQLITE_IOERR_WRITE: StorageFailed,
    sqlite3.SQLITE_CANTOPEN: DatabaseUnreadable,
    sqlite3.SQLITE_NOTADB: NotADatabase,
    sqlite3.SQLITE_CORRUPT: DatabaseDamaged,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE: DatabaseDamaged,
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY: DatabaseDamaged,
}
BY_NUMBER = {
    errno.ENOSPC: StorageFailed,
    errno.EIO: StorageFailed,
    errno.EACCES: DatabaseReadOnly,
    errno.EROFS: DatabaseReadOnly,
    errno.ENOTDIR: InvalidDatabase,
    errno.ENAMETOOLONG: InvalidDatabase,
}


def said(code: int | None) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("what SQLite says")
    if code is not None:
        error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(("code", "kind"), BY_CODE.items())
def test_what_sqlite_says_has_a_type_and_names_the_file(code: int, kind: type[PokersvcError], wrapped: bool) -> None:
    error = said(code)
    with pytest.raises(kind, match=r"^games\.sqlite .*[a-z]\.$"), translated("games.sqlite"):
        raise WrappedError("SELECT 1", {}, error) if wrapped else error


@pytest.mark.parametrize(("number", "kind"), BY_NUMBER.items())
def test_what_the_system_says_has_a_type_and_names_the_file(number: int, kind: type[PokersvcError]) -> None:
    with pytest.raises(kind, match=r"^games\.sqlite .*\.$"), translated("games.sqlite"):
        raise OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    "error",
    [
        said(None),
        said(sqlite3.SQLITE_ERROR),
        said(sqlite3.SQLITE_CONSTRAINT_CHECK),
        said(sqlite3.SQLITE_CONSTRAINT_TRIGGER),
        OSError(errno.EPIPE, "Broken pipe"),
        IntegrityError("INSERT", {}, Exception("of another driver")),
        ValueError("no error of a database"),
    ],
    ids=repr,
)
def test_what_a_program_did_wrong_stays_as_it_is(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, translated("games.sqlite"):
        raise error
    assert caught.value is error
