"""Each restriction by itself: the kernel's data on a choice's process, and what one restriction prevents alone."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.players.boxes.support import asking, below, status

pytestmark = pytest.mark.usefixtures("box")


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Fixture: the kernel's data on a choice in progress."""
    with asking(tmp_path_factory.mktemp("walled"), "time.sleep(60)", "import time") as player:
        (asks := Thread(target=player.choose)).start()
        while not (
            found := [pid for pid, of in below_us() if of["NSpid"].endswith("\t100") and of["TracerPid"] == "0"]
        ):
            time.sleep(0.01)
        (pid,) = found
        names = {place.name: str(place.readlink()) for place in Path(f"/proc/{pid}/ns").iterdir()}
        core = resource.prlimit(pid, resource.RLIMIT_CORE)[0]
        (parked,) = [other for other, of in below_us() if of["NSpid"].endswith("\t2")]
        scores = [Path(f"/proc/{one}/oom_score_adj").read_text().strip() for one in (pid, parked)]
        found_there = status(pid) | names | {"core": str(core), "scores": " ".join(scores)}
        os.kill(pid, signal.SIGKILL)
        asks.join()
        return found_there


def below_us() -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the kernel's data on each descendant of this process that still runs."""
    for pid in below(os.getpid()):
        with suppress(FileNotFoundError, ProcessLookupError):
            yield pid, status(pid)


@pytest.mark.parametrize("name", ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"])
def test_it_has_namespaces_of_its_own(choice: dict[str, str], name: str) -> None:
    assert choice[name] != str(Path(f"/proc/self/ns/{name}").readlink())


def test_it_leaves_no_core_dump_not_even_to_a_program(choice: dict[str, str]) -> None:
    """A limit of 1 byte prevents it; with 0, the kernel would start a core-dump program outside the box."""
    assert choice["core"] == "1"


def test_where_memory_runs_out_a_choice_is_ended_before_a_player_that_only_stands(choice: dict[str, str]) -> None:
    assert choice["scores"] == "1000 500"


@pytest.mark.parametrize(
    ("what", "value"),
    [("NoNewPrivs", "1"), ("Seccomp", "2"), ("Threads", "1"), ("TracerPid", "0"), ("NSpid", "100")]
    + [(capabilities, "0" * 16) for capabilities in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")],
)
def test_it_has_no_privileges(choice: dict[str, str], what: str, value: str) -> None:
    assert choice[what].split()[-1] == value


def test_it_is_nobody_where_the_game_is_run_by_root(choice: dict[str, str]) -> None:
    expected = 65534 if os.geteuid() == 0 else os.geteuid()
    assert set(choice["Uid"].split()) == {str(expected)}


ALONE = {
    "Landlock and a file": (
        "landlock.restrict(['/usr'], ['/dev/null'], network=False); os.listdir('/usr'); open('/dev/null', 'w')",
        "open('/etc/passwd')",
        "PermissionError",
    ),
    "Landlock and writing": (
        "landlock.restrict(['/'], [], network=False); os.listdir('/')",
        "open(HERE, 'w')",
        "PermissionError",
    ),
    "seccomp and a process": ("seccomp.restrict(network=False)", "os.fork()", "OSError"),
    "seccomp and a socket": ("seccomp.restrict(network=False)", "socket.socket()", "PermissionError"),
    "seccomp and a signal": ("seccomp.restrict(network=True); socket.socket()", "os.kill(1, 0)", "PermissionError"),
    "a namespace and a connection": (
        "namespaces.enter(network=False)",
        "socket.create_connection(('127.0.0.1', 1), 2)",
        "OSError(101",
    ),
    "a namespace and a process": (
        "namespaces.enter(network=False)\nif os.fork(): os.wait(); os._exit(0)\nassert os.getpid() == 1",
        "os.kill(GAME, 0)",
        "ProcessLookupError",
    ),
    "limits and memory": ("limits.set_limits()", "bytearray(5 << 30)", "MemoryError"),
    "limits and a file": ("limits.set_limits()", "os.truncate(HERE, 1 << 30)", "OSError(27"),
    "no capabilities and another user": ("kernel.become(4711)", "os.setuid(0)", "PermissionError"),
}


@pytest.mark.parametrize("what", ALONE)
def test_a_wall_alone_keeps_something_out(tmp_path: Path, what: str) -> None:
    up, tried, said = ALONE[what]
    if what.startswith("no capabilities") and os.geteuid() != 0:
        pytest.skip("an ordinary user is nobody else from the start")
    (tmp_path / "here").touch()
    program = (
        "import os, socket\n"
        "from pokersvc.players.box import kernel, landlock, limits, namespaces, seccomp\n"
        f"HERE, GAME = {str(tmp_path / 'here')!r}, {os.getpid()}\n"
        f"{up}\n"
        f"try:\n    {tried}\nexcept (OSError, MemoryError) as error:\n    print(repr(error), flush=True)\n"
        "else:\n    print('it is done', flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith(said), done.stdout + done.stderr
