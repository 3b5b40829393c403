"""The solver: known margins, every first move, and the cost of the moves of a game."""

import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any, Final

import pytest

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah import analysis as kalah
from pokersvc.games.kalah import engine as engines
from pokersvc.games.kalah import solver as solver_
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Variant, compiled
from pokersvc.games.kalah.search import finish
from pokersvc.games.kalah.solver import Progress, judge, judge_deeper, solve, solver

from .positions import Turn, minimax, random_turns
from .test_perft import ORACLE
from .test_search import ENGINES, south

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

KNOWN: Final[list[tuple[str, int, int, int]]] = [
    (rule, known["holes"], known["beans"], known["margin"])
    for rule, margins in ORACLE["margins"].items()
    for known in margins
]
QUICK: Final = [known for known in KNOWN if known[1] * known[2] <= 10]
LONG: Final = [known for known in KNOWN if known[1] * known[2] > 10 and known[1] < 6]


def solved(kind: type[Engine], rule: str, holes: int, beans: int) -> int:
    game = Variant(holes, 2 * holes * beans, rule == "empty_capture")
    return solve(kind(game), Board.start(holes, beans)).margin


@pytest.mark.parametrize("kind", ENGINES)
def test_small_boards_have_the_margins_that_are_known(kind: type[Engine]) -> None:
    assert {known: solved(kind, *known[:3]) for known in QUICK} == {known: known[3] for known in QUICK}


@pytest.mark.slow
@pytest.mark.parametrize("known", LONG, ids=lambda known: f"{known[0]}-{known[1]}-{known[2]}")
def test_larger_boards_have_the_margins_that_are_known(known: tuple[str, int, int, int]) -> None:
    rules = kalah.rules_of(known[1], known[2], empty_capture=known[0] == "empty_capture")
    assert kalah.solve(rules).margin == known[3]


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make numba impossible to import, and clear the compiled functions."""
    monkeypatch.setitem(sys.modules, "numba", None)
    compiled.cache_clear()
    yield
    compiled.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("without_numba")
def test_kalah_4_4_is_solved_without_numba_in_under_a_minute() -> None:
    began = process_time()
    solution = kalah.solve(kalah.rules_of(4, 4))
    assert process_time() - began < 60
    assert (solution.margin, solution.best) == (2, (1,))


@pytest.mark.slow
def test_guesses_are_made_by_the_engine_that_searches_and_their_sowings_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "compiled", lambda: pytest.fail("plain Python was asked for"))
    engine, board = Engine(Variant(4, 24)), Board.start(4, 3)
    guesses = solver_.guesses_of(engine, board, Side.SOUTH, lambda _: None)
    guessing = engine.nodes
    monkeypatch.setattr(solver_, "guesses_of", lambda *_: guesses)
    rest = solve(engine, board).nodes
    monkeypatch.undo()
    assert solve(Engine(Variant(4, 24)), board).nodes == guessing + rest


def test_guessing_ends_after_so_many_sowings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_, "GUESSING_NODES", 30_000)
    monkeypatch.setattr(Engine, "slice", 1000)
    engine, board = Engine(Variant(6, 48)), Board.start(6, 4)
    seen: list[int] = []
    guesses = solver_.guesses_of(engine, board, Side.SOUTH, seen.append)
    assert 30_000 <= engine.nodes <= 31_100
    assert seen == sorted(seen)
    assert set(guesses) == {1, 2, 3, 4, 5, 6}
    assert max(guesses.values()) > 0


@pytest.mark.parametrize(("holes", "beans", "installed", "slow"), [
    (6, 4, False, True), (6, 4, True, False), (4, 5, False, False), (7, 3, False, True), (8, 8, True, True),
])  # fmt: skip
def test_a_large_board_without_compiled_code_may_take_hours(
    monkeypatch: pytest.MonkeyPatch, holes: int, beans: int, installed: bool, slow: bool
) -> None:
    monkeypatch.setattr(engines, "compiled", lambda: object() if installed else None)
    assert kalah.slow(kalah.rules_of(holes, beans)) == slow


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize(("empty_capture", "margin"), [(False, 8), (True, 10)])
def test_kalah_6_4_is_won_by_south(empty_capture: bool, margin: int) -> None:
    pytest.importorskip("numba", reason="takes hours without")
    engine = solver(Variant(6, 48, empty_capture))
    found = finish(engine, Board.start(6, 4), Side.SOUTH, guess=margin)
    assert (found.margin, found.exact) == (margin, True)


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("empty_capture", [False, True])
def test_every_first_move_has_its_margin_the_best_first(kind: type[Engine], empty_capture: bool) -> None:
    engine = kind(Variant(3, 18, empty_capture))
    for turn in random_turns(1, 20, 3, 3, empty_capture=empty_capture, most=11):
        solution = solve(engine, *turn)
        after = {
            hole: minimax(turn.after(hole, empty_capture=empty_capture), None, empty_capture=empty_capture)
            for hole in turn.board.moves(turn.side)
        }
        margins = {hole: south(turn, margin) for hole, margin in solution.moves}
        assert margins == after
        assert south(turn, solution.margin) == (max if turn.side is Side.SOUTH else min)(after.values())
        assert [margin for _, margin in solution.moves] == sorted((m for _, m in solution.moves), reverse=True)
        assert solution.best == tuple(hole for hole in after if margins[hole] == south(turn, solution.margin))


def told_by_the_page() -> Iterator[tuple[str, int, int, int]]:
    page = Path(__file__).parents[3].joinpath("docs/kalah.md").read_text("utf-8").replace("−", "-")
    for holes, row in enumerate(page.partition("| holes | 1 bean |")[2].splitlines()[2:8], 1):
        for beans, cell in enumerate(row.strip("|").split("|")[1:], 1):
            house, _, empty = cell.strip().partition(" (")
            if house:
                yield "house", holes, beans, int(house)
                yield "empty_capture", holes, beans, int(empty.rstrip(")") or house)


TOLD: Final = list(told_by_the_page())
OWN: Final = [told for told in TOLD if told not in KNOWN]
"""The page's results for boards that no other source has solved."""


