"""A backup is consistent, complete or absent, and a normal database."""

import os
import resource
import sqlite3
import stat
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from pokersvc.eventlog.backup import InvalidBackup, back_up
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import (
    DatabaseBusy,
    DatabaseMissing,
    DatabaseReadOnly,
    InvalidDatabase,
    SchemaTooNew,
    StorageFailed,
)
from pokersvc.eventlog.log import EventLog

from .support import COMMAND, command_line, names, raw, record, run, state, written
from .test_crash import WRITER


def heads(path: Path) -> list[tuple[str, int]]:
    """Verify the chains of a database, and return the number of events of each game."""
    with Database.for_reading(str(path)) as database:
        log = EventLog(database)
        return [(game_id, len(list(log.read(game_id)))) for game_id, _ in list(log.games())]


def test_a_backup_holds_what_the_database_holds(path: Path) -> None:
    written(path, commands=3)
    copy = path.with_name("copy.sqlite")
    assert back_up(str(path), str(copy)) == (str(copy), 1, 9)
    rows = "SELECT * FROM events ORDER BY position"
    assert raw(copy, rows) == raw(path, rows)
    assert names(path.parent) == ["copy.sqlite", "games.sqlite"]
    assert raw(copy, "PRAGMA journal_mode") == [("delete",)], "one file, not three"


def test_restoring_is_opening_the_file(path: Path) -> None:
    written(path)
    back_up(str(path), f"sqlite:///{path}.copy")
    path.unlink()
    with Database.for_writing(f"{path}.copy") as database:
        assert EventLog(database).append("game", COMMAND, expected=6, command_id="new")[-1].seq == 9
    assert raw(Path(f"{path}.copy"), "PRAGMA journal_mode") == [("wal",)]


@pytest.mark.slow
def test_a_backup_is_made_while_others_write(path: Path) -> None:
    process = subprocess.Popen(command_line(WRITER, path), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        process.stdout.readline()  # before there is a database
        before = [0]
        for number in range(5):
            acknowledged = int(process.stdout.readline())
            copy = path.with_name(f"copy-{number}")
            made = back_up(str(path), str(copy))
            ((_, count),) = heads(copy)
            assert made.events == count >= max(acknowledged, *before), "all that was acknowledged before"
            assert count % 10 == 0, "and no half of a command"
            before.append(count)
        assert before[-1] > before[1], "the writer went on meanwhile"
    finally:
        process.kill()
        process.communicate()


def test_what_a_writer_has_not_committed_is_not_in_it(path: Path) -> None:
    written(path)
    with Database.for_writing(str(path)) as database, database.write() as connection:
        connection.exec_driver_sql("UPDATE games SET kind = 'half done'")
        back_up(str(path), f"{path}.copy")
    assert raw(Path(f"{path}.copy"), "SELECT kind FROM games") == [("test",)]


def test_an_open_log_is_in_it_that_only_the_files_beside_it_hold(path: Path) -> None:
    with Database.for_writing(str(path)) as database:
        record(EventLog(database))
        assert path.with_name(f"{path.name}-wal").stat().st_size > 0
        back_up(str(path), f"{path}.copy")
        assert heads(Path(f"{path}.copy")) == [("game", 3)]


@pytest.mark.parametrize("kind", ["file", "folder", "link", "broken link"])
def test_a_backup_overwrites_nothing(path: Path, kind: str) -> None:
    written(path)
    copy = path.with_name("copy")
    if kind == "file":
        copy.write_text("precious")
    elif kind == "folder":
        copy.mkdir()
    else:
        copy.symlink_to(path if kind == "link" else "nowhere")
    before = state(path.parent)
    with pytest.raises(InvalidBackup, match="already exists, and a backup never overwrites a file: name a new file"):
        back_up(str(path), str(copy))
    assert state(path.parent) == before


def test_a_name_that_is_taken_meanwhile_is_left_to_whom_took_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path)
    copy, link = path.with_name("copy"), os.link

    def slower(draft: Path, name: Path) -> None:
        name.write_text("precious")
        link(draft, name)

    monkeypatch.setattr(os, "link", slower)
    with pytest.raises(InvalidBackup, match="already exists"):
        back_up(str(path), str(copy))
    assert copy.read_text() == "precious"
    assert names(path.parent) == ["copy", "games.sqlite"]


