"""A disk that is full or fails: a sentence, and nothing half written."""

import re
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias
from uuid import uuid4

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.eventlog.log import EventLog
from pokersvc.server.api.operations import ROOM, Readiness
from pokersvc.server.app import parts_of
from pokersvc.server.settings import Settings
from pokersvc.service.opening import open_database
from tests.ports import free_port
from tests.server.guests import Guest, Made, simple_action
from tests.server.processes import process
from tests.waiting import eventually

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


@pytest.mark.parametrize("limit", [204_672, 208_128, 352_000])
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


TRIES_OFTEN = (
    "from pokersvc.cli.main import run\nfrom pokersvc.server.api import operations\noperations.TRIED = 0.05\nrun()"
)
"""The program, whose answer whether it can record holds for a twentieth of a second."""
AT_ONCE = ("--pace", "0")


@contextmanager
def files_of_a_process(path: Path, port: int) -> Iterator[Callable[[bool], None]]:
    """Serve a database; yield a function that forbids (True) or allows (False) its process to write to files."""
    with process(path, port, *AT_ONCE, program=("-c", TRIES_OFTEN)) as server:

        def fill(full: bool) -> None:
            unlimited = resource.RLIM_INFINITY
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0 if full else unlimited, unlimited))

        yield fill


@contextmanager
def small_file_system(path: Path, port: int) -> Iterator[Callable[[bool], None]]:
    """Serve a database on a file system of 3 MiB; yield a function that fills it (True) or frees it again (False)."""
    alone = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if shutil.which("unshare") is None or subprocess.run([*alone, "mount -t tmpfs none /mnt"], check=False).returncode:
        pytest.skip("This machine lets nobody mount a file system of their own.")
    mount = 'mount -t tmpfs -o size=3m none "$0" && exec "$@"'
    before = (*alone, mount, str(path.parent))
    with process(path, port, *AT_ONCE, program=("-c", TRIES_OFTEN), before=before) as server:
        ballast = Path(f"/proc/{server.pid}/root{path.parent}/ballast")

        def fill(full: bool) -> None:
            if not full:
                ballast.unlink()
                return
            with ballast.open("wb", buffering=0) as file, suppress(OSError):  # there is no space left
                while True:
                    file.write(bytes(4096))

        yield fill


Disk: TypeAlias = Callable[[Path, int], AbstractContextManager[Callable[[bool], None]]]


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="Only Linux limits other processes.")
@pytest.mark.parametrize("disk", [files_of_a_process, pytest.param(small_file_system, marks=pytest.mark.slow)])
def test_a_server_says_that_it_cannot_record_and_goes_on_once_there_is_space(path: Path, disk: Disk) -> None:
    port = free_port()
    with disk(path, port) as fill, Guest(f"http://127.0.0.1:{port}") as guest:
        made = guest.made({"name": "Ann"}, {"program": "steady"}, rounds=1).started()
        eventually(lambda: at_turn(made))
        now = made.seat(1).snapshot()
        command = {"id": str(uuid4()), "head": now["head"], "action": simple_action(now)}
        assert ready(guest) == (200, None)

        fill(True)
        refused = made.seat(1).send(**command)
        assert (refused.status_code, refused.json()["code"]) == (503, "storage_failed")
        eventually(lambda: ready(guest) == (503, "storage_failed"))
        assert re.search("free some|free space", guest.get("/readyz").json()["message"])
        assert guest.get("/healthz").status_code == 200
        assert made.seat(1).snapshot()["count"] == now["count"], "nothing of it was recorded"

        fill(False)
        eventually(lambda: ready(guest) == (200, None))
        recorded = made.seat(1).send(**command)
        assert recorded.status_code == 200
        assert made.seat(1).send(**command).json() == recorded.json()
        eventually(lambda: played_to_the_end(made))
        assert guest.get(f"{made.path}/audit").json()["passed"]


def test_a_disk_with_little_room_is_not_ready(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(path) as database:
        readiness = Readiness(parts_of(database, Settings(port=1)))
        usage = shutil.disk_usage(path.parent)
        monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=ROOM - 1))
        said = "The disk of the database has 1,048,575 bytes left: free some, so that it has 1,048,576 bytes at least."
        assert str(readiness.why_not()) == said
        monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=ROOM))
        assert str(readiness.why_not()) == said, "it was tried a moment ago"
        assert Readiness(parts_of(database, Settings(port=1))).why_not() is None


def ready(guest: Guest) -> tuple[int, str | None]:
    """Return the status code of the server's readiness check, and its reason."""
    said = guest.get("/readyz")
    return said.status_code, said.json().get("code")


def at_turn(made: Made) -> bool:
    """Return whether it is Ann's turn."""
    return bool(made.seat(1).snapshot()["your_turn"])


def played_to_the_end(made: Made) -> bool:
    """Let Ann act if it is her turn, and return whether the game is over."""
    now = made.seat(1).snapshot()
    if now["your_turn"]:
        made.seat(1).send(head=now["head"], action=simple_action(now))
    return now["outcome"] is not None
