"""A command is ended with everything that it started."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from .keeping import ROOT, TIMED_OUT, kept

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
LEAVES_CHILD = """
import os, sys, time
if not os.fork():
    os.setsid()
    if not os.fork():
        os.setsid()
        with open("pid.new", "w") as file:
            file.write(str(os.getpid()))
        os.rename("pid.new", "pid")
        time.sleep(3600)
    os._exit(0)
while not os.path.exists("pid"):
    time.sleep(0.01)
print("started", flush=True)
time.sleep(float(sys.argv[1]))
sys.exit(3)
"""
"""A script that starts an orphaned process in another session, sleeps, and fails."""


def run(folder: Path, command: Sequence[str], seconds: float) -> int | None:
    """Run a command in a folder under `tests.mutants.keeping`."""
    return kept(command, seconds, home=folder, environment=os.environ, output=folder / "printed")


def is_gone(folder: Path) -> bool:
    """Return whether the orphaned process has ended and was reaped."""
    try:
        os.kill(int((folder / "pid").read_text()), 0)
    except ProcessLookupError:
        return True
    return False


def test_the_exit_code_comes_back(tmp_path: Path) -> None:
    assert run(tmp_path, [sys.executable, "-c", "print('said'); exit(3)"], 600) == 3
    assert (tmp_path / "printed").read_text() == "said\n"


def test_a_command_that_takes_too_long_has_no_exit_code(tmp_path: Path) -> None:
    assert run(tmp_path, [sys.executable, "-c", "import time; time.sleep(3600)"], 0.01) is None


@LINUX
def test_a_command_cannot_take_all_memory(tmp_path: Path) -> None:
    assert run(tmp_path, [sys.executable, "-c", "bytearray(5 << 30)"], 600) == 1
    assert (tmp_path / "printed").read_text().endswith("MemoryError\n")


@LINUX
def test_nothing_is_left_of_a_command_that_ends(tmp_path: Path) -> None:
    assert run(tmp_path, [sys.executable, "-c", LEAVES_CHILD, "0"], 600) == 3
    assert is_gone(tmp_path)


@LINUX
def test_nothing_is_left_of_a_command_that_hangs(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.mutants.keeping", "600", str(tmp_path)]
    command += [sys.executable, "-c", LEAVES_CHILD, "3600"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as keeper:
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == b"started\n"
        keeper.terminate()  # as at the end of its time
        assert keeper.wait() == TIMED_OUT
    assert is_gone(tmp_path)
