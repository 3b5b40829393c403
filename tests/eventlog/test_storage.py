"""A disk that is full or fails: a sentence, and nothing half written."""

from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.eventlog.log import EventLog

from .support import COMMAND, names, run, state, written

FULL = """
import resource, signal, sys
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
sys.dont_write_bytecode = True  # a module that is cut short would be kept
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
count = 0
try:
    with Database.for_writing(sys.argv[1]) as database:
        log = EventLog(database)
        while True:
            events = [NewEvent("A", 1, '{"text":"%s"}' % ("x" * 300))] * 7
            log.append("game", events, expected=count, command_id=f"c{count}", kind="test")
            count += 7
except PokersvcError as error:
    print(count, error.code, error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))  # for coverage's own file
"""


@pytest.mark.parametrize("limit", [140_000, 143_456, 320_000])
def test_a_full_disk_leaves_whole_commands(path: Path, limit: int) -> None:
    count, code, *said = run(FULL, path, limit).split()
    assert code == "storage_failed"
    assert "the last change was not recorded" in " ".join(said)
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        assert len(list(log.read("game"))) == int(count) >= 7
        log.append("game", COMMAND, expected=int(count), command_id="new")


@pytest.mark.parametrize("limit", [0, 4096, 20_000])
def test_a_disk_that_is_full_from_the_start_leaves_nothing(path: Path, limit: int) -> None:
    count, code, *_ = run(FULL, path, limit).split()
    assert (count, code) == ("0", "storage_failed")
    assert [name for name in state(path.parent) if name != path.name] == []
    if path.exists():
        with Database.for_reading(str(path)) as database:
            assert list(EventLog(database).games()) == []


def test_the_system_saying_the_disk_failed_is_a_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.link", lambda *_: (_ for _ in ()).throw(OSError(95, "Not supported")))
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(StorageFailed, match="No space left"):
        Database.for_writing(str(path))


def test_a_file_system_without_links_will_do(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.link", lambda *_: (_ for _ in ()).throw(OSError(95, "Not supported")))
    written(path)
    assert names(path.parent) == [path.name]
    with Database.for_reading(str(path)) as database:
        assert len(list(EventLog(database).read("game"))) == 6
