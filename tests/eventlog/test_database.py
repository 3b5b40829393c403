"""Opening a database: errors, files left unchanged, and files created."""

import os
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError, ProgrammingError

from pokersvc.errors import PokersvcError
from pokersvc.eventlog import sqlite
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseMissing,
    DatabaseReadOnly,
    InvalidDatabase,
    NotADatabase,
)
from pokersvc.eventlog.log import EventLog
from tests.conftest import DURABLE

from .support import COMMAND, OnServer, Place, names, raw, record, run, state, written

READ = """
import sys
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
try:
    with Database.for_reading(sys.argv[1]) as database:
        log = EventLog(database)
        print(len(list(log.read(log.find("last")))))
except PokersvcError as error:
    print(error.code, error)
"""
APPEND = """
import sys
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
try:
    with Database.for_writing(sys.argv[1]) as database:
        log = EventLog(database)
        log.append("new", [NewEvent("A", 1, "{}")], expected=0, command_id="c", kind="test")
        print("written")
except PokersvcError as error:
    print(error.code, error)
"""


def without_wal(path: Path) -> Path:
    written(path)
    raw(path, "PRAGMA journal_mode = DELETE")
    return path


def left_by_a_killed_writer(path: Path) -> Path:
    written(path)
    code = APPEND.replace('print("written")', "import os; os.kill(os.getpid(), 9)")
    with pytest.raises(AssertionError):
        run(code, path)
    assert path.with_name(path.name + "-wal").stat().st_size > 0
    return path


def read_all(path: Path) -> int:
    with Database.for_reading(str(path)) as database:
        log = EventLog(database)
        return sum(len(list(log.read(game_id))) for game_id, _ in list(log.games()))


@pytest.mark.parametrize("text", ["games.sqlite", "sqlite:///games.sqlite"])
def test_a_path_and_a_url_name_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    with Database.for_writing(text) as database:
        assert (database.label, database.path) == ("games.sqlite", Path("games.sqlite"))
        record(EventLog(database))
    assert names(tmp_path) == ["games.sqlite"]
    assert read_all(tmp_path / "games.sqlite") == 3


@pytest.mark.parametrize(
    "name", ["a b.sqlite", "50%.sqlite", "what?.sqlite", "#1.sqlite", "schön.sqlite", "%41.sqlite"]
)
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    written(tmp_path / name)
    assert names(tmp_path) == [name]
    assert read_all(tmp_path / name) == 6


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "games.sqlite"
    written(path)
    assert names(tmp_path) == ["a/b/games.sqlite"]


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    written(path)
    assert read_all(path) == 6


def test_what_is_written_is_as_durable_as_the_docs_say(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_writable", DURABLE)
    settings = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}
    with Database.for_writing(str(path)) as database, database.write() as connection:
        for name, value in settings.items():
            assert connection.exec_driver_sql(f"PRAGMA {name}").scalar() == value
        assert connection.exec_driver_sql("PRAGMA application_id").scalar() == int.from_bytes(b"pksv")


def test_a_database_in_memory_is_one_for_all_threads() -> None:
    with Database.for_writing("sqlite://") as database:
        assert (database.label, database.path, database.migrated_from) == (":memory:", None, None)
        log = EventLog(database)
        thread = Thread(target=record, args=(log,))
        thread.start()
        thread.join()
        assert len(list(log.read("game"))) == 3
    with Database.for_writing(":memory:") as database:
        assert list(EventLog(database).games()) == []
    with pytest.raises(DatabaseMissing):
        Database.for_reading(":memory:")


@pytest.mark.parametrize("make", [written, without_wal, left_by_a_killed_writer])
def test_reading_writes_nothing(tmp_path: Path, make: object) -> None:
    assert callable(make)
    path = make(tmp_path / "games.sqlite")
    before = state(tmp_path)
    modified = path.stat().st_mtime_ns
    assert read_all(path) in {6, 7}
    with Database.for_reading(str(path)) as database, Database.for_reading(str(path)) as other:
        log = EventLog(database)
        with log.snapshot() as snapshot, EventLog(other).snapshot() as beside:
            assert snapshot.find("last") == beside.find("last")
    after = state(tmp_path)
    # The index of the write-ahead log holds the readers' marks; it is no part of what is stored.
    before.pop("games.sqlite-shm", None)
    after.pop("games.sqlite-shm", None)
    assert after == before
    assert path.stat().st_mtime_ns == modified


def test_a_reading_database_refuses_to_write(path: Path) -> None:
    written(path)
    before = state(path.parent)
    with Database.for_reading(str(path)) as database, pytest.raises(DatabaseReadOnly):
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert state(path.parent) == before


def test_reading_sees_what_a_writer_beside_it_commits(log: EventLog, path: Path) -> None:
    record(log)
    with Database.for_reading(str(path)) as database:
        reader = EventLog(database)
        assert len(list(reader.read("game"))) == 3
        log.append("game", COMMAND, expected=3, command_id="new")
        assert len(list(reader.read("game"))) == 6