def test_the_page_of_kalah_has_the_margins_that_are_known() -> None:
    assert set(KNOWN) <= set(TOLD)
    assert len({told[:3] for told in TOLD}) == len(TOLD) == 2 * 32
    assert len(OWN) == 2 * 7


@pytest.mark.parametrize(
    "told",
    [pytest.param(told, marks=[pytest.mark.slow] * (told[1] * told[2] > 15)) for told in OWN],
    ids=lambda told: f"{told[0]}-{told[1]}-{told[2]}",
)
def test_the_page_of_kalah_has_the_margins_of_other_boards(told: tuple[str, int, int, int]) -> None:
    rule, holes, beans, margin = told
    engine = solver(Variant(holes, 2 * holes * beans, rule == "empty_capture"))
    assert finish(engine, Board.start(holes, beans), Side.SOUTH, guess=margin).margin == margin


def test_a_board_without_beans_is_a_tie_without_moves() -> None:
    solution = kalah.solve(kalah.rules_of(3, 0))
    assert (solution.margin, solution.moves, solution.best) == (0, (), ())


def test_how_far_it_is_is_told_and_may_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "slice", 1000)
    told: list[Progress] = []
    engine = Engine(Variant(4, 24))
    assert solve(engine, Board.start(4, 3), Side.SOUTH, told.append).margin == 6
    assert [progress.nodes for progress in told] == sorted(progress.nodes for progress in told)
    assert all(progress.low <= 6 <= progress.high for progress in told)
    assert {progress.hole for progress in told} > {None}
    assert (told[-1].low, told[-1].high) == (6, 6)
    assert (told[-1].moves, told[-1].hole) == (((2, 6), (3, 2), (4, -2)), 1)

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(Engine(Variant(4, 24)), Board.start(4, 3), Side.SOUTH, interrupt)


@pytest.mark.parametrize(("holes", "beans"), [(0, 4), (33, 4), (6, -1), (6, 65)])
def test_a_board_that_cannot_be_is_refused(holes: int, beans: int) -> None:
    with pytest.raises(InvalidValue):
        kalah.rules_of(holes, beans)


@pytest.mark.parametrize("kind", ENGINES)
def test_what_a_move_cost_is_the_margin_that_it_gave_away(kind: type[Engine]) -> None:
    engine = kind(Variant(3, 18))
    for turn in random_turns(2, 25, 3, 3, most=9):
        best = south(turn, minimax(turn, None))
        for hole in turn.board.moves(turn.side):
            margin = south(turn, minimax(turn.after(hole), None))
            judged = judge(engine, *turn, hole)
            assert (judged.margin, judged.best_margin, judged.cost) == (margin, best, best - margin)
            assert judged.exact
            assert (judged.best == hole) == (margin == best)
            *_, last = judge_deeper(engine, *turn, hole)
            assert last == judged


def test_where_the_end_is_not_seen_a_cost_is_that_of_a_depth() -> None:
    game = Variant(6, 48)
    judgements: list[Any] = []
    for judged in judge_deeper(Engine(game), Board.start(6, 4), Side.SOUTH, 1):
        judgements.append(judged)
        if judged.depth == 5:
            break
    assert [judged.depth for judged in judgements] == [1, 2, 3, 4, 5]
    assert not any(judged.exact for judged in judgements)
    last = judgements[-1]
    start = Turn(Board.start(6, 4), Side.SOUTH)
    assert (last.margin, last.best_margin) == (minimax(start.after(1), 4), minimax(start, 5))
