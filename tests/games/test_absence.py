"""The action of each game for a seat out of time, and how games end when closed: given, when, then."""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from pokersvc.core.actions import Action, CloseGame, IllegalAction
from pokersvc.core.common_events import GameClosed
from pokersvc.core.event import AUDITOR, EVERYONE, Event, ImpossibleEvent
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Entry, State
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold
from pokersvc.games.kalah import KALAH
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.poker_market import POKER_MARKET
from pokersvc.games.poker_market.actions import Decline, Pass, Propose

SOURCE = EntropySource.from_text("absence")


class Given:
    """A game of two people, played by actions; the dealer's events follow automatically."""

    def __init__(self, game: Game, options: dict[str, Any] | None = None, rounds: int | None = None) -> None:
        seats = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))
        self.game = game
        self.state: State = game.new(game.start(Setup(seats, SOURCE, rounds, options)))
        self.events: list[Event] = []
        self.entries: list[Entry] = []
        self.deal()

    def take(self, event: Event) -> None:
        self.state.apply(event)
        self.events.append(event)
        if (entry := self.state.entry(event, EVERYONE)) is not None:
            self.entries.append(entry)

    def deal(self, *, past_pause: bool = False) -> "Given":
        while past_pause or not self.state.pausing:
            past_pause = False
            if (event := self.state.dealer_event(SOURCE.entropy())) is None:
                break
            self.take(event)
        return self

    def after(self, *actions: Action) -> "Given":
        for action in actions:
            self.take(self.state.decide(action))
            self.deal()
        return self

    def lapses(self, *, away: bool = False) -> Action:
        (seat,) = self.state.awaited
        return self.state.default_action(seat, away=away, random=Random(1))


def test_in_draw_poker_a_seat_that_may_check_checks_and_folds_where_it_cannot() -> None:
    table = Given(DRAW_POKER, {"rules": "no-limit"})
    assert table.lapses() == Fold(1)  # facing the big blind
    assert table.after(Call(1)).lapses() == Check(2)
    assert table.lapses(away=True) == Check(2)  # facing no bet nobody folds in this house


def test_in_draw_poker_a_seat_that_sits_out_folds_where_it_may() -> None:
    opening = Given(DRAW_POKER, {"rules": "rising-ante"})
    assert opening.lapses() == opening.lapses(away=True) == Fold(1)  # nobody checks in the first betting
    final = opening.after(Bet(1, 50), Call(2), Discard(1, ()), Discard(2, ()))
    assert final.lapses() == Check(1)
    assert final.lapses(away=True) == (Fold(1) if final.state.legal(1).fold else Check(1))


def test_in_the_draw_it_stands_pat() -> None:
    table = Given(DRAW_POKER).after(Bet(1, 50), Call(2))
    assert table.lapses() == table.lapses(away=True) == Discard(1, ())


def test_in_the_market_it_passes_and_declines() -> None:
    table = Given(POKER_MARKET)
    assert table.lapses() == Pass(1)
    gives, gets = table.state.legal(1).gives[0], table.state.legal(1).gets[0][1][0]
    assert table.after(Propose(1, gives, 2, gets)).lapses() == Decline(2)


def test_in_kalah_it_makes_a_move_that_is_drawn() -> None:
    state = Given(KALAH).after(Sow(1, 1)).state
    drawn = {state.default_action(2, away=False, random=Random(seed)) for seed in range(50)}
    assert drawn == {Sow(2, hole) for hole in state.legal(2).holes}


def test_draw_poker_is_closed_between_two_rounds_and_ends_as_after_its_last_round() -> None:
    table = Given(DRAW_POKER)
    with pytest.raises(IllegalAction) as refused:
        table.state.decide(CloseGame())
    assert refused.value.code == "not_between_rounds"
    table.after(Fold(1)).after(CloseGame())
    last = Given(DRAW_POKER, rounds=1).after(Fold(1))
    assert [type(event).__name__ for event in table.events[-4:]] == [
        "RoundEnded", "GameClosed", "HandsRevealed", "GameEnded"
    ]  # fmt: skip
    assert table.events[-1] == last.events[-1]
    assert table.state.outcome == last.state.outcome
    assert table.state.outcome is not None
    assert table.game.words.tell(table.events[-1], table.state) == "The game is over: it was closed"
    assert table.game.words.tell(last.events[-1], last.state) == "The game is over: all rounds are played"


def test_a_market_is_closed_before_the_first_turn_of_a_round_and_its_hands_are_ranked() -> None:
    table = Given(POKER_MARKET, {"markets": 3}).after(Pass(1))
    with pytest.raises(IllegalAction) as refused:
        table.state.decide(CloseGame())
    assert refused.value.code == "not_between_rounds"
    table.after(Pass(2), CloseGame())
    assert [type(event).__name__ for event in table.events[-3:]] == ["GameClosed", "HandsRanked", "GameEnded"]
    assert table.state.outcome is not None
    assert sorted(table.state.outcome.scores) == [1, 2]
    assert [entry.number for entry in table.entries] == [1, 2]  # the second is the ranking
    assert table.entries[1].facts["ranking"]


def test_a_market_that_is_closed_before_its_first_turn_adds_a_line_of_its_own() -> None:
    table = Given(POKER_MARKET, {"markets": 2}, rounds=1).after(Pass(1), Pass(2), CloseGame())
    assert [entry.number for entry in table.entries] == [1, 2]
    assert table.state.outcome is not None
    assert sum(table.state.outcome.scores) == 6


def test_kalah_is_closed_at_any_time_and_each_side_keeps_the_beans_that_lie_on_it() -> None:
    table = Given(KALAH, {"holes": 3, "beans": 2}).after(Sow(1, 2))  # South: 2 0 3, one in the pot, and again
    before = table.state.view(AUDITOR).board
    table.after(CloseGame())
    assert [type(event).__name__ for event in table.events[-4:]] == [
        "GameClosed", "BeansSwept", "BeansSwept", "GameEnded"
    ]  # fmt: skip
    assert table.state.outcome is not None
    assert table.state.outcome.scores == (sum(before.south) + before.pots[0], sum(before.north) + before.pots[1])
    assert [entry.number for entry in table.entries] == [1, 2]
    assert table.game.words.line(table.entries[1]) == "The game was closed; pots 6-6"
    books = table.game.books(table.game.start(Setup((Seat(HUMAN, "A"), Seat(HUMAN, "B")), SOURCE, None, _SMALL)))
    assert not any(list(books.post(event)) for event in table.events)
    assert not list(books.compare(table.state))


_SMALL = {"holes": 3, "beans": 2}


def games() -> Iterable[Given]:
    yield Given(DRAW_POKER)
    yield Given(POKER_MARKET)
    yield Given(KALAH)


def test_a_closed_game_cannot_be_closed_again() -> None:
    for table in games():
        table.after(*([Fold(1)] if table.game is DRAW_POKER else []), CloseGame())
        with pytest.raises(IllegalAction):
            table.state.decide(CloseGame())
        with pytest.raises(ImpossibleEvent):
            table.state.apply(GameClosed())
