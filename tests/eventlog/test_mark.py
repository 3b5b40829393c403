"""Events that were acknowledged and are lost with the write-ahead log are told, and nothing else is."""

import os
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.eventlog import mark, sqlite
from pokersvc.eventlog.backup import back_up
from pokersvc.eventlog.check import flaws, warnings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged, EventsLost, InvalidDatabase, NotADatabase
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.mark import Mark, Marker
from pokersvc.evidence.audit import audit

from .support import COMMAND, command_line, raw, record, run, state, tamper, written

# Writes one game after another and says how many events there are, until it is killed: nothing is checkpointed then.
WRITER = """
import sys
from uuid import uuid4
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
events = [NewEvent("A", 1, '{"text":"%s"}' % ("x" * 200), "{}")] * 3
with Database.for_writing(sys.argv[1]) as database:
    for number in range(int(sys.argv[2])):
        EventLog(database).append(str(uuid4()), events, expected=0, command_id="c", kind="test")
        print(3 * (number + 1), flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database whose last twenty games are in its write-ahead log alone: its writer was killed."""
    folder = tmp_path_factory.mktemp("killed")
    path = written(folder / "games.sqlite")
    process = subprocess.Popen(command_line(WRITER, path, 20), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while process.stdout.readline() != "60\n":
        pass
    process.kill()
    process.communicate()
    return folder


@pytest.fixture
def path(killed: Path, tmp_path: Path) -> Path:
    """The database of a killed writer: 66 events, 6 of them in the file itself."""
    shutil.copytree(killed, tmp_path / "folder")
    return tmp_path / "folder" / "games.sqlite"


def wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def garbled(at: float) -> Callable[[Path], None]:
    def garble(path: Path) -> None:
        with wal(path).open("r+b") as file:
            file.seek(int(wal(path).stat().st_size * at))
            file.write(Random(at).randbytes(40))

    return garble


def cut(at: float) -> Callable[[Path], None]:
    return lambda path: os.truncate(wal(path), int(wal(path).stat().st_size * at))


def without(path: Path) -> None:
    wal(path).unlink()


def zeroed(path: Path) -> None:
    wal(path).write_bytes(bytes(wal(path).stat().st_size))


def of_another_database(path: Path) -> None:
    other = path.with_name("other.sqlite")
    with Database.for_writing(str(other)) as database:
        record(EventLog(database))
        shutil.copy(wal(other), wal(path))


FAULTS: dict[str, Callable[[Path], None]] = {
    "gone": without,
    "empty": cut(0),
    "cut off in its header": cut(0.0001),
    "cut off early": cut(0.2),
    "cut off in the middle": cut(0.5),
    "cut off near its end": cut(0.99),
    "garbled in its header": garbled(0),
    "garbled early": garbled(0.1),
    "garbled at a third": garbled(0.33),
    "garbled in the middle": garbled(0.5),
    "garbled near its end": garbled(0.98),
    "zeros": zeroed,
    "of another database": of_another_database,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_games_that_are_lost_with_the_write_ahead_log_are_told(path: Path, fault: str) -> None:
    FAULTS[fault](path)
    with Database.for_reading(str(path)) as database:
        ((found, expected),) = flaws(database)
        assert found.startswith("the end after event ")
        assert expected.startswith("event 66 of all with the hash ")
        findings = [finding for audited in audit(database, only_chain=True) for finding in audited.findings]
        assert [(finding.check, finding.found) for finding in findings] == [("storage", found)]
    before = path.read_bytes()
    said = rf"^{path} lacks events that were recorded: found the end after event .* `pokersvc db check --accept`\.$"
    with pytest.raises(EventsLost, match=said):
        Database.for_writing(str(path))
    assert path.read_bytes() == before


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_accepted_is_written_again(path: Path, fault: str) -> None:
    FAULTS[fault](path)
    with Database.for_reading(str(path)) as database:
        last = database.accept()
        assert list(flaws(database)) == []
    assert last is not None
    with Database.for_writing(str(path)) as database:
        assert raw(path, "SELECT max(position) FROM events") == [(last.position,)]
        record(EventLog(database), "another")
    Database.for_writing(str(path)).close()


def test_what_is_put_back_is_written_again(path: Path) -> None:
    aside = wal(path).rename(path.with_name("aside"))
    with pytest.raises(EventsLost):
        Database.for_writing(str(path))
    aside.rename(wal(path))
    with Database.for_writing(str(path)) as database:
        assert raw(path, "SELECT count(*) FROM events") == [(66,)]
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")


def test_a_database_that_was_emptied_is_not_made_anew(path: Path) -> None:
    without(path)
    os.truncate(path, 0)
    with pytest.raises(EventsLost, match="found no event where there should be event 66 of all"):
        Database.for_writing(str(path))
    with pytest.raises(EventsLost, match="found no event where there should be event 66 of all"):
        Database.for_reading(str(path))
    with Database.for_reading(str(path), any_revision=True) as database:
        assert database.accept() is None
    Database.for_writing(str(path)).close()


def test_other_events_in_the_place_of_those_that_are_lost_are_told(path: Path) -> None:
    """A program that keeps no mark played on after the loss: positions are used again."""
    without(path)
    aside = mark.path_of(path).rename(path.with_name("aside"))
    with Database.for_writing(str(path)) as database:
        record(EventLog(database), "another", commands=30)
    aside.rename(mark.path_of(path))
    with Database.for_reading(str(path)) as database:
        ((found, _),) = flaws(database)
    assert found.startswith("the hash ")
    assert found.endswith(" at event 66 of all")


@pytest.mark.parametrize("value", ["'text'", "x'00'", "zeroblob(33)", "7"])
def test_what_is_no_event_is_not_accepted(path: Path, value: str) -> None:
    tamper(path, f"UPDATE events SET hash = {value} WHERE position = 66")
    before = mark.read(path)
    with Database.for_reading(str(path)) as database:
        assert any("at event 66 of all" in flaw.found for flaw in flaws(database))
        with pytest.raises(DatabaseDamaged, match=r"^Event 66 of all has .*; it is damaged, restore a backup\.$"):
            database.accept()
    assert mark.read(path) == before


# No false alarm


def whole(path: Path) -> bool:
    """Tell whether a database is whole and can be written."""
    with Database.for_reading(str(path)) as database:
        found = list(flaws(database))
    Database.for_writing(str(path)).close()
    return not found


def test_a_killed_writer_has_lost_nothing(path: Path) -> None:
    assert mark.read(path)
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


def test_a_backup_that_took_the_place_of_the_database_has_a_mark_of_its_own(path: Path) -> None:
    copy = path.with_name("copy.sqlite")
    back_up(str(path), str(copy))
    copy.replace(path)
    wal(path).unlink()
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
        saved = path.read_bytes()
        EventLog(database).append("game", COMMAND, expected=9, command_id="newer")
    path.write_bytes(saved)
    wal(path).unlink(missing_ok=True)
    with pytest.raises(EventsLost, match="event 72 of all"):
        Database.for_writing(str(path))


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
    mark.path_of(older).unlink()
    for _ in range(2):
        shutil.copy(older, path)
        assert whole(path)
        played_on(path, 2)


def test_losses_of_a_restored_backup_are_told(path: Path) -> None:
    """Its number is in the file before the first event is: it is not lost with the write-ahead log."""
    copy, other = path.with_name("copy.sqlite"), path.with_name("other.sqlite")
    back_up(str(path), str(copy))
    for way in ("DELETE", "WAL"):
        shutil.copy(copy, other)
        raw(other, f"PRAGMA journal_mode = {way}")
        with Database.for_writing(str(other)) as database:
            EventLog(database).append("game", COMMAND, expected=6, command_id="new")
            saved = other.read_bytes()
        other.write_bytes(saved)
        with pytest.raises(EventsLost, match="event 69 of all"):
            Database.for_writing(str(other))


def test_a_mark_of_a_copy_without_a_number_is_neither_written_nor_trusted(path: Path) -> None:
    with Database.for_writing(str(path)) as database:
        raw(path, "PRAGMA user_version = 0")
        before = mark.read(path)
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
        assert mark.read(path) == before
    mark.path_of(path).unlink()
    with closing(Marker(path, 0)) as marker:
        marker.note(1000, bytes(32))
    with Database.for_reading(str(path)) as database:
        assert list(flaws(database)) == []
        assert database.accept() is not None
    assert not mark.path_of(path).exists()
    assert whole(path)


def test_what_is_accepted_without_an_event_leaves_no_mark_and_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Database.for_writing(str(path)).close()
    mark.path_of(path).write_bytes(b"spoilt")
    with Database.for_reading(str(path)) as database:
        assert database.accept() is None
        assert not any("-mark" in said for said in warnings(database))
    assert not mark.path_of(path).exists()
    assert whole(path)


def test_a_database_that_is_gone_is_not_made_anew_while_its_mark_is_there(path: Path) -> None:
    copy = path.parent.parent / "copy.sqlite"
    back_up(str(path), str(copy))
    for file in path.parent.iterdir():
        if file != mark.path_of(path):
            file.unlink()
    said = (
        f"^There is no database {path}, and there was one with event 66 of all, as {path}-mark says: restore it or a"
        r" backup there, or remove the mark to start a new one\.$"
    )
    for way in (Database.for_writing, Database.for_upgrading, Database.for_reading):
        with pytest.raises(EventsLost, match=said):
            way(str(path))
    assert list(path.parent.iterdir()) == [mark.path_of(path)]
    shutil.copy(copy, path)
    assert whole(path)
    path.unlink()
    mark.path_of(path).unlink()
    written(path)
    assert whole(path)


def test_a_spoilt_mark_and_one_of_no_copy_keep_nobody_from_beginning_anew(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"spoilt")):
        path = tmp_path / f"{number}.sqlite"
        mark.path_of(path).write_bytes(content)
        assert whole(written(path))
    path = tmp_path / "zero.sqlite"
    path.touch()
    with closing(Marker(path, 0)) as marker:
        marker.note(1000, bytes(32))
    path.unlink()
    assert whole(written(path))


def test_an_upgrade_loses_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "games.sqlite")
    raw(
        path,
        "DROP TABLE history_entries",
        "DROP TABLE game_summaries",
        "UPDATE alembic_version SET version_num = '0001'",
    )
    with Database.for_upgrading(str(path)) as database:
        assert database.migrated_from == "0001"
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert whole(path)
    with Database.for_writing(str(path.with_name("games.sqlite.schema-0001"))) as copy:
        assert copy.migrated_from == "0001"


