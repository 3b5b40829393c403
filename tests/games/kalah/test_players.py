"""The bots of Kalah."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from time import process_time
from typing import Final
from unittest.mock import ANY

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.record import GameRecord, Seen
from pokersvc.core.seats import Seat, SeatSeen
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue
from pokersvc.games.kalah import KALAH, players
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import CompiledEngine, Engine, Engines, Variant, _DeepRecursion, compiled, engine
from pokersvc.games.kalah.kernels import ENDLESS
from pokersvc.games.kalah.players import KINDS, BadPlayer, SmartPlayer, thinking
from pokersvc.games.kalah.rules import KalahRules
from pokersvc.games.kalah.search import Found, finish, keep, look_ahead
from pokersvc.games.kalah.view import KalahView

from .positions import Turn, minimax, random_game
from .test_search import south

RANDOM = Random(0)


def view(board: Board, side: Side = Side.SOUTH) -> KalahView:
    seats = (SeatSeen("bad", "Ann"), SeatSeen("bad", "Bob"))
    rules = KalahRules(holes=board.holes, beans=4)
    return KalahView(False, board, (), 0, Seen(GameRecord(), side.value), rules, seats, side.value, side.value)


def chosen(kind: str, board: Board, side: Side = Side.SOUTH) -> int:
    action = KINDS[kind]().choose(view(board, side), LegalActions(board.moves(side)), RANDOM)
    assert isinstance(action, Sow)
    assert action.seat == side
    return action.hole


# The document's own cases: its boards, where it chooses; where it is over, nobody is asked.


@pytest.mark.parametrize("kind", ["bad", "random", "smart/4", "smart/0.05s", "smart/0s"])
def test_every_program_chooses_a_hole_with_beans(kind: str) -> None:
    board = Board.start(3, 2).with_beans(Side.SOUTH, 1, 0).with_beans(Side.NORTH, 3, 0)
    for side in Side:
        assert chosen(kind, board, side) in board.moves(side)


def test_the_bad_player_sows_from_the_lowest_hole_with_beans() -> None:
    assert chosen("bad", Board.start(6, 4)) == 1
    assert chosen("bad", Board((0, 0, 2, 1), (4,) * 4)) == 3
    assert chosen("bad", Board((1,) * 4, (0, 3, 0, 1)), Side.NORTH) == 2


def test_the_game_of_the_document_is_won_by_north() -> None:
    # Board(1, 1) with 2 beans in North's hole: South's one bean goes to its pot.
    state = KALAH.new(KALAH.start(Setup((Seat("smart", "smartie"), Seat("human", "human")), EntropySource.fresh())))
    state.rules = KalahRules(holes=1, beans=1)
    state.board = Board.start(1, 1).with_beans(Side.NORTH, 1, 2)
    assert state.outcome is None
    entropy = EntropySource.fresh().entropy()
    while state.outcome is None:
        event = state.dealer_event(entropy)
        if event is None:
            assert state.to_act is not None
            event = state.decide(Sow(state.to_act, chosen("smart/0s", state.board, Side(state.to_act))))
        state.apply(event)
    assert state.outcome.winners == (2,)


def test_random_plays_every_hole() -> None:
    board = Board.start(4, 2)
    assert {chosen("random", board) for _ in range(60)} == {1, 2, 3, 4}


@pytest.mark.parametrize("empty_capture", [False, True])
def test_with_few_beans_smart_plays_perfectly_at_any_depth(empty_capture: bool) -> None:
    random = Random(3)
    for _ in range(8):
        for turn in random_game(random, 4, 2, empty_capture=empty_capture):
            if turn.in_play <= 8:
                found = SmartPlayer(1).search(*turn, empty_capture)
                assert found.exact
                after = turn.after(found.hole, empty_capture=empty_capture)
                assert minimax(after, None, empty_capture=empty_capture) == south(turn, found.margin)


FINISHED: Final = Board((3, 0, 2, 1, 2, 0), (0, 4, 1, 0, 1, 2), (17, 15))
"""A board with 16 beans in play, the most at which `smart` always searches to the end with six holes a side."""
NOT_FINISHED: Final = Board((1, 0, 2, 0, 2, 2), (5, 1, 2, 0, 2, 0), (15, 16))
"""And one with 17: South wins by 8 from hole 5, and one sowing ahead hole 1 looks best."""


@pytest.mark.slow
def test_with_16_beans_and_six_holes_smart_plays_perfectly_at_any_depth() -> None:
    assert Variant(6, 48).finishing_beans == 16
    best = finish(Engine(Variant(6, 48)), FINISHED, Side.SOUTH)
    assert SmartPlayer(1).search(FINISHED, Side.SOUTH) == replace(best, nodes=ANY)
    assert look_ahead(Engine(Variant(6, 48)), FINISHED, Side.SOUTH, 1).margin != best.margin
    assert SmartPlayer(1).search(NOT_FINISHED, Side.SOUTH).depth == 1


class Clock:
    """A clock that advances by one second each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.mark.parametrize(("seconds", "ends"), [(30, False), (400, True)])
