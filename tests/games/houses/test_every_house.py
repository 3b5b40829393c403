"""The six built-in houses, with every number of seats."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest

from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.state import DrawPokerState

from ..draw_poker.played import KINDS, Cards, Plan, Played
from ..draw_poker.scenario import Scenario, after_earlier_rounds, seated
from ..draw_poker.test_properties import (
    chips_are_conserved,
    the_game_ends,
)
from .everywhere import one_winner_of_every_chip
from .plans import other_numbers

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

HOUSES: Final = preset_names()


def mixed(name: str, seats: int, *, rounds: int | None = 3) -> Plan:
    """Half the seats are people's, half of other programs'."""
    random = Random(f"{name} {seats}")
    kinds = [HUMAN if random.random() < 0.5 else random.choice(KINDS) for _ in range(seats)]
    return Plan(tuple(kinds), rounds, preset(name), seats, preset(name).stack)


@pytest.mark.parametrize("seats", [2, 3, 6, 9, 10])
@pytest.mark.parametrize("name", HOUSES)
def test_every_house_plays_from_2_to_10_seats_with_people_and_programs_and_ends(name: str, seats: int) -> None:
    plan = mixed(name, seats)
    the_game_ends(plan)
    chips_are_conserved(plan)
    one_winner_of_every_chip(plan)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind"), [("rising-ante", "steady"), ("buy-the-pot", "house"), ("capped-raise", "table")]
)
def test_the_founding_houses_end_by_themselves_when_the_bots_of_their_papers_play(name: str, kind: str) -> None:
    rules = preset(name)
    for seed in range(5):
        the_game_ends(Plan((kind,) * rules.seats.default, None, rules, seed, rules.stack))


@pytest.mark.parametrize("name", ["no-limit", "pot-limit", "fixed-limit"])
def test_card_rooms_end_by_themselves_when_programs_play_at_random(name: str) -> None:
    for seed in range(3):
        the_game_ends(Plan(("random",) * 6, None, other_numbers(name, stack=20), seed, 20))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), [("no-limit", 6), ("pot-limit", 6), ("fixed-limit", 2)])
def test_card_rooms_end_by_themselves_when_steady_bots_play(name: str, seats: int) -> None:
    """Six at a fixed limit, with 300 of its larger bets on the table, may well play for 10,000 rounds."""
    rules = preset(name)
    program = DRAW_POKER.players["steady"]()
    for seed in range(3):
        plan = Plan(("steady",) * seats, 10_000, rules, seed, rules.stack)
        state, random = DRAW_POKER.new(plan.started), Random(seed)
        entropy = EntropySource.from_text(str(seed)).entropy()
        while state.ended is None:
            event = state.dealer_event(entropy)
            if event is None and (seat := state.to_act) is not None:
                event = state.decide(program.choose(state.view(seat), state.legal(seat), random))
            assert event is not None
            state.apply(event)
        assert state.ended.reason == "last_player", f"after {state.round} rounds"


class Stayers(Played):
    """A game in which nobody folds, and everyone draws as many cards as allowed."""

    def choose(self, seat: int) -> Action:
        legal = self.state.legal(seat)
        hand = known_among(self.state.view(seat).seat(seat).cards)
        if legal.discard is not None:
            return Discard(seat, hand[: legal.discard])
        if legal.bet is not None and not legal.check:
            return Bet(seat, legal.bet[0])
        if legal.bet is not None and self.random.random() < 0.2:
            return Bet(seat, legal.bet[0])
        if legal.raise_to is not None and self.random.random() < 0.1:
            return Raise(seat, legal.raise_to[0])
        return Check(seat) if legal.check else Call(seat)


@pytest.mark.parametrize("name", HOUSES)
def test_ten_seats_that_never_fold_and_draw_the_most_trap_no_card_and_no_chip(name: str) -> None:
    rules = preset(name)
    reshuffles = 0
    for seed in range(3):
        game, cards, stage = Stayers(Plan(("random",) * 10, 3, rules, seed, rules.stack)), Cards(), ""
        for event in game.steps():
            cards.follow(event, stage)
            stage = game.state.view(EVERYONE).stage
            reshuffles += isinstance(event, events.DeckReshuffled)
            if isinstance(event, earlier_events.CardsDrawn):
                assert game.state.deck_left == len(cards.deck)
        assert game.state.outcome is not None
        assert sum(game.state.outcome.scores) == 10 * rules.stack
    assert reshuffles, "the deck runs out"


def to_the_end(game: Scenario, how: Callable[[DrawPokerState, int], Action]) -> Iterator[Event]:
    while True:
        done = game.deal_on()
        yield from done
        if (seat := game.to_act) is not None:
            game.given(how(game.state, seat))
        elif not done:
            return


def staying(state: DrawPokerState, seat: int) -> Action:
    """Return the cheapest action that stays in; stand pat in the draw."""
    legal = state.legal(seat)
    if legal.discard is not None:
        return Discard(seat, ())
    if legal.check:
        return Check(seat)
    if legal.bet is not None:
        return Bet(seat, legal.bet[0])
    return Call(seat) if legal.call else Fold(seat)


@pytest.mark.parametrize("carried", [0, 3])
@pytest.mark.parametrize(
    "stacks",
    [(1, 1, 1, 1), (0, 0, 0, 0), (1, 1, 1, 9), (9, 1, 1, 0), (4, 4, 4, 4), (5, 5, 5, 5), (2, 3, 5, 7)],
    ids=str,
)
@pytest.mark.parametrize("name", HOUSES)
def test_everyone_broke_at_once_traps_no_chip(name: str, stacks: tuple[int, ...], carried: int) -> None:
    game = after_earlier_rounds(seated(4, rules=preset(name), rounds=6), stacks, carried)
    done = list(to_the_end(game, staying))
    ended = done[-1]
    assert isinstance(ended, events.GameEnded)
    assert sum(ended.stacks) == sum(stacks) + carried
    assert game.pot == 0
    assert game.state.outcome is not None
    assert ended.winners == game.state.outcome.winners


def test_the_seats_and_the_player_of_a_house_are_those_of_a_game_without_other_wishes() -> None:
    for name in HOUSES:
        options = DRAW_POKER.options({"rules": name})
        assert DRAW_POKER.default_kind(options) in DRAW_POKER.bot_levels
        assert 2 <= DRAW_POKER.default_seats(options) <= 10
