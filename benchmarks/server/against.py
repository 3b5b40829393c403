"""Another checkout under the same load, in turn with this one: ``python -m benchmarks.server.against FOLDER``.

On a machine with other work, figures from two moments cannot be compared; those of many short turns can.
"""

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.server.load import Pace, closed_loop
from benchmarks.server.run import HERE
from benchmarks.server.running import free_port, raise_limit, started
from benchmarks.table import markdown

ROUNDS: Final = 3
SECONDS: Final = 4.0
CLIENTS: Final = 32


def main(other: Path) -> str:
    """Measure both checkouts in turn, several times, and return the medians as Markdown."""
    raise_limit()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "slow_fsync.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", library, HERE / "slow_fsync.c", "-ldl"], check=True)
        for name, preload in (("SQLite", None), ("SQLite, every sync 10 ms slower", library)):
            paces: dict[Path, list[Pace]] = {other: [], Path.cwd(): []}
            for _ in range(ROUNDS):
                for checkout, measured in paces.items():
                    measured.append(_measured(checkout, preload))
            for label, measured in zip(("before", "now"), paces.values(), strict=True):
                a_second, busy = median(one.a_second for one in measured), median(one.busy[0] for one in measured)
                rows.append((f"{name}, {label}", f"{a_second:,.0f}", f"{busy * 1e3:.2f} ms"))
    title = f"Commands over HTTP, {CLIENTS} at a time, by two versions in turn"
    return markdown(title, ("where", "commands a second", "processor time of a command"), rows)


def _measured(checkout: Path, preload: Path | None) -> Pace:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.server.serve", f"{folder}/games.sqlite", port]
        environment = {} if preload is None else {"LD_PRELOAD": str(preload)}
        with started(command, port, environment, folder=checkout) as server:
            return asyncio.run(closed_loop([port], CLIENTS, SECONDS, lambda: (server.busy,)))


if __name__ == "__main__":
    print(main(Path(sys.argv[1]).resolve()))
