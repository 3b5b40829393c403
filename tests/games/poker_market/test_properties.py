"""Invariants at every event of every market, tested with random games."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS, Card, strength
from pokersvc.core.actions import Forfeit, IllegalAction, Leave
from pokersvc.core.event import AUDITOR, EVERYONE, Event, redact
from pokersvc.games.poker_market import POKER_MARKET, events
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from pokersvc.games.poker_market.state import PokerMarketState
from pokersvc.games.poker_market.trading import action_of

from .scenario import Scenario, new, setup

FAST = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@dataclass(frozen=True)
class Plan:
    players: int
    rounds: int
    markets: int
    seed: int


plans = st.builds(Plan, st.integers(2, 10), st.integers(1, 3), st.integers(1, 3), st.integers(0, 2**32))


def any_legal(state: PokerMarketState, random: Random) -> Any:
    seat = state.to_act
    assert seat is not None
    legal = state.legal(seat)
    if random.random() < 0.05:
        return Forfeit(seat, random.choice(("raised", "illegal", "timeout")))
    if legal.answer is not None:
        return random.choice((Accept, Accept, Decline))(seat)
    if random.random() < 0.2:
        return Pass(seat)
    partner, cards = random.choice(legal.gets)
    return Propose(seat, random.choice(legal.gives), partner, random.choice(cards))


def any_action(state: PokerMarketState, random: Random) -> Any:
    """Return an action that may be legal or not."""
    seat = random.randint(0, len(state.seats) + 1)
    cards = [card for hand in state.hands[1:] for card in hand] or list(CARDS)
    return random.choice(
        (
            Accept(seat), Decline(seat), Pass(seat), Leave(seat), Forfeit(seat, "raised"),
            Propose(seat, random.choice(cards), random.randint(0, len(state.seats) + 1), random.choice(cards)),
        )
    )  # fmt: skip


def game(plan: Plan) -> Scenario:
    return Scenario(new(plan.players, rounds=plan.rounds, markets=plan.markets, text=str(plan.seed)))


def steps(market: Scenario, plan: Plan) -> Iterator[Event]:
    """Play a random market, and yield each event after it was applied."""
    random = Random(plan.seed)
    while market.state.outcome is None:
        event = market.state.dealer_event(market.entropy)
        yield market.take(market.state.decide(any_legal(market.state, random)) if event is None else event)


@given(plans)
@FAST
def test_the_52_cards_are_conserved(plan: Plan) -> None:
    market, held = game(plan), set[Card]()
    for event in steps(market, plan):
        cards = [card for seat in market.view.seats for card in seat.cards]
        assert len(cards) == len(set(cards))
        if isinstance(event, events.HandsDealt):
            held = set(cards)
            assert len(held) == 5 * plan.players
        assert not cards or set(cards) == held


@given(plans)
@FAST
def test_the_scores_of_a_market_always_add_up_and_follow_the_hands(plan: Plan) -> None:
    market = game(plan)
    for event in steps(market, plan):
        if not isinstance(event, events.HandsRanked):
            continue
        assert sorted(hand.points for hand in event.hands) == list(range(1, plan.players + 1))
        order = market.view.order
        for better, worse in zip(event.hands, event.hands[1:], strict=False):
            ranks = [(strength(hand.cards), order.index(hand.seat)) for hand in (better, worse)]
            assert ranks[0] > ranks[1], "ties break by the order of turns"
    outcome = market.state.outcome
    assert outcome is not None
    assert sum(outcome.scores) == plan.markets * plan.players * (plan.players + 1) // 2


@given(plans)
@FAST
def test_only_an_accepted_swap_changes_hands_and_only_two_cards(plan: Plan) -> None:
    market = game(plan)
    before: Any = ()
    proposal: Propose | None = None
    for event in steps(market, plan):
        hands: Any = tuple(seat.cards for seat in market.view.seats)
        changed = {seat for seat, (old, new_) in enumerate(zip(before, hands, strict=False), 1) if old != new_}
        if isinstance(event, events.SwapAccepted):
            assert proposal is not None
            assert changed == {proposal.seat, proposal.partner}
            assert proposal.gives in hands[proposal.partner - 1]
            assert proposal.gets in hands[proposal.seat - 1]
        elif not isinstance(event, events.DeckShuffled | events.HandsDealt):
            assert not changed, event
        before, proposal = hands, market.state.proposal


@given(plans)
@FAST
def test_exactly_one_of_dealer_seat_and_end(plan: Plan) -> None:
    market, random = game(plan), Random(plan.seed)
    while True:
        state = market.state
        seat, over, dealer = state.to_act, state.outcome is not None, state.dealer_event(market.entropy)
        assert [dealer is not None, seat is not None, over].count(True) == 1
        assert not state.pausing
        assert state.playing(1) is not over
        for other in range(len(state.seats) + 2):
            if other != seat:
                with pytest.raises(IllegalAction):
                    state.legal(other)
        if over:
            break
        market.take(dealer if dealer is not None else state.decide(any_legal(state, random)))


@given(plans)
@FAST
def test_every_legal_action_is_accepted_and_every_other_is_refused_without_a_trace(plan: Plan) -> None:
    market, random = game(plan), Random(plan.seed)
    twin = game(plan).state
    for event in steps(market, plan):
        twin.apply(event)
        seat = market.state.to_act
        for _ in range(3):
            action = any_action(market.state, random)
            decided = None
            with suppress(IllegalAction):
                decided = market.state.decide(action)
            assert market.state == twin
            assert (decided is not None) == (seat is not None and is_legal(market.state, action)), action
            if decided is not None:
                assert action_of(decided) == action


def is_legal(state: PokerMarketState, action: Any) -> bool:
    """Return whether an action is among those of `legal`, by a short restatement of the rules."""
    if action.seat != state.to_act or isinstance(action, Leave):
        return False
    legal = state.legal(action.seat)
    if isinstance(action, Forfeit):
        return True
    if isinstance(action, Propose):
        return action.gives in legal.gives and action.gets in dict(legal.gets).get(action.partner, ())
    return isinstance(action, Pass) == (legal.answer is None)


@given(plans)
@FAST
def test_replaying_gives_an_equal_state_at_every_event_with_and_without_the_secrets(plan: Plan) -> None:
    market, codec = game(plan), POKER_MARKET.codec
    started: Any = POKER_MARKET.start(setup_of(plan))
    decoded: Any = codec.decode(*codec.encode(started))
    replayed, public = POKER_MARKET.new(decoded), POKER_MARKET.new(redact(started, EVERYONE))
    assert market.state == replayed
    for event in steps(market, plan):
        read = codec.decode(*codec.encode(event))
        assert read == event
        replayed.apply(read)
        public.apply(redact(event, EVERYONE))
        assert market.state == replayed, event
        for viewer in (1, EVERYONE, AUDITOR):
            view = market.state.view(viewer)
            told = public.view(viewer)
            assert told == (view if viewer != AUDITOR else replace(view, record=told.record)), "but for the deck's seed"
            assert public.entry(event, viewer) == market.state.entry(event, viewer)
        assert public.outcome == market.state.outcome


def setup_of(plan: Plan) -> Any:
    return setup(plan.players, rounds=plan.rounds, markets=plan.markets, text=str(plan.seed))


@given(plans)
@FAST
def test_the_log_of_a_market_can_be_audited(plan: Plan) -> None:
    market = game(plan)
    state = game(plan).state
    for event in steps(market, plan):
        action = action_of(event)
        if action is None:
            assert state.dealer_event(market.entropy) == event
        else:
            assert state.decide(action) == event
        assert (POKER_MARKET.seed_of(event) is not None) == isinstance(event, events.DeckShuffled)
        state.apply(event)


@given(plans)
@FAST
def test_the_history_has_a_line_for_each_round_and_a_ranking_for_each_market(plan: Plan) -> None:
    market, entries, accepted = game(plan), [], 0
    for event in steps(market, plan):
        accepted += isinstance(event, events.SwapAccepted)
        if (entry := market.state.entry(event, EVERYONE)) is not None:
            entries.append(entry)
    assert [entry.number for entry in entries] == list(range(1, plan.rounds * plan.markets + 1))
    assert sum(len(entry.facts["swaps"]) for entry in entries) == accepted
    assert [entry.number for entry in entries if entry.facts["ranking"]] == [
        plan.rounds * market_ for market_ in range(1, plan.markets + 1)
    ]
