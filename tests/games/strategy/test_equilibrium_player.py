"""The bot `equilibrium`: which hands it has a strategy for, and that what it says is legal and always the same."""

import pickle
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import Card
from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import checked
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.replay import Replay
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Call, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.strategy import strategy_file
from pokersvc.games.draw_poker.strategy.best_response import Worth
from pokersvc.games.draw_poker.strategy.equilibrium_player import (
    NEAR,
    EquilibriumPlayer,
    betting_of,
    nearest,
    place_of,
)
from pokersvc.games.draw_poker.strategy.following import Place, followed
from pokersvc.games.draw_poker.strategy.spots import ANTES, BIG_BLIND, Limit, Spot
from pokersvc.games.draw_poker.strategy.tree import CallEnd, Node
from pokersvc.games.draw_poker.view import DrawPokerView

SEATS = (Seat("random", "Ann"), Seat("random", "Bob"))


def begun(seed: str, seats: tuple[Seat, ...] = SEATS, **options: Any) -> DrawPokerState:
    """Return a game before its first choice."""
    setup = Setup(seats, EntropySource.from_text(seed), 3, {"rules": "fixed-limit", **options})
    replay = Replay(DRAW_POKER)
    state = replay.take(DRAW_POKER.start(setup))
    assert isinstance(state, DrawPokerState)
    return _on(state, seed)


def _on(state: DrawPokerState, seed: str) -> DrawPokerState:
    entropy = EntropySource.from_text(seed).entropy()
    while not state.awaited and state.outcome is None:
        event = state.dealer_event(entropy)
        assert event is not None
        state.apply(event)
    return state


def choices(seed: str, **options: Any) -> list[tuple[DrawPokerView, LegalActions, dict[Action, float]]]:
    """Return all choices of a game that the bot plays with itself, with its policy."""
    state, random, found = begun(seed, **options), Random(seed), []
    while state.outcome is None:
        view, legal = state.view(state.awaited[0]), state.legal(state.awaited[0])
        policy = EquilibriumPlayer().policy(view, legal)
        found.append((view, legal, policy))
        state.apply(state.decide(random.choices(list(policy), list(policy.values()))[0]))
        _on(state, seed)
    return found


@pytest.mark.parametrize("house", ["fixed-limit", "no-limit", "pot-limit", "capped-raise"])
@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_what_it_says_is_a_policy_of_legal_actions(house: str, seed: str) -> None:
    """`State.decide` refuses an action that is not legal; here each of a policy is tried."""
    state = begun(seed, rules=house)
    while state.outcome is None:
        seat = state.awaited[0]
        policy = EquilibriumPlayer().policy(state.view(seat), state.legal(seat))
        assert checked(dict(policy))
        decided = [state.decide(action) for action in policy]
        state.apply(decided[len(decided) // 2])
        _on(state, seed)


def test_it_says_the_same_of_the_same_view_whoever_asks() -> None:
    """A resumed game, another process and another object of the bot have an equal view."""
    for view, legal, policy in choices("again"):
        assert dict(EquilibriumPlayer().policy(pickle.loads(pickle.dumps(view)), legal)) == dict(policy)


def test_it_chooses_the_same_with_the_same_randomness() -> None:
    view, legal, _ = choices("chosen")[0]
    chosen = {EquilibriumPlayer().choose(view, legal, Random(7)) for _ in range(3)}
    assert len(chosen) == 1


@pytest.mark.parametrize(
    ("options", "limit", "ante", "depth"),
    [
        ({}, "fixed_limit", 0, 100),
        ({"blinds": "5/10", "stack": "250"}, "fixed_limit", 0, 25),
        ({"blinds": "2/4", "ante": 1}, "fixed_limit", 10, 50),
        ({"blinds": "2/4", "ante": 4}, "fixed_limit", 40, 50),
        ({"rules": "no-limit"}, "no_limit", 0, 100),
        ({"rules": "pot-limit"}, "pot_limit", 0, 100),
    ],
)
def test_given_card_room_stakes_the_hand_is_one_of_a_spot(
    options: dict[str, Any], limit: str, ante: int, depth: int
) -> None:
    assert betting_of(begun("spot", **options).view(1)) == (limit, ante, depth)


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "rising-ante"},
        {"rules": "capped-raise"},
        {"blinds": "1/3"},
        {"blinds": "5/10", "ante": 3},
        {"rake": "5"},
        {"seats": (*SEATS, Seat("random", "Cat"))},
    ],
)
def test_elsewhere_it_has_no_strategy_and_mixes_what_steady_does(options: dict[str, Any]) -> None:
    state = begun("none", **options)
    seat = state.awaited[0]
    view, legal = state.view(seat), state.legal(seat)
    assert betting_of(view) is None
    policy = EquilibriumPlayer().policy(view, legal)
    assert all(chance * 32 == int(chance * 32) for chance in policy.values())


