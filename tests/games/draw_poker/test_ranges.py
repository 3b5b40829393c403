"""The range of the other seat: how built-in bots mix, how likely each hand is then, and what it would have seen."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pokersvc.cards import Category, Hand
from pokersvc.cards.unknown import known_among
from pokersvc.core.bots.policy import Policy
from pokersvc.core.bots.ranges import RangeTerms
from pokersvc.core.event import redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.advising.mixtures import MIXTURES
from pokersvc.games.draw_poker.advising.ranges import HeadsUpRange
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.players import choice_of


def started(text: str, rules: str, *, hidden: bool = True) -> GameStarted:
    seats = (Seat("steady", "Ann"), Seat("steady", "Bob"))
    return DRAW_POKER.start(Setup(seats, EntropySource.from_text(text), 1, {"rules": rules}, hidden))


def decisions(text: str, rules: str, *kinds: str) -> Iterator[tuple[DrawPokerState, int]]:
    """Yield a game at each of its decisions, played by such bots."""
    state, entropy, random = DRAW_POKER.new(started(text, rules)), EntropySource.from_text(text).entropy(), Random(text)
    while state.outcome is None:
        if (seat := state.to_act) is not None:
            yield state, seat
            event = choice_of(DRAW_POKER.players[kinds[seat - 1]], state, seat, random).event
        else:
            dealt = state.dealer_event(entropy)
            assert dealt is not None
            event = dealt
        state.apply(event)


@pytest.mark.parametrize("rules", ["fixed-limit", "no-limit", "buy-the-pot", "capped-raise"])
@pytest.mark.parametrize("kind", sorted(MIXTURES))
def test_a_bot_chooses_as_often_as_its_mixture_says(kind: str, rules: str) -> None:
    asked = 200
    for state, seat in decisions("a", rules, kind, "random"):
        view, legal = state.view(seat), state.legal(seat)
        mixture = MIXTURES[kind](view, legal)
        assert sum(mixture.values()) == pytest.approx(1)
        for action in mixture:
            state.decide(action)
        player = DRAW_POKER.players[kind]()
        chosen = [player.choose(view, legal, Random(number)) for number in range(asked)]
        if kind == "random" and legal.discard is not None:  # in any order of the cards
            chosen = [
                Discard(seat, tuple(card for card in view.seat(seat).cards if card in one.cards))
                for one in chosen
                if isinstance(one, Discard)
            ]
        assert set(chosen) <= set(mixture)
        for of_type in {type(action) for action in mixture}:
            part = sum(part for action, part in mixture.items() if type(action) is of_type)
            found = sum(type(action) is of_type for action in chosen) / asked
            assert abs(found - part) <= 5 * max(0.0, part * (1 - part) / asked) ** 0.5 + 1e-9
        amounts = {action: getattr(action, "amount", getattr(action, "to", 0)) for action in mixture}
        mean = sum(amounts[action] * part for action, part in mixture.items())
        spread = sum((amounts[action] - mean) ** 2 * part for action, part in mixture.items())
        assert abs(sum(amounts[one] for one in chosen) / asked - mean) <= 5 * (spread / asked) ** 0.5 + 1e-9


# What is held.


def ready(
    text: str, asked: Any, *, hands: int = 400, hidden: bool = True, seat: int = 2
) -> tuple[DrawPokerState, HeadsUpRange, Any]:
    """Deal, and return the game, what a seat may think that the other holds, and the seat's own copy of the game."""
    start = started(text, "no-limit", hidden=hidden)
    state, known = DRAW_POKER.new(start), DRAW_POKER.new(redact(start, seat))
    held = HeadsUpRange(seat, RangeTerms(samples=hands), asked, Random(text))
    deal(state, known, held, seat)
    return state, held, known


def deal(state: DrawPokerState, known: DrawPokerState, held: HeadsUpRange, seat: int = 2) -> None:
    """Take the dealer's events up to the next choice."""
    entropy = EntropySource.from_text("deal").entropy()
    while state.to_act is None and (event := state.dealer_event(entropy)) is not None:
        take(state, known, held, event, seat)


def take(state: DrawPokerState, known: DrawPokerState, held: HeadsUpRange, event: Any, seat: int = 2) -> None:
    state.apply(event)
    known.apply(seen := redact(event, seat))
    held.take(known, seen)


def pairs_call(views: Sequence[Any], legal: Any) -> list[Policy]:
    """Fold without a pair, call with one, raise to 20 with more half of the time; draw one, the first or the second."""
    found: list[Policy] = []
    for view in views:
        cards = view.seat(1).cards
        category = Hand(cards).category
        if legal.discard is not None:
            found.append({Discard(1, cards[:1]): 0.5, Discard(1, cards[1:2]): 0.5})
        elif category == Category.HIGH_CARD:
            found.append({Fold(1): 1.0})
        elif category == Category.ONE_PAIR:
            found.append({Call(1): 1.0})
        else:
            found.append({Call(1): 0.5, Raise(1, 20): 0.5})
    return found


