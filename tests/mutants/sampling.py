"""A sample of mutants, and its results."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .changes import Mutant, Name, mutants
from .lists import Equivalent
from .playing import Played

ROOMS: Final = tuple(
    f"pokersvc/{room}"
    for room in ("betting", "core", "eventlog", "evidence", "games", "histories", "service", "streets")
)
LEAST_KILLED: Final = 0.95
"""The minimum share of mutants killed, not counting equivalent ones."""
MOST_EQUIVALENT: Final = 0.1


def sample(root: Path, rooms: Iterable[str], seed: int, count: int) -> list[Mutant]:
    """Return a random sample of the mutants in some folders, always the same for a seed."""
    sources = {
        str(path.relative_to(root)): path.read_bytes()
        for room in rooms
        for path in ([root / room] if (root / room).is_file() else sorted((root / room).rglob("*.py")))
    }
    all_of_them = [mutant for file, source in sources.items() for mutant in mutants(file, source)]
    random.Random(seed).shuffle(all_of_them)
    drawn: list[Mutant] = []
    for mutant in all_of_them:
        if len(drawn) < count and mutant.differs(sources[mutant.name.file]):
            drawn.append(mutant)
    return drawn


@dataclass(frozen=True)
class Results:
    """The results of the mutants in a sample; mutants that were not run are missing."""

    drawn: Sequence[Mutant]
    played: Mapping[Name, Played]
    equivalent: Mapping[Name, Equivalent]

    @property
    def survivors(self) -> list[Name]:
        """Mutants that no test killed."""
        return [name for name, played in self.played.items() if played.verdict == "survived"]

    @property
    def missing(self) -> int:
        """The number of mutants that were not run."""
        return len(self.drawn) - len(self.played) - len(self.equivalents)

    @property
    def equivalents(self) -> list[Name]:
        """Equivalent mutants of the sample, which behave like the original code."""
        return [mutant.name for mutant in self.drawn if mutant.name in self.equivalent]

    def faults(self) -> list[str]:
        """Return why the sample does not pass."""
        found = []
        killed = len(self.played) - len(self.survivors)
        if killed < LEAST_KILLED * len(self.played):
            found.append(f"{killed} of {len(self.played)} mutants were killed, which is less than {LEAST_KILLED:.0%}.")
        if len(self.equivalents) > MOST_EQUIVALENT * len(self.drawn):
            most = f"more than {MOST_EQUIVALENT:.0%}"
            found.append(f"{len(self.equivalents)} of {len(self.drawn)} mutants are called equivalent, {most}.")
        if self.missing:
            found.append(f"{self.missing} of {len(self.drawn)} mutants were not played in time.")
        return found

    def table(self) -> str:
        """Return how many of each room ended how."""
        columns = ("killed", "timed out", "survived", "equivalent")
        ended: Counter[tuple[str, str]] = Counter()
        for mutant in self.drawn:
            name = mutant.name
            verdict = "equivalent" if name in self.equivalent else ""
            if played := self.played.get(name):
                verdict = played.verdict
            ended[name.file.split("/")[1], verdict] += 1
        rooms = sorted({room for room, _ in ended})
        lines = [f"{'':12}" + "".join(f"{column:>12}" for column in columns)]
        lines += [f"{room:12}" + "".join(f"{ended[room, column]:12}" for column in columns) for room in rooms]
        totals = (sum(ended[room, column] for room in rooms) for column in columns)
        return "\n".join([*lines, f"{'all':12}" + "".join(f"{total:12}" for total in totals)])