@pytest.mark.parametrize("beside", ["-wal", "-journal"])
def test_a_backup_does_not_take_over_what_another_database_left(path: Path, beside: str) -> None:
    written(path)
    Path(f"{path}.copy{beside}").write_bytes(b"of another database")
    with pytest.raises(InvalidBackup, match=f"copy{beside} is there"):
        back_up(str(path), f"{path}.copy")
    assert not Path(f"{path}.copy").exists()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("{folder}/no/copy", "there is no folder"),
        (":memory:", "is not a file"),
        ("sqlite://", "is not a file"),
        ("postgresql+psycopg://me:password@host/games", "me@host/games is not a file"),
    ],
)
def test_what_is_no_new_file_is_refused(path: Path, file: str, said: str) -> None:
    written(path)
    with pytest.raises(InvalidBackup, match=said) as refused:
        back_up(str(path), file.format(folder=path.parent))
    assert "password" not in str(refused.value)


def test_a_server_makes_its_own_backups(path: Path) -> None:
    with pytest.raises(InvalidDatabase, match="pg_dump") as refused:
        back_up("postgresql+psycopg://me:password@host/games", str(path))
    assert "password" not in str(refused.value)
    assert not path.exists()


def test_what_is_not_there_is_not_backed_up(path: Path) -> None:
    with pytest.raises(DatabaseMissing):
        back_up(str(path), f"{path}.copy")
    assert not state(path.parent)


@pytest.mark.parametrize("size", [0, 1, 4096, 20_000, 50_000])
def test_on_a_full_disk_there_is_no_half_backup(path: Path, size: int) -> None:
    written(path, commands=100)
    raw(path, "PRAGMA journal_mode = DELETE")  # to read it takes no disk
    before = state(path.parent)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        with pytest.raises(StorageFailed, match=f"^{path}.copy"):
            back_up(str(path), f"{path}.copy")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert state(path.parent) == before


@pytest.mark.parametrize("times", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_a_backup_that_is_killed_has_no_name_yet(path: Path, times: int) -> None:
    written(path, commands=500)
    code = "import sys; from pokersvc.eventlog.backup import back_up; print('go', flush=True); back_up(*sys.argv[1:])"
    for number in range(times):
        copy = path.with_name(f"copy-{number}")
        process = subprocess.Popen(command_line(code, path, copy), stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "go\n"
        time.sleep(number * 0.01)
        process.kill()
        process.communicate()
        if number == 0:
            assert not copy.exists()
        if copy.exists():
            assert heads(copy) == [("game", 1500)]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o444])
def test_a_backup_is_its_owners_alone_whatever_the_database_is(path: Path, mode: int) -> None:
    written(path)
    path.chmod(mode)
    back_up(str(path), f"{path}.copy")
    assert stat.S_IMODE(Path(f"{path}.copy").stat().st_mode) == 0o600


def test_a_database_that_may_only_be_read_is_backed_up_into_a_file_that_may_be_written(path: Path) -> None:
    folder = path.parent / "locked"
    folder.mkdir()
    locked = written(folder / "games.sqlite")
    locked.chmod(0o444)
    folder.chmod(0o555)
    code = "import sys; from pokersvc.eventlog.backup import back_up; back_up(*sys.argv[1:])"
    try:
        run(code, locked, f"{path}.copy", unprivileged=True)
    finally:
        folder.chmod(0o755)
    assert names(folder) == ["games.sqlite"]
    assert stat.S_IMODE(Path(f"{path}.copy").stat().st_mode) == 0o600
    assert heads(Path(f"{path}.copy")) == [("game", 6)]


def test_a_folder_that_may_not_be_written_is_a_sentence(path: Path) -> None:
    written(path)
    folder = path.parent / "locked"
    folder.mkdir(mode=0o555)
    code = f"""
import sys
from pokersvc.eventlog.backup import back_up
from pokersvc.eventlog.errors import {DatabaseReadOnly.__name__}
try:
    back_up(*sys.argv[1:])
except {DatabaseReadOnly.__name__} as error:
    print(error)
"""
    said = run(code, path, folder / "copy", unprivileged=True)
    assert said.startswith(f"{folder / 'copy'} may not be used")


def test_an_older_schema_is_backed_up_as_it_is_and_a_newer_one_is_not(path: Path) -> None:
    written(path)
    raw(path, "UPDATE alembic_version SET version_num = '0001'")
    back_up(str(path), f"{path}.old")
    assert raw(Path(f"{path}.old"), "SELECT version_num FROM alembic_version") == [("0001",)]
    raw(path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaTooNew):
        back_up(str(path), f"{path}.new")


def test_an_empty_file_is_backed_up_as_one(path: Path) -> None:
    path.touch()
    assert back_up(str(path), f"{path}.copy")[1:] == (0, 0)


def test_a_database_that_another_program_holds_is_not_waited_for_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokersvc.eventlog.sqlite.BUSY_TIMEOUT", 0.1)
    written(path)
    raw(path, "PRAGMA journal_mode = DELETE")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseBusy):
            back_up(str(path), f"{path}.copy")
        other.execute("ROLLBACK")
    assert names(path.parent) == ["games.sqlite"]