def test_with_few_beans_half_of_the_time_goes_into_the_end_and_the_deepest_is_kept(
    monkeypatch: pytest.MonkeyPatch, seconds: int, ends: bool
) -> None:
    monkeypatch.setattr(players, "monotonic", Clock())
    monkeypatch.setattr(Engine, "slice", 40)
    searching = Engine(Variant(6, 48))
    found = players._in_time(searching, FINISHED, Side.SOUTH, seconds, finishing=True)
    assert (found.depth == ENDLESS) == found.exact == ends
    if not ends:
        assert found.depth > 3


@pytest.mark.parametrize(("board", "finishing"), [(FINISHED, True), (NOT_FINISHED, False)])
def test_in_a_time_the_end_is_looked_for_with_as_few_beans(
    monkeypatch: pytest.MonkeyPatch, board: Board, finishing: bool
) -> None:
    asked: list[bool] = []

    def finished(searching: Engine, board: Board, side: Side, *_: object) -> Found:
        asked.append(True)
        return look_ahead(searching, board, side, 1)

    monkeypatch.setattr(players, "finish", finished)
    watched = engine(Variant(6, 48))
    monkeypatch.setattr(watched, "slice", 40)
    monkeypatch.setattr(players, "_fastest", Engines(lambda _: watched))
    assert SmartPlayer(think=0.5).search(board, Side.SOUTH).depth >= 1
    assert bool(asked) == finishing


def test_at_a_depth_smart_says_what_it_has_proved() -> None:
    board = Board((0, 0, 0, 0, 0, 1), (20, 0, 0, 0, 0, 0))
    found = SmartPlayer(8).search(board, Side.SOUTH)
    assert found == look_ahead(Engine(Variant(6, 21)), board, Side.SOUTH, 8)
    assert found.exact


def test_a_margin_that_is_proved_is_kept_by_the_move_found_if_it_does_and_else_by_the_first_that_does() -> None:
    engine = Engine(Variant(6, 48))
    hasty, best = look_ahead(engine, NOT_FINISHED, Side.SOUTH, 1), finish(engine, NOT_FINISHED, Side.SOUTH)
    assert (hasty.hole, best.hole, best.margin) == (1, 5, 8)
    assert keep(engine, NOT_FINISHED, Side.SOUTH, 8, hasty) == replace(hasty, hole=5, margin=8)
    assert keep(engine, NOT_FINISHED, Side.SOUTH, -40, hasty) == hasty
    assert keep(engine, NOT_FINISHED, Side.SOUTH, 10, hasty) == hasty  # nobody can have proved that


@pytest.mark.slow
def test_at_a_depth_smart_follows_what_it_has_proved_earlier_in_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    proved, other = NOT_FINISHED.with_beans(Side.SOUTH, 1, 2), NOT_FINISHED.with_beans(Side.SOUTH, 1, 3)
    best, search = finish(Engine(Variant(6, 48)), NOT_FINISHED, Side.SOUTH), players._at_depth

    def searched(game: Variant, board: Board, side: Side, depth: int) -> Found:
        return best if board == proved else search(game, board, side, depth)

    monkeypatch.setattr(players, "_at_depth", searched)
    seen = view(NOT_FINISHED)
    legal = LegalActions(NOT_FINISHED.moves(Side.SOUTH))
    for earlier, hole in [
        ((), 1),
        (((proved, Side.NORTH),), 1),
        (((other, Side.SOUTH),), 1),
        (((proved, Side.SOUTH), (other, Side.SOUTH)), 5),
    ]:
        assert SmartPlayer(1).choose(replace(seen, earlier=earlier), legal, RANDOM) == Sow(1, hole)


def against_bad(turn: Turn, smart: Side, player: SmartPlayer) -> int:
    """Play to the end and return smart's margin; check every margin that its search has proved."""
    proved = -1000
    earlier: list[Board] = []
    while not turn.board.over:
        if turn.side is smart:
            found = player.search(*turn, False, earlier)
            earlier.append(turn.board)
            if found.exact:
                proved = max(proved, found.margin)
            hole = found.hole
        else:
            action = BadPlayer().choose(view(*turn), LegalActions(turn.board.moves(turn.side)), RANDOM)
            assert isinstance(action, Sow)
            hole = action.hole
        turn = turn.after(hole)
    margin = turn.board.swept().margin(smart)
    assert margin >= proved
    return margin


