"""Seats that forgo a round, in any house: chips are kept, the game ends, and copies show only what they may."""

from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.cards import FRESH_DECK
from pokersvc.core.actions import ForgoRound
from pokersvc.core.event import EVERYONE, Event, redact
from pokersvc.core.seats import HUMAN
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.house.houses import preset, preset_names
from pokersvc.games.draw_poker.house.rules import DrawPokerRules

from .played import KINDS, Plan, Played
from .scenario import rules_with

SETTINGS: Final = settings(deadline=None, suppress_health_check=list(HealthCheck))


SURRENDERS: Final = preset("buy-the-pot").model_copy(update={"stack": 12})
EVERY_HOUSE: Final = [*map(preset, preset_names()), SURRENDERS, rules_with(history="all", stack=120)]


@st.composite
def plans_of_every_house(draw: st.DrawFn) -> Plan:
    rules: DrawPokerRules = draw(st.sampled_from(EVERY_HOUSE))
    kinds = draw(st.lists(st.sampled_from([HUMAN, *KINDS]), min_size=2, max_size=min(5, rules.seats.most)))
    return Plan(tuple(kinds), draw(st.integers(1, 4)), rules, draw(st.integers(0, 2**32)), rules.stack)


class Missing(Played):
    """A game in which random seats forgo rounds: before anybody acts, as in the service, or at any time.

    Before each deck `deals_to` has to say who is dealt in, and nobody else is ever asked.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.chance = Random(plan.seed + 2)
        self.early = self.chance.random() < 0.7
        self.due: list[int] = []
        self.among: tuple[int, ...] = ()

    def next_event(self) -> Event | None:
        state = self.state
        dealt_to = state.deals_to()
        if dealt_to is not None:
            self.among = dealt_to
            self.due = [seat for seat in dealt_to if self.chance.random() < 0.3]
            self.due = self.due[: len(dealt_to) - 1]
        if state.to_act is not None:
            assert state.to_act in self.among
            while self.due and (self.early or self.chance.random() < 0.2):
                seat = self.due.pop(0)
                if state.view(EVERYONE).seat(seat).standing == "in":
                    return state.decide(ForgoRound(seat))
        event = super().next_event()
        if isinstance(event, events.RoundStarted):
            assert dealt_to is not None
        elif dealt_to is not None:
            assert isinstance(event, events.PlayerLeft), "only a person who leaves comes before the round"
        return event


def whoever_misses_shares(plan: Plan) -> None:
    """Chips are conserved, books balance, replay equals play, what a copy shows is the same, and the game ends."""
    game = Missing(plan)
    total = plan.stack * len(plan.kinds)
    books, codec = DRAW_POKER.books(game.started), DRAW_POKER.codec
    replayed, copy = DRAW_POKER.new(game.started), DRAW_POKER.new(redact(game.started, EVERYONE))
    out: set[int] = set()
    for event in game.steps():
        if isinstance(event, events.RoundStarted):
            out = set()
        assert getattr(event, "seat", None) not in out or isinstance(event, events.PlayerLeft), event
        if isinstance(event, events.RoundForgone):
            out.add(event.seat)
            assert DRAW_POKER.action_of(event) == ForgoRound(event.seat)
        if isinstance(event, events.PotAwarded) and event.reason != "game_end":
            assert out.isdisjoint(share.seat for share in event.shares), "who forwent the round wins nothing"
        assert sum(game.state.stacks) + game.state.pot == total, event
        assert list(books.post(event)) == [], event
        assert list(books.compare(game.state)) == [], event
        replayed.apply(codec.decode(*codec.encode(event)))
        assert replayed == game.state
        copy.apply(redact(event, EVERYONE))
        assert copy.view(EVERYONE) == game.state.view(EVERYONE), event
        assert copy.deals_to() == game.state.deals_to()
        assert copy.entry(event, EVERYONE) == game.state.entry(event, EVERYONE)
        assert DRAW_POKER.words.tell(event, game.state)
        if game.state.deck_seed is not None and game.state.phase.name == "DRAW":
            assert game.state.deck_left <= len(FRESH_DECK) - 5 * len(game.among)
    assert game.state.outcome is not None
    assert sum(game.state.outcome.scores) == total


@given(plans_of_every_house())
@settings(SETTINGS, max_examples=25)
def test_whoever_misses_shares_in_any_house(plan: Plan) -> None:
    whoever_misses_shares(plan)


@pytest.mark.slow
@pytest.mark.parametrize("games", [200, pytest.param(600, marks=pytest.mark.exhaustive)])
def test_whoever_misses_shares_in_hundreds_of_games(games: int) -> None:
    settings(SETTINGS, max_examples=games)(given(plans_of_every_house())(whoever_misses_shares))()
