"""The board: the examples of the founding document, and further cases."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.board import POT, Board, ImpossibleMove, Side

N, S = Side.NORTH, Side.SOUTH

HOLES = st.integers(1, 32)


@st.composite
def boards(draw: st.DrawFn, *, least: int = 0) -> Board:
    """A strategy for boards, with beans in at least the given number of South's holes."""
    holes = draw(HOLES)
    counts = st.lists(st.integers(0, 60), min_size=holes, max_size=holes).map(tuple)
    south = draw(counts.filter(lambda row: sum(map(bool, row)) >= least))
    return Board(south, draw(counts), (draw(st.integers(0, 99)), draw(st.integers(0, 99))))


# The document's own cases, in its order. Where it mends bad input or answers -1 or false, an error says what is wrong.


def test_the_boards_of_the_document() -> None:
    b1 = Board.start(6, 4)
    assert b1.holes == 6
    assert b1.beans(N, 1) == 4
    with pytest.raises(InvalidValue, match="cannot start with -1 beans per hole; beans are 0 to 64"):
        Board.start(6, -1)
    with pytest.raises(InvalidValue, match="0 holes per side; holes are 1 to 32"):
        Board.start(0, 4)
    with pytest.raises(InvalidValue, match="holes are 1 to 32"):
        Board.start(0, -1)
    b3 = Board.start(1, 4)
    b5 = Board(b3.south, b3.north, b3.pots)
    assert b5.holes == 1
    assert b5.beans(S, 1) == 4
    assert b1.beans(N, POT) == 0
    with pytest.raises(ImpossibleMove, match="There is no hole -1; holes are 1 to 6, 0 for the pot"):
        b1.beans(N, -1)
    assert b1.in_play(N) == 24
    assert b1.total == 48


def test_the_sowing_of_the_document() -> None:
    b1, end_side, end_hole = Board.start(6, 4).sow(S, 1)
    assert end_side == S
    assert end_hole == 5
    assert b1.beans(S, 1) == 0
    assert b1.beans(S, 2) == 5
    with pytest.raises(ImpossibleMove, match="There is no hole -1; holes are 1 to 6"):
        b1.sow(S, -1)
    b1 = b1.moved_to_pot(S, 2, S)
    assert b1.beans(S, POT) == 5
    assert b1.with_beans(S, 1, 10).beans(S, 1) == 10


# What else a board does.


def test_a_board_may_be_of_any_size_within_its_limits() -> None:
    for holes, beans in ((1, 0), (1, 64), (32, 0), (32, 64)):
        assert Board.start(holes, beans).total == 2 * holes * beans
    wrong: list[tuple[Any, Any]] = [(33, 4), (6, 65), (6.0, 4), (6, True)]
    for holes, beans in wrong:
        with pytest.raises(InvalidValue):
            Board.start(holes, beans)


