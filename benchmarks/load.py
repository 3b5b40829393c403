"""A table of ten boxes, nine with players that take all they can get: what that costs, and whom."""

import ctypes
import json
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from benchmarks.table import markdown
from pokersvc.core.bots.seating import Seating
from pokersvc.core.seats import Seat
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import ChoiceForfeited, Programs
from pokersvc.players.process import LOG
from pokersvc.tournament import plan
from pokersvc.tournament.play import play
from tests.players.boxes import hogs

REQUIRED: Final = 1.1
"""The most time of a table beyond what is booked to such players, in multiples of the table's time without them."""
HONEST: Final = "Computes"
QUICK: Final = tuple(f"AtOnce{number}" for number in range(len(hogs.HOGS)))
"""Honest players that answer at once, one for each of the others; each has its own box."""
LOG_OF_A_TABLE: Final = "printed"
_ADOPT: Final = 36


def written(folder: Path, limit: float) -> Path:
    """Write the players' files, and return the folder; the honest player computes for a tenth of its limit if alone."""
    source = Path(hogs.__file__).read_text()
    assert "WORK: int = 1 " in source
    (folder / "hogs.py").write_text(source.replace("WORK: int = 1 ", f"WORK: int = {_work(limit / 10)} "))
    for name, text in hogs.AT_LOAD.items():
        (folder / f"{name}.py").write_text(text)
    for name in QUICK:
        (folder / f"{name}.py").write_text(f"from hogs import AtOnce as {name}\n")
    return folder


def _work(seconds: float) -> int:
    """Return how often a player can compute in this processor time."""
    once, found = 200_000, b""
    began = time.process_time()
    for _ in range(once):
        found = sha256(found).digest()
    return int(once * seconds / (time.process_time() - began))


class Chosen(NamedTuple):
    """A choice of a custom player."""

    name: str
    seconds: float
    code: str | None
    """The reason why it was forfeited, if it was."""


class Table(NamedTuple):
    """Games that the same players played one after the other."""

    games: list[str]
    """The events of each game, as they are stored."""
    choices: list[Chosen]
    loading: float
    seconds: float
    most_memory: int
    """Bytes of memory that all boxes together had after the last choice."""
    left: list[int]
    """Processes that still ran after the end."""


class Watched(Programs):
    """Programs whose choices are timed."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.choices: list[Chosen] = []

    def find(self, game: Seating, kind: str, *, load: bool = True) -> Callable[[], Any] | None:
        found = super().find(game, kind, load=load)
        return found if found is None or ":" not in kind else lambda: _Timed(found(), kind, self.choices)


class _Timed:
    def __init__(self, player: Any, kind: str, choices: list[Chosen]) -> None:
        self._player, self._name, self._choices = player, kind.rpartition(":")[2], choices

    def choose(self, view: Any, legal: Any, random: Random) -> Any:
        began, code = time.perf_counter(), None
        try:
            return self._player.choose(view, legal, random)
        except ChoiceForfeited as forfeited:
            code = forfeited.code
            raise
        finally:
            self._choices.append(Chosen(self._name, time.perf_counter() - began, code))


def table(folder: Path, names: Sequence[str], limit: float, games: int, rounds: int) -> Table:
    """Play games at a table of these players, in this order, and end their boxes."""
    ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)  # this process adopts what a box leaves behind
    os.environ[LOG] = str(folder / LOG_OF_A_TABLE)
    seats = tuple(Seat(_kind(folder, name), f"{name} {at}") for at, name in enumerate(names, 1))
    rules = {"rules": "no-limit"}
    planned = plan(DRAW_POKER, rules, seats, games, orders=1, rounds=rounds, seed="1", limit=limit)
    with Watched(limit) as programs:
        began = time.perf_counter()
        programs.check(DRAW_POKER, seats)
        loaded = time.perf_counter()
        events = [play(planned, index, programs)[1] for index in range(planned.games)]
        seconds = time.perf_counter() - loaded
        memory = sum(map(_resident, below(os.getpid())))
    stored = [json.dumps([DRAW_POKER.codec.encode(event) for event in game]) for game in events]
    return Table(stored, programs.choices, loaded - began, seconds, memory, _left())


def _kind(folder: Path, name: str) -> str:
    if (own := folder / f"{name}.py").exists():
        return f"{own}:{name}"
    return f"{folder}/hogs.py:{name}" if hasattr(hogs, name) else name


def until(done: Path, folder: Path, names: Sequence[str], limit: float, games: int, rounds: int) -> list[Table]:
    """Play the same games again and again, until a file exists."""
    found = []
    while not done.exists():
        found.append(table(folder, names, limit, games, rounds))
    return found


def apart() -> ProcessPoolExecutor:
    """Return an executor whose processes play at one table each."""
    return ProcessPoolExecutor(2, mp_context=get_context("spawn"), max_tasks_per_child=1)


def below(pid: int) -> list[int]:
    """Return all descendants of a process."""
    found = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found += [child, *below(child)]
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        pass
    return found


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):  # it has ended, before or after the file was opened
        return 0


def _left() -> list[int]:
    """Return the processes that still run after those that are ending have had time to."""
    deadline = time.monotonic() + 10
    while (left := below(os.getpid())) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def booked(choices: Sequence[Chosen], limit: float) -> float:
    """Return the seconds that are booked to these choices' players; a choice that was too late costs its limit."""
    return sum(limit if one.code == "timeout" else min(one.seconds, limit) for one in choices)


def run(*, quick: bool = False) -> str:
    """Play the same deals with quick players, and with greedy ones in their place; return a table of medians."""
    repetitions, limit, rounds = (1, 0.5, 2) if quick else (5, 1.0, 4)
    found: list[tuple[float, ...]] = []
    with TemporaryDirectory() as name:
        folder = written(Path(name), limit)
        for _ in range(repetitions):
            with apart() as processes:
                without, taken = (
                    processes.submit(table, folder, (HONEST, *others), limit, 1, rounds).result()
                    for others in (QUICK, hogs.HOGS)
                )
            theirs = [one for one in taken.choices if one.name != HONEST]
            cost = booked(theirs, limit)
            found.append((
                without.seconds, taken.seconds, cost, (taken.seconds - cost) / without.seconds,
                max(one.seconds for one in theirs) / limit,
                max(one.seconds for one in taken.choices if one.name == HONEST) / limit,
            ))  # fmt: skip
    middle = [median(one[column] for one in found) for column in range(4)]
    latest, honest = (max(one[column] for one in found) for column in (4, 5))
    return markdown(
        f"A table of ten boxes, nine of them of players that take all they can get, {rounds} rounds",
        ("players beside an honest one", "seconds", "booked to them", "the rest", "ratio"),
        [
            ("nine that answer at once", f"{middle[0]:.2f}", "0", f"{middle[0]:.2f}", "1"),
            (
                "nine that take all they can get",
                f"{middle[1]:.2f}",
                f"{middle[2]:.2f}",
                f"{middle[1] - middle[2]:.2f}",
                f"{middle[3]:.2f} × (required: at most {REQUIRED} ×)",
            ),
        ],
        f"Medians of {repetitions} repetitions, both in turn. Booked are {limit:g} s, the limit, for each choice that"
        " was too late, and what each other choice of theirs took. The latest of theirs was ended after"
        f" {latest:.2f} × the limit. The honest player computes for 0.1 × the limit; it took at most {honest:.2f} ×.",
    )