def lock_down(folder: Path, *, files: int, itself: int) -> None:
    for file in folder.iterdir():
        file.chmod(files)
    folder.chmod(itself)


@pytest.mark.parametrize("make", [written, without_wal])
@pytest.mark.parametrize(("files", "itself"), [(0o444, 0o755), (0o644, 0o555), (0o444, 0o555)])
def test_what_may_not_be_written_can_be_read(tmp_path: Path, make: object, files: int, itself: int) -> None:
    assert callable(make)
    folder = tmp_path / "place"
    path = make(folder / "games.sqlite")
    before = state(folder)
    lock_down(folder, files=files, itself=itself)
    try:
        assert run(READ, path, unprivileged=True) == "6"
        said = run(APPEND, path, unprivileged=True)
        assert said.startswith(f"database_read_only {path} may not be written: change the permissions of it")
    finally:
        folder.chmod(0o755)
    assert state(folder) == before


def test_a_log_with_a_writers_rest_beside_it_is_read_or_refused_where_nothing_may_be_written(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "place"
    path = left_by_a_killed_writer(folder / "games.sqlite")
    lock_down(folder, files=0o444, itself=0o555)
    try:
        assert run(READ, path, unprivileged=True) == "1"
        folder.chmod(0o755)
        path.with_name(path.name + "-shm").unlink()
        folder.chmod(0o555)
        said = run(READ, path, unprivileged=True)
        assert said == "1" or said.startswith("database_unreadable")
    finally:
        folder.chmod(0o755)


def test_a_file_that_changes_while_it_is_read_without_locks_is_not_believed(path: Path) -> None:
    folder = path.parent
    without_wal(path)
    code = READ.replace(
        "print(len",
        """
        with log.snapshot() as snapshot:
            list(snapshot.games())
            with open(sys.argv[2], 'w'): pass
            while open(sys.argv[2]).read() != 'done': pass
        print(len""",
    )
    lock_down(folder, files=0o444, itself=0o555)
    folder.chmod(0o555)
    signal = folder.parent / "signal"
    said: list[str] = []
    reader = Thread(target=lambda: said.append(run(code, path, signal, unprivileged=True)))
    try:
        reader.start()
        while not signal.exists():
            pass
        os.utime(path)
        signal.write_text("done")
        reader.join()
    finally:
        folder.chmod(0o755)
    assert said[0].startswith("database_busy")


def test_nothing_to_read_is_said(path: Path) -> None:
    with pytest.raises(DatabaseMissing, match=r"no database .*games\.sqlite.*pokersvc play"):
        Database.for_reading(str(path))
    assert state(path.parent) == {}


def make_folder(path: Path) -> None:
    path.mkdir()


def make_text(path: Path) -> None:
    path.write_text("Player2 wins with $1,980\n" * 100)


def make_short_text(path: Path) -> None:
    path.write_text("x")


def make_longer_text(path: Path) -> None:
    path.write_text("text")


def make_foreign(path: Path) -> None:
    raw(path, "CREATE TABLE events (id)")


def make_foreign_wal(path: Path) -> None:
    raw(path, "PRAGMA journal_mode = WAL", "CREATE TABLE alembic_version (version_num)")


def make_marked(path: Path) -> None:
    raw(path, "PRAGMA application_id = 1", "VACUUM")


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize(
    "make",
    [make_folder, make_text, make_short_text, make_longer_text, make_foreign, make_foreign_wal, make_marked, make_pipe],
)
def test_what_is_not_ours_is_refused_and_left_as_it_was(path: Path, make: object) -> None:
    assert callable(make)
    make(path)
    before = state(path.parent)
    for way in (Database.for_reading, Database.for_writing, Database.for_upgrading):
        with pytest.raises(NotADatabase, match=str(path)):
            way(str(path))
    assert state(path.parent) == before


def test_a_socket_is_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(socket.socket(socket.AF_UNIX)) as opened:
        opened.bind("here")
        with pytest.raises(NotADatabase):
            Database.for_writing("here")


def test_a_file_that_may_not_be_read_is_said(path: Path) -> None:
    written(path)
    path.chmod(0)
    assert run(READ, path, unprivileged=True).startswith(f"database_unreadable {path} may not be read")


def test_a_folder_where_nothing_may_be_made_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "place"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        for path in (folder / "games.sqlite", folder / "deeper" / "games.sqlite"):
            assert run(APPEND, path, unprivileged=True).startswith(f"database_read_only {path} ")
    finally:
        folder.chmod(0o755)
    assert state(folder) == {}


@pytest.mark.parametrize("name", ["file/games.sqlite", "x" * 300])
def test_a_path_that_cannot_be_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    for way in (Database.for_reading, Database.for_writing):
        with pytest.raises((InvalidDatabase, DatabaseMissing)):
            way(str(tmp_path / name))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a\0b",
        "://",
        "sqlite://host/games.sqlite",
        "sqlite:///games.sqlite?mode=ro",
        "sqlite+aiosqlite:///games.sqlite",
        "oracle://me:hush@host/games",
        "nosuch://me:hush@host/games",
        "mysql+nosuch://me:hush@host/games",
        "postgresql+psycopg://me:hush@host:port/games",
        "postgresql+psycopg://me:first@hush@host/games",
        "postgresql+psycopg://me:first@second/hush@host/games",
        "postgresql+psycopg2://me:hush@host/games",
    ],
)
def test_a_url_that_names_no_database_is_said_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for way in (Database.for_reading, Database.for_writing, Database.for_upgrading):
        with pytest.raises(InvalidDatabase) as caught:
            way(url)
        assert "hush" not in str(caught.value)
    assert state(tmp_path) == {}


