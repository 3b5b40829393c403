"""Solving positions of Kalah: the margin of every first move with perfect play, and the cost of played moves."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import SLOTS, Engine, Variant, Watch, engine, fast
from pokersvc.games.kalah.kernels import ENDLESS
from pokersvc.games.kalah.search import Found, deepen, finish, moves, narrow, reach, worth

GUESSING_DEPTH: Final = 18
"""The most sowings that are looked ahead for the margins to try first …"""
GUESSING_NODES: Final = 10_000_000
"""… and the most that are made for it, on boards where there are too many."""


class Progress(NamedTuple):
    """How far a solver has got."""

    nodes: int
    """Sowings made so far."""
    low: int
    """The margin is known to be at least this …"""
    high: int
    """… and at most this, seen from the side to move."""
    hole: int | None
    """The first move that is being looked at, once the margin of the position is known."""
    moves: tuple[tuple[int, int], ...]
    """The holes and margins of the first moves that are known."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A position with perfect play of both sides; margins are the mover's pot less the other's at the end."""

    margin: int
    moves: tuple[tuple[int, int], ...]
    """Each first move's hole and margin, the best first."""
    nodes: int

    @property
    def best(self) -> tuple[int, ...]:
        """The holes of the best first moves, in order."""
        return tuple(sorted(hole for hole, margin in self.moves if margin == self.margin))


Tell = Callable[[Progress], None]
"""Called from time to time while a position is solved; what it raises ends that."""


def solver(game: Variant) -> Engine:
    """Return an engine with as large a table as solving may need: up to 1.5 GiB compiled, less in plain Python."""
    return engine(game, most_slots=SLOTS[-1] if fast(game) else SLOTS[-3])


def solve(searching: Engine, board: Board, side: Side = Side.SOUTH, tell: Tell | None = None) -> Solution:
    """Return the margin of a position that may be over, and of every move of the side that is to move.

    The engine forgets what it searched before.
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
    guesses = _guesses(searching, board, side, watch)
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
    """As many sowings were made for guesses as may be."""


def _guesses(searching: Engine, board: Board, side: Side, watch: Watch) -> dict[int, int]:
    """Return what the moves seem to be worth some sowings ahead: the closer, the fewer searches to the end."""
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
    """The hole of a best move: the one that was played, if it is one."""
    depth: int
    """Sowings that were looked ahead for the margins, `ENDLESS` where they are those of the end of the game."""

    @property
    def cost(self) -> int:
        """How many beans of margin the move gave away."""
        return self.best_margin - self.margin

    @property
    def exact(self) -> bool:
        """Whether the margins are those at the end of the game with perfect play."""
        return self.depth == ENDLESS


def judge(searching: Engine, board: Board, side: Side, hole: int, watch: Watch | None = None) -> Judgement:
    """Return what a move has cost, by perfect play to the end of the game. The move is possible."""
    found = finish(searching, board, side, board.margin(side), watch)
    return _judged(searching, board, side, hole, found, watch)


def judge_deeper(
    searching: Engine, board: Board, side: Side, hole: int, watch: Watch | None = None
) -> Iterator[Judgement]:
    """Yield what a move seems to have cost at a depth of 1, 2, 3 … sowings, until the whole game was seen."""
    for found in deepen(searching, board, side, watch):
        yield _judged(searching, board, side, hole, found, watch)


def _judged(searching: Engine, board: Board, side: Side, hole: int, found: Found, watch: Watch | None) -> Judgement:
    depth = ENDLESS if found.exact else found.depth  # the move that was played may lead to longer games
    before, in_play = board.margin(side), board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    (played,) = (move for move in moves(searching, board, side) if move.hole == hole)
    margin = before + worth(searching, played, in_play, depth, found.margin - before, watch)
    return Judgement(margin, found.margin, hole if margin == found.margin else found.hole, depth)
