"""The bot `perfect`: the best margin that a position allows, on boards that can be searched to the end."""

from random import Random
from typing import Final

from pokersvc.core.actions import Action
from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import SLOTS, Engine, Engines, Variant, Watch, engine, fast
from pokersvc.games.kalah.perfect_play.endgames import LEAST_HOLES, known_to, stored
from pokersvc.games.kalah.rules import KalahRules
from pokersvc.games.kalah.search import Found, best, finish, moves
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import counted

PERFECT: Final = "perfect"
"""The kind of the bot."""
MOST_HOLES: Final = 6
MOST_BEANS: Final = 24
"""The most beans that a side may start with on a board that `perfect` plays."""
SMALL: Final = 12
"""The maximum number of beans a side at the start for which `perfect` needs neither numba nor a database."""
GUESSED: Final = 10
"""The number of sowings that are searched for a guess of the margin."""
FEW: Final = 24
"""With no more beans in play than this, the search to the end needs no guess."""


class PerfectPlayer:
    """Sows from the hole with the best margin under perfect play; of several, the first in the order of `search.moves`.

    The choice depends on the board alone, not on earlier searches or on the machine: without numba or a database, it
    only takes longer.
    """

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the bot's move."""
        assert view.to_act is not None
        side = Side(view.to_act)
        return Sow(view.to_act, perfect(view.board, side, empty_capture=view.rules.empty_capture).hole)


def _with_endgames(game: Variant) -> Engine:
    return engine(game, most_slots=SLOTS[-2] if fast(game) else None, known=known_to(game))


_engines: Final = Engines(_with_endgames)


def perfect(board: Board, side: Side, *, empty_capture: bool = False) -> Found:
    """Return the best move of a side under perfect play; the results of a search are kept for the next one."""
    with _engines.of(Variant(board.holes, board.total, empty_capture)) as searching:
        return finish(searching, board, side, guess(searching, board, side))


def guess(searching: Engine, board: Board, side: Side, watch: Watch | None = None) -> int:
    """Return a guess of the margin from a search some sowings ahead; the closer it is, the shorter the exact search."""
    before, in_play = board.margin(side), board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
    value = 0
    if in_play > FEW:
        candidates = moves(searching, board, side)
        for depth in range(2, GUESSED + 1, 2):
            value, _ = best(searching, candidates, in_play, depth, value, watch)
    return before + value


def check_playable(rules: KalahRules) -> None:
    """Raise `InvalidValue` for a board too large for `perfect`, or one that needs numba if it is not installed.

    Raise `NoEndgames` if the database of endgames is not built, and `WrongEndgames` if it is broken.
    """
    beans = rules.holes * rules.beans
    if rules.holes > MOST_HOLES or beans > MOST_BEANS:
        raise InvalidValue(
            f"{rules} is too large for the bot perfect; it plays boards of up to {counted(MOST_HOLES, 'hole')} and"
            f" {counted(MOST_BEANS, 'bean')} a side."
        )
    if beans <= SMALL or rules.holes < LEAST_HOLES:
        return
    if not fast(Variant(rules.holes, 2 * beans, rules.empty_capture)):
        raise InvalidValue(f"The bot perfect plays {rules} with numba; install it with pip install 'pokersvc[fast]'.")
    stored(rules.holes, empty_capture=rules.empty_capture)
