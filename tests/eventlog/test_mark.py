"""The high-water mark: its file, who writes it, and missing or damaged marks."""

import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.eventlog import high_water_mark
from pokersvc.eventlog.check import flaws, warnings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import InvalidDatabase
from pokersvc.eventlog.high_water_mark import Mark, Marker
from pokersvc.eventlog.log import EventLog

from .marked import whole
from .support import COMMAND, command_line, raw, record, state, written


@pytest.fixture
def path(killed_writer: Path, tmp_path: Path) -> Path:
    """Fixture: the database of a killed writer: 66 events, of which 6 are in the main file."""
    shutil.copytree(killed_writer, tmp_path / "folder")
    return tmp_path / "folder" / "games.sqlite"


def test_a_mark_of_a_copy_without_a_number_is_neither_written_nor_trusted(path: Path) -> None:
    with Database.for_writing(str(path)) as database:
        raw(path, "PRAGMA user_version = 0")
        before = high_water_mark.read(path)
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
        assert high_water_mark.read(path) == before
    high_water_mark.path_of(path).unlink()
    with closing(Marker(path, 0)) as marker:
        marker.note(1000, bytes(32))
    with Database.for_reading(str(path)) as database:
        assert list(flaws(database)) == []
        assert database.accept() is not None
    assert not high_water_mark.path_of(path).exists()
    assert whole(path)


def test_what_is_accepted_without_an_event_leaves_no_mark_and_no_warning(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    Database.for_writing(str(path)).close()
    high_water_mark.path_of(path).write_bytes(b"spoilt")
    with Database.for_reading(str(path)) as database:
        assert database.accept() is None
        assert not any("-mark" in said for said in warnings(database))
    assert not high_water_mark.path_of(path).exists()
    assert whole(path)


def test_a_spoilt_mark_and_one_of_no_copy_keep_nobody_from_beginning_anew(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"spoilt")):
        path = tmp_path / f"{number}.sqlite"
        high_water_mark.path_of(path).write_bytes(content)
        assert whole(written(path))
    path = tmp_path / "zero.sqlite"
    path.touch()
    with closing(Marker(path, 0)) as marker:
        marker.note(1000, bytes(32))
    path.unlink()
    assert whole(written(path))


def test_a_database_without_a_mark_is_written_and_gets_one(path: Path) -> None:
    high_water_mark.path_of(path).unlink()
    with Database.for_writing(str(path)) as database:
        assert high_water_mark.read(path) == ()
        last = EventLog(database).append("game", COMMAND, expected=6, command_id="new")[-1]
    assert [(found.position, found.hash) for found in high_water_mark.read(path)] == [(69, last.hash)]


APART = """
import sys
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from tests.eventlog.support import COMMAND
with Database.for_writing(sys.argv[1]) as database:
    for number in range(int(sys.argv[3])):
        EventLog(database).append(sys.argv[2], COMMAND, expected=3 * number, command_id=f"{number}", kind="test")
"""


@pytest.mark.parametrize(("parts", "commands"), [(2, 20), pytest.param(4, 300, marks=pytest.mark.slow)])
def test_of_many_writers_each_keeps_the_mark_and_readers_meanwhile_find_nothing_lost(
    tmp_path: Path, parts: int, commands: int
) -> None:
    path = tmp_path / "games.sqlite"
    Database.for_writing(str(path)).close()
    writers = [subprocess.Popen(command_line(APART, path, f"game-{one}", commands)) for one in range(parts)]
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
    assert [writer.returncode for writer in writers] == [0] * parts
    assert whole(path)
    (last,) = raw(path, "SELECT max(position) FROM events")[0]
    assert last == 3 * parts * commands
    assert max(found.position for found in high_water_mark.read(path)) > last - 3 * parts


def test_threads_of_one_process_keep_the_mark(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        threads = [Thread(target=record, args=(log, f"game-{one}", 20)) for one in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert max(found.position for found in high_water_mark.read(path)) == 240
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
        assert high_water_mark.read(path) == (one,)
    with closing(Marker(path, 1)) as marker:
        for one in ascending:
            marker.note(one.position, one.hash)
    assert {(found.position, found.hash) for found in high_water_mark.read(path)} == {
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
    file = high_water_mark.path_of(path)
    content = bytearray(file.read_bytes())
    half = len(content) // 2
    place = data.draw(st.integers(half, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    file.write_bytes(content)
    assert [found.position for found in high_water_mark.read(path)] == [1]
    file.write_bytes(content[:place])
    assert [found.position for found in high_water_mark.read(path)] == [1]


@pytest.mark.parametrize("content", [b"", b"\0" * 222, b"letter\n" * 40, b"\xff" * 5])
def test_a_mark_that_is_spoilt_stops_nobody_and_is_warned_of(path: Path, content: bytes) -> None:
    high_water_mark.path_of(path).write_bytes(content)
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
    high_water_mark.path_of(path).unlink()
    make(path.with_name("games.sqlite-mark"))
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    with Database.for_reading(str(path)) as database:
        assert list(flaws(database)) == []


def test_a_mark_that_cannot_be_written_stops_nobody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    before = high_water_mark.read(path)
    monkeypatch.setattr(os, "pwrite", full)
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert high_water_mark.read(path) == before
    assert whole(path)


@pytest.mark.parametrize("mode", [0o600, 0o660, 0o644])
def test_who_may_use_the_database_may_use_its_mark(path: Path, mode: int) -> None:
    high_water_mark.path_of(path).unlink()
    path.chmod(mode)
    with Database.for_writing(str(path)) as database:
        EventLog(database).append("game", COMMAND, expected=6, command_id="new")
    assert stat.S_IMODE(high_water_mark.path_of(path).stat().st_mode) == mode


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
