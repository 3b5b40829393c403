"""Searches that look ahead in Kalah: the best hole of a position, by iterative deepening of null-window searches.

Everything here asks an engine for bounds (`pokersvc.games.kalah.engine`), so plain and compiled engines find the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.board import POT, Board, Side
from pokersvc.games.kalah.engine import Engine, Position, Watch
from pokersvc.games.kalah.kernels import ENDLESS

MOST_DEPTH: Final = 1000
"""The greatest number of sowings that a search may look ahead."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best move of a side, and the margin to which it leads."""

    hole: int
    margin: int
    """The side's pot less the other's, in beans: at the end of the game, or where the search stopped at its depth."""
    depth: int
    """The number of sowings searched ahead; `ENDLESS` for a search to the end of the game."""
    exact: bool
    """Whether the margin is proved to be the one at the end of the game if both sides play perfectly."""
    nodes: int
    """The number of sowings made in the search."""


class Move(NamedTuple):
    """A first move and its result, as its mover sees it."""

    hole: int
    gain: int
    """The beans that the move brings into the mover's pot; if it ends the game, less those that the other side gets."""
    again: bool
    position: Position | None
    """The position after the move, to be searched; None if the game is over."""


def moves(engine: Engine, board: Board, side: Side) -> list[Move]:
    """Return a side's moves: extra turns first, then by their gain, then from the hole nearest the pot.

    Raise `InvalidValue` if the game is over.
    """
    if board.over:
        raise InvalidValue("The game is over on this board, so there is no move to look for.")
    before = board.margin(side)
    found = []
    for hole in sorted(board.moves(side), reverse=side is Side.SOUTH):
        after, where, last = board.sow(side, hole)
        again = last == POT
        if after.captured(side, (where, last), empty_capture=engine.game.empty_capture):
            after = after.capture(side, last)
        if after.over:
            found.append(Move(hole, after.swept().margin(side) - before, again, None))
        else:
            position = engine.game.pack(after, side if again else side.other)
            found.append(Move(hole, after.margin(side) - before, again, position))
    return sorted(found, key=lambda move: (not move.again, -move.gain))


def bound(engine: Engine, move: Move, depth: int, target: int, watch: Watch | None = None) -> int:
    """Return a bound of the value of a move: a lower bound if it is ``target`` or more, else an upper bound."""
    if move.position is None:
        return move.gain
    deeper = depth if depth == ENDLESS else depth - 1
    if deeper == 0:
        return move.gain
    if move.again:
        return move.gain + engine.at_least(move.position, deeper, target - move.gain, watch)
    step = 2 if depth == ENDLESS else 1
    return move.gain - engine.at_least(move.position, deeper, move.gain - target + step, watch)


def narrow(test: Callable[[int], int], low: int, high: int, guess: int, *, endless: bool) -> Iterator[tuple[int, int]]:
    """Yield ever closer bounds of a value until they meet; tests tell whether the value reaches a target (MTD(f)).

    A test returns a lower bound if it is the target or more, else an upper bound. With ``endless``, the values have the
    parity of the first bounds.
    """
    step = 2 if endless else 1
    target = max(low + step, min(high, guess))
    if endless:
        target += (target - low) % 2
    while low < high:
        reached = test(target)
        if reached >= target:
            low, target = reached, reached + step
        else:
            high = target = reached
        yield low, high


def worth(engine: Engine, move: Move, in_play: int, depth: int, guess: int, watch: Watch | None = None) -> int:
    """Return the value of a move when searched to a depth; the search begins near the value ``guess``."""
    *_, (value, _) = narrow(
        lambda target: bound(engine, move, depth, target, watch), -in_play, in_play, guess, endless=depth == ENDLESS
    )
    return value


def reach(
    engine: Engine, candidates: Sequence[Move], depth: int, target: int, watch: Watch | None = None
) -> tuple[int, Move | None]:
    """Return a bound of a position's value, as in `bound`, and its first move that reaches the target, or None."""
    bounds = []
    for move in candidates:
        bounds.append(bound(engine, move, depth, target, watch))
        if bounds[-1] >= target:
            return bounds[-1], move
    return max(bounds), None


def best(
    engine: Engine, candidates: Sequence[Move], in_play: int, depth: int, guess: int, watch: Watch | None = None
) -> tuple[int, Move]:
    """Return the value of a position and the first of its moves that has this value.

    The choice among equal moves depends only on their order, not on what was searched before: each test finds the first
    move that reaches the target of the test, and no earlier move reaches that target.
    """
    chosen = candidates[0]

    def test(target: int) -> int:
        nonlocal chosen
        reached, move = reach(engine, candidates, depth, target, watch)
        chosen = move or chosen
        return reached

    *_, (value, _) = narrow(test, -in_play, in_play, guess, endless=depth == ENDLESS)
    return value, chosen


def deepen(engine: Engine, board: Board, side: Side, watch: Watch | None = None) -> Iterator[Found]:
    """Yield the best move found at a depth of 1, 2, 3 … sowings, until the whole game has been searched.

    The engine first forgets what it searched before. An exception that the watch raises ends the search.
    """
    engine.clear()
    candidates = moves(engine, board, side)
    in_play = board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    before, started = board.margin(side), engine.nodes
    values = [0, 0]
    for depth in range(1, MOST_DEPTH + 1):
        horizons = engine.horizons
        leaves = depth == 1 and any(move.position is not None for move in candidates)
        value, chosen = best(engine, candidates, in_play, depth, values[-2], watch)
        values.append(value)
        exact = engine.horizons == horizons and not leaves
        yield Found(chosen.hole, before + value, depth, exact, engine.nodes - started + len(candidates))
        if exact:
            return
        candidates.remove(chosen)
        candidates.insert(0, chosen)


def look_ahead(engine: Engine, board: Board, side: Side, depth: int, watch: Watch | None = None) -> Found:
    """Return the best move at a depth in sowings, at which the pots are compared.

    The result is the same on every engine with the same refinements. Raise `InvalidValue` for a depth that cannot be
    searched.
    """
    if type(depth) is not int or not 1 <= depth <= MOST_DEPTH:
        raise InvalidValue(f"A search cannot look {depth!r} sowings ahead; a depth is 1 to {MOST_DEPTH}.")
    found = None
    for found in deepen(engine, board, side, watch):
        if found.depth == depth:
            break
    assert found is not None
    return found


def keep(engine: Engine, board: Board, side: Side, margin: int, found: Found) -> Found:
    """Return a move that keeps a proved margin: the move in ``found`` if it does, else the first move that does.

    The search to the end of the game tests only whether moves reach the margin; after a recent proof that is little
    work. If no move keeps the margin, perhaps because another player has chosen since the proof, return ``found``.
    """
    candidates = sorted(moves(engine, board, side), key=lambda move: move.hole != found.hole)
    _, move = reach(engine, candidates, ENDLESS, margin - board.margin(side))
    if move is None or move.hole == found.hole:
        return found
    return replace(found, hole=move.hole, margin=margin)


def finish(engine: Engine, board: Board, side: Side, guess: int = 0, watch: Watch | None = None) -> Found:
    """Return the best move under perfect play to the end of the game."""
    started = engine.nodes
    candidates = moves(engine, board, side)
    before, in_play = board.margin(side), board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    value, chosen = best(engine, candidates, in_play, ENDLESS, guess - before, watch)
    return Found(chosen.hole, before + value, ENDLESS, True, engine.nodes - started + len(candidates))