def opened(random: Random) -> Turn:
    """A position after 2 to 6 random moves of Kalah(6, 4)."""
    while True:
        turns = list(random_game(random, 6, 4))
        moves = random.randint(2, 6)
        if len(turns) > moves:
            return turns[moves]


def pairs_won(seed: int, count: int) -> int:
    random, player = Random(seed), SmartPlayer(8)
    won = 0
    for _ in range(count):
        turn = opened(random)
        won += sum(against_bad(turn, smart, player) for smart in Side) > 0
    return won


@pytest.mark.slow
def test_smart_beats_bad_from_both_sides_and_keeps_what_it_has_proved() -> None:
    assert pairs_won(1, 6) == 6


@pytest.mark.slow
@pytest.mark.parametrize("positions", [400, pytest.param(2000, marks=pytest.mark.exhaustive)])
def test_smart_beats_bad_from_many_positions(positions: int) -> None:
    assert pairs_won(2, positions) >= 0.99 * positions


def never_gives_up(holes: int, beans: int, games: int, *, empty_capture: bool) -> None:
    random = Random(4)
    engine = Engine(Variant(holes, 2 * holes * beans, empty_capture))
    for _ in range(games):
        turn = Turn(Board.start(holes, beans), Side.SOUTH)
        smart = random.choice(list(Side))
        while not turn.board.over:
            if turn.side is smart:
                best = finish(engine, *turn).margin
                hole = SmartPlayer(think=0).search(*turn, empty_capture).hole
                turn = turn.after(hole, empty_capture=empty_capture)
                left = turn.board.margin(smart)
                if not turn.board.over:
                    after = finish(engine, *turn).margin
                    left = after if turn.side is smart else -after
                assert left == best
            else:
                turn = turn.after(random.choice(turn.board.moves(turn.side)), empty_capture=empty_capture)


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize(("holes", "beans"), [(1, 4), (2, 4), (3, 3), (4, 2)])
def test_with_time_to_finish_smart_never_gives_up_margin(holes: int, beans: int, empty_capture: bool) -> None:
    never_gives_up(holes, beans, 4, empty_capture=empty_capture)


@pytest.mark.slow
@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize("holes", [1, 2, 3, 4])
@pytest.mark.parametrize("beans", [1, 2, 3, 4])
def test_with_time_to_finish_smart_never_gives_up_margin_on_any_small_board(
    holes: int, beans: int, empty_capture: bool
) -> None:
    never_gives_up(holes, beans, 25, empty_capture=empty_capture)


def test_smart_thinks_no_longer_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "monotonic", process_time)  # machines are shared
    player = SmartPlayer(think=0.15)
    player.search(Board.start(6, 4), Side.SOUTH)  # makes an engine
    began = process_time()
    found = player.search(Board.start(6, 4), Side.SOUTH)
    assert 0.1 < process_time() - began < 3
    assert found.depth > 4


def test_without_any_time_smart_still_has_a_move() -> None:
    assert SmartPlayer(think=0.001).search(Board.start(6, 4), Side.SOUTH).hole in range(1, 7)


def test_smart_plays_without_numba_the_same_at_the_same_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(5)
    turns = [opened(random) for _ in range(8)]
    holes = [SmartPlayer(6).search(*turn) for turn in turns]
    monkeypatch.setattr("pokersvc.core.compiled.find_spec", lambda _: None)
    compiled.cache_clear()
    players._fastest.clear()
    players._at_depth.cache_clear()
    try:
        assert SmartPlayer(think=0.05).search(*turns[0]).depth >= 1
        with players._fastest.of(Variant(6, 48)) as fastest:
            assert type(fastest) is Engine
        assert [SmartPlayer(6).search(*turn) for turn in turns] == holes
    finally:
        compiled.cache_clear()
        players._fastest.clear()


@pytest.mark.skipif(compiled() is None, reason="numba is not installed")
def test_a_process_that_thinks_for_long_turns_to_numba_and_chooses_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(6)
    turns = [opened(random) for _ in range(8)]
    plain = [SmartPlayer(6).search(*turn) for turn in turns]
    monkeypatch.setattr(players, "PATIENCE", 0)
    players._at_depth.cache_clear()
    with players._engine(Variant(6, 48), patient=True) as searching:
        assert type(searching) is CompiledEngine
    assert [SmartPlayer(6).search(*turn) for turn in turns] == plain


