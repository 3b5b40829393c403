"""Levels: each sees what minimax sees, and errs by the game's randomness; the higher, the better."""

from itertools import pairwise
from random import Random
from statistics import mean

import pytest

from pokersvc.games.kalah import KALAH, levels
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import compiled
from pokersvc.games.kalah.levels import SIGHTS, LevelPlayer, Sight, seen
from pokersvc.games.kalah.players import LEVELS
from tests.games.kalah.positions import Turn, minimax, random_turns
from tests.games.kalah.test_players import view


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize(
    "patience",
    [1 << 60, pytest.param(-1, marks=pytest.mark.skipif(compiled() is None, reason="numba is not installed"))],
)
def test_a_move_is_judged_by_minimax_to_the_depth_of_the_level(
    monkeypatch: pytest.MonkeyPatch, empty_capture: bool, patience: int
) -> None:
    monkeypatch.setattr(levels, "PATIENCE", patience)
    for turn in random_turns(51, 15, 4, 3, empty_capture=empty_capture):
        for depth in (1, 2, 4):
            sign, before = (1 if turn.side is Side.SOUTH else -1), turn.board.margin(Side.SOUTH)
            assert seen(*turn, depth, empty_capture=empty_capture) == {
                hole: sign
                * (
                    minimax(turn.after(hole, empty_capture=empty_capture), depth - 1, empty_capture=empty_capture)
                    - before
                )
                for hole in turn.board.moves(turn.side)
            }


def chosen(player: LevelPlayer, turn: Turn, seed: int) -> int:
    action = player.choose(view(*turn), LegalActions(turn.board.moves(turn.side)), Random(seed))
    assert isinstance(action, Sow)
    assert action.seat == turn.side
    return action.hole


def test_a_level_errs_by_the_randomness_of_the_game_alone() -> None:
    turn = Turn(Board.start(4, 4), Side.SOUTH)
    low = LevelPlayer(1)
    assert [chosen(low, turn, seed) for seed in range(9)] == [chosen(low, turn, seed) for seed in range(9)]
    assert {chosen(low, turn, seed) for seed in range(40)} == {1, 2, 3, 4}
    assert len({chosen(LevelPlayer(20), turn, seed) for seed in range(9)}) == 1


def test_there_are_20_levels_each_of_which_sees_better_than_the_one_below() -> None:
    assert list(LEVELS) == [f"level-{number:02}" for number in range(1, 21)]
    assert set(LEVELS) < set(KALAH.players) & set(KALAH.players_said)
    assert len(set(SIGHTS)) == 20
    assert all(above.depth >= below.depth for below, above in pairwise(SIGHTS))


def margin(south: Sight, north: Sight, random: Random) -> int:
    turn, number = Turn(Board.start(4, 3), Side.SOUTH), 0
    while not turn.board.over:
        sight = south if turn.side is Side.SOUTH else north
        values = seen(*turn, sight.depth, empty_capture=False)
        judged = {hole: value + random.gauss(0.0, sight.blur) for hole, value in values.items()}
        hole = random.choice(turn.board.moves(turn.side)) if number < 3 else max(judged, key=judged.__getitem__)
        turn, number = turn.after(hole), number + 1
    return turn.board.margin(Side.SOUTH)


def test_four_levels_more_win_by_beans() -> None:
    random = Random(52)
    for low, high in zip(SIGHTS[:13:4], SIGHTS[4:17:4], strict=True):
        won = [margin(high, low, random) - margin(low, high, random) for _ in range(10)]
        assert mean(won) > 0, (low, high)
