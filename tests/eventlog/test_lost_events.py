"""Events that were acknowledged and are lost with the write-ahead log are reported."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pokersvc.eventlog import high_water_mark
from pokersvc.eventlog.backup import back_up
from pokersvc.eventlog.check import flaws
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged, EventsLost
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit

from .marked import wal, whole
from .support import COMMAND, raw, record, tamper, written


@pytest.fixture
def path(killed_writer: Path, tmp_path: Path) -> Path:
    """Fixture: the database of a killed writer: 66 events, of which 6 are in the main file."""
    shutil.copytree(killed_writer, tmp_path / "folder")
    return tmp_path / "folder" / "games.sqlite"


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
    """A program without high-water marks played on after the loss, so positions were used again."""
    without(path)
    aside = high_water_mark.path_of(path).rename(path.with_name("aside"))
    with Database.for_writing(str(path)) as database:
        record(EventLog(database), "another", commands=30)
    aside.rename(high_water_mark.path_of(path))
    with Database.for_reading(str(path)) as database:
        ((found, _),) = flaws(database)
    assert found.startswith("the hash ")
    assert found.endswith(" at event 66 of all")


@pytest.mark.parametrize("value", ["'text'", "x'00'", "zeroblob(33)", "7"])
def test_what_is_no_event_is_not_accepted(path: Path, value: str) -> None:
    tamper(path, f"UPDATE events SET hash = {value} WHERE position = 66")
    before = high_water_mark.read(path)
    with Database.for_reading(str(path)) as database:
        assert any("at event 66 of all" in flaw.found for flaw in flaws(database))
        with pytest.raises(DatabaseDamaged, match=r"^Event 66 of all has .*; it is damaged, restore a backup\.$"):
            database.accept()
    assert high_water_mark.read(path) == before


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


def test_a_database_that_is_gone_is_not_made_anew_while_its_mark_is_there(path: Path) -> None:
    copy = path.parent.parent / "copy.sqlite"
    back_up(str(path), str(copy))
    for file in path.parent.iterdir():
        if file != high_water_mark.path_of(path):
            file.unlink()
    said = (
        f"^There is no database {path}, but {path}-mark says that there was one, up to event 66: restore it or a backup"
        r" there, or remove the mark to start a new one\.$"
    )
    for way in (Database.for_writing, Database.for_upgrading, Database.for_reading):
        with pytest.raises(EventsLost, match=said):
            way(str(path))
    assert list(path.parent.iterdir()) == [high_water_mark.path_of(path)]
    shutil.copy(copy, path)
    assert whole(path)
    path.unlink()
    high_water_mark.path_of(path).unlink()
    written(path)
    assert whole(path)