@pytest.mark.parametrize("kind", ["bad", "random", "smart", "smart/1", "smart/1000", "smart/0s", "smart/2.5s"])
def test_the_kinds_there_are(kind: str) -> None:
    assert kind in KINDS


@pytest.mark.parametrize(
    "kind", ["human", "smart/", "smart/0", "smart/01", "smart/1001", "smart/99999", "smart/1e3s", "smart/-1s",
             "smart/86401s", "smart/.5s", "smart/2.50s", "smart/0.000s", "smart/0.0001s", "smart/s",
             "smart/٣", "smart/8/8", "bad/8", "worse"]
)  # fmt: skip
def test_the_kinds_there_are_not(kind: str) -> None:
    assert kind not in KINDS


@pytest.mark.parametrize(
    ("text", "kind"),
    [("2.5", "smart/2.5s"), (".5", "smart/0.5s"), ("05", "smart/5s"), ("1e1", "smart/10s"), ("0.000", "smart/0s"),
     ("-0", "smart/0s"), ("0.0000", "smart/0s"), ("86400", "smart/86400s"), ("0.001", "smart/0.001s"),
     ("1.10", "smart/1.1s")],
)  # fmt: skip
def test_a_time_to_think_may_be_written_as_numbers_are(text: str, kind: str) -> None:
    assert thinking("smart", text) == kind
    assert kind in KINDS


@pytest.mark.parametrize(
    "text", ["soon", "", "-1", "0.0001", "86400.001", "86401", "nan", "-inf", "1e999999999", "1e-999999999", "1.2345"]
)
def test_what_is_no_time_to_think_is_refused(text: str) -> None:
    with pytest.raises(InvalidValue, match=r"or 0\.001 to 86400 with three decimals at most, such as 2\.5\."):
        thinking("smart", text)


@pytest.mark.parametrize(
    ("kind", "reproducible"), [("smart", False), ("smart/0.5s", False), ("smart/0s", True), ("smart/8", True)]
)
def test_a_game_with_a_program_that_thinks_for_a_time_is_not_reproducible(kind: str, reproducible: bool) -> None:
    seats = (Seat(kind, "A"), Seat("human", "B"))
    assert KALAH.start(Setup(seats, EntropySource.from_text("x"))).reproducible == reproducible
    assert not KALAH.start(Setup(seats, EntropySource.fresh())).reproducible


@pytest.mark.no_cover
def test_a_game_of_programs_goes_the_same_with_the_same_seed() -> None:
    def played() -> list[object]:
        setup = Setup((Seat("smart/3", "A"), Seat("random", "B")), EntropySource.from_text("x"), None, {"holes": 4})
        state = KALAH.new(KALAH.start(setup))
        told: list[object] = []
        while state.outcome is None:
            event = state.dealer_event(setup.source.entropy())
            if event is None:
                seat = state.to_act
                assert seat is not None
                player = KINDS[setup.seats[seat - 1].kind]()
                random = setup.source.program_random(seat, len(told))
                event = state.decide(player.choose(state.view(seat), state.legal(seat), random))
            state.apply(event)
            told.append(event)
        return told

    assert played() == played()


# Several threads.


def test_an_engine_is_with_one_thread_at_a_time_and_is_used_again() -> None:
    engines, game, other = Engines(Engine), Variant(6, 48), Variant(3, 12)
    with engines.of(game) as one, engines.of(game) as another, engines.of(other) as of_another_game:
        assert one is not another
        assert of_another_game.game == other
    with engines.of(game) as again, engines.of(game) as second, engines.of(other) as fresh:
        assert (again, second) == (one, another)
        assert fresh is not of_another_game, "two wait, and the others are forgotten"


def test_threads_that_search_at_once_find_what_one_alone_would(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(7)
    turns = [opened(random) for _ in range(6)]
    alone = [look_ahead(Engine(Variant(6, 48)), *turn, 5) for turn in turns]
    monkeypatch.setattr(players, "_plain", Engines(Engine))
    players._at_depth.cache_clear()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(len(turns)) as threads:
            together = list(threads.map(lambda turn: SmartPlayer(5).search(*turn), turns))
    finally:
        sys.setswitchinterval(before)
    assert together == alone


def test_a_search_that_ends_leaves_the_others_their_depth() -> None:
    before = sys.getrecursionlimit()
    one, other = _DeepRecursion(10_000), _DeepRecursion(20_000)
    with one:
        other.__enter__()
    assert sys.getrecursionlimit() >= 20_000
    other.__exit__()
    assert sys.getrecursionlimit() == before
