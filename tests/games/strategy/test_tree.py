"""The betting trees: chips that cannot be bet are not, and nobody acts twice."""

from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.strategy.spots import ANTES, BIG_BLIND, Limit, Spot, checked, named
from pokersvc.games.draw_poker.strategy.tree import (
    BLIND,
    BUTTON,
    FOLD,
    STAY,
    CallEnd,
    FoldEnd,
    Node,
    betting_tree,
    ends_of,
    nodes_of,
)

SPOTS = st.builds(Spot, st.sampled_from(get_args(Limit)), st.sampled_from(ANTES), st.integers(2, 200))


def all_ends(node: Node) -> Iterator[CallEnd | FoldEnd]:
    for child in node.children:
        if isinstance(child, Node):
            yield from all_ends(child)
        else:
            yield child
            if isinstance(child, CallEnd) and child.final is not None:
                yield from all_ends(child.final)


@given(SPOTS)
def test_nobody_puts_in_more_than_the_stack(spot: Spot) -> None:
    for end in all_ends(betting_tree(spot)):
        assert 0 < (end.put if isinstance(end, CallEnd) else end.lost) <= spot.stack


@given(SPOTS)
def test_raises_ascend_above_the_price_and_only_who_owes_folds(spot: Spot) -> None:
    root = betting_tree(spot)
    finals = [end.final for end in ends_of(root) if end.final is not None]
    for node in [*nodes_of(root), *(one for final in finals for one in nodes_of(final))]:
        raises = [action for action in node.actions if action >= 0]
        assert raises == sorted(set(raises))
        assert all(node.price < price <= node.all_in for price in raises)
        assert node.actions[-len(raises) - 1] == STAY
    assert all(final.seat == BLIND and final.actions[0] == STAY for final in finals)
    assert (root.seat, root.actions[0]) == (BUTTON, FOLD)


def test_a_fixed_limit_has_four_bets_of_two_sizes() -> None:
    root = betting_tree(Spot("fixed_limit", 0, 12))
    prices = sorted({action for node in nodes_of(root) for action in node.actions if action >= 0})
    assert prices == [2 * BIG_BLIND, 3 * BIG_BLIND, 4 * BIG_BLIND]
    final = max(ends_of(root), key=lambda end: end.put).final
    assert final is not None
    prices = sorted({action for node in nodes_of(final) for action in node.actions if action >= 0})
    assert prices == [2 * BIG_BLIND * bets for bets in (1, 2, 3, 4)]


@pytest.mark.parametrize("ante", ANTES)
def test_more_chips_than_the_capped_bets_can_take_change_nothing(ante: int) -> None:
    def shape(depth: int) -> list[int]:
        ends = all_ends(betting_tree(Spot("fixed_limit", ante, depth)))
        return [end.put if isinstance(end, CallEnd) else -end.lost for end in ends]

    farthest = int(Spot("fixed_limit", ante, 2).farthest)
    assert shape(farthest) == shape(farthest + 1) == shape(200)
    assert shape(farthest) != shape(farthest - 1)


@given(SPOTS)
def test_a_spot_is_found_by_its_name(spot: Spot) -> None:
    assert named(spot.name) == spot


@pytest.mark.parametrize("name", ["", "fixed-limit", "no-limit-ante-5-depth-12", "no-limit-ante-0-depth-201"])
def test_a_name_of_no_spot_is_refused(name: str) -> None:
    with pytest.raises(InvalidValue, match=r"\.$"):
        named(name)


def test_a_spot_that_is_none_is_refused() -> None:
    for wrong in (Spot("no_limit", 5, 10), Spot("no_limit", 0, 1)):
        with pytest.raises(InvalidValue, match="has no strategy"):
            checked(wrong)
