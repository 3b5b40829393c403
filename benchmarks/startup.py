"""How long the program takes to answer, next to importing the libraries that it cannot do without."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.table import markdown

REPETITIONS: Final = 21
MOST: Final = 1.3
"""What lists and histories are to take at most, in times of the imports."""
IMPORTS: Final = ("-c", "import sqlalchemy, typer, pydantic")


def run(*, quick: bool) -> str:
    """Return the table: medians of wall-clock times, all of them in turn."""
    with tempfile.TemporaryDirectory() as folder:
        program = ("-m", "pokersvc", "--db", str(Path(folder) / "games.sqlite"))
        _seconds(*program, "play", "--auto", "--rounds", "20", "--seed", "startup")
        sides = {
            "`import sqlalchemy, typer, pydantic`": IMPORTS,
            "`pokersvc --help`": (*program, "--help"),
            "`pokersvc games`": (*program, "games"),
            "`pokersvc history last`": (*program, "history", "last"),
        }
        found: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(5 if quick else REPETITIONS):
            for name, arguments in sides.items():
                found[name].append(_seconds(*arguments))
    middle = {name: median(seconds) for name, seconds in found.items()}
    imports, *commands = middle.items()
    rows = [(imports[0], f"{1000 * imports[1]:.0f}", "1")]
    for name, seconds in commands:
        ratio = seconds / imports[1]
        missed = ", missed" if ratio > MOST else ""
        rows.append((name, f"{1000 * seconds:.0f}", f"{ratio:.3g} × (at most {MOST} ×{missed})"))
    return markdown("Starting the program", ("command", "ms", "ratio"), rows)


def _seconds(*arguments: str) -> float:
    """Return how long Python takes with these arguments, its start included."""
    before = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - before
