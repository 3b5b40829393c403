"""Play a sample of mutants against the fast tests that run their lines: ``python -m tests.mutants --seed 2``."""

import argparse
import random
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from tests.checkout import ROOT

from .changes import Mutant, Name
from .coverings import Coverings, coverings
from .lists import Gone, Killed, equivalents, store
from .playing import NOTHING_RUN, Copy, NotPlayed, Played, copy_of_project
from .sampling import ROOMS, Results, sample

BUILD = ROOT / "build" / "mutants"
LONGEST_STORED = 15.0
"""Seconds; mutants that take longer to be killed are left out of the fixed list."""


def main(arguments: Sequence[str]) -> int:
    """Draw the sample, run it, and print the results."""
    asked = _asked(arguments)
    begun = time.monotonic()
    copies = _copies(asked.workers)
    known = equivalents()
    drawn = sample(copies[0].folder, asked.rooms, asked.seed, asked.count)
    map_of_tests = coverings(copies[0], BUILD, ROOMS, asked.tests, asked.workers)
    playing = [mutant for mutant in drawn if mutant.name not in known]
    results = Results(drawn, _played(playing, copies, map_of_tests, begun + 60 * asked.minutes), known)
    faults = results.faults() + _unsound(results, copies[0], map_of_tests)
    print(results.table())
    for name in results.survivors:
        print(f"survived: {name}")
    print(f"seed {asked.seed}, {(time.monotonic() - begun) / 60:.0f} minutes")
    for fault in faults:
        print(fault, file=sys.stderr)
    if asked.store:
        _store(results, asked.store, asked.seed)
    return 1 if faults else 0


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make mutants ARGS=...", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--count", type=int, default=300, help="mutants in the sample (300)")
    parser.add_argument("--minutes", type=float, default=60, help="after which no further mutant is played (60)")
    parser.add_argument("--workers", type=int, default=2, help="mutants played at a time (2)")
    parser.add_argument("--rooms", nargs="+", default=ROOMS, help="folders or files whose mutants are drawn")
    parser.add_argument("--tests", nargs="+", default=[], help="folders or files of tests to play against (all)")
    parser.add_argument("--store", type=int, default=0, metavar="N", help="keep N of the killed as the fixed list")
    return parser.parse_args(arguments)


def _copies(count: int) -> list[Copy]:
    """Return fresh copies of the project."""
    copies = BUILD / "copies"
    shutil.rmtree(copies, ignore_errors=True)
    return [copy_of_project(copies / str(number)) for number in range(1, count + 1)]


def _played(drawn: Sequence[Mutant], copies: Sequence[Copy], known: Coverings, end: float) -> dict[Name, Played]:
    """Play mutants in the order of the sample, one in each copy at a time."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)
    tests = [known.tests(mutant) for mutant in drawn]  # the map's database is read by one thread

    def play(mutant: Mutant, tests: Sequence[str]) -> Played | None:
        if time.monotonic() > end:
            return None
        copy = free.get()
        try:
            return copy.play(mutant, tests, known.seconds)
        finally:
            free.put(copy)

    found: dict[Name, Played] = {}
    with ThreadPoolExecutor(len(copies)) as workers:
        for number, (mutant, played) in enumerate(zip(drawn, workers.map(play, drawn, tests), strict=True), 1):
            if played is not None:
                found[mutant.name] = played
                by = f" by {played.by}" if played.by else ""
                line = f"{number}/{len(drawn)} {played.verdict}{by} in {played.seconds:.0f} s: {mutant.name}"
                print(line, file=sys.stderr)
    return found


def _unsound(results: Results, copy: Copy, known: Coverings) -> list[str]:
    """Return the tests that killed a mutant, but also fail without any mutant."""
    killers = sorted({played.by for played in results.played.values()} - {"", NOTHING_RUN})
    if not killers:
        return []
    failing = copy.failing(killers, 600 + 10 * known.seconds(killers))
    return [f"{test} fails without a mutant, too: what it killed was not judged." for test in failing]


def _store(results: Results, count: int, seed: int) -> None:
    """Keep some of the mutants that a test killed in a short time."""
    killed = [
        Killed(mutant, played.by)
        for mutant in results.drawn
        if (played := results.played.get(mutant.name))
        and played.by not in {"", NOTHING_RUN}
        and played.seconds <= LONGEST_STORED
    ]
    store(random.Random(seed).sample(killed, min(count, len(killed))))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Gone, NotPlayed) as error:
        sys.exit(str(error))
