"""Nothing that a player does in a choice, or when it is loaded, is there in the next choice: every one is the first."""

from pathlib import Path

import pytest

from pokersvc.players import UnusablePlayer
from tests.players.boxes.support import asking

pytestmark = pytest.mark.usefixtures("box")

TRIES = {
    "a file": ["print(os.listdir())", "open('notes', 'w').write('x')"],
    "a file that is gone": ["open('a', 'w').close()", "print(os.stat('a').st_ino)", "os.remove('a')"],
    "when a folder was read": ["print(os.stat('.').st_atime, os.stat('.').st_mtime)", "os.listdir()"],
    "how much space is left": ["print(os.statvfs('.').f_bfree, os.statvfs('.').f_ffree)", "open('a', 'w').write('x')"],
    "a process id": ["print(os.getpid())", "[threading.Thread(target=int).start() for _ in range(7)]"],
    "a thread id": ["one = threading.Thread(target=int)", "one.start()", "one.join()", "print(one.native_id)"],
    "what was replaced": ["print(os.fork.__name__, len(NOTES))", "os.fork = print", "NOTES.append(view)"],
    "how far a file was read": [
        "print([os.lseek(one, 0, 1) for one in (3, 4)])",
        "[os.lseek(one, 7, 0) for one in (3, 4)]",
    ],
    "its limits": ["print([resource.getrlimit(one) for one in range(16)])"],
    "signals": ["print(signal.getsignal(15), signal.pthread_sigmask(0, {15}))", "signal.signal(15, signal.SIG_IGN)"],
    "time used": ["print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)", "sum(range(300000))"],
    "output": ["print('x' * 100, flush=True)"],
    "an environment": ["print(os.environ.get('NOTES'))", "os.environ['NOTES'] = 'x'"],
}
BEFORE = "import os, resource, signal, sys, threading\nNOTES = []"


@pytest.mark.parametrize("what", TRIES)
def test_a_choice_finds_nothing_of_the_one_before(tmp_path: Path, what: str) -> None:
    with asking(
        tmp_path, "\n".join(["print(os.getcwd())", "os.chdir('/scratch/tmp')", *TRIES[what]]), BEFORE
    ) as player:
        first, *others = [player.choose() for _ in range(4)]
    assert len(first.splitlines()) == 2
    assert others == [first] * 3


def test_answers_after_the_first_are_thrown_away(tmp_path: Path) -> None:
    """They would be taken for those of the next choice."""
    answers = (
        """os.write(5, b'ACheck {"seat":%d}' % view.to_act)\n[os.write(5, b'R') for _ in range(9)]\ntime.sleep(9)"""
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
    """Not even its own loop, in which it would fork again: it stands in its first call for good."""
    with asking(tmp_path, "print(len(CALLS))", COUNTS) as player:
        assert [player.choose() for _ in range(4)] == ["1\n"] * 4


SPY = """
import builtins, ctypes, os, pickle, signal
HEARD = []
def heard(name, function):
    def hears(*arguments, **named):
        found = function(*arguments, **named)
        HEARD.append(name)
        return found
    return hears
for module, names in ((os, ('fork', 'pread', 'read', 'write', 'fstat', '_exit')), (pickle, ('loads',)),
                      (signal, ('sigwait', 'pthread_sigmask'))):
    for name in names:
        setattr(module, name, heard(name, getattr(module, name)))
try:
    open('/scratch/tmp/notes', 'w').write('loaded')
except OSError as error:
    HEARD.append(str(error))
"""


def test_a_player_that_replaces_what_its_process_is_made_of_keeps_nothing(tmp_path: Path) -> None:
    """It hears of each question, and of no other: the process that is copied runs none of what was replaced."""
    with asking(
        tmp_path, "print(HEARD, os.listdir('/scratch/tmp'), getattr(os, 'notes', 0)); os.notes = view", SPY
    ) as player:
        found = [player.choose() for _ in range(5)]
    assert "pread" in found[0]
    assert "[] 0" in found[0], "not even what it wrote when it was loaded"
    assert set(found) == {found[0]}


LEAVES = {
    "threads": ("import threading, time\nthreading.Thread(target=time.sleep, args=[9], daemon=True).start()", "leaves"),
    "an open file": ("FILE = open('/scratch/tmp/notes', 'w')", "open after loading; close it"),
    "another open file": ("import os\nFILE = os.dup(1)", "open after loading"),
    "one of its files closed": ("import os\nos.close(3)\nos.open('/player/mine.py', 0)", "open after loading"),
    "shared memory": ("import mmap\nSHARED = mmap.mmap(-1, 4096)", "its choices would share"),
    "shared memory of a file": (
        "import mmap\nfile = open('/scratch/tmp/a', 'wb+')\nfile.write(b'x' * 4096)\nfile.flush()\n"
        "SHARED = mmap.mmap(file.fileno(), 4096)\nfile.close()", "after loading",
    ),
    "scratch space as its folder": ("import os\nos.chdir('/scratch/tmp')", "changes its current folder"),
    "another fork": (
        "import ctypes\nctypes.PyDLL.__getattr__ = lambda self, name: lambda *_: "
        "ctypes.CDLL.__getattr__(ctypes.CDLL(None), 'syscall')(56, 0x100 | 17, 0, 0, 0, 0)",
        "it has replaced how processes are started",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", LEAVES)
def test_a_player_that_could_tell_its_choices_something_is_refused(tmp_path: Path, what: str) -> None:
    before, said = LEAVES[what]
    with pytest.raises(UnusablePlayer, match=said), asking(tmp_path, "pass", before) as player:
        player.choose()


def test_a_player_starts_no_process_when_it_is_loaded(tmp_path: Path) -> None:
    before = "import os\ntry:\n    os.fork()\nexcept OSError as error:\n    SAID = str(error)"
    with asking(tmp_path, "print(SAID)", before) as player:
        assert "Operation not permitted" in player.choose()


FLOODS = {
    "of answers that are none": "while True: os.write(5, b'Y')",
    "of output": "while True: os.write(1, b'x' * 65536)",
    "of output by threads": (
        "for _ in range(4): threading.Thread(target=lambda: [os.write(1, b'x' * 9999) for _ in iter(int, 1)]).start()\n"
        "time.sleep(9)"
    ),
}


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.slow] * (what != "of output")) for what in FLOODS]
)
def test_a_flood_ends_with_its_choice(tmp_path: Path, what: str) -> None:
    with asking(tmp_path, FLOODS[what], "import os, threading, time", limit=0.5) as player:
        assert [player.choose() for _ in range(2)] == ["timeout"] * 2
        assert (tmp_path / "printed").stat().st_size < 4 << 20


def test_a_player_that_ends_before_it_is_asked_forfeits_and_harms_nobody(tmp_path: Path) -> None:
    before = "import os, signal\nsignal.sigwait = lambda _: os._exit(0)"
    with asking(tmp_path, "pass", before) as player:
        assert [player.choose() for _ in range(3)] == ["raised"] * 3
