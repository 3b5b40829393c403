"""Searches: with every refinement and all of them, the result is that of plain minimax, on both engines."""

from itertools import combinations, product
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest

from pokersvc.errors import InvalidValue
from pokersvc.games.kalah import engine as engines
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import CompiledEngine, Engine, LineTooLong, Refinements, Variant, compiled
from pokersvc.games.kalah.kernels import CHILD, ENDGAME, ENDLESS
from pokersvc.games.kalah.search import deepen, finish, look_ahead, moves

from .positions import Turn, minimax, random_turns

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

ENGINES: Final[list[Any]] = [
    pytest.param(Engine, id="plain"),
    pytest.param(
        CompiledEngine, id="compiled", marks=pytest.mark.skipif(compiled() is None, reason="numba is not installed")
    ),
]
REFINED: Final = [Refinements(*chosen) for chosen in product([False, True], repeat=3)]
BOTH: Final = [False, True]


def south(turn: Turn, margin: int) -> int:
    """Return a margin from South's point of view."""
    return margin if turn.side is Side.SOUTH else -margin


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("empty_capture", BOTH)
@pytest.mark.parametrize(("holes", "beans", "depth"), [(6, 4, 3), (3, 5, 5), (2, 3, 8), (1, 6, 9)])
def test_looking_ahead_is_plain_minimax(
    kind: type[Engine], holes: int, beans: int, depth: int, empty_capture: bool
) -> None:
    engine = kind(Variant(holes, 2 * holes * beans, empty_capture), refinements=Refinements(endgames=False))
    for turn in random_turns(2, 20, holes, beans, empty_capture=empty_capture):
        found = look_ahead(engine, *turn, depth)
        value = minimax(turn, depth, empty_capture=empty_capture)
        assert south(turn, found.margin) == value
        after = turn.after(found.hole, empty_capture=empty_capture)
        assert minimax(after, depth - 1, empty_capture=empty_capture) == value


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("empty_capture", BOTH)
def test_with_few_beans_the_endgame_table_knows_the_end(kind: type[Engine], empty_capture: bool) -> None:
    game = Variant(4, 24, empty_capture)
    engine = kind(game)
    engine._rules[0][ENDGAME] = few = 6
    for turn in random_turns(3, 30, 4, 3, empty_capture=empty_capture):
        found = look_ahead(engine, *turn, 4)
        if found.depth == 4:  # shorter where the whole game was seen
            assert south(turn, found.margin) == endgames_known(turn, 4, few, empty_capture=empty_capture)


def endgames_known(turn: Turn, depth: int, few: int, *, empty_capture: bool) -> int:
    """Minimax that searches positions with few beans to the end, except those at the horizon."""
    margins = []
    for hole in turn.board.moves(turn.side):
        after = turn.after(hole, empty_capture=empty_capture)
        if depth == 1 or after.board.over:
            margins.append(after.board.margin(Side.SOUTH))
        elif after.in_play <= few:
            margins.append(minimax(after, None, empty_capture=empty_capture))
        else:
            margins.append(endgames_known(after, depth - 1, few, empty_capture=empty_capture))
    return max(margins) if turn.side is Side.SOUTH else min(margins)


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("empty_capture", BOTH)
@pytest.mark.parametrize(("holes", "beans", "most"), [(2, 3, 12), (3, 4, 10), (6, 4, 7), (1, 9, 18)])
def test_searching_to_the_end_is_plain_minimax(
    kind: type[Engine], holes: int, beans: int, most: int, empty_capture: bool
) -> None:
    for refinements in (Refinements(), Refinements(endgames=False)):
        engine = kind(Variant(holes, 2 * holes * beans, empty_capture), refinements=refinements)
        for turn in random_turns(4, 15, holes, beans, empty_capture=empty_capture, most=most):
            found = finish(engine, *turn)
            value = minimax(turn, None, empty_capture=empty_capture)
            assert south(turn, found.margin) == value
            assert (
                minimax(turn.after(found.hole, empty_capture=empty_capture), None, empty_capture=empty_capture) == value
            )
            assert found.exact


