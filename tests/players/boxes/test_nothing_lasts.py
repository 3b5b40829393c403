"""Nothing that a player does, in a choice or while loading, is visible in its next choice."""

import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Timer

import pytest

from pokersvc.players import UnusablePlayer
from pokersvc.players.box.forker import Forker
from pokersvc.players.boxed import _NO_RESTARTS
from tests.players.boxes.support import asking, below, of_a_box, status

pytestmark = pytest.mark.usefixtures("box")

TRIES = [
    # Files.
    "print(os.listdir())", "open('notes', 'w').write('x')",
    "open('a', 'w').close()", "print(os.stat('a').st_ino)", "os.remove('a')",
    "print([(found.st_dev, found.st_ino) for found in map(os.stat, HANDED)])",
    "print(len(open('/choice/this/question', 'rb').read()) > 100, os.listdir('/choice/this'))",
    "print(os.posix_fallocate(os.open('large', 66), 0, 60 << 20))",
    # Numbers of processes.
    "print(os.getpid())", "[threading.Thread(target=int).start() for _ in range(7)]",
    "one = threading.Thread(target=int)", "one.start()", "one.join()", "print(one.native_id)",
    # The process.
    "print(os.fork.__name__, len(NOTES))", "os.fork = print", "NOTES.append(view)",
    "print(os.lseek(0, 0, 1))", "os.lseek(0, 7, 0)",
    "print([resource.getrlimit(one) for one in range(16)])",
    "print(signal.getsignal(15), signal.pthread_sigmask(0, {15}))", "signal.signal(15, signal.SIG_IGN)",
    "print(os.times().children_user, time.process_time() < 1)", "sum(range(300000))",
    "print(os.environ.get('NOTES'))", "os.environ['NOTES'] = 'x'",
    "print('x' * 100, flush=True)",
]  # fmt: skip
"""What a choice looks at, a printed line each, and what it then changes."""
BEFORE = """
import os, resource, signal, sys, threading, time
NOTES, HANDED = [], [f"/choice/this{name}" for name in ("", "/question", "/records", "/answer", "/tmp")]
"""


def test_a_choice_finds_nothing_of_the_one_before(tmp_path: Path) -> None:
    tries = ["print(os.getcwd())", "os.chdir('/choice/this/tmp')", *TRIES]
    with asking(tmp_path, "\n".join(tries), BEFORE) as player:
        first, *others = [player.choose() for _ in range(4)]
    assert len(first.splitlines()) == sum(line.startswith("print") for line in tries)
    assert others == [first] * 3


@pytest.mark.slow
def test_a_choice_does_not_see_that_another_box_has_ended(tmp_path: Path) -> None:
    """The kernel gives a file system the lowest free device number, such as that of a box that has ended."""
    (first := tmp_path / "first").mkdir()
    (second := tmp_path / "second").mkdir()
    with ExitStack() as ended:
        ended.enter_context(asking(first, "pass"))
        with asking(second, "print(os.stat('/choice/this').st_dev)", "import os") as player:
            found = [player.choose() for _ in range(2)]
            ended.close()
            found += [player.choose() for _ in range(3)]
    assert found == [found[0]] * 5


@pytest.mark.slow
def test_nothing_that_a_choice_is_handed_is_older_than_its_question(tmp_path: Path) -> None:
    """Timestamps reveal when the previous choice ended, read and wrote, so they could carry a message."""
    ages = (
        "opened = [open(one, 'w' if 'answer' in one else 'r').name for one in HANDED if not os.path.isdir(one)]\n"
        "found = list(map(os.stat, HANDED))\n"
        "print(max(time.time() - min(one.st_atime, one.st_mtime, one.st_ctime) for one in found) < 0.9)"
    )
    with asking(tmp_path, ages, BEFORE) as player:
        said = [player.choose()]
        for _ in range(2):
            time.sleep(1)
            said.append(player.choose())
    assert said == ["True\n"] * 3


def test_answers_after_the_first_are_thrown_away(tmp_path: Path) -> None:
    """Otherwise they would be taken as answers of the next choice."""
    answers = (
        """out = os.open('/choice/this/answer', os.O_WRONLY)\n"""
        """said = b'Take {"pile":1,"seat":%d,"stones":1}' % view.to_act\n"""
        """os.write(out, b'A' + len(said).to_bytes(4, 'big') + said)\n"""
        """[os.write(out, b'R') for _ in range(9)]\ntime.sleep(9)"""
    )
    with asking(tmp_path, answers, "import os, time") as player:
        assert [player.choose() for _ in range(3)] == [""] * 3


