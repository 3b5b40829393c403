"""Kalah for programs that learn it: a number for each hole, and the board as figures."""

from collections.abc import Sequence
from typing import Final

from pokersvc.core.actions import Action
from pokersvc.core.bots.learning import ActionList, NumberedGame
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Side
from pokersvc.games.kalah.events import GameStarted
from pokersvc.games.kalah.view import KalahView

FIGURES_A_BEAN: Final = 40
"""The room in a record for each bean: some six moves, which is no bound, but far more than games take."""


class KalahActions(ActionList[KalahView, LegalActions]):
    """The holes of a seat: 0 sows hole 1, the one next to its pot."""

    def __init__(self, holes: int) -> None:
        self.names = tuple([f"sow hole {hole}" for hole in range(1, holes + 1)])

    def legal(self, view: KalahView, legal: LegalActions) -> Sequence[int]:
        """Return the numbers of the holes that have beans."""
        return [hole - 1 for hole in legal.holes]

    def action(self, number: int, view: KalahView, legal: LegalActions) -> Action:
        """Return the sowing with a number."""
        assert isinstance(view.viewer, int)
        return Sow(view.viewer, number + 1)


def feature_names(holes: int) -> tuple[str, ...]:
    """Return the name of each figure: the own holes and pot, then those of the other side."""
    sides = [[*(f"{whose} hole {hole}" for hole in range(1, holes + 1)), f"{whose} pot"] for whose in ("own", "other")]
    return (*sides[0], *sides[1], "own_turn")


def features(view: KalahView) -> list[int]:
    """Return the beans in each hole and pot as a seat sees them, and 1 if it is the seat's turn, else 0."""
    assert isinstance(view.viewer, int)
    board, own = view.board, Side(view.viewer)
    sides = [[*board.row(side), board.pot(side)] for side in (own, own.other)]
    return [*sides[0], *sides[1], int(view.to_act == view.viewer)]


def in_numbers(started: GameStarted) -> NumberedGame[KalahView, LegalActions]:
    """Return a started game for programs that learn it."""
    holes, beans = started.rules.holes, started.rules.beans
    return NumberedGame(KalahActions(holes), FIGURES_A_BEAN * (2 * holes * beans + 2), feature_names(holes), features)