def refined_alike(kind: type[Engine], seed: int, count: int, depth: int, most: int, empty_capture: bool) -> None:
    """Compare the results with each set of refinements; those with endgames are compared separately."""
    game = Variant(6, 48, empty_capture)
    made = {refinements: kind(game, refinements=refinements) for refinements in REFINED}
    for turn in random_turns(seed, count, 6, 4, empty_capture=empty_capture):
        for endgames in BOTH:
            found = {
                (f.hole, f.margin)
                for refinements, engine in made.items()
                if refinements.endgames == endgames
                for f in [look_ahead(engine, *turn, depth)]
            }
            assert len(found) == 1, turn
        if turn.in_play <= most:
            assert len({finish(engine, *turn).margin for engine in made.values()}) == 1


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("empty_capture", BOTH)
def test_no_refinement_changes_what_is_found(kind: type[Engine], empty_capture: bool) -> None:
    refined_alike(kind, 5, 12 if kind is Engine else 80, 4, 9, empty_capture)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize("empty_capture", BOTH)
def test_no_refinement_changes_what_is_found_in_many_positions(
    kind: type[Engine], empty_capture: bool, times: int
) -> None:
    refined_alike(kind, 6, times * (300 if kind is Engine else 600), 5, 11, empty_capture)


@pytest.mark.skipif(compiled() is None, reason="numba is not installed")
@pytest.mark.parametrize(
    ("holes", "beans", "depth", "count"), [(6, 4, 7, 20), (3, 9, 7, 20), (1, 30, 20, 30), (8, 3, 5, 15)]
)
def test_compiled_and_plain_engines_find_the_same_with_the_same_work(
    holes: int, beans: int, depth: int, count: int
) -> None:
    game = Variant(holes, 2 * holes * beans)
    plain, fast = Engine(game), CompiledEngine(game)
    for turn in random_turns(7, count, holes, beans):
        assert look_ahead(plain, *turn, depth) == look_ahead(fast, *turn, depth)


@pytest.mark.parametrize("kind", ENGINES)
def test_a_search_does_not_depend_on_what_was_searched_before(kind: type[Engine]) -> None:
    game, refinements = Variant(6, 48), Refinements(endgames=False)
    engine = kind(game, refinements=refinements)
    turns = random_turns(8, 30, 6, 4, most=12)
    random = Random(1)
    expected = {turn: look_ahead(kind(game, refinements=refinements), *turn, 7).margin for turn in turns}
    ends = {turn: finish(kind(game, refinements=refinements), *turn).margin for turn in turns}
    for turn in random.choices(turns, k=60):
        assert look_ahead(engine, *turn, 7).margin == expected[turn]
        assert finish(engine, *turn).margin == ends[turn]


def test_what_was_found_at_a_depth_is_not_taken_for_the_end() -> None:
    engine = Engine(Variant(6, 4), refinements=Refinements(endgames=False))
    places = list(combinations(range(6), 2))
    for south, north in product(places, repeat=2):
        rows = [tuple(int(hole in row) for hole in range(6)) for row in (south, north)]
        board = Board(rows[0], rows[1])
        engine.clear()
        expected = finish(engine, board, Side.SOUTH).margin
        look_ahead(engine, board, Side.SOUTH, 5)
        assert finish(engine, board, Side.SOUTH).margin == expected


@pytest.mark.parametrize("kind", ENGINES)
def test_depth_12_from_the_start_takes_at_most_60_000_sowings(kind: type[Engine]) -> None:
    found = look_ahead(kind(Variant(6, 48)), Board.start(6, 4), Side.SOUTH, 12)
    assert (found.margin, found.depth, found.exact) == (6, 12, False)
    assert found.nodes <= 60_000


def test_deepening_ends_when_the_whole_game_was_seen() -> None:
    engine = Engine(Variant(2, 8))
    *_, last = deepen(engine, Board.start(2, 2), Side.SOUTH)
    assert last.exact
    assert last.margin == -2
    assert last.depth < 20


