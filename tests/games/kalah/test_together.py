"""Solving by several threads: the margins are those of one, and no entry of two writers is believed."""

from itertools import product

import pytest

from pokersvc.games.kalah import analysis, kernels
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import SLOTS, CompiledEngine, Engine, LineTooLong, Variant, compiled
from pokersvc.games.kalah.perfect_play import together
from pokersvc.games.kalah.perfect_play.endgames import MOST_BEANS, computed
from pokersvc.games.kalah.perfect_play.together import solve_together
from pokersvc.games.kalah.solver import Progress, solve

with_numba = pytest.mark.skipif(compiled() is None, reason="numba is not installed")
"""Only compiled code runs in several threads at once; numba is optional, and installed for all tests in CI."""


def made(holes: int, beans: int, *, empty_capture: bool = False) -> CompiledEngine:
    return CompiledEngine(Variant(holes, 2 * holes * beans, empty_capture), most_slots=SLOTS[2])


@with_numba
@pytest.mark.parametrize("empty_capture", [False, True])
def test_threads_find_the_margins_that_one_finds(empty_capture: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompiledEngine, "slice", 1000)
    monkeypatch.setattr(together, "SECONDS_BETWEEN", 0.001)
    board, told = Board.start(4, 3), list[Progress]()
    alone = solve(made(4, 3, empty_capture=empty_capture), board)
    found = solve_together(made(4, 3, empty_capture=empty_capture), 3, board, Side.SOUTH, told.append)
    assert (found.margin, found.moves) == (alone.margin, alone.moves)
    assert all(one.low <= alone.margin <= one.high for one in told)
    assert all(set(one.moves) <= set(alone.moves) for one in told)


@with_numba
def test_threads_end_when_the_search_is_interrupted_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(together, "SECONDS_BETWEEN", 0)
    with pytest.raises(KeyboardInterrupt):
        solve_together(made(5, 4), 2, Board.start(5, 4), Side.SOUTH, interrupt)
    monkeypatch.setattr(together, "guesses_of", lambda *_: dict.fromkeys(range(1, 5), 0))
    monkeypatch.setattr(CompiledEngine, "most_room", 4)
    monkeypatch.setattr("pokersvc.games.kalah.engine.ROOM", 4)
    with pytest.raises(LineTooLong):
        solve_together(made(4, 3), 2, Board.start(4, 3))


@with_numba
def test_a_large_board_is_solved_with_endgames_by_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "MOST_PLAIN", 2)
    monkeypatch.setattr("pokersvc.games.kalah.perfect_play.endgames.MOST_COMPUTED", 6000)
    monkeypatch.setattr(analysis, "SLOTS", SLOTS[:2])
    assert computed(Variant(3, 12)).beans == 9
    assert analysis.solve(analysis.rules_of(3, 2)).margin == 4
    assert computed(Variant(1, 128)).beans == MOST_BEANS  # values are bytes


def test_an_entry_with_numbers_of_two_writers_is_nobodys() -> None:
    slots = 1
    entries = []
    for own, theirs, packed in ((7, 9, 1 << 40), (7, 9, 3 << 41), (8, 9, 5 << 40)):
        table = [0] * 6
        kernels.store((table, [], [0] * 5, []), slots, own, theirs, packed)
        assert kernels.find(table, slots, own, theirs) == packed
        entries.append(table[:3])
    for own, theirs, packed in product(range(3), repeat=3):
        if not own == theirs == packed:
            torn = [entries[own][0], entries[theirs][1], entries[packed][2], 0, 0, 0]
            assert not any(kernels.find(torn, slots, mine, 9) for mine in (7, 8))


def test_a_plain_engine_keeps_its_entries_when_its_table_grows() -> None:
    engine = Engine(Variant(3, 18), most_slots=SLOTS[1])
    solve(engine, Board.start(3, 3))
    before = {tuple(engine._table[at : at + 3]) for at in range(0, 3 * SLOTS[0], 3)} - {(0, 0, 0)}
    engine._resize(SLOTS[1])
    after = {tuple(engine._table[at : at + 3]) for at in range(0, 3 * SLOTS[1], 3)}
    assert before <= after
