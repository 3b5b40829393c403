"""Runs a mutant: tests run in a changed copy of the project until one fails."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from tests.checkout import ROOT, check_out

from .changes import Mutant
from .chosen import CHOSEN, FAILED
from .keeping import kept

Verdict = Literal["killed", "timed out", "survived"]

START: Final = 120.0
"""Seconds within which pytest has started on any machine, and numba has compiled the changed code."""
SLOWER: Final = 10.0
"""A test counts as hanging if it takes this many times as long as normally."""
FIRST: Final = 3.0
"""Seconds of tests in the first run; each further run has four times as many."""
NOTHING_RUN: Final = "what is imported before any test"
NO_TESTS: Final = 5
"""pytest's exit code if it found none of the tests."""


class NotPlayed(Exception):
    """Raised if a mutant cannot be judged; the message says why."""


@dataclass(frozen=True)
class Played:
    """How a mutant ended, the test that showed it if one did, and the seconds that it took."""

    verdict: Verdict
    by: str = ""
    seconds: float = 0.0


class Copy:
    """A copy of a project, in which one process at a time runs tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = folder.with_suffix(".txt")
        self._stamp = time.time_ns()

    def play(self, mutant: Mutant, tests: Sequence[str], seconds: Callable[[Iterable[str]], float]) -> Played:
        """Run tests with a mutant in the place of its file, until one fails."""
        begun = time.monotonic()
        file = self.folder / mutant.name.file
        source = file.read_bytes()
        verdict: Verdict = "survived"
        by = ""
        try:
            self._write(file, mutant.made(source))
            for batch in batches(tests, seconds):
                verdict, by = self._run(batch, START + SLOWER * seconds(batch))
                if verdict != "survived":
                    break
        finally:
            self._write(file, source)
        return Played(verdict, by, time.monotonic() - begun)

    def failing(self, tests: Sequence[str], seconds: float) -> list[str]:
        """Return which tests fail without any change."""
        failed = self.folder.with_suffix(".failed")
        failed.unlink(missing_ok=True)
        code = self._chosen(tests, seconds, failed)
        if code is None or code > 2:
            raise NotPlayed(f"tests without a change ended with {code}; what they printed is in {self.output}")
        return sorted(set(_failures(failed)).intersection(tests))

    def pytest(self, arguments: Sequence[str], seconds: float, **environment: str) -> int | None:
        """Run pytest in this copy; None if it took longer."""
        command = [
            sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.mutants.chosen",
            "--hypothesis-seed=0", *arguments,
        ]  # fmt: skip
        surroundings = os.environ | {"PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}", "CI": "true"} | environment
        for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_CURRENT_TEST"):
            surroundings.pop(name, None)
        surroundings = {
            name: value
            for name, value in surroundings.items()
            if not name.startswith(("COVERAGE_PROCESS", "COV_CORE")) and name != "PYTHONDONTWRITEBYTECODE"
        }
        return kept(command, seconds, home=self.folder, environment=surroundings, output=self.output)

    def _run(self, tests: Sequence[str], seconds: float) -> tuple[Verdict, str]:
        failed = self.folder.with_suffix(".failed")
        failed.unlink(missing_ok=True)
        code = self._chosen(tests, seconds, failed, "-x")
        if code == NO_TESTS:
            raise NotPlayed(f"there is no test {tests[0]}")
        if code is None:
            return "timed out", ""
        return ("killed", next(_failures(failed), NOTHING_RUN)) if code else ("survived", "")

    def _chosen(self, tests: Sequence[str], seconds: float, failed: Path, *more: str) -> int | None:
        chosen = self.folder.with_suffix(".chosen")
        chosen.write_text(json.dumps(list(tests)), "utf-8")
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        return self.pytest([*more, *files], seconds, **{CHOSEN: str(chosen), FAILED: str(failed)})

    def _write(self, file: Path, source: bytes) -> None:
        """Write a file with a new modification time, so that old compiled code is not used for it."""
        file.write_bytes(source)
        self._stamp += 2_000_000_000
        os.utime(file, ns=(self._stamp, self._stamp))


def copy_of_project(folder: Path) -> Copy:
    """Return a new copy of the project in its present state."""
    folder.mkdir(parents=True)
    check_out(folder)
    if (modules := ROOT / "tests" / "web" / "node_modules").exists():
        (folder / "tests" / "web" / "node_modules").symlink_to(modules)
    return Copy(folder)


def batches(tests: Sequence[str], seconds: Callable[[Iterable[str]], float]) -> Iterator[list[str]]:
    """Yield tests in runs, each of which takes longer than the one before: most mutants fall in the first."""
    batch: list[str] = []
    most, taken = FIRST, 0.0
    for test in tests:
        batch.append(test)
        taken += seconds([test])
        if taken >= most:
            yield batch
            batch, most, taken = [], most * 4, 0.0
    if batch:
        yield batch


def _failures(file: Path) -> Iterator[str]:
    if file.exists():
        yield from map(json.loads, file.read_text("utf-8").splitlines())