def test_the_nearest_depth_by_ratio_is_taken() -> None:
    depths = sorted(spot.depth for spot in strategy_file.shipped_spots() if spot[:2] == ("fixed_limit", 0))
    assert depths == [2, 3, 4, 5, 6, 7, 8, 10, 12]
    found = {depth: nearest("fixed_limit", 0, depth) for depth in (1.4, 2.4, 2.5, 3.4, 3.5, 12, 1000)}
    assert [spot.depth for spot in found.values() if spot] == [2, 2, 3, 3, 4, 12, 12]


@pytest.mark.parametrize("ante", ANTES)
def test_from_4_big_blinds_on_a_greater_depth_is_taken_only_if_it_is_thrice_as_near(ante: int) -> None:
    depths = (4, 4.7, 4.8, 5.5, 5.7, 5.8, 6.5, 9, 9.4, 9.5, 11)
    found = {depth: nearest("fixed_limit", ante, depth) for depth in depths}
    assert [spot.depth for spot in found.values() if spot] == [4, 4, 5, 5, 5, 6, 6, 8, 8, 10, 10]


def test_at_a_depth_far_from_all_there_is_no_strategy() -> None:
    assert nearest("fixed_limit", 0, 1.3) is None
    assert nearest("no_limit", 0, 226) is None
    assert nearest("no_limit", 40, 151) is None
    assert nearest("pot_limit", 0, 226) is None
    assert nearest("pot_limit", 10, 100) is None


@pytest.mark.parametrize(
    ("limit", "ante", "most"),
    [("no_limit", 0, 225), ("no_limit", 10, 150), ("no_limit", 40, 150), ("pot_limit", 0, 225)],
)
@given(data=st.data())
def test_without_a_fixed_limit_there_is_one_for_all_stacks_up_to_a_depth(
    limit: Limit, ante: int, most: int, data: st.DataObject
) -> None:
    depth = data.draw(st.floats(4 / 3, most))
    found = nearest(limit, ante, depth)
    assert found is not None
    assert max(found.depth, depth) / min(found.depth, depth) <= NEAR


def test_it_folds_nothing_that_is_free_and_draws_four_cards_at_most() -> None:
    for seed in "xyz":
        for _, legal, policy in choices(seed):
            if legal.check:
                assert not any(isinstance(action, Fold) for action in policy)
            if legal.discard is not None:
                assert all(isinstance(action, Discard) and len(action.cards) <= 4 for action in policy)


def test_a_strategy_of_ones_own_is_played_for_its_stakes_alone(tmp_path: Any) -> None:
    spot = Spot("fixed_limit", 0, 12)
    file = tmp_path / "own.strategy"
    stored = strategy_file.shipped(spot)
    assert stored is not None
    file.write_bytes(strategy_file.written(stored.strategy, stored.keys, 1, Worth(0, 0)))
    state = begun("own")
    view, legal = state.view(state.awaited[0]), state.legal(state.awaited[0])
    own = EquilibriumPlayer(file)
    assert own.policy(view, legal) == EquilibriumPlayer().policy(view, legal)


@pytest.mark.parametrize("number", range(6))
def test_after_a_bet_between_two_sizes_a_hand_keeps_to_one_of_them(number: int) -> None:
    """A raise to 2.5 big blinds is for some hands one to 2, for others one to 3, until the hand ends."""
    seed = f"between {number}"
    state = begun(seed, rules="no-limit")
    state.apply(state.decide(Raise(1, 5)))
    facing = place_of(state.view(2), _places(state))
    assert isinstance(facing.node, Node)
    assert facing.node.price in (2 * BIG_BLIND, 3 * BIG_BLIND)
    state.apply(state.decide(Call(2)))
    drawing = place_of(state.view(2), _places(_on(state, seed)))
    for seat in (2, 1):
        cards = tuple(card for card in state.view(seat).seat(seat).cards or () if isinstance(card, Card))
        state.apply(state.decide(Discard(seat, cards[:3])))
        _on(state, seed)
    drew = place_of(state.view(2), _places(state))
    assert isinstance(drawing.node, CallEnd)
    assert drawing.node.put == facing.node.price
    assert drew.end is drawing.node


def test_each_of_two_sizes_is_that_of_as_many_hands_as_it_has_weight() -> None:
    chosen, weight = 0, 0.0
    for number in range(60):
        state = begun(f"weights {number}", rules="no-limit")
        state.apply(state.decide(Raise(1, 5)))
        places = _places(state)
        chosen, weight = chosen + (place_of(state.view(2), places) == places[0]), places[0].weight
    assert weight == pytest.approx(3 / 7)
    assert abs(chosen - 60 * weight) < 3 * (60 * weight * (1 - weight)) ** 0.5


@cache
def _root() -> Node:
    stored = strategy_file.shipped(Spot("no_limit", 0, 100))
    assert stored is not None
    return stored.strategy.root


def _places(state: DrawPokerState) -> list[Place]:
    return followed(_root(), state.view(2).record.round, 2)
