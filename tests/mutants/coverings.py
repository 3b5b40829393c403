"""The fast tests that run each line, and their durations: measured by one run, and cached for the same sources."""

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from coverage import CoverageData

from .changes import Mutant
from .chosen import TIMES
from .playing import Copy, NotPlayed

ENOUGH: Final = 10
"""If fewer tests run a line, those of its function are added, and then those of its file.

What is kept for the next caller is only made in the first test that asks for it, and constants are made on import.
What numba compiles is not seen at all: where nobody runs a file, those are asked that run the files beside it.
"""
SECONDS: Final = 90.0
"""The maximum total seconds of the tests tried for a mutant, the fastest first."""
LONGEST_RUN: Final = 3600.0
CONFIGURATION: Final = """\
[run]
source = {rooms}
parallel = true
"""


class Coverings:
    """The tests that run each line."""

    def __init__(self, root: Path, data: Path, times: Path) -> None:
        self._root = root
        self._data = CoverageData(str(data))
        self._data.read()
        self._seconds: dict[str, float] = json.loads(times.read_text("utf-8"))
        self._files = {Path(file).resolve(): file for file in self._data.measured_files()}
        self._lines: dict[str, dict[int, set[str]]] = {}

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests to try for a mutant, the fastest first."""
        lines = self._lines_of(mutant.name.file)
        found: list[str] = []
        for wanted in (mutant.lines, self._function(mutant), lines):
            if len(found) < ENOUGH:
                self._add(found, (test for line in wanted for test in lines.get(line, ())))
        if not found:
            beside = sorted((self._root / mutant.name.file).parent.glob("*.py"))
            others = [self._lines_of(str(file.relative_to(self._root))) for file in beside]
            self._add(found, (test for lines in others for tests in lines.values() for test in tests))
        return list(self._within(found))

    def _add(self, found: list[str], tests: Iterable[str]) -> None:
        more = set(tests).difference(found)
        found += sorted(more, key=lambda test: (self._seconds[test], test))

    def seconds(self, tests: Iterable[str]) -> float:
        """Return how long tests take together; a file that cannot even be imported takes nothing."""
        return sum(self._seconds.get(test, 0.0) for test in tests)

    def _within(self, tests: Iterable[str]) -> Iterator[str]:
        taken = 0.0
        for test in tests:
            taken += self._seconds[test]
            if taken > SECONDS:
                return
            yield test

    def _lines_of(self, file: str) -> dict[int, set[str]]:
        if file not in self._lines:
            said = self._data.contexts_by_lineno(self._files.get((self._root / file).resolve(), file))
            self._lines[file] = {
                line: {test for context in contexts if (test := context.rpartition("|")[0]) in self._seconds}
                for line, contexts in said.items()
            }
        return self._lines[file]

    def _function(self, mutant: Mutant) -> range:
        """Return the lines of the innermost function or class around a mutant."""
        inner = range(0)
        for node in ast.walk(ast.parse((self._root / mutant.name.file).read_bytes())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                assert node.end_lineno is not None
                lines = range(node.lineno, node.end_lineno + 1)
                if mutant.lines.start in lines and (not inner or len(lines) < len(inner)):
                    inner = lines
        return inner


def coverings(copy: Copy, kept_in: Path, rooms: Sequence[str], tests: Sequence[str], workers: int) -> Coverings:
    """Return the map for a copy of the project, from the cache or by a run of the fast tests."""
    place = kept_in / f"map-{_digest(copy.folder, tests)}"
    data, times = place / "coverage", place / "times.json"
    if not times.exists():
        place.mkdir(parents=True, exist_ok=True)
        for left in place.iterdir():
            left.unlink()
        settings = place / "settings.ini"
        settings.write_text(CONFIGURATION.format(rooms=",".join(rooms)), "utf-8")
        print("Running the fast tests once, to learn which of them runs which line …", file=sys.stderr)
        measured = ["--cov", "--cov-context=test", f"--cov-config={settings}", "--cov-report="]
        code = copy.pytest(
            ["-n", str(workers), "-m", "not slow", *measured, *tests],
            LONGEST_RUN,
            **{TIMES: str(place / "unfinished"), "COVERAGE_FILE": str(data)},
        )
        if code not in {0, 1} or not data.exists():
            raise NotPlayed(f"the run of the fast tests ended with {code}; what it printed is in {copy.output}")
        (place / "unfinished").rename(times)
    return Coverings(copy.folder, data, times)


def _digest(folder: Path, tests: Sequence[str]) -> str:
    """Return a hash of all files in a copy that affect the result, and of the tests to run."""
    digest = hashlib.sha256(json.dumps(tests).encode())
    for file in sorted(path for room in ("pokersvc", "tests") for path in (folder / room).rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts and "node_modules" not in file.parts:
            digest.update(str(file.relative_to(folder)).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]