COUNTS = """
import ctypes
FORK, CALLS = ctypes.PyDLL(None).fork, []
class Counting:
    def __init__(self, _):
        pass
    def fork(self):
        CALLS.append(1)
        return FORK()
ctypes.PyDLL = Counting
"""


def test_the_process_that_is_copied_runs_nothing_between_two_copies(tmp_path: Path) -> None:
    """It does not even run the loop in which it would fork again: it stays stopped in its first call."""
    with asking(tmp_path, "print(len(CALLS))", COUNTS) as player:
        assert [player.choose() for _ in range(4)] == ["1\n"] * 4


@pytest.mark.parametrize("told", [True, False])
def test_whether_the_kernel_would_have_a_process_go_on_elsewhere_is_seen(told: bool) -> None:
    """The kernel does so for restartable sequences, which the C library registers by default."""
    found = subprocess.run([sys.executable, "-c", RESTARTS], capture_output=True, text=True)
    if found.stdout != "True":
        pytest.skip("this C library registers none")
    environment = {**os.environ, **(_NO_RESTARTS if told else {})}
    begins = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(begins, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        forker = Forker(process.pid)
        assert process.stdout is not None
        process.stdout.readline()
        os.kill(process.pid, signal.SIGSTOP)
        os.waitpid(process.pid, 0)
        assert forker.restarts() != told
        process.kill()


RESTARTS = """
import ctypes
try:
    print(ctypes.c_uint.in_dll(ctypes.CDLL(None), "__rseq_size").value > 0, end="")
except ValueError:
    print(False, end="")
"""


def test_a_choice_has_nothing_open_but_what_it_opens(tmp_path: Path) -> None:
    """The first file that its process opens is its input, so nothing was open before; the last is its question."""
    opened = (
        "import os\nOPENED, OPEN = [], os.open\n"
        "def opening(*one):\n    OPENED.append(OPEN(*one))\n    return OPENED[-1]\nos.open = opening"
    )
    with asking(tmp_path, "print(OPENED)", opened) as player:
        assert [player.choose() for _ in range(2)] == ["[0, 1, 3, 4]\n"] * 2


def test_a_thread_of_the_c_librarys_is_waited_for(tmp_path: Path) -> None:
    """It waits by a call that boxes answer with EAGAIN, so that no other box could wake it."""
    joined = (
        "libc, thread, started = ctypes.CDLL(None), ctypes.c_ulong(), time.monotonic()\n"
        "assert libc.pthread_create(ctypes.byref(thread), None, libc.usleep, ctypes.c_void_p(50_000)) == 0\n"
        "print(libc.pthread_join(thread, None), time.monotonic() - started > 0.05)"
    )
    with asking(tmp_path, joined, "import ctypes, time") as player:
        assert player.choose() == "0 True\n"


def test_the_process_that_is_copied_runs_nothing_where_a_copy_fails(tmp_path: Path) -> None:
    """There may be too many processes for a moment; then the copy is tried again, and the process stays stopped."""
    failed = COUNTS.replace("return FORK()", "CALLS.append(copy := FORK())\n        return copy")
    others = set(below(os.getpid()))  # of tests before this one in the same process
    with asking(tmp_path, "print(CALLS)", failed) as player:
        found = [player.choose()]
        (parked,) = [pid for pid in of_a_box(others) if status(pid)["NSpid"].endswith("\t2")]
        before = resource.prlimit(parked, resource.RLIMIT_NPROC)
        resource.prlimit(parked, resource.RLIMIT_NPROC, (1, before[1]))
        found.append(player.choose())
        later = Timer(0.2, lambda: resource.prlimit(parked, resource.RLIMIT_NPROC, before))
        later.start()
        found.append(player.choose())
        later.join()
    assert found == ["[1, 0]\n"] * 3


@pytest.mark.slow
def test_a_timer_of_a_loaded_player_disturbs_nobody(tmp_path: Path) -> None:
    """Its signals would interrupt every copy; each copy starts with the player's own signal mask."""
    before = (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})\nsignal.setitimer(signal.ITIMER_REAL, 1, 1e-6)"
    )
    masked = "print(sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ()))) == [signal.SIGUSR2])"
    with asking(tmp_path, masked, before) as player:
        time.sleep(1.2)
        assert [player.choose() for _ in range(3)] == ["True\n"] * 3


