"""Solver of Kalah positions: the margin of every first move under perfect play, and the cost of played moves."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import SLOTS, Engine, Variant, Watch, engine, fast
from pokersvc.games.kalah.kernels import ENDLESS
from pokersvc.games.kalah.perfect_play.endgames import known_to
from pokersvc.games.kalah.search import Found, deepen, finish, moves, narrow, reach, worth

GUESSING_DEPTH: Final = 18
"""The maximum depth, in sowings, of the search that guesses the margins; exact searches start from the guesses."""
GUESSING_NODES: Final = 10_000_000
"""The maximum number of sowings made to guess the margins, on boards where `GUESSING_DEPTH` would take more."""


class Progress(NamedTuple):
    """The progress of a solver."""

    nodes: int
    """The number of sowings made so far."""
    low: int
    """The least margin that is still possible, as the side to move sees it."""
    high: int
    """The greatest margin that is still possible, as the side to move sees it."""
    hole: int | None
    """The hole of the first move that is being searched; None until the margin of the position itself is known."""
    moves: tuple[tuple[int, int], ...]
    """The holes and margins of the first moves searched so far."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A position under perfect play; margins are the mover's pot less the other's at the end."""

    margin: int
    moves: tuple[tuple[int, int], ...]
    """Each first move's hole and margin, the best first."""
    nodes: int

    @property
    def best(self) -> tuple[int, ...]:
        """The holes of the best first moves, in ascending order."""
        return tuple(sorted(hole for hole, margin in self.moves if margin == self.margin))


Tell = Callable[[Progress], None]
"""A function called from time to time while a position is solved; an exception that it raises ends the search."""


def solver(game: Variant) -> Engine:
    """Return an engine whose table can grow as large as solving may need: 1.5 GiB compiled, less in plain Python.

    It knows the endgames of the database that was built for the game, if any; raise `WrongEndgames` if that is broken.
    """
    known = known_to(game)
    if fast(game):
        return engine(game, most_slots=SLOTS[-1], known=known)
    return engine(game, most_slots=SLOTS[-3], known=known)


def solve(searching: Engine, board: Board, side: Side = Side.SOUTH, tell: Tell | None = None) -> Solution:
    """Return the margin of a position, which may be over, and of every move of the side to move.

    The engine first forgets what it searched before.
    """
    if board.over:
        return Solution(board.swept().margin(side), (), 0)
    started, before = searching.nodes, board.margin(side)
    in_play = board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    low, high = -in_play, in_play
    hole: int | None = None
    found: list[tuple[int, int]] = []

    def watch(nodes: int) -> None:
        if tell is not None:
            tell(Progress(nodes - started, before + low, before + high, hole, tuple(found)))

    candidates = moves(searching, board, side)
    guesses = guesses_of(searching, board, side, watch)
    for bounds in narrow(
        lambda target: reach(searching, candidates, ENDLESS, target, watch)[0],
        -in_play,
        in_play,
        max(guesses.values()),
        endless=True,
    ):
        low, high = bounds
    for move in sorted(candidates, key=lambda move: -guesses[move.hole]):
        hole = move.hole
        value = worth(searching, move, in_play, ENDLESS, min(low, guesses[hole]), watch)
        found.append((hole, before + value))
    found.sort(key=lambda pair: (-pair[1], pair[0]))
    return Solution(before + low, tuple(found), searching.nodes - started + len(candidates))


class _Enough(Exception):
    """Raised when the guesses have taken `GUESSING_NODES` sowings."""


def guesses_of(searching: Engine, board: Board, side: Side, watch: Watch) -> dict[int, int]:
    """Return a guess of each move's value, from a search some sowings ahead; good guesses shorten exact searches."""
    candidates, in_play = moves(searching, board, side), board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    most = searching.nodes + GUESSING_NODES

    def bounded(nodes: int) -> None:
        watch(nodes)
        if nodes >= most:
            raise _Enough

    guesses = {move.hole: move.gain for move in candidates}
    with suppress(_Enough):
        for found in deepen(searching, board, side, bounded):
            guess = found.margin - board.margin(side)
            guesses = dict.fromkeys(guesses, guess)
            if found.depth == GUESSING_DEPTH:
                break
        for move in candidates:
            guesses[move.hole] = worth(searching, move, in_play, found.depth, guess, bounded)
    return guesses


class Judgement(NamedTuple):
    """A move that was played, compared with the best one; margins are the mover's pot less the other's."""

    margin: int
    best_margin: int
    best: int
    """The hole of a best move: the move that was played, if it is one of the best."""
    depth: int
    """The number of sowings searched ahead for the margins; `ENDLESS` if they are those at the end of the game."""

    @property
    def cost(self) -> int:
        """The beans of margin that the move gave away."""
        return self.best_margin - self.margin

    @property
    def exact(self) -> bool:
        """Whether the margins are those at the end of the game under perfect play."""
        return self.depth == ENDLESS


def judge(
    searching: Engine, board: Board, side: Side, hole: int, watch: Watch | None = None, guess: int | None = None
) -> Judgement:
    """Return a legal move's comparison with the best move, under perfect play to the end of the game.

    The search begins near the margin ``guess``, by default that of the board as it stands.
    """
    found = finish(searching, board, side, board.margin(side) if guess is None else guess, watch)
    return _judged(searching, board, side, hole, found, watch)


def judge_deeper(
    searching: Engine, board: Board, side: Side, hole: int, watch: Watch | None = None
) -> Iterator[Judgement]:
    """Yield a legal move's comparison with the best at depths of 1, 2, 3 … sowings, until all has been searched."""
    for found in deepen(searching, board, side, watch):
        yield _judged(searching, board, side, hole, found, watch)


def _judged(searching: Engine, board: Board, side: Side, hole: int, found: Found, watch: Watch | None) -> Judgement:
    depth = ENDLESS if found.exact else found.depth  # ENDLESS: the game may last longer after the move played
    before, in_play = board.margin(side), board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    (played,) = (move for move in moves(searching, board, side) if move.hole == hole)
    margin = before + worth(searching, played, in_play, depth, found.margin - before, watch)
    return Judgement(margin, found.margin, hole if margin == found.margin else found.hole, depth)
