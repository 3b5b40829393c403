"""OpenSpiel's mancala, in the same random games of Kalah(6, 4): equal moves, boards, ends and winners."""

from random import Random
from typing import Any

import pytest

from pokersvc.games.kalah.board import Board, Side

from .positions import Turn

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")


def board_of(state: Any) -> Board:
    """Its board: North's pot, South's holes from 1 and its pot, then North's holes from 6 to 1."""
    pot, *south_holes, south_pot = (int(count) for count in state.observation_tensor(0)[:8])
    north = [int(count) for count in state.observation_tensor(0)[8:14]]
    return Board(tuple(south_holes), tuple(reversed(north)), (south_pot, pot))


def hole_of(action: int) -> int:
    return action if action < 7 else 14 - action


def same_game(random: Random) -> None:
    theirs = pyspiel.load_game("mancala").new_initial_state()
    ours = Turn(Board.start(6, 4), Side.SOUTH)
    while not theirs.is_terminal():
        assert board_of(theirs) == ours.board
        assert theirs.current_player() + 1 == ours.side
        legal = {hole_of(action): action for action in theirs.legal_actions()}
        assert sorted(legal) == list(ours.board.moves(ours.side))
        hole = random.choice(sorted(legal))
        theirs.apply_action(legal[hole])
        ours = ours.after(hole)
    assert ours.board.over
    assert board_of(theirs).swept() == ours.board
    margin = board_of(theirs).swept().margin(Side.SOUTH)
    assert [(value > 0) - (value < 0) for value in theirs.returns()] == [
        (margin > 0) - (margin < 0), (margin < 0) - (margin > 0)
    ]  # fmt: skip


def test_random_games_go_the_same() -> None:
    random = Random(1)
    for _ in range(60):
        same_game(random)


@pytest.mark.slow
def test_thousands_of_random_games_go_the_same() -> None:
    random = Random(2)
    for _ in range(5000):
        same_game(random)
