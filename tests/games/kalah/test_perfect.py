"""The bot `perfect`: never a mistake, from any position, whatever it searched before and whatever the machine has."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.games.kalah import KALAH
from pokersvc.games.kalah import engine as engines
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Variant, compiled
from pokersvc.games.kalah.perfect_play import endgames as databases
from pokersvc.games.kalah.perfect_play import perfect as playing
from pokersvc.games.kalah.perfect_play.endgames import NoEndgames, build, covered
from pokersvc.games.kalah.perfect_play.perfect import check_playable, perfect
from pokersvc.games.kalah.rules import KalahRules
from pokersvc.games.kalah.search import moves
from tests.games.kalah.positions import Turn, minimax, random_turns

BOTH = [False, True]


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Keep databases in a folder of the test, and engines from one test to itself."""
    monkeypatch.setattr(databases, "folder", lambda: tmp_path)
    databases._read.cache_clear()
    playing._engines.clear()
    yield
    playing._engines.clear()
    databases._read.cache_clear()


@pytest.mark.parametrize(
    ("holes", "beans", "empty_capture"), [(1, 6, False), (2, 3, False), (2, 3, True), (4, 1, False), (4, 1, True)]
)
def test_it_never_gives_away_a_bean_from_any_position_that_can_be_reached(
    holes: int, beans: int, empty_capture: bool
) -> None:
    seen, ahead = set[Turn](), [Turn(Board.start(holes, beans), Side.SOUTH)]
    while ahead:
        turn = ahead.pop()
        if turn in seen or turn.board.over:
            continue
        seen.add(turn)
        found = perfect(*turn, empty_capture=empty_capture)
        best = minimax(turn, None, empty_capture=empty_capture)
        assert minimax(turn.after(found.hole, empty_capture=empty_capture), None, empty_capture=empty_capture) == best
        assert (found.margin if turn.side is Side.SOUTH else -found.margin) == best
        ahead += [turn.after(hole, empty_capture=empty_capture) for hole in turn.board.moves(turn.side)]
    assert seen


def first_best(turn: Turn) -> int:
    """Return the first hole with the best margin, in the order in which searches look at moves."""
    sign = 1 if turn.side is Side.SOUTH else -1
    order = [move.hole for move in moves(Engine(Variant(turn.board.holes, turn.board.total)), *turn)]
    return max(order, key=lambda hole: sign * minimax(turn.after(hole), None))


@pytest.mark.skipif(compiled() is None, reason="endgames are computed with numba")
def test_its_choice_is_the_same_with_a_database_without_one_and_without_numba(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(databases, "MOST_POSITIONS", 8_000)
    turns = random_turns(41, 12, 4, 3, most=12)
    chosen = [perfect(*turn).hole for turn in turns]
    assert chosen == [first_best(turn) for turn in turns]
    build(covered(4), tmp_path)
    playing._engines.clear()
    assert [perfect(*turn).hole for turn in reversed(turns)] == chosen[::-1]
    monkeypatch.setattr(engines, "compiled", lambda: None)
    playing._engines.clear()
    assert [perfect(*turn).hole for turn in turns] == chosen


@pytest.mark.skipif(compiled() is None, reason="endgames are computed with numba")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("positions", "empty_capture"),
    [(3_000_000, False), (3_000_000, True)]
    + [pytest.param(databases.MOST_POSITIONS, rule, marks=pytest.mark.exhaustive) for rule in BOTH],
)
def test_with_six_holes_it_keeps_the_best_margin_to_the_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, positions: int, empty_capture: bool
) -> None:
    monkeypatch.setattr(databases, "MOST_POSITIONS", positions)
    build(covered(6, empty_capture=empty_capture), tmp_path)
    random, played = Random(43), 0
    for turn in random_turns(42, 12, 6, 4, empty_capture=empty_capture, most=26):
        side, best = turn.side, perfect(*turn, empty_capture=empty_capture).margin
        for _ in count():
            if turn.board.over:
                break
            if turn.side is side:
                found = perfect(*turn, empty_capture=empty_capture)
                assert found.margin >= best  # an opponent's mistake is kept
                best, hole = found.margin, found.hole
                played += 1
            else:
                hole = random.choice(turn.board.moves(turn.side))
            turn = turn.after(hole, empty_capture=empty_capture)
        assert turn.board.margin(side) >= best
    assert played > 10


def started(kinds: tuple[str, str], **options: int) -> None:
    seats = (Seat(kinds[0], "Ann"), Seat(kinds[1], "Bob"))
    KALAH.start(Setup(seats, EntropySource.fresh(), options=options))


def test_a_board_that_needs_a_database_is_refused_with_the_command_that_builds_it() -> None:
    pytest.importorskip("numba", reason="without it, that is said first")
    with pytest.raises(NoEndgames, match="build it with `pokersvc kalah build 6`") as refused:
        started(("bad", "perfect"))
    assert refused.value.field == "seats.2.program"
    started(("perfect", "bad"), holes=6, beans=2)
    started(("bad", "smart"))


def test_a_board_is_refused_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "compiled", lambda: None)
    with pytest.raises(InvalidValue, match="with numba; install it with pip install"):
        check_playable(KalahRules())
    check_playable(KalahRules(holes=4, beans=3))


@pytest.mark.parametrize(("holes", "beans"), [(7, 1), (6, 5), (32, 64), (1, 25)])
def test_a_board_that_is_too_large_is_refused(holes: int, beans: int) -> None:
    with pytest.raises(InvalidValue, match="it plays boards of up to 6 holes and 24 beans a side"):
        check_playable(KalahRules(holes=holes, beans=beans))