@pytest.mark.parametrize(
    "wrong",
    [((4, 4), (4,)), ((4, -1), (4, 4)), ((), ()), ((4,), (4,), (0, -1)), ((4,), (4,), (0,)), ((1.5,), (4,))],
)
def test_a_board_that_cannot_be_is_refused(wrong: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(InvalidValue):
        Board(*wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("beans", [-1, 1.5, True])
def test_a_count_of_beans_is_0_or_more(beans: int) -> None:
    with pytest.raises(InvalidValue, match="a count is 0 or more"):
        Board.start(2, 2).with_beans(S, 1, beans)


def test_south_sows_to_the_right_into_its_pot_and_on_along_north_from_right_to_left() -> None:
    board = Board((0, 0, 6), (1, 1, 1)).sow(S, 3)
    assert board == (Board((1, 1, 0), (2, 2, 2), (1, 0)), S, 2)


def test_north_sows_to_the_left_into_its_pot_and_on_along_south_from_left_to_right() -> None:
    board = Board((1, 1, 1), (6, 0, 0)).sow(N, 1)
    assert board == (Board((2, 2, 2), (0, 1, 1), (0, 1)), N, 2)


def test_the_opponents_pot_is_passed_over() -> None:
    board = Board((0, 5), (0, 0), (0, 7)).sow(S, 2)
    assert board == (Board((1, 1), (1, 1), (1, 7)), S, 2)


def test_beans_that_come_all_the_way_round_fall_into_the_hole_they_came_from_too() -> None:
    board, side, hole = Board((13, 0, 0, 0, 0, 0), (0,) * 6).sow(S, 1)
    assert (board, side, hole) == (Board((1,) * 6, (1,) * 6, (1, 0)), S, 1)
    assert board.captured(S, (side, hole)) == 2


def test_a_hole_without_beans_cannot_be_sown() -> None:
    with pytest.raises(ImpossibleMove, match=r"Hole 1 of South has no beans; holes with beans are 2, 3\."):
        Board((0, 1, 1), (1, 1, 1)).sow(S, 1)
    with pytest.raises(ImpossibleMove, match=r"Hole 1 of South has no beans; no hole of that side has\."):
        Board((0,), (1,)).sow(S, 1)
    with pytest.raises(ImpossibleMove, match="There is no hole 4"):
        Board.start(3, 3).sow(S, 4)
    with pytest.raises(ImpossibleMove, match="There is no hole 0; holes are 1 to 3"):
        Board.start(3, 3).sow(S, 0)


@pytest.mark.parametrize(
    ("board", "last", "house", "empty"),
    [
        (Board((0, 1), (3, 4)), (S, 2), 5, 5),  # into an empty own hole, with beans opposite
        (Board((0, 1), (3, 0)), (S, 2), 0, 1),  # with none opposite
        (Board((0, 2), (3, 4)), (S, 2), 0, 0),  # the hole was not empty
        (Board((0, 1), (3, 1)), (N, 2), 0, 0),  # the hole is not the own one
        (Board((0, 1), (3, 1)), (S, POT), 0, 0),  # the pot
    ],
)
def test_what_a_last_bean_captures(board: Board, last: tuple[Side, int], house: int, empty: int) -> None:
    assert board.captured(S, last) == house
    assert board.captured(S, last, empty_capture=True) == empty


def test_a_capture_takes_the_last_bean_and_those_opposite_to_the_capturers_pot() -> None:
    assert Board((0, 1), (3, 4), (1, 2)).capture(S, 2) == Board((0, 0), (3, 0), (6, 2))
    assert Board((5, 1), (1, 4), (1, 2)).capture(N, 1) == Board((0, 1), (0, 4), (1, 8))


def test_the_game_is_over_when_either_side_has_no_beans_and_each_side_keeps_its_own() -> None:
    assert not Board((1, 0), (0, 1)).over
    assert Board((0, 0), (3, 1), (5, 2)).over
    assert Board((1, 0), (0, 0)).over
    assert Board((0, 0), (3, 1), (5, 2)).swept() == Board((0, 0), (0, 0), (5, 6))
    assert Board((1, 2), (0, 0), (5, 2)).swept() == Board((0, 0), (0, 0), (8, 2))
    assert Board((1, 2), (0, 0), (5, 2)).swept().margin(N) == -6


@given(board=boards(least=1), data=st.data())
def test_no_bean_comes_or_goes_by_sowing_capturing_and_sweeping(board: Board, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from(board.moves(S)))
    sown, side, last = board.sow(S, hole)
    assert sown.total == board.total
    assert sown.pot(N) == board.pot(N)
    assert sown.swept().total == board.total
    assert sown.swept().over
    if captured := sown.captured(S, (side, last)):
        assert sown.capture(S, last).pot(S) == sown.pot(S) + captured
        assert sown.capture(S, last).total == board.total


@given(board=boards(least=1), data=st.data())
def test_both_sides_sow_alike(board: Board, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from(board.moves(S)))
    turned = Board(board.north[::-1], board.south[::-1], board.pots[::-1])
    sown, side, last = board.sow(S, hole)
    other, other_side, other_last = turned.sow(N, board.holes + 1 - hole)
    assert Board(other.north[::-1], other.south[::-1], other.pots[::-1]) == sown
    assert other_side is side.other
    assert other_last == (last and board.holes + 1 - last)
