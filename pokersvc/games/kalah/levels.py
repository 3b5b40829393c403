"""Levels of Kalah from 1 to 20: a lower level looks less far ahead, and makes larger errors of judgement."""

from random import Random
from typing import Final, NamedTuple

from pokersvc.core.actions import Action
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import CompiledEngine, Engine, Engines, Refinements, Variant, fast
from pokersvc.games.kalah.search import moves, worth
from pokersvc.games.kalah.view import KalahView


class Sight(NamedTuple):
    """The strength of a level: how far it looks ahead, and how large its errors are."""

    depth: int
    """The number of sowings that it looks ahead."""
    blur: float
    """The standard deviation, in beans, of the error with which it judges each move."""


SIGHTS: Final = (
    Sight(1, 16.0), Sight(1, 5.0), Sight(1, 3.0), Sight(1, 2.0), Sight(1, 1.2),
    Sight(2, 5.0), Sight(2, 3.0), Sight(2, 1.6), Sight(2, 0.8), Sight(3, 1.8),
    Sight(3, 1.2), Sight(3, 0.7), Sight(4, 1.2), Sight(4, 0.7), Sight(4, 0.3),
    Sight(5, 0.7), Sight(5, 0.2), Sight(6, 0.4), Sight(7, 0.0), Sight(8, 0.0),
)  # fmt: skip
"""The sight of each level, from level 1."""
WITHOUT_ENDGAMES: Final = Refinements(endgames=False)
"""Levels use no endgames: a level sees the end of the game no earlier than anything else."""
PATIENCE: Final = 200_000
"""The number of sowings made in plain Python before numba is loaded, as for `smart`."""

_plain: Final = Engines(lambda game: Engine(game, refinements=WITHOUT_ENDGAMES))
_compiled: Final = Engines(lambda game: CompiledEngine(game, refinements=WITHOUT_ENDGAMES))


class LevelPlayer:
    """Chooses the move that looks best some sowings ahead, with an error in each judgement that depends on the level.

    The errors come from the game's randomness, so a game with a seed is reproducible.
    """

    def __init__(self, level: int) -> None:
        self._sight = SIGHTS[level - 1]

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the bot's move."""
        assert view.to_act is not None
        values = seen(view.board, Side(view.to_act), self._sight.depth, empty_capture=view.rules.empty_capture)
        judged = {hole: value + random.gauss(0.0, self._sight.blur) for hole, value in sorted(values.items())}
        return Sow(view.to_act, max(judged, key=judged.__getitem__))


def seen(board: Board, side: Side, depth: int, *, empty_capture: bool) -> dict[int, int]:
    """Return the gain of sowing from each hole after ``depth`` sowings of best play."""
    game = Variant(board.holes, board.total, empty_capture)
    with _plain.of(game) as plain:
        if plain.nodes < PATIENCE or not fast(game):
            return _values(plain, board, side, depth)
    with _compiled.of(game) as compiled:
        return _values(compiled, board, side, depth)


def _values(engine: Engine, board: Board, side: Side, depth: int) -> dict[int, int]:
    engine.clear()
    in_play = board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    return {move.hole: worth(engine, move, in_play, depth, move.gain) for move in moves(engine, board, side)}
