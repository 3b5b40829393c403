"""Ctrl-C while processes start: one sentence, no traceback, and no process left behind."""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.program import COMMAND, Program
from tests.forks import TIMEOUT

AUDIT = ("audit", "--processes", "3")
TOURNAMENT = (
    "tournament", "--player", "A=random", "--player", "B=random", "--deals", "5000", "--processes", "3",
)  # fmt: skip
SLOW = [pytest.param(n / 20, marks=[pytest.mark.slow, *([pytest.mark.exhaustive] if n % 3 else [])]) for n in range(8)]
"""Seconds after which Ctrl-C is pressed."""

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux to see a program's processes")


def started_by(pid: int) -> list[str]:
    with suppress(OSError):
        return [
            child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
        ]
    return []


def interrupted(program: Program, arguments: tuple[object, ...], after: float) -> tuple[int, str]:
    """Run the program, press Ctrl-C some seconds after its first child process appeared, and return how it ended."""
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments)], cwd=program.home, env=program.environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    ) as child:  # fmt: skip
        deadline = time.monotonic() + TIMEOUT
        while not started_by(child.pid):
            assert child.poll() is None, "it starts processes"
            assert time.monotonic() < deadline
            time.sleep(0.001)
        time.sleep(after)
        os.killpg(child.pid, signal.SIGINT)  # as a terminal sends it: to all of them
        _, err = child.communicate(timeout=TIMEOUT)
        deadline = time.monotonic() + TIMEOUT
        with suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.killpg(child.pid, 0)
                time.sleep(0.01)
            pytest.fail("a process has stayed")
    return child.returncode, err.decode()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program in a home with more games than are audited before the Ctrl-C."""
    program = Program(tmp_path_factory.mktemp("many"))
    program.run(*TOURNAMENT[:5], "--deals", "40", "--store", "--processes", "1", "--results", "stored")
    return program


@pytest.mark.parametrize("after", [0.1, *(after for after in SLOW if after.values != (0.1,))])
def test_ctrl_c_while_processes_of_a_tournament_start_is_one_sentence(program: Program, after: float) -> None:
    is_one_sentence(*interrupted(program, TOURNAMENT, after))


@pytest.mark.parametrize("after", SLOW)
def test_ctrl_c_while_processes_of_an_audit_start_is_one_sentence(many: Program, after: float) -> None:
    is_one_sentence(*interrupted(many, AUDIT, after))


def is_one_sentence(code: int, said: str) -> None:
    assert code == 130, said
    assert said.startswith("pokersvc: Interrupted; ")
    assert said.count("\n") == 1, said
