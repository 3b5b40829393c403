"""Databases of endgames: every value is that of plain minimax, and no damaged or foreign file is used."""

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from random import Random
from typing import Final

import pytest

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import CompiledEngine, Engine, KnownEndgames, Variant
from pokersvc.games.kalah.kernels import UNKNOWN
from pokersvc.games.kalah.perfect_play import endgames as databases
from pokersvc.games.kalah.perfect_play.endgame_check import check
from pokersvc.games.kalah.perfect_play.endgames import (
    Covered,
    Endgames,
    NoEndgames,
    WrongEndgames,
    build,
    covered,
    stored,
)
from pokersvc.games.kalah.search import finish, look_ahead
from pokersvc.games.kalah.solver import solve, solver
from tests.games.kalah.positions import Turn, minimax, random_turns

pytest.importorskip("numba", reason="endgames are computed with numba")
# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

BOTH = [False, True]


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Keep databases in a folder of the test."""
    monkeypatch.setattr(databases, "folder", lambda: tmp_path)
    databases._read.cache_clear()
    yield
    databases._read.cache_clear()


def boards(holes: int, beans: int) -> Iterator[Board]:
    """Yield every board with a number of beans in play."""
    places = 2 * holes
    for bars in combinations(range(beans + places - 1), places - 1):
        ends = (-1, *bars, beans + places - 1)
        counts = tuple(after - before - 1 for before, after in pairwise(ends))
        yield Board(counts[:holes], counts[holes:])


def value(known: KnownEndgames, game: Variant, board: Board) -> int:
    """Look up the value of a board with South to move, by the rank that its holes have by hand."""
    place = rank = 0
    for at, beans in enumerate((*board.south, *reversed(board.north))):
        place += beans
        rank += comb(place + at, at + 1)
    return int(known.values[rank])


@pytest.mark.parametrize("empty_capture", BOTH)
@pytest.mark.parametrize(("holes", "beans"), [(2, 9), (3, 5), (6, 3)])
def test_every_value_is_that_of_plain_minimax(tmp_path: Path, holes: int, beans: int, empty_capture: bool) -> None:
    of = Covered(holes, empty_capture, beans)
    known = Endgames(of, build(of, tmp_path)).known(compiled=True)
    assert len(known.values) == of.positions == sum(1 for count in range(beans + 1) for _ in boards(holes, count))
    for count in range(beans + 1):
        for board in boards(holes, count):
            best = (
                board.swept().margin(Side.SOUTH)
                if board.over
                else minimax(Turn(board, Side.SOUTH), None, empty_capture=empty_capture)
            )
            assert value(known, Variant(holes, beans, empty_capture), board) == best, board


def test_with_six_holes_a_side_it_covers_16_beans() -> None:
    assert covered(6) == (6, False, 16)
    assert covered(6).positions == 30_421_755
    assert covered(5).beans == 20
    assert covered(2, empty_capture=True).name == "endgames-2-empty-capture.bin"


@pytest.mark.parametrize("holes", [1, 9, True])
def test_other_boards_have_no_database(holes: int) -> None:
    with pytest.raises(InvalidValue, match="holes are 2 to 8"):
        covered(holes)
    assert databases.known_to(Variant(32, 64)) is None


@pytest.mark.parametrize("empty_capture", BOTH)
def test_both_engines_search_to_the_same_end_with_it(tmp_path: Path, empty_capture: bool) -> None:
    of = Covered(4, empty_capture, 7)
    read = Endgames(of, build(of, tmp_path))
    game = Variant(4, 24, empty_capture)
    plain = Engine(game, known=read.known(compiled=False))
    fast = CompiledEngine(game, known=read.known(compiled=True))
    for turn in random_turns(31, 12, 4, 3, empty_capture=empty_capture, most=11):
        best = minimax(turn, None, empty_capture=empty_capture)
        found = finish(plain, *turn)
        assert (found.margin if turn.side is Side.SOUTH else -found.margin) == best
        assert finish(fast, *turn) == found
        assert look_ahead(plain, *turn, 4) == look_ahead(fast, *turn, 4)
    assert not any(value == UNKNOWN for value in read.known(compiled=False).values)


def test_solving_uses_it_if_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = solve(solver(Variant(3, 18)), Board.start(3, 3))
    monkeypatch.setattr(databases, "MOST_POSITIONS", 20_000)
    build(covered(3), tmp_path)
    found = solve(solver(Variant(3, 18)), Board.start(3, 3))
    assert (found.margin, found.moves) == (without.margin, without.moves)
    assert found.nodes < without.nodes


def test_an_interrupted_build_continues_after_its_last_whole_layer(tmp_path: Path) -> None:
    of = Covered(3, False, 8)
    whole = build(of, tmp_path / "at once").read_bytes()
    told: list[int] = []

    def interrupt(done: int) -> None:
        told.append(done)
        if len(told) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(of, tmp_path, interrupt)
    (partial,) = tmp_path.glob("*.partial")
    cut = partial.read_bytes()
    partial.write_bytes(cut[:-1] + bytes([cut[-1] ^ 1]))  # the last layer that was written is damaged
    rest: list[int] = []
    assert build(of, tmp_path, rest.append).read_bytes() == whole
    assert rest == [of.before(beans + 1) for beans in range(4, 9)]
    assert not partial.exists()


@pytest.mark.parametrize("size", [0, 5])
def test_a_build_that_was_killed_at_its_first_bytes_begins_again(tmp_path: Path, size: int) -> None:
    of = Covered(2, False, 4)
    (tmp_path / f"{of.name}.partial").write_bytes(of.line[:size])
    Endgames(of, build(of, tmp_path))


def test_a_file_of_something_else_is_not_continued(tmp_path: Path) -> None:
    of = Covered(2, False, 4)
    foreign = tmp_path / f"{of.name}.partial"
    foreign.write_bytes(b"somebody's notes" * 100)
    with pytest.raises(WrongEndgames, match="remove it, and build that with `pokersvc kalah build 2`"):
        build(of, tmp_path)
    assert foreign.read_bytes() == b"somebody's notes" * 100


def test_any_changed_byte_is_found(tmp_path: Path) -> None:
    of = Covered(2, False, 5)
    path = build(of, tmp_path)
    whole = path.read_bytes()
    for at in Random(5).sample(range(len(whole)), 60):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        with pytest.raises(WrongEndgames):
            Endgames(of, path)


CHANGES: Final[list[Callable[[bytes], bytes]]] = [
    lambda data: data[:-1], lambda data: data + b"\0", lambda data: data[:100], lambda _: b"",
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_of_another_length_is_refused(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    of = Covered(2, False, 5)
    path = build(of, tmp_path)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(WrongEndgames):
        Endgames(of, path)


def test_the_database_of_another_rule_or_board_is_refused(tmp_path: Path) -> None:
    of = Covered(2, False, 5)
    path = build(of, tmp_path)
    for other in (Covered(2, True, 5), Covered(2, False, 4), Covered(3, False, 5)):
        (tmp_path / other.name).write_bytes(path.read_bytes())
        with pytest.raises(WrongEndgames, match="is not the database"):
            Endgames(other, tmp_path / other.name)


def test_a_layer_of_another_rule_is_refused(tmp_path: Path) -> None:
    house, other = (Covered(3, empty_capture, 6) for empty_capture in BOTH)
    path, second = build(house, tmp_path), build(other, tmp_path)
    begin, digest = house.values_at + house.before(6), databases.LINE + 6 * databases.DIGEST
    mixed, foreign = bytearray(path.read_bytes()), second.read_bytes()
    mixed[begin:] = foreign[begin:]
    mixed[digest : digest + 32] = foreign[digest : digest + 32]
    assert mixed[begin:] != path.read_bytes()[begin:]
    path.write_bytes(mixed)
    with pytest.raises(WrongEndgames, match="of its layers, of 0 to 6 beans, 6 layers from the first can be used"):
        Endgames(house, path)


def test_what_is_missing_or_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoEndgames, match="build it with `pokersvc kalah build 2 --empty-capture`"):
        stored(2, empty_capture=True)
    (tmp_path / covered(2).name).mkdir()
    with pytest.raises(WrongEndgames, match="cannot be read"):
        stored(2)


def test_a_database_is_built_once(tmp_path: Path) -> None:
    of = Covered(2, False, 3)
    path = build(of, tmp_path)
    with pytest.raises(InvalidValue, match="is already built"):
        build(of, tmp_path)
    path.write_bytes(b"")
    with pytest.raises(WrongEndgames):
        build(of, tmp_path)


@pytest.mark.parametrize("empty_capture", BOTH)
def test_another_program_finds_the_same_values_and_any_that_differs(tmp_path: Path, empty_capture: bool) -> None:
    of = Covered(3, empty_capture, 6)
    read = Endgames(of, build(of, tmp_path))
    told: list[int] = []
    check(read, told.append)
    assert told[-1] == of.positions
    values = read.known(compiled=True).values  # the map is a copy in memory, so that the file stays as it is
    for at in Random(6).sample(range(of.positions), 40):
        values[at] += 2
        with pytest.raises(WrongEndgames, match="is not that of its best move"):
            check(read)
        values[at] -= 2
    check(read)