SPY = """
import builtins, ctypes, os, pickle, signal
HEARD = []
def heard(name, function):
    def hears(*arguments, **named):
        found = function(*arguments, **named)
        HEARD.append(name)
        return found
    return hears
for module, names in ((os, ('fork', 'open', 'read', 'write', 'fstat', '_exit')), (pickle, ('loads',)),
                      (builtins, ('open',))):
    for name in names:
        setattr(module, name, heard(name, getattr(module, name)))
try:
    open('/choice/this/tmp/notes', 'w').write('loaded')
except OSError as error:
    HEARD.append(str(error))
"""


def test_a_player_that_replaces_what_its_process_is_made_of_keeps_nothing(tmp_path: Path) -> None:
    """It sees each question only once: the copied process runs none of the replaced code."""
    with asking(
        tmp_path, "print(HEARD, os.listdir('/choice/this/tmp'), getattr(os, 'notes', 0)); os.notes = view", SPY
    ) as player:
        found = [player.choose() for _ in range(5)]
    assert "loads" in found[0]
    assert "[] 0" in found[0], "not even what it wrote when it was loaded"
    assert set(found) == {found[0]}


LEAVES = {
    "threads": ("import threading, time\nthreading.Thread(target=time.sleep, args=[9], daemon=True).start()", "leaves"),
    "an open file": ("FILE = open('/choice/this/tmp/notes', 'w')", "open after loading; close it"),
    "another open file": ("import os\nFILE = os.dup(1)", "open after loading"),
    "shared memory": ("import mmap\nSHARED = mmap.mmap(-1, 4096)", "its choices would share"),
    "shared memory of a file": (
        "import mmap\nfile = open('/choice/this/tmp/a', 'wb+')\nfile.write(b'x' * 4096)\nfile.flush()\n"
        "SHARED = mmap.mmap(file.fileno(), 4096)\nfile.close()", "after loading",
    ),
    "a file of its scratch space, mapped for itself": (
        "import ctypes\nwith open('/choice/this/tmp/a', 'wb+') as file:\n    file.truncate(1 << 20)\n"
        "    ctypes.CDLL(None).mmap(None, 1 << 20, 1, 2, file.fileno(), 0)",
        "keeps a file mapped after loading that its choices would share",
    ),
    "scratch space as its folder": ("import os\nos.chdir('/choice/this/tmp')", "changes its current folder"),
    "another fork": (
        "import ctypes\nctypes.PyDLL.__getattr__ = lambda self, name: lambda *_: "
        "ctypes.CDLL.__getattr__(ctypes.CDLL(None), 'syscall')(56, 0x100 | 17, 0, 0, 0, 0)",
        "it has replaced how processes are started",
    ),
}  # fmt: skip


OFTEN_ELSEWHERE = ("another open file", "shared memory of a file")


@pytest.mark.parametrize(
    "what", [pytest.param(one, marks=[pytest.mark.slow] * (one in OFTEN_ELSEWHERE)) for one in LEAVES]
)
def test_a_player_that_could_tell_its_choices_something_is_refused(tmp_path: Path, what: str) -> None:
    before, said = LEAVES[what]
    with pytest.raises(UnusablePlayer, match=said), asking(tmp_path, "pass", before) as player:
        player.choose()


def test_a_player_starts_no_process_when_it_is_loaded(tmp_path: Path) -> None:
    before = "import os\ntry:\n    os.fork()\nexcept OSError as error:\n    SAID = str(error)"
    with asking(tmp_path, "print(SAID)", before) as player:
        assert "Operation not permitted" in player.choose()


FLOODS = {
    "of answers that are none": (
        "out = os.open('/choice/this/answer', os.O_WRONLY)\nwhile True: os.write(out, b'Y')", "raised"
    ),
    "of output": ("while True: os.write(1, b'x' * 65536)", "timeout"),
    "of output by threads": (
        "for _ in range(4): threading.Thread(target=lambda: [os.write(1, b'x' * 9999) for _ in iter(int, 1)]).start()\n"
        "time.sleep(9)", "timeout",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.slow] * (what != "of output")) for what in FLOODS]
)
def test_a_flood_ends_with_its_choice(tmp_path: Path, what: str) -> None:
    flood, code = FLOODS[what]
    with asking(tmp_path, flood, "import os, threading, time", limit=0.5) as player:
        assert [player.choose() for _ in range(2)] == [code] * 2
        assert (tmp_path / "printed").stat().st_size < 4 << 20


def test_a_player_that_ends_before_it_is_asked_forfeits_and_harms_nobody(tmp_path: Path) -> None:
    before = "import os\nos.open = lambda *_: os._exit(0)"
    with asking(tmp_path, "pass", before) as player:
        assert [player.choose() for _ in range(3)] == ["raised"] * 3
