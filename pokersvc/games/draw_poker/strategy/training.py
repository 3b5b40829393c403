"""Makes strategies, in one process or several, in steps that are saved, so that the work can be interrupted.

Each spot is solved by one process at a time, with one thread for its matrices. So any number of processes gives the
same strategy, however often they were interrupted; other versions of NumPy, or another machine, may round differently.
"""

import multiprocessing
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple
from zipfile import BadZipFile

import numpy as np

from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.strategy.best_response import Worth, worth
from pokersvc.games.draw_poker.strategy.coarse_rounding import coarsened
from pokersvc.games.draw_poker.strategy.groups import Floats, groups
from pokersvc.games.draw_poker.strategy.off_path import mended
from pokersvc.games.draw_poker.strategy.packed_strategy import rounded
from pokersvc.games.draw_poker.strategy.solver import Solver
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy_file import ENDING, written
from pokersvc.games.draw_poker.strategy.tree import EDITIONS, LATEST, betting_tree
from pokersvc.plots.charts import Curve, Curves, Point
from pokersvc.system.files import naming
from pokersvc.system.workers import workers

STEPS: Final = (10, 20, 50, 100)
"""The first iterations after which a strategy is measured and kept; later, this happens after every 100th."""
_PART: Final = ".part"
_ONE_THREAD: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class Measured(NamedTuple):
    """A strategy after some iterations."""

    iterations: int
    seconds: float
    """The time that these iterations took, without the time for measuring."""
    worth: Worth


class Trained(NamedTuple):
    """A spot, and the progress of its strategy."""

    spot: Spot
    measured: tuple[Measured, ...]
    """What was measured so far, the first step first; see `STEPS`."""
    written: Worth | None
    """The worth of the strategy in the finished file; None before the last iteration."""


def train(
    spots: Sequence[Spot], folder: Path, iterations: int, processes: int, edition: int = LATEST
) -> Generator[Trained]:
    """Make the strategies of spots as files in a folder; yield each finished step of each spot.

    The trees have the bet sizes of the edition, one of `EDITIONS`; the house alone fixes those of a fixed limit. An
    earlier run that was kept in the folder is continued.
    """
    left = list(dict.fromkeys(spots))
    with _one_thread(), workers(min(processes, len(left)), multiprocessing.get_context("spawn")) as pool:
        under_way: set[Future[Trained]] = set()
        step = partial(_step, folder=folder, iterations=iterations, edition=edition)
        while left or under_way:
            while left and len(under_way) < processes:
                under_way.add(pool.submit(step, left.pop(0)))
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for trained in sorted(future.result() for future in done):
                if trained.written is None:
                    left.insert(0, trained.spot)
                yield trained


def file_of(spot: Spot, folder: Path) -> Path:
    """Return the file of a spot's strategy in a folder."""
    return folder / (spot.name + ENDING)


def chart(trained: Sequence[Trained]) -> Curves:
    """Return a chart of exploitability against time, on a logarithmic scale, with a curve for each spot."""
    curves = [
        Curve(
            one.spot.name,
            [Point(at.seconds, float(np.log10(max(at.worth.exploitability, 1e-6))), None) for at in one.measured],
        )
        for one in trained
    ]
    return Curves("How far from perfect", "seconds", "log10 of mbb/hand", curves)


def _step(spot: Spot, folder: Path, iterations: int, edition: int) -> Trained:
    """Do the next step of a spot, and save it; after the last iteration, write the final file."""
    cards, solver = groups(), Solver(spot, groups(), betting_tree(spot, EDITIONS[edition]))
    kept = file_of(spot, folder).with_suffix(_PART)
    measured = _restored(solver, kept)
    until = min(
        iterations, next((step for step in STEPS if step > solver.iterations), solver.iterations // 100 * 100 + 100)
    )
    began = perf_counter() - (measured[-1].seconds if measured else 0)
    while solver.iterations < until:
        solver.iterate()
    mean = solver.mean()
    measured = (*measured, Measured(solver.iterations, perf_counter() - began, worth(mean, cards)))
    if solver.iterations < iterations:
        _keep(solver, measured, kept)
        return Trained(spot, measured, None)
    final = rounded(coarsened(mended(rounded(mean, cards.hands), cards), cards), cards.hands)
    found = worth(final, cards)
    content = written(final, cards.keys, solver.iterations, found, edition)
    _replace(file_of(spot, folder), lambda path: path.write_bytes(content))
    kept.unlink(missing_ok=True)
    return Trained(spot, measured, found)


def _keep(solver: Solver, measured: Sequence[Measured], path: Path) -> None:
    table = np.array([(one.iterations, one.seconds, *one.worth) for one in measured])
    _replace(path, lambda new: _save(new, table, solver))


def _save(path: Path, table: Floats, solver: Solver) -> None:
    with path.open("wb") as file:
        np.savez(file, table, *solver.state())


def _restored(solver: Solver, path: Path) -> tuple[Measured, ...]:
    """Continue from what was saved in a file, if there is one; return the measurements so far."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            table, *state = [kept[name] for name in kept.files]
            measured = tuple([Measured(int(row[0]), row[1], Worth(*row[2:])) for row in table.tolist()])
            solver.restore(measured[-1].iterations, state)
    except FileNotFoundError:
        return ()
    except (OSError, EOFError, ValueError, IndexError, TypeError, BadZipFile) as error:
        raise InvalidValue(f"{path} is no unfinished strategy of this version; delete it to begin again.") from error
    return measured


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Replace a file by another, completely or not at all."""
    with naming(path):
        new = path.with_suffix(".new")
        write(new)
        new.replace(path)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit processes started in the block to one thread for matrices: more threads would change the order of sums."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
