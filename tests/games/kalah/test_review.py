"""Reviews of Kalah: each move with its exact loss, or said to be inexact."""

from random import Random

import pytest

from pokersvc.core.bots.review import Review, reviewed
from pokersvc.core.bots.reviewing import ReviewTerms
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.kalah import KALAH
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Variant
from pokersvc.games.kalah.events import BeansSown
from pokersvc.games.kalah.kernels import SOWN
from pokersvc.games.kalah.perfect_play import review as reviewing
from tests.games.kalah.positions import Turn, minimax


def played(seed: int, *, holes: int, beans: int, empty_capture: bool = False) -> list[Event]:
    """Return the events of a game of random moves."""
    seats = (Seat("human", "Ann"), Seat("human", "Bob"))
    options = {"holes": holes, "beans": beans, "empty_capture": empty_capture}
    started = KALAH.start(Setup(seats, EntropySource.from_text("review"), options=options))
    state, random = KALAH.new(started), Random(seed)
    found: list[Event] = [started]
    entropy = EntropySource.fresh().entropy()
    while state.outcome is None:
        event = state.dealer_event(entropy)
        if event is None:
            assert state.to_act is not None
            event = state.decide(Sow(state.to_act, random.choice(state.board.moves(Side(state.to_act)))))
        state.apply(event)
        found.append(event)
    return found


def review(events: list[Event], seat: int, samples: int | None = None) -> Review:
    return reviewed(KALAH, events, seat, ReviewTerms(b"", samples))


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("empty_capture", [False, True])
def test_each_move_costs_what_it_gives_away_with_perfect_play(empty_capture: bool, seat: int) -> None:
    events = played(seat + 10, holes=3, beans=2, empty_capture=empty_capture)
    found = review(events, seat)
    turn, costs = Turn(Board.start(3, 2), Side.SOUTH), []
    for event in events:
        if isinstance(event, BeansSown):
            after = turn.after(event.hole, empty_capture=empty_capture)
            if event.seat == seat:
                margins = [minimax(one, None, empty_capture=empty_capture) for one in (turn, after)]
                costs.append(abs(margins[0] - margins[1]))
            turn = after
    assert [choice.cost for choice in found.choices] == costs
    assert sum(costs) > 0
    assert {choice.by for choice in found.choices} == {"perfect"}
    assert all((choice.would[0][0] == choice.chose) == (choice.cost == 0) for choice in found.choices)
    (line,) = found.lines
    assert line.of.net == turn.board.margin(Side(seat))
    assert found.said(found.cost) == str(sum(costs))


def test_where_the_end_is_too_far_a_cost_is_that_of_a_depth_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "AHEAD", 3)
    events = played(5, holes=5, beans=3)
    found = review(events, 1, samples=0)
    turn = Turn(Board.start(5, 3), Side.SOUTH)
    mine = iter(found.choices)
    inexact = 0
    for event in events:
        if isinstance(event, BeansSown):
            after = turn.after(event.hole)
            if event.seat == 1 and (choice := next(mine)).by == "smart/3":
                inexact += 1
                assert choice.cost == minimax(turn, 3) - minimax(after, 2)
            turn = after
    assert inexact > 2
    assert any("3 sowings ahead, and not exact" in about for _, about in found.programs)


def test_a_move_may_be_judged_by_one_sowing_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "THOUSANDS_AHEAD", 0)
    found = review(played(5, holes=7, beans=2), 1, samples=0)
    assert found.choices[0].by == "smart/1"
    assert dict(found.programs)["smart/1"].endswith("a cost is by the pots 1 sowing ahead, and not exact.")


def test_moves_after_many_that_took_long_may_take_less() -> None:
    engine = Engine(Variant(1, 2))
    search, allowed = reviewing._Search(engine, 1000), []
    for _ in range(reviewing.MOVES + 2):
        assert search.begin()
        allowed.append(search._end - engine.nodes)
        engine._tallies[SOWN] = search._end
    assert allowed == [1000] * reviewing.MOVES + [50] * 2
