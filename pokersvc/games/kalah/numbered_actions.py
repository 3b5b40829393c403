"""Kalah for programs that learn it: a number for each hole, and the board as figures."""

from collections.abc import Sequence
from typing import Final

from pokersvc.core.actions import Action
from pokersvc.core.bots.learning import ActionList, NumberedGame
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Side
from pokersvc.games.kalah.events import GameStarted
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import counted

FIGURES_A_BEAN: Final = 40
"""The room in a record for each bean: some six moves, which is not a proved bound, but far more than games take."""


class KalahActions(ActionList[KalahView, LegalActions]):
    """The holes of a seat in the order in which it sows: first the one farthest from its pot, last the one next to it.

    So a number means the same for both sides: hole 1 is the farthest of South's, and the nearest of North's.
    """

    def __init__(self, holes: int) -> None:
        self._holes = holes
        self.names = tuple([f"sow the hole {counted(left, 'place')} from the pot" for left in range(holes, 0, -1)])

    def legal(self, view: KalahView, legal: LegalActions) -> Sequence[int]:
        """Return the numbers of the holes that have beans."""
        return sorted([self._turned(view, hole) - 1 for hole in legal.holes])

    def action(self, number: int, view: KalahView, legal: LegalActions) -> Action:
        """Return the sowing with a number."""
        return Sow(_side(view).value, self._turned(view, number + 1))

    def _turned(self, view: KalahView, hole: int) -> int:
        """Return the place of a hole in the order of sowing, or the hole at such a place; both count from 1."""
        return hole if _side(view) is Side.SOUTH else self._holes + 1 - hole


def _side(view: KalahView) -> Side:
    assert isinstance(view.viewer, int)
    return Side(view.viewer)


def feature_names(holes: int) -> tuple[str, ...]:
    """Return the name of each figure: the seat's holes, in the order of sowing, and its pot; then the other side's."""
    places = [f"hole {left} from the pot" for left in range(holes, 0, -1)]
    return (*(f"{whose} {place}" for whose in ("own", "other") for place in (*places, "pot")), "own_turn")


def features(view: KalahView) -> list[int]:
    """Return the beans in each hole and pot as a seat sees them, and 1 if it is the seat's turn, else 0."""
    board, own = view.board, _side(view)
    found: list[int] = []
    for side in (own, own.other):
        row = board.row(side)
        found += [*(row if side is Side.SOUTH else row[::-1]), board.pot(side)]
    return [*found, int(view.to_act == view.viewer)]


def in_numbers(started: GameStarted) -> NumberedGame[KalahView, LegalActions]:
    """Return a started game for programs that learn it."""
    holes, beans = started.rules.holes, started.rules.beans
    return NumberedGame(KalahActions(holes), FIGURES_A_BEAN * (2 * holes * beans + 2), feature_names(holes), features)