@pytest.mark.parametrize("hidden", [True, False])
def test_hands_weigh_as_bayes_says(hidden: bool) -> None:
    by_category: defaultdict[Category, float] = defaultdict(float)
    for number in range(12):
        state, held, known = ready(f"bayes {number}", pairs_call, hidden=hidden)
        event = state.decide(Call(1))
        held.narrow(known, event, pairs_call(held.views(known, ()), known.legal(1)))
        take(state, known, held, event)
        for view, weight in zip(held.views(known, ()), held.weights(), strict=True):
            by_category[Hand(known_among(view.seat(1).cards)).category] += weight
        own = set(state.hands[2])
        assert all(own.isdisjoint(view.seat(1).cards) for view in held.views(known, ()))
    total = sum(by_category.values())
    pair, more = 0.422569, 0.076  # of all hands, and half of the others call
    expected = pair / (pair + more / 2)
    assert by_category[Category.HIGH_CARD] == 0
    assert by_category[Category.ONE_PAIR] / total == pytest.approx(expected, abs=0.03)


def test_rare_hands_are_looked_for() -> None:
    state, held, known = ready("rare", pairs_call, hands=300)
    event = state.decide(Raise(1, 20))
    held.narrow(known, event, pairs_call(held.views(known, ()), known.legal(1)))
    take(state, known, held, event)
    assert 60 <= len(held.weights()) <= 300, "of which 1 in 13 would have raised"
    assert all(Hand(known_among(view.seat(1).cards)).category > Category.ONE_PAIR for view in held.views(known, ()))


def test_what_fits_no_hand_leaves_the_hands_as_they_were() -> None:
    state, held, known = ready("odd", pairs_call, hands=4)
    event = state.decide(Raise(1, 30))
    before = [(one.cards, one.weight) for one in held.held]
    assert not held.narrow(known, event, pairs_call(held.views(known, ()), known.legal(1)))
    assert [(one.cards, one.weight) for one in held.held] == before
    take(state, known, held, event)
    for action in (Call(2), Discard(2, ()), Discard(1, known_among(state.hands[1])[:3])):
        event = state.decide(action)
        if action.seat == 1:
            assert not held.narrow(known, redact(event, 2), pairs_call(held.views(known, ()), known.legal(1)))
        take(state, known, held, event)
        deal(state, known, held)
    assert [len({*one.cards}) for one in held.held] == [5] * len(before)
    assert all(len(one.gone) == 3 and set(one.drawn) < set(one.cards) for one in held.held)
    take(state, known, held, state.decide(Check(2)))
    assert held.narrow(known, state.decide(Check(1)), [{}] * len(before)), "an empty policy fits everything"


def test_after_a_draw_each_hand_has_the_cards_that_it_kept_and_new_ones() -> None:
    state, held, known = ready("draws", pairs_call)
    for action in (
        Call(1),
        Check(2),
        Discard(2, known_among(state.hands[2])[:2]),
        Discard(1, known_among(state.hands[1])[:1]),
    ):
        event = state.decide(action)
        if action.seat == 1:
            held.narrow(known, redact(event, 2), pairs_call(held.views(known, ()), known.legal(1)))
        take(state, known, held, event)
        deal(state, known, held)
    seen = {*state.hands[2], *state.discarded[2]}
    assert len(seen) == 7
    for view in held.views(known, ()):
        cards = {*view.seat(1).cards, *view.seat(1).discarded}
        assert len(view.seat(1).cards) == 5
        assert len(view.seat(1).discarded) == 1
        assert len(cards) == 6
        assert cards.isdisjoint(seen)
        dealt_to, gone, drawn = _own_cards(view)
        assert {*dealt_to, *drawn} == cards
        assert gone == view.seat(1).discarded


def _own_cards(view: Any) -> list[Any]:
    return [one.cards for one in view.record.round if hasattr(one, "cards") and getattr(one, "seat", 0) == 1]


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("seat", [1, 2])
def test_a_view_with_the_hand_that_it_really_has_is_its_own_view(hidden: bool, seat: int) -> None:
    state, held, known = ready("own", pairs_call, hands=1, hidden=hidden, seat=3 - seat)
    real = state.view(seat)
    [one] = held.held
    one.dealt = one.cards = known_among(state.hands[seat])
    [view] = held.views(known, ())
    assert view.seats == real.seats
    without = [replace(one, salts=None) if hasattr(one, "salts") else one for one in real.record.round]
    assert list(view.record.round) == without
    assert replace(view, record=real.record) == real


def test_what_is_won_by_checking_to_the_end_is_the_share_of_the_pot() -> None:
    _, held, known = ready("won", pairs_call)
    folded = known.decide(Fold(1))
    values = held.values(known, ())
    assert all(198 <= value <= 202 for value in values), "the price is 2 each"
    assert min(values) < 199 < 201 < max(values)
    known.apply(folded)
    assert set(held.values(known, (folded,))) == {201.0}