def test_a_driver_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InvalidDatabase, match=r"postgresql\+psycopg://me@host/games needs .*pokersvc\[postgres\]"):
        Database.for_writing("postgresql+psycopg://me:hush@host/games?password=hush")


def test_a_database_that_stays_locked_is_said(log: EventLog, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(log)
    monkeypatch.setattr("pokersvc.eventlog.sqlite.BUSY_TIMEOUT", 0.1)
    with Database.for_writing(str(path)) as impatient, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy, match=f"{path} is locked by another process"):
            EventLog(impatient).append("game", COMMAND, expected=3, command_id="new")
        assert len(list(EventLog(impatient).read("game"))) == 3
        other.execute("ROLLBACK")
        EventLog(impatient).append("game", COMMAND, expected=3, command_id="new")


def test_a_file_that_is_read_while_it_should_change_its_mode_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_wal(path)
    monkeypatch.setattr("pokersvc.eventlog.sqlite.BUSY_TIMEOUT", 0.1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM games").fetchall()
        with pytest.raises(DatabaseBusy):
            Database.for_writing(str(path))
    Database.for_writing(str(path)).close()


def test_a_connection_that_this_process_holds_too_long_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokersvc.eventlog.sqlite.BUSY_TIMEOUT", 0.1)
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        record(log)
        with log.snapshot(), pytest.raises(DatabaseBusy, match="in use by this process"):
            log.append("game", COMMAND, expected=3, command_id="new")
        log.append("game", COMMAND, expected=3, command_id="new")


@pytest.mark.parametrize(("at", "length"), [(0, 16), (100, 200), (4096, 40_000)])
def test_a_damaged_file_is_said(path: Path, at: int, length: int) -> None:
    written(path, commands=50)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xff" * length)
    with pytest.raises(PokersvcError, match=str(path)) as caught:
        read_all(path)
    assert isinstance(caught.value, DatabaseDamaged | NotADatabase)


def test_a_table_that_is_gone_is_damage(path: Path) -> None:
    written(path)
    raw(path, "DROP TABLE games")
    with pytest.raises(DatabaseDamaged, match="no such table: games"):
        read_all(path)


def test_a_program_that_writes_nonsense_gets_a_traceback(database: Database) -> None:
    with pytest.raises((OperationalError, ProgrammingError), match="syntax error"), database.read() as connection:
        connection.exec_driver_sql("SELEC")


MAKER = APPEND.replace('"new"', "sys.argv[2]")


def test_of_processes_that_make_the_database_at_once_all_find_the_same(path: Path) -> None:
    said: list[str] = []
    threads = [Thread(target=lambda n=n: said.append(run(MAKER, path, n))) for n in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == ["written"] * 4
    assert read_all(path) == 4
    assert names(path.parent) == [path.name]


def test_another_process_is_run_as_one_that_permissions_bind(tmp_path: Path) -> None:
    folder = tmp_path / "place"
    folder.mkdir(0o555)
    assert run("import os, sys; print(os.access(sys.argv[1], os.W_OK))", folder, unprivileged=True) == "False"


@pytest.mark.parametrize("beside", ["-wal", "-journal"])
def test_a_database_is_not_made_beside_what_another_of_its_name_has_left(path: Path, beside: str) -> None:
    """SQLite would use an old write-ahead log for the new file, and mix the two databases."""
    with Database.for_writing(str(path)) as database:
        record(EventLog(database))
        left = path.with_name(f"{path.name}-wal").read_bytes()
    path.unlink()
    path.with_name(f"{path.name}{beside}").write_bytes(left)
    before = state(path.parent)
    with pytest.raises(DatabaseDamaged, match=f"{beside} is there without its database"):
        Database.for_writing(str(path))
    assert state(path.parent) == before
    path.with_name(f"{path.name}{beside}").write_bytes(b"")  # holds nothing
    path.with_name(f"{path.name}-mark").unlink()
    Database.for_writing(str(path)).close()


def test_a_connection_that_a_thread_still_reads_by_is_closed_when_it_comes_back(place: Place) -> None:
    with Database.for_writing(place.url) as database, database.read() as connection:
        driver: Any = connection.connection.driver_connection
        database.close()
        assert connection.exec_driver_sql("SELECT count(*) FROM games").scalar() == 0
    if isinstance(place, OnServer):
        assert driver.closed
    else:
        with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
            driver.execute("SELECT 1")
