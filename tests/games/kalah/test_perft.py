"""The number of sequences of sowings by depth, compared with known results."""

import json
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah import analysis as kalah
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Variant

from .positions import Turn, random_turns
from .test_search import ENGINES

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

ORACLE: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("kalah.json").read_text())
QUICK: Final = {"6,4": 7, "4,4": 9, "3,2": 12}
"""Depths that plain Python reaches in moments."""


def counted(turn: Turn, depth: int, *, empty_capture: bool) -> int:
    if depth == 0:
        return 1
    return sum(
        counted(turn.after(hole, empty_capture=empty_capture), depth - 1, empty_capture=empty_capture)
        for hole in (() if turn.board.over else turn.board.moves(turn.side))
    )


@pytest.mark.parametrize("size", sorted(QUICK))
@pytest.mark.parametrize("kind", ENGINES)
def test_the_counts_are_those_that_are_known(kind: type[Engine], size: str) -> None:
    holes, beans = map(int, size.split(","))
    board = Board.start(holes, beans)
    game = Variant(holes, board.total)
    engine = kind(game)
    known = ORACLE["perft_house"][size][: QUICK[size]]
    assert [engine.perft(game.pack(board, Side.SOUTH), depth) for depth in range(1, len(known) + 1)] == known


@pytest.mark.slow
@pytest.mark.parametrize("size", sorted(QUICK))
def test_all_the_known_counts(size: str) -> None:
    holes, beans = map(int, size.split(","))
    known = ORACLE["perft_house"][size]
    assert list(kalah.count(kalah.rules_of(holes, beans), len(known))) == known


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("empty_capture", [False, True])
def test_from_any_position_the_counts_are_those_of_the_board(kind: type[Engine], empty_capture: bool) -> None:
    game = Variant(4, 24, empty_capture)
    engine = kind(game)
    for turn in random_turns(1, 25, 4, 3, empty_capture=empty_capture):
        assert engine.perft(game.pack(*turn), 4) == counted(turn, 4, empty_capture=empty_capture)


def test_a_game_that_is_over_before_it_starts_has_no_sowings() -> None:
    assert list(kalah.count(kalah.rules_of(3, 0), 3)) == [0, 0, 0]


def test_a_game_that_ended_goes_on_no_more() -> None:
    assert list(islice(kalah.count(kalah.rules_of(1, 1), 5), 5)) == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("depth", [0, -1, 31, True])
def test_a_depth_that_cannot_be_counted_is_refused(depth: int) -> None:
    with pytest.raises(InvalidValue, match="a depth is 1 to 30"):
        list(kalah.count(kalah.rules_of(2, 2), depth))
