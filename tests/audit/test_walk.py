"""The audit of any game that was played normally has no findings, whatever its house."""

from typing import Any

import pytest
from hypothesis import given, settings

from pokersvc.core.actions import Action
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.walk import Walk
from pokersvc.games.draw_poker import DRAW_POKER

from ..games.draw_poker.played import Plan, Played
from ..games.houses.plans import any_rules, plans_of


def failed(_record: AnyRecord | None, error: Exception) -> None:
    raise error


def findings(plan: Plan) -> list[tuple[Any, ...]]:
    """Walk the log of a game that is played as planned."""
    found: list[tuple[Any, ...]] = []
    game = Played(plan)
    walk = Walk(DRAW_POKER, lambda *told: found.append(told), failed, over=True, ledger=None)
    for seq, event in enumerate([game.started, *game.steps()], 1):
        type_, version, payload, secret = DRAW_POKER.codec.encode(event)
        walk.follow(Record("game", seq, type_, version, "", "", 1, payload, secret, None, b""))
    walk.end()
    assert walk.state == game.state
    return found


@given(plans_of(any_rules(), most_rounds=3))
@settings(max_examples=25)
def test_nothing_is_found_in_a_game_of_any_house(plan: Plan) -> None:
    assert findings(plan) == []


@pytest.mark.slow
@pytest.mark.parametrize("games", [100, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_nothing_is_found_in_hundreds_of_games_of_any_house(games: int) -> None:
    def finds_nothing(plan: Plan) -> None:
        assert findings(plan) == []

    settings(max_examples=games)(given(plans_of(any_rules(), most_rounds=5))(finds_nothing))()


@given(plans_of(any_rules(), most_rounds=2))
@settings(max_examples=25)
def test_the_action_of_an_event_is_the_inverse_of_decide(plan: Plan) -> None:
    decided: list[tuple[Action, Any]] = []

    class Remembering(Played):
        def next_event(self) -> Any:
            before, chooses = self.state, self.state.to_act is not None
            event = super().next_event()
            if chooses and event is not None:
                action = DRAW_POKER.action_of(event)
                assert action is not None
                decided.append((action, event))
                assert before.decide(action) == event
            return event

    for _ in Remembering(plan).steps():
        pass
    assert decided or plan.rounds is not None
