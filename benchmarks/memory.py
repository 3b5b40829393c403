"""Memory while a game is replayed from SQLite: it must not grow with the log.

Each log is replayed in its own process; the table shows the peak of the process's resident memory.
"""

import resource
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from benchmarks.long_game import store
from benchmarks.table import markdown
from pokersvc.core.event import AUDITOR
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service

FLAT: Final = 1.1
"""The largest allowed ratio to the peak of the shortest log: processes differ by this much anyway."""


class _Replayed(NamedTuple):
    seconds: float
    peak: int
    """Resident memory in bytes."""


def _replay(file: str, count: int) -> _Replayed:
    start = perf_counter()
    with Database.for_reading(file) as database:
        replayed = sum(1 for _ in Service(EventLog(database)).with_secrets.replay("game", AUDITOR, force=True))
    assert replayed == count
    return _Replayed(perf_counter() - start, _peak())


def _peak() -> int:
    """Return the peak of this process's resident memory, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, ru_maxrss starts at the peak of the parent process
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def run(*, quick: bool = False) -> str:
    """Write the logs, replay each, and return the table of peaks."""
    counts = (1_000, 10_000, 50_000) if quick else (10_000, 100_000, 1_000_000)
    rows = []
    first = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool,
    ):
        for count in counts:
            file = str(Path(folder, f"{count}.sqlite"))
            with Database.for_writing(file) as database:
                store(EventLog(database), "game", count)
            replayed = pool.submit(_replay, file, count).result()
            first = first or replayed.peak
            growth = replayed.peak / first
            rows.append(
                (
                    f"{count:,}",
                    f"{replayed.peak / 2**20:.1f}",
                    f"{growth:.2f} × (required: at most {FLAT:g} ×{'' if growth <= FLAT else ', missed'})",
                    f"{replayed.seconds / count * 1e6:.1f}",
                )
            )
    return markdown(
        "Memory while replaying from SQLite",
        ("events", "peak, MiB", "of the shortest log's", "µs per event"),
        rows,
        "The peak is that of the whole process, Python and libraries included.",
    )