def test_a_database_without_a_mark_is_written_and_gets_one(path: Path) -> None:
    mark.path_of(path).unlink()
    with Database.for_writing(str(path)) as database:
        assert mark.read(path) == ()
        last = EventLog(database).append("game", COMMAND, expected=6, command_id="new")[-1]
    assert [(found.position, found.hash) for found in mark.read(path)] == [(69, last.hash)]


PARTS = 4
APART = """
import sys
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from tests.eventlog.support import COMMAND
with Database.for_writing(sys.argv[1]) as database:
    for number in range(int(sys.argv[3])):
        EventLog(database).append(sys.argv[2], COMMAND, expected=3 * number, command_id=f"{number}", kind="test")
"""


@pytest.mark.parametrize("commands", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_of_many_writers_each_keeps_the_mark_and_readers_meanwhile_find_nothing_lost(
    tmp_path: Path, commands: int
) -> None:
    path = tmp_path / "games.sqlite"
    Database.for_writing(str(path)).close()
    writers = [subprocess.Popen(command_line(APART, path, f"game-{one}", commands)) for one in range(PARTS)]
    looks = 0
    try:
        while any(writer.poll() is None for writer in writers):
            with Database.for_reading(str(path)) as database:
                database.refuse_losses()
            looks += 1
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    assert looks
    assert [writer.returncode for writer in writers] == [0] * PARTS
    assert whole(path)
    (last,) = raw(path, "SELECT max(position) FROM events")[0]
    assert last == 3 * PARTS * commands
    assert max(found.position for found in mark.read(path)) > last - 3 * PARTS


def test_threads_of_one_process_keep_the_mark(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        threads = [Thread(target=record, args=(log, f"game-{one}", 20)) for one in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert max(found.position for found in mark.read(path)) == 240
    assert whole(path)


# The file


marks = st.builds(
    Mark,
    st.integers(-(2**31), 2**31 - 1),
    st.integers(1, 2**63 - 1),
    st.binary(min_size=32, max_size=32),
)


@given(st.lists(marks, min_size=1, max_size=6, unique_by=lambda one: one.position))
def test_the_last_two_marks_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, noted: list[Mark]
) -> None:
    path = tmp_path_factory.mktemp("mark") / "games.sqlite"
    path.touch()
    ascending = sorted(noted, key=lambda one: one.position)
    for one in ascending:
        with closing(Marker(path, one.copy)) as marker:
            marker.note(one.position, one.hash)
        assert mark.read(path) == (one,)
    with closing(Marker(path, 1)) as marker:
        for one in ascending:
            marker.note(one.position, one.hash)
    assert {(found.position, found.hash) for found in mark.read(path)} == {
        (one.position, one.hash) for one in ascending[-2:]
    }


@given(data=st.data())
def test_a_line_that_was_half_written_says_nothing_and_the_other_stands(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("mark") / "games.sqlite"
    path.touch()
    with closing(Marker(path, 7)) as marker:
        for position in (1, 2):
            marker.note(position, bytes([position]) * 32)
    file = mark.path_of(path)
    content = bytearray(file.read_bytes())
    half = len(content) // 2
    place = data.draw(st.integers(half, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(content)
    assert [found.position for found in mark.read(path)] == [1]
    file.write_bytes(content[:place])
    assert [found.position for found in mark.read(path)] == [1]


@pytest.mark.parametrize("content", [b"", b"\0" * 222, b"letter\n" * 40, b"\xff" * 5])
def test_a_mark_that_is_spoilt_stops_nobody_and_is_warned_of(path: Path, content: bytes) -> None:
    mark.path_of(path).write_bytes(content)
    with Database.for_reading(str(path)) as database:
        assert list(flaws(database)) == []
        assert any("it is unknown whether the newest events are there" in said for said in warnings(database))
        database.accept()
        assert not any("-mark" in said for said in warnings(database))
    assert whole(path)


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("make", [fifo, folder, loop])
def test_what_is_no_file_in_the_place_of_the_mark_stops_nobody(path: Path, make: Callable[[Path], None]) -> None:
    mark.path_of(path).unlink()
    make(path.with_name("games.sqlite-mark"))
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    with Database.for_reading(str(path)) as database:
        assert list(flaws(database)) == []


def test_a_mark_that_cannot_be_written_stops_nobody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    before = mark.read(path)
    monkeypatch.setattr(os, "pwrite", full)
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert mark.read(path) == before
    assert whole(path)


def test_the_mark_lies_beside_the_file_that_a_link_leads_to(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(path)
    with Database.for_writing(str(link)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert not list(tmp_path.glob("link.sqlite-*"))
    assert max(found.position for found in mark.read(path)) == 69


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


@pytest.mark.parametrize("mode", [0o600, 0o660, 0o644])
def test_who_may_use_the_database_may_use_its_mark(path: Path, mode: int) -> None:
    mark.path_of(path).unlink()
    path.chmod(mode)
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert stat.S_IMODE(mark.path_of(path).stat().st_mode) == mode


def test_reading_does_not_touch_the_mark(path: Path) -> None:
    before = state(path.parent)["games.sqlite-mark"]
    with Database.for_reading(str(path)) as database:
        assert list(flaws(database)) == []
    assert state(path.parent)["games.sqlite-mark"] == before


def test_a_database_in_memory_has_no_mark() -> None:
    with Database.for_writing(":memory:") as database:
        record(EventLog(database))
        with pytest.raises(InvalidDatabase, match="has no mark: there is nothing to accept"):
            database.accept()
