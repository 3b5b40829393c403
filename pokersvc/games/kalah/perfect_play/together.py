"""Solves a board with several threads: one thread per first move, all with one table of searched positions."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Final

from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import CompiledEngine
from pokersvc.games.kalah.kernels import ENDLESS
from pokersvc.games.kalah.search import Move, bound, moves, narrow
from pokersvc.games.kalah.solver import Progress, Solution, Tell, guesses_of

SECONDS_BETWEEN: Final = 0.2
"""Seconds between two reports of progress."""


class _Stopped(Exception):
    """Raised in a thread when the search is to end."""


class _FirstMoves:
    """The possible first moves on a board; threads narrow down the value of each."""

    def __init__(self, candidates: Sequence[Move], in_play: int, guesses: dict[int, int]) -> None:
        self._left = sorted(candidates, key=lambda move: guesses[move.hole])
        self._in_play, self._guesses = in_play, guesses
        self._lock = Lock()
        self.bounds = {move.hole: (-in_play, in_play) for move in candidates}
        """The least and the greatest value that each hole may still have."""
        self.stopped = False
        self.failed: list[Exception] = []

    def search(self, engine: CompiledEngine) -> None:
        """Find the values of moves, the best guess first, until threads have taken all moves."""
        try:
            while (move := self._next()) is not None:
                self._narrow(engine, move)
        except _Stopped:
            pass
        except Exception as error:
            self.failed.append(error)
            self.stopped = True

    def _narrow(self, engine: CompiledEngine, move: Move) -> None:
        def test(target: int) -> int:
            return bound(engine, move, ENDLESS, target, self._watch)

        guess = self._guesses[move.hole]
        for bounds in narrow(test, -self._in_play, self._in_play, guess, endless=True):
            self.bounds[move.hole] = bounds

    def _next(self) -> Move | None:
        with self._lock:
            return self._left.pop() if self._left else None

    def _watch(self, _: int) -> None:
        if self.stopped:
            raise _Stopped

    def progress(self, nodes: int, before: int) -> Progress:
        """Return how far the search is; ``before`` is the margin of the board as it stands."""
        bounds = dict(self.bounds)
        low, high = (max(both[at] for both in bounds.values()) for at in (0, 1))
        known = [(hole, before + low) for hole, (low, high) in bounds.items() if low == high]
        open_ = [hole for hole, (low, high) in bounds.items() if low < high]
        return Progress(nodes, before + low, before + high, open_[0] if low == high and open_ else None, tuple(known))


def solve_together(
    searching: CompiledEngine, threads: int, board: Board, side: Side = Side.SOUTH, tell: Tell | None = None
) -> Solution:
    """Return the margin of a position that is not over, and of every move, as `solver.solve` does, by several threads.

    The margins are the same; the number of sowings differs from run to run.
    """
    started, before = searching.nodes, board.margin(side)
    in_play = board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)

    def watch(nodes: int) -> None:
        if tell is not None:
            tell(Progress(nodes - started, before - in_play, before + in_play, None, ()))

    candidates = moves(searching, board, side)
    first = _FirstMoves(candidates, in_play, guesses_of(searching, board, side, watch))
    engines = [searching, *(searching.twin() for _ in range(threads - 1))]

    def nodes() -> int:
        return sum(engine.nodes for engine in engines) - started

    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(first.search, engine) for engine in engines]
        try:
            while wait(waiting, SECONDS_BETWEEN).not_done:
                if tell is not None:
                    tell(first.progress(nodes(), before))
        finally:
            first.stopped = True
    if first.failed:
        raise first.failed[0]
    found = sorted(
        ((hole, before + low) for hole, (low, _) in first.bounds.items()), key=lambda pair: (-pair[1], pair[0])
    )
    return Solution(found[0][1], tuple(found), nodes() + len(candidates))