@pytest.mark.parametrize("empty_capture", BOTH)
@pytest.mark.parametrize(("holes", "beans"), [(2, 5), (3, 4), (4, 3), (6, 4)])
def test_what_is_proved_by_looking_ahead_is_the_margin_at_the_end(holes: int, beans: int, empty_capture: bool) -> None:
    game = Variant(holes, 2 * holes * beans, empty_capture)
    ahead, to_the_end = Engine(game, refinements=Refinements(endgames=False)), Engine(game)
    proved = 0
    for turn in random_turns(10, 30, holes, beans, empty_capture=empty_capture, most=16):
        found = look_ahead(ahead, *turn, 8)
        if found.exact:
            proved += 1
            assert found.margin == finish(to_the_end, *turn).margin
    assert proved > 5


def test_a_table_that_grows_keeps_what_it_knows() -> None:
    board, game, without_endgames = Board.start(3, 4), Variant(3, 24), Refinements(endgames=False)
    engine = Engine(game, refinements=without_endgames)
    first = finish(engine, board, Side.SOUTH)
    assert first.margin == 2
    assert engine._slots > engines.SLOTS[0]
    assert finish(engine, board, Side.SOUTH).nodes < first.nodes / 20
    small = Engine(game, refinements=without_endgames, most_slots=engines.SLOTS[0])
    assert finish(small, board, Side.SOUTH).margin == 2
    assert small._slots == engines.SLOTS[0]


