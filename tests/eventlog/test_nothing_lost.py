"""No false reports of lost events: backups, links, upgrades, SQLite's own checkpoints."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pokersvc.eventlog import high_water_mark, sqlite
from pokersvc.eventlog.backup import back_up
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import NotADatabase
from pokersvc.eventlog.log import EventLog

from .marked import wal, whole
from .support import AS_SCHEMA_0001, COMMAND, raw, run, written


@pytest.fixture
def path(killed_writer: Path, tmp_path: Path) -> Path:
    """Fixture: the database of a killed writer: 66 events, of which 6 are in the main file."""
    shutil.copytree(killed_writer, tmp_path / "folder")
    return tmp_path / "folder" / "games.sqlite"


# No false alarm


def test_a_killed_writer_has_lost_nothing(path: Path) -> None:
    assert high_water_mark.read(path)
    assert whole(path)
    assert raw(path, "SELECT count(*) FROM events") == [(66,)]


@pytest.mark.parametrize(
    "statement",
    ["PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_checkpoint(PASSIVE)", "VACUUM", "PRAGMA journal_mode = DELETE",
     "REINDEX", "PRAGMA optimize"],
)  # fmt: skip
def test_what_sqlite_does_for_itself_loses_nothing(path: Path, statement: str) -> None:
    raw(path, statement)
    assert whole(path)


def test_a_backup_may_take_the_place_of_the_database(path: Path) -> None:
    copy = path.with_name("copy.sqlite")
    back_up(str(path), str(copy))
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert whole(copy)
    shutil.copy(copy, path)
    assert whole(path)
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="newer")
    assert whole(path)


def played_on(path: Path, commands: int = 1) -> None:
    with Database.for_writing(str(path)) as database:
        for number in range(commands):
            EventLog(database).append("game", COMMAND, expected=6 + 3 * number, command_id=f"on-{number}")


def test_a_backup_may_be_put_back_as_often_as_one_likes(path: Path) -> None:
    copy = path.with_name("copy.sqlite")
    back_up(str(path), str(copy))
    for _ in range(3):
        shutil.copy(copy, path)
        wal(path).unlink(missing_ok=True)
        assert whole(path)
        played_on(path, 2)
    assert raw(copy, "PRAGMA user_version") == [(0,)]


def test_a_database_of_an_older_program_may_be_put_back_as_often_as_one_likes(tmp_path: Path) -> None:
    older, path = written(tmp_path / "older.sqlite"), tmp_path / "games.sqlite"
    raw(older, "PRAGMA user_version = 0")
    high_water_mark.path_of(older).unlink()
    for _ in range(2):
        shutil.copy(older, path)
        assert whole(path)
        played_on(path, 2)


def test_an_upgrade_loses_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "games.sqlite")
    raw(
        path,
        *AS_SCHEMA_0001,
    )
    with Database.for_upgrading(str(path)) as database:
        assert database.migrated_from == "0001"
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert whole(path)
    with Database.for_writing(str(path.with_name("games.sqlite.schema-0001"))) as copy:
        assert copy.migrated_from == "0001"


def test_the_mark_lies_beside_the_file_that_a_link_leads_to(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    with Database.for_writing(str(link)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert not list(tmp_path.glob("link.sqlite-*"))
    assert max(found.position for found in high_water_mark.read(path)) == 69


LOOK = """
import sys
from pokersvc.eventlog.check import flaws
from pokersvc.eventlog.database import Database
with Database.for_reading(sys.argv[1]) as database:
    print(len(list(flaws(database))))
"""


def test_a_link_to_a_database_in_a_folder_that_may_not_be_written_loses_nothing(path: Path, tmp_path: Path) -> None:
    """The write-ahead log waits beside the database, and not beside the link."""
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT count(*) FROM events").fetchone()  # SQLite's -shm is there
        for file in path.parent.iterdir():
            file.chmod(0o444)
        path.parent.chmod(0o555)
        try:
            assert run(LOOK, path, unprivileged=True) == "0"
            assert run(LOOK, link, unprivileged=True) == "0"
        finally:
            path.parent.chmod(0o755)


def test_what_lies_beside_the_file_that_a_link_leads_to_is_looked_at(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    wal(path).unlink()
    wal(path).mkdir()
    with pytest.raises(NotADatabase, match=rf"^{link} cannot be read: {wal(path)}, which"):
        Database.for_reading(str(link))
    path.unlink()
    assert sqlite.left_beside(link) == wal(path)
