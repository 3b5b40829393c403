"""Where a hand is in the tree: bets of the tree where they are, others between two sizes, and no more than it has."""

import pytest

from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.strategy.following import Place, followed
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Spot
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, FEW, CallEnd, Node, betting_tree

FIXED = betting_tree(Spot("fixed_limit", 0, 12))
NO_LIMIT = betting_tree(Spot("no_limit", 0, 100), FEW)
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


@pytest.mark.parametrize("to", [7, 60])
def test_after_a_call_of_what_counts_as_all_in_a_hand_goes_on_as_after_less_if_a_pot_is_left(to: int) -> None:
    pot, all_in = followed(NO_LIMIT, (events.Raised(to - 1, 1, to), events.Called(to - 2, 2)), 2)
    assert isinstance(all_in.node, CallEnd)
    assert all_in.node is pot.node
    assert all_in.node.final is not None
    _, all_in = followed(NO_LIMIT, (events.Raised(79, 1, 80), events.Called(78, 2)), 2)
    assert isinstance(all_in.node, CallEnd)
    assert all_in.node.final is None  # 60 big blinds are less than the pot of 80


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


def test_a_bet_below_the_smallest_size_of_the_tree_is_between_a_check_and_the_smallest() -> None:
    """A tenth of the pot, where the tree has half of it: a check with the weight 0.73."""
    before = (CALL, CHECK, drew(2, 3), drew(1, 1), CHECK)
    (checked,) = followed(NO_LIMIT, (*before, events.Checked(1)), 100)
    (half,) = followed(NO_LIMIT, (*before, events.Bet(100, 1)), 100)
    lower, upper = followed(NO_LIMIT, (*before, events.Bet(20, 1)), 100)
    assert (lower.node, upper.node) == (checked.node, half.node)
    assert lower.weight == pytest.approx((0.5 - 0.1) / (0.5 * 1.1))


def test_after_a_bet_between_two_sizes_a_bet_counts_by_its_part_of_the_pot() -> None:
    """A raise to 2.5 big blinds is between those to 2 and to 3; a raise of the pot is then one in both."""
    opened = events.Raised(15, 1, 25)
    assert prices(opened, events.Raised(65, 2, 75)) == [6, 9]
    assert prices(opened, events.Called(15, 2), drew(2, 3), drew(1, 3), events.Bet(50, 2)) == [4, 6]


def prices(*happened: Event) -> list[float]:
    """Return the price in big blinds in each place, where a big blind is 10 chips."""
    return [place.node.price / BIG_BLIND for place in followed(NO_LIMIT, happened, 10) if isinstance(place.node, Node)]


def test_where_a_tree_has_only_a_small_all_in_any_smaller_raise_counts_as_it() -> None:
    """With 3 big blinds and an ante of one, all in is a quarter of the pot."""
    root = betting_tree(Spot("no_limit", BIG_BLIND, 3), FEW)
    (place,) = followed(root, (events.Raised(2, 1, 3),), 2)
    assert place.node is root.children[-1]
    (place,) = followed(root, (events.Raised(3, 1, 4),), 2)
    assert place.node is root.children[-1]
