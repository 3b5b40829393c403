"""Read many files that the grammar makes: ``python -m tests.fuzz 1000000 [--seed N] [--processes N] [--only NUMBER]``.

It prints what went wrong with each file that a reader does not survive, and how to make that file again.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from traceback import format_exc
from typing import NamedTuple

from .files import made, read

SOON = 5.0  # seconds, for one file, on a machine that does other things as well
BATCH = 1_000


class Failed(NamedTuple):
    number: int
    kind: str
    said: str


def fuzz(seed: int, first: int, count: int) -> tuple[Counter[str], list[Failed]]:
    """Create and read files; return the number of each kind, and the failures."""
    tally: Counter[str] = Counter()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, first + count):
            kind, content = made(seed, number, Path(folder))
            tally[kind] += 1
            started = time.monotonic()
            try:
                read(kind, content, Path(folder))
            except Exception:
                failed.append(Failed(number, kind, format_exc()))
            if (took := time.monotonic() - started) > SOON:
                failed.append(Failed(number, kind, f"It took {took:.1f} s."))
    return tally, failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", type=int, help="make this one file, and print it")
    asked = parser.parse_args()
    if asked.only is not None:
        with tempfile.TemporaryDirectory() as folder:
            kind, content = made(asked.seed, asked.only, Path(folder))
            sys.stdout.buffer.write(content)
            sys.stdout.flush()
            read(kind, content, Path(folder))
        return 0
    tally: Counter[str] = Counter()
    count = 0
    firsts = range(0, asked.count, BATCH)
    with ProcessPoolExecutor(asked.processes) as pool:
        sizes = [min(BATCH, asked.count - first) for first in firsts]
        for counted, failed in pool.map(fuzz, [asked.seed] * len(firsts), firsts, sizes):
            tally += counted
            count += len(failed)
            for one in failed:
                print(
                    f"File {one.number} ({one.kind}), again with --seed {asked.seed} --only {one.number}:\n{one.said}"
                )
    print(f"{tally.total():,} files: {', '.join(f'{number:,} {kind}' for kind, number in sorted(tally.items()))}")
    print(f"{count:,} of them went wrong.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
