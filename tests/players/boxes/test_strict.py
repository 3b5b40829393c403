"""A strict box: neither the time of a choice nor anything that its process finds reveals the choice before."""

import os
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pokersvc.players import Programs, UnusablePlayer, Walls
from tests.players.boxes.support import GAME, asking, below, player_file, question, status

pytestmark = pytest.mark.usefixtures("box")


@pytest.mark.slow
def test_a_strict_box_has_every_choice_take_its_whole_limit(tmp_path: Path) -> None:
    """The time of the next question reveals nothing about the previous choice: fast, slow or forfeited."""
    choice = (
        "if (does := random.random()) < 0.3: raise OSError\n"
        "if does > 0.7: time.sleep(0.1)\n"
        "print('slow' if does > 0.7 else 'fast')"
    )
    with asking(tmp_path, choice, "import time", walls=Walls(strict=True), limit=0.3) as player:
        took, done = [], []
        for seed in (5, 1, 0, 8):
            began = time.monotonic()
            done.append(player.choose(Random(seed)))
            took.append(time.monotonic() - began)
    assert done == ["raised", "slow\n", "fast\n", "raised"]
    assert min(took) >= 0.3


@pytest.mark.slow
def test_a_choice_that_is_late_takes_its_limit_once_more(tmp_path: Path) -> None:
    """How late it was reveals nothing either."""
    with asking(tmp_path, "time.sleep(9)", "import time", walls=Walls(strict=True), limit=0.3) as player:
        began = time.monotonic()
        assert player.choose() == "timeout"
        took = time.monotonic() - began
    assert took >= 0.6


def test_nothing_is_left_of_a_choice_when_a_strict_box_answers(tmp_path: Path) -> None:
    """Removing what a choice leaves, such as memory, takes time, which would delay the next choice in the same box."""
    choice = (
        "with open('/choice/this/tmp/a', 'wb+') as file:\n"
        "    os.posix_fallocate(file.fileno(), 0, 60 << 20)\n"
        "    for _ in range(12):\n"
        "        LEFT.append(mmap.mmap(file.fileno(), 60 << 20, flags=mmap.MAP_SHARED | mmap.MAP_POPULATE, prot=1))"
    )
    (tmp_path / "mine.py").write_text(player_file(choice, "import mmap, os\nLEFT = []"))
    others = set(below(os.getpid()))  # of tests before this one in the same process
    with Programs(30, walls=Walls(strict=True)) as programs:
        player = programs.find(GAME, f"{tmp_path}/mine.py:Mine")
        assert player is not None
        asked: Any = player()
        asked.question([(*question(), Random(0))]).ask()  # which does not wait until the limit
        found = [status(pid) for pid in below(os.getpid()) if pid not in others]
    shared = {of.get("RssShmem", "being removed") for of in found if of["NSpid"].endswith("\t100")}
    assert shared <= {"0 kB"}, "only the next choice is there"


@pytest.mark.slow
def test_a_choice_in_a_strict_box_reads_no_libraries(tmp_path: Path) -> None:
    """Cached files are faster to read, so reading could leave a message for another choice."""
    before = (
        "import collections, os, sys, threading\nimport numpy as np\nimport beside\nHOME = os.path.dirname(os.__file__)"
    )
    choice = (
        "def said(does):\n"
        "    try: return does()\n"
        "    except (OSError, ImportError) as error: return type(error).__name__\n"
        "print(said(lambda: open(os.__file__)), said(lambda: __import__('this')), said(lambda: os.listdir(HOME)),\n"
        "      said(lambda: os.listdir('/usr/lib')), said(lambda: len(os.urandom(3))), open(beside.__file__).read(4))\n"
        "assert collections.Counter('aab').most_common(1) == [('a', 2)], 'which imports a module'\n"
        "one = threading.Thread(target=lambda: print(float((np.ones((60, 60)) @ np.ones((60, 60))).sum())))\n"
        "one.start(); one.join(); print(sorted(os.listdir('/')))"
    )
    (tmp_path / "beside.py").write_text("SOME = 1\n")
    with asking(tmp_path, choice, before, walls=Walls(strict=True), limit=1) as player:
        refused, product, places = player.choose().splitlines()
    assert refused in {
        f"FileNotFoundError ModuleNotFoundError {home} [] 3 SOME" for home in ("[]", "FileNotFoundError")
    }
    assert product == "216000.0"
    assert "player" in places


def test_a_player_that_keeps_a_file_that_is_gone_is_refused_in_a_strict_box(tmp_path: Path) -> None:
    before = (
        "import ctypes, os\nwith open('/choice/this/tmp/gone', 'wb+') as file:\n"
        "    file.write(b'x' * 4096); file.flush(); os.unlink(file.name)\n"
        "    ctypes.CDLL(None).mmap(None, 4096, 1, 2, file.fileno(), 0)"
    )
    with (
        pytest.raises(UnusablePlayer, match="it keeps a file mapped after loading"),
        asking(tmp_path, "pass", before, walls=Walls(strict=True)),
    ):
        pass
