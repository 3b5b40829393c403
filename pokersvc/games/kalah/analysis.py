"""Kalah solved, analysed and counted: for `pokersvc kalah` and other programs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.state import State
from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import SLOTS, CompiledEngine, Engine, Variant, engine, fast
from pokersvc.games.kalah.events import BeansSown, GameStarted
from pokersvc.games.kalah.perfect_play.endgames import computed, known_to
from pokersvc.games.kalah.perfect_play.together import solve_together
from pokersvc.games.kalah.rules import KalahRules, check_size
from pokersvc.games.kalah.solver import Judgement, Progress, Solution, Tell, judge, judge_deeper, solver
from pokersvc.games.kalah.solver import solve as solve_position
from pokersvc.system.workers import usable_processors

__all__ = ["MOST_PERFT", "Analysed", "Progress", "Solution", "analyse", "count", "rules_of", "slow", "solve"]

MOST_PERFT: Final = 30
"""The greatest depth at which sequences of sowings are counted."""


MOST_PLAIN: Final = 20
"""The maximum number of beans per side with which plain Python solves a board in minutes."""


def rules_of(holes: int, beans: int, *, empty_capture: bool = False) -> KalahRules:
    """Return the rules of a board; raise `InvalidValue` for an impossible size."""
    check_size(holes, beans)
    return KalahRules(beans=beans, empty_capture=empty_capture, holes=holes)


def _start(rules: KalahRules) -> tuple[Variant, Board]:
    board = Board.start(rules.holes, rules.beans)
    return Variant(rules.holes, board.total, rules.empty_capture), board


def slow(rules: KalahRules) -> bool:
    """Return whether solving a board may take hours here: it is large and there is no compiled code."""
    game, _ = _start(rules)
    return rules.holes * rules.beans > MOST_PLAIN and not fast(game)


def solve(rules: KalahRules, tell: Tell | None = None) -> Solution:
    """Return the margin of a game under perfect play, and the margin of every first move; South moves first.

    A large board is solved by as many threads as there are processors, at most one for each hole.
    """
    game, board = _start(rules)
    if rules.holes * rules.beans <= MOST_PLAIN or not fast(game):
        return solve_position(solver(game), board, Side.SOUTH, tell)

    def begun() -> None:
        if tell is not None:
            tell(Progress(0, -board.total, board.total, None, ()))

    searching = CompiledEngine(game, most_slots=SLOTS[-1], known=known_to(game) or computed(game, begun))
    return solve_together(searching, min(rules.holes, usable_processors()), board, Side.SOUTH, tell)


def count(rules: KalahRules, depth: int) -> Iterator[int]:
    """Yield the number of sequences of exactly 1, 2, … sowings from the start, up to a depth.

    An extra turn is a sowing of its own. A finished game is not continued; a sequence whose last sowing ends it counts.
    """
    if type(depth) is not int or not 1 <= depth <= MOST_PERFT:
        raise InvalidValue(f"Sequences of {depth!r} sowings cannot be counted; a depth is 1 to {MOST_PERFT}.")
    game, board = _start(rules)
    counting = engine(game)
    for sowings in range(1, depth + 1):
        yield 0 if board.over else counting.perft(game.pack(board, Side.SOUTH), sowings)


@dataclass(frozen=True, slots=True)
class Analysed:
    """A move of a stored game, and its cost."""

    move: int
    """The number of the move in the game."""
    name: str
    side: str
    hole: int
    judgement: Judgement

    def document(self) -> dict[str, Any]:
        """Return the move as plain JSON values; ``depth`` is None if the margins are exact."""
        judged = self.judgement
        return {
            "move": self.move,
            "name": self.name,
            "side": self.side,
            "hole": self.hole,
            "margin": judged.margin,
            "best_hole": judged.best,
            "best_margin": judged.best_margin,
            "cost": judged.cost,
            "exact": judged.exact,
            "depth": None if judged.exact else judged.depth,
        }


class NotKalah(InvalidValue):
    """The stored game is not a game of Kalah."""

    code = "not_kalah"


def analyse(
    game_id: str,
    steps: Iterator[tuple[object, Event, State]],
    think: float,
    tell: Callable[[int], None] | None = None,
) -> Iterator[Analysed]:
    """Yield each move of a stored game with its cost, searched for ``think`` seconds; with 0, to the end of the game.

    ``steps`` are the game's replay for everyone. If the time does not suffice to search to the end, the move is judged
    by the deepest search that was completed. Raise `NotKalah` for another kind of game.
    """
    _, started, _ = next(steps)
    if not isinstance(started, GameStarted):
        raise NotKalah(f"Game {game_id} is not a game of Kalah; its moves cannot be analysed.")
    game, board = _start(started.rules)
    searching = solver(game) if think == 0 else engine(game)
    number = 0
    for _, event, state in steps:
        if isinstance(event, BeansSown):
            number, side = number + 1, Side(event.seat)
            judged = _judged(searching, board, side, event.hole, think, tell)
            yield Analysed(number, started.seats[side - 1].name, side.label, event.hole, judged)
        board = state.view(EVERYONE).board


class _TimeIsUp(Exception):
    """Raised to end the search of a move whose time is up."""


def _judged(
    searching: Engine, board: Board, side: Side, hole: int, think: float, tell: Callable[[int], None] | None
) -> Judgement:
    in_play = board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    timed, end = think > 0 and in_play > searching.game.finishing_beans, monotonic() + think

    def watch(nodes: int) -> None:
        if tell is not None:
            tell(nodes)
        if timed and monotonic() >= end:
            raise _TimeIsUp

    if not timed:
        return judge(searching, board, side, hole, watch)
    found = next(judge_deeper(searching, board, side, hole))
    try:
        for deeper in judge_deeper(searching, board, side, hole, watch):
            found = deeper
            watch(searching.nodes)
    except _TimeIsUp:
        pass
    return found
