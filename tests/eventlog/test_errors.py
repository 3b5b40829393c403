"""Errors of the drivers and the system are translated into typed one-sentence errors."""

import errno
import os
import sqlite3

import psycopg
import pytest
from sqlalchemy.exc import IntegrityError, ProgrammingError
from sqlalchemy.exc import OperationalError as WrappedError

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseReadOnly,
    DatabaseUnreachable,
    DatabaseUnreadable,
    InvalidDatabase,
    NotADatabase,
    StorageFailed,
    opening,
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
    errno.ENOENT: InvalidDatabase,
    errno.EMFILE: DatabaseUnreadable,
    errno.EINVAL: DatabaseUnreadable,
}

BY_STATE = {
    "08006": DatabaseUnreachable,
    "57P01": DatabaseUnreachable,
    "25006": DatabaseReadOnly,
    "40001": DatabaseBusy,
    "40P01": DatabaseBusy,
    "55P03": DatabaseBusy,
    "57014": DatabaseBusy,
    "53100": StorageFailed,
    "53200": StorageFailed,
    "58030": StorageFailed,
    "3F000": InvalidDatabase,
    "42P01": DatabaseDamaged,
    "23505": DatabaseDamaged,
    "XX001": DatabaseDamaged,
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


@pytest.mark.parametrize(("state", "kind"), BY_STATE.items())
def test_what_postgresql_says_has_a_type_and_names_the_database(state: str, kind: type[PokersvcError]) -> None:
    error = psycopg.errors.lookup(state)("what PostgreSQL says\nDETAIL: with a secret")
    with pytest.raises(kind, match=r"^host/games .*[a-z]\.$") as caught, translated("host/games"):
        raise WrappedError("SELECT 1", {}, error)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("SELECT 1", DatabaseUnreadable),
        ("SELECT 1 FOR UPDATE", DatabaseReadOnly),
        ("INSERT", DatabaseReadOnly),
        ("WITH game AS (UPDATE …", DatabaseReadOnly),
    ],
)
def test_what_a_role_may_not_do_says_whether_that_was_to_read(statement: str, kind: type[PokersvcError]) -> None:
    with pytest.raises(kind, match="pokersvc db grant"), translated("host/games"):
        raise WrappedError(statement, {}, psycopg.errors.InsufficientPrivilege("permission denied"))


@pytest.mark.parametrize(
    ("statement", "connected", "said"),
    [
        (None, False, "host/games cannot be reached: refused."),
        ("SELECT 1", False, "host/games went away (connection failed: refused): try again; "),
        (None, True, "host/games went away (connection failed: refused): try again; "),  # on a commit
    ],
)
def test_a_server_that_does_not_answer_and_one_that_went_away_are_told_apart(
    statement: str | None, connected: bool, said: str
) -> None:
    error = psycopg.OperationalError("connection failed: refused\nand more")
    with pytest.raises(DatabaseUnreachable) as caught, translated("host/games"):
        raise WrappedError(statement, {}, error, connection_invalidated=connected)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(("number", "kind"), BY_NUMBER.items())
def test_what_the_system_says_has_a_type_and_names_the_file(number: int, kind: type[PokersvcError]) -> None:
    with pytest.raises(kind, match=r"^games\.sqlite .*\.$"), opening("games.sqlite"):
        raise OSError(number, os.strerror(number))


@pytest.mark.parametrize("number", BY_NUMBER)
def test_what_the_system_refuses_while_a_database_is_read_is_not_blamed_on_it(number: int) -> None:
    with pytest.raises(OSError, match=os.strerror(number)), translated("games.sqlite"):
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
        IntegrityError("INSERT", {}, psycopg.errors.CheckViolation("of a check")),
        IntegrityError("INSERT", {}, psycopg.IntegrityError("of the driver itself")),
        ProgrammingError("SELEC", {}, psycopg.errors.SyntaxError("at or near SELEC")),
        ValueError("no error of a database"),
    ],
    ids=repr,
)
def test_what_a_program_did_wrong_stays_as_it_is(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, translated("games.sqlite"):
        raise error
    assert caught.value is error