@pytest.mark.parametrize("kind", ENGINES)
def test_what_the_watch_raises_ends_the_search_and_the_engine_goes_on(
    kind: type[Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Enough(Exception):
        pass

    seen: list[int] = []

    def watch(nodes: int) -> None:
        seen.append(nodes)
        if len(seen) == 3:
            raise Enough

    monkeypatch.setattr(kind, "slice", 2000)
    engine, board = kind(Variant(4, 24)), Board.start(4, 3)
    with pytest.raises(Enough):
        finish(engine, board, Side.SOUTH, watch=watch)
    assert seen == sorted(seen)
    assert finish(engine, board, Side.SOUTH).margin == 6


@pytest.mark.skipif(compiled() is None, reason="numba is not installed")
def test_compiled_code_comes_back_to_hear_signals_though_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompiledEngine, "slice", 500)
    engine = CompiledEngine(Variant(4, 24), most_slots=engines.SLOTS[0])
    calls = counted_calls(engine, monkeypatch, "at_least")
    assert finish(engine, Board.start(4, 3), Side.SOUTH).margin == 6
    assert len(calls) > engine.nodes / 2000


@pytest.mark.parametrize("kind", ENGINES)
def test_many_sequences_are_counted_a_few_at_a_time(kind: type[Engine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "MOST_COUNTED", 6**3)
    game = Variant(6, 48)
    engine = kind(game)
    calls = counted_calls(engine, monkeypatch, "perft")
    assert engine.perft(game.pack(Board.start(6, 4), Side.SOUTH), 5) == 4690
    assert len(calls) == 35


def counted_calls(engine: Engine, monkeypatch: pytest.MonkeyPatch, name: str) -> list[None]:
    """A list that becomes longer each time the engine calls one of its functions."""
    calls: list[None] = []
    functions = SimpleNamespace(**{each: getattr(engine._run, each) for each in engines.COMPILED})
    function = getattr(functions, name)

    def counting(*arguments: object) -> object:
        calls.append(None)
        return function(*arguments)

    setattr(functions, name, counting)
    monkeypatch.setattr(engine, "_run", functions)
    return calls


@pytest.mark.parametrize("kind", ENGINES)
def test_pausing_often_changes_nothing_that_is_found(kind: type[Engine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "slice", 500)
    engine = kind(Variant(4, 24))
    assert finish(engine, Board.start(4, 3), Side.SOUTH, watch=lambda _: None).margin == 6


@pytest.mark.parametrize("kind", ENGINES)
def test_a_search_makes_room_for_games_that_turn_out_longer(
    kind: type[Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "ROOM", 2)
    engine = kind(Variant(4, 24))
    assert finish(engine, Board.start(4, 3), Side.SOUTH).margin == 6
    assert engine._room >= 16


def test_a_game_that_is_too_long_for_compiled_code_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ROOM", 3)
    monkeypatch.setattr(Engine, "most_room", 6)
    engine = Engine(Variant(4, 24))
    with pytest.raises(LineTooLong, match="for more than 6 sowings"):
        finish(engine, Board.start(4, 3), Side.SOUTH)
    assert look_ahead(engine, Board.start(4, 3), Side.SOUTH, 4).depth == 4


def test_the_largest_board_can_be_searched() -> None:
    board = Board.start(32, 64)
    game = Variant(32, board.total)
    assert not game.compilable
    assert look_ahead(Engine(game), board, Side.SOUTH, 2).margin == minimax(Turn(board, Side.SOUTH), 2)


@pytest.mark.parametrize("depth", [0, -1, 1001, True])
def test_a_depth_that_cannot_be_searched_is_refused(depth: int) -> None:
    with pytest.raises(InvalidValue, match="a depth is 1 to 1000"):
        look_ahead(Engine(Variant(2, 8)), Board.start(2, 2), Side.SOUTH, depth)


def test_there_is_no_move_to_look_for_when_the_game_is_over() -> None:
    with pytest.raises(InvalidValue, match="The game is over on this board"):
        moves(Engine(Variant(2, 8)), Board((0, 0), (4, 4)), Side.SOUTH)


def test_extra_turns_are_looked_at_first_then_captures_then_moves_near_the_pot() -> None:
    board = Board((1, 0, 3, 3, 3, 1), (4, 5, 4, 4, 4, 4))
    looked = moves(Engine(Variant(6, board.total)), board, Side.SOUTH)
    assert [(move.hole, move.gain, move.again) for move in looked] == [
        (6, 1, True), (4, 1, True), (1, 6, False), (5, 1, False), (3, 0, False)
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ENGINES)
@pytest.mark.parametrize(
    ("south", "north", "best", "holes"),
    [
        pytest.param((1, 0, 5, 1, 0, 1), (9, 7, 7, 7, 5, 9), None, [6, 1, 4, 3], id="the larger capture far away"),
        pytest.param((1, 0, 5, 1, 0, 1), (9, 5, 7, 7, 7, 9), None, [6, 4, 1, 3], id="the larger capture near the pot"),
        pytest.param((1, 0, 5, 1, 2, 0), (9, 1, 7, 7, 7, 9), None, [5, 1, 3, 4], id="the smallest capture"),
        pytest.param((1, 0, 1, 3, 1), (4, 2500, 4, 4, 4), None, [5, 1, 4, 3], id="an enormous capture"),
        pytest.param((1, 0, 1, 3, 1), (4, 2500, 4, 4, 4), 3, [3, 5, 1, 4], id="the best one known"),
    ],
)
def test_below_the_root_the_best_known_comes_first_then_extra_turns_captures_and_what_reaches_the_pot(
    kind: type[Engine], south: tuple[int, ...], north: tuple[int, ...], best: int | None, holes: list[int]
) -> None:
    board = Board(south, north)
    engine = kind(Variant(board.holes, board.total), refinements=Refinements(endgames=False))
    assert in_order(engine, board, -1 if best is None else best - 1) == holes


def in_order(engine: Engine, board: Board, best: int) -> list[int]:
    """Return South's holes in the order in which a search follows them, none of which reaches its target at once."""
    position = engine.game.pack(board, Side.SOUTH)
    bound, hole, end = engine._run.expand(engine._rules, engine._memory, *position, 3, position.beans, best, 0)
    assert bound < position.beans
    assert hole == -1
    found = []
    for child in range(0, end, CHILD):
        engine._run.put_first(engine._work, child, end)
        found.append(engine.game.hole(int(engine._work[child + CHILD - 1]), Side.SOUTH))
    return found


def test_to_the_end_is_a_depth_of_its_own() -> None:
    assert finish(Engine(Variant(2, 8)), Board.start(2, 2), Side.SOUTH).depth == ENDLESS
