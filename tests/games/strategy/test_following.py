"""Where a hand is in the tree: bets of the tree where they are, others between two sizes, and no more than it has."""

import pytest

from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.strategy.following import Place, followed
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Spot
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, Node, betting_tree

FIXED = betting_tree(Spot("fixed_limit", 0, 12))
NO_LIMIT = betting_tree(Spot("no_limit", 0, 100))
CALL, CHECK = events.Called(1, 1), events.Checked(2)


def drew(seat: int, count: int) -> events.CardsDiscarded:
    return events.CardsDiscarded(None, count, seat)


def one_place(*happened: Event, root: Node = FIXED) -> Place:
    (place,) = followed(root, happened, 2)
    return place


def test_a_hand_begins_with_the_button() -> None:
    place = one_place()
    assert place.node is FIXED
    assert (place.weight, place.end, place.drawn) == (1, None, ())


def test_after_a_call_and_a_check_the_blind_draws_and_then_the_button() -> None:
    place = one_place(CALL, CHECK)
    assert isinstance(place.node, CallEnd)
    assert place.node.put == BIG_BLIND
    place = one_place(CALL, CHECK, drew(2, 3))
    assert (place.end, place.drawn) == (place.node, (3,))
    place = one_place(CALL, CHECK, drew(2, 3), drew(1, 1))
    assert place.drawn == (3, 1)
    assert isinstance(place.node, Node)
    assert place.node.seat == BLIND


def test_five_cards_drawn_count_as_four() -> None:
    assert one_place(CALL, CHECK, drew(2, 5)).drawn == (4,)


def test_bets_of_a_fixed_limit_are_those_of_the_tree_whatever_a_big_blind_is() -> None:
    (place,) = followed(FIXED, (events.Raised(15, 1, 20), events.Raised(20, 2, 30)), 10)
    assert isinstance(place.node, Node)
    assert (place.node.seat, place.node.price) == (BUTTON, 3 * BIG_BLIND)


def test_a_raise_of_a_size_of_the_tree_leads_to_one_place() -> None:
    place = one_place(events.Raised(5, 1, 6), root=NO_LIMIT)
    assert isinstance(place.node, Node)
    assert place.node.price == 3 * BIG_BLIND


@pytest.mark.parametrize("to", [5, 7, 20, 60, 199])
def test_a_raise_between_two_sizes_leads_to_both_the_nearer_weighing_more(to: int) -> None:
    lower, upper = followed(NO_LIMIT, (events.Raised(to - 1, 1, to),), 2)
    assert isinstance(lower.node, Node)
    assert isinstance(upper.node, Node)
    price = to * BIG_BLIND // 2
    assert lower.node.price < price < upper.node.price
    assert lower.weight + upper.weight == pytest.approx(1)
    small, size, large = [(one - BIG_BLIND) / (2 * BIG_BLIND) for one in (lower.node.price, price, upper.node.price)]
    assert lower.weight == pytest.approx((large - size) * (1 + small) / ((large - small) * (1 + size)))


def test_a_raise_beyond_the_stack_of_the_tree_is_all_in_there_and_a_further_one_a_call() -> None:
    place = one_place(events.Raised(299, 1, 300), root=NO_LIMIT)
    assert isinstance(place.node, Node)
    assert place.node.price == place.node.all_in
    place = one_place(events.Raised(299, 1, 300), events.Raised(598, 2, 600), root=NO_LIMIT)
    assert isinstance(place.node, CallEnd)
    assert place.node.final is None


def test_the_draw_ends_a_betting_round_that_the_tree_would_continue() -> None:
    place = one_place(drew(2, 1))
    assert place.end is not None
    assert place.end.put == BIG_BLIND
