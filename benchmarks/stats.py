"""Statistics of a database of many hands: counted once, and then asked."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.many_hands import HERO, store
from benchmarks.table import markdown
from pokersvc.eventlog.database import Database
from pokersvc.service.tallies import tallies, tally

HANDS: Final = 1_000_000
REQUIRED: Final = 2.0
"""Seconds that ``stats`` may take over that many hands."""
ASKED: Final[tuple[tuple[str, ...], ...]] = (
    ("stats", HERO),
    ("stats", HERO, "--by", "position"),
    ("stats", HERO, "--by", "day"),
    ("stats", HERO, "--by", "opponent"),
    ("stats",),
    ("games",),
)


def _took(path: Path, command: Sequence[str], repetitions: int) -> float:
    """Return how long a command takes, Python's own start included: the median of so many runs."""
    times = []
    for _ in range(repetitions):
        start = perf_counter()
        subprocess.run(
            [sys.executable, "-m", "pokersvc", "--db", str(path), *command], check=True, stdout=subprocess.DEVNULL
        )
        times.append(perf_counter() - start)
    return median(times)


def run(*, quick: bool = False, hands: int = HANDS) -> str:
    """Make the database, count its hands, and return the table of what each question takes."""
    repetitions, hands = (1, 2_000) if quick else (5, hands)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hands.sqlite")
        with Database.for_writing(str(path)) as database:
            store(database, hands)
            start = perf_counter()
            tally(database)
            counting = perf_counter() - start
            with database.read() as connection:
                rows = len(connection.execute(tallies.select().with_only_columns(tallies.c.exponent)).all())
        size = path.stat().st_size
        table = [("hands put into the tallies", f"{counting:,.1f}")]
        for command in ASKED:
            took = _took(path, command, repetitions)
            required = f" (required: {REQUIRED:g}{'' if took <= REQUIRED else ', missed'})"
            table.append((f"`{' '.join(command)}`", f"{took:.2f}{required if command[0] == 'stats' else ''}"))
    return markdown(
        f"Statistics of {hands:,} hands of 6 players, in SQLite",
        ("what", "seconds"),
        table,
        f"Medians of {repetitions} runs, each a process of its own. The file has {size / 1e9:.1f} GB, and the tallies"
        f" {rows:,} rows.",
    )
