"""Sums by class of cards: every sum over the hands that contain given cards, by looking at every hand."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards.subsets import MOST, Ints, class_of, others, subsets_of_the_deck, suit_free
from tests.cards.every_hand import every_hand, every_strength

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

sets = st.permutations(range(52)).flatmap(lambda order: st.integers(0, 4).map(lambda size: order[:size]))


def class_of_set(cards: list[int]) -> int:
    return int(class_of([np.array([card]) for card in cards])[0])


def test_there_are_as_many_classes_as_ways_to_hold_cards_suits_apart() -> None:
    levels = subsets_of_the_deck().levels
    assert [level.classes for level in levels] == [1, 13, 169, 1755, 16432]
    assert [level.first for level in levels] == [0, 1, 14, 183, 1938]
    assert subsets_of_the_deck().classes == 18370


@given(sets)
def test_a_class_does_not_depend_on_the_order_of_the_cards(cards: list[int]) -> None:
    assert len({class_of_set(list(order)) for order in permutations(cards)}) == 1


@given(sets, st.permutations(range(4)))
def test_a_class_does_not_depend_on_what_the_suits_are_called(cards: list[int], suits: list[int]) -> None:
    assert class_of_set([card // 4 * 4 + suits[card % 4] for card in cards]) == class_of_set(cards)


@pytest.mark.parametrize("size", range(5))
def test_sets_that_differ_in_more_than_suits_are_of_different_classes(size: int) -> None:
    drawn = np.array(list(combinations(range(52), size)), np.intp).reshape(comb(52, size), size)
    classes = np.broadcast_to(class_of(list(drawn.T)), len(drawn))
    step = max(1, len(drawn) // 2000)
    forms = {
        (min(tuple(sorted(card // 4 * 4 + suits[card % 4] for card in cards)) for suits in permutations(range(4))), of)
        for cards, of in zip(drawn[::step].tolist(), classes[::step].tolist(), strict=True)
    }
    assert len({form for form, _ in forms}) == len({of for _, of in forms}) == len(forms)
    assert len(np.unique(classes)) == subsets_of_the_deck().levels[size].classes


def test_five_cards_are_no_class() -> None:
    with pytest.raises(ValueError, match="not 5"):
        class_of([np.array([card]) for card in range(5)])


@given(st.permutations(range(52)))
def test_a_set_lacks_all_other_cards(order: list[int]) -> None:
    assert others(np.array([order[:4]])).tolist() == [sorted(order[4:])]


def test_a_number_that_knows_no_suits() -> None:
    ace_king, suited, other = [[48, 44], [49, 45], [48, 45]]
    numbers = suit_free(np.array([ace_king, suited, other]))
    assert numbers[0] == numbers[1] != numbers[2]


VALUES = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).integers(-MOST, MOST, 7463, endpoint=True)
)


@settings(max_examples=5)
@given(st.lists(sets, min_size=1, max_size=2), VALUES)
def test_a_sum_is_that_over_all_hands_that_contain_the_cards(drawn: list[list[int]], values: Ints) -> None:
    values[0] = 10**9  # of no strength: not used
    sums = subsets_of_the_deck().sums(values)
    for cards in drawn:
        has_all = np.ones(len(every_hand()), bool)
        for card in cards:
            has_all &= (every_hand() == card).any(axis=1)
        counts = np.bincount(every_strength()[has_all], minlength=7463)
        assert sums[class_of_set(cards)] == sum(map(int.__mul__, counts.tolist(), values.tolist()))


def test_several_values_are_summed_at_once() -> None:
    values = np.random.default_rng(1).integers(-MOST, MOST, (7463, 3))
    sums = subsets_of_the_deck().sums(values)
    for column in range(3):
        assert np.array_equal(sums[:, column], subsets_of_the_deck().sums(values[:, column]))


@pytest.mark.parametrize("value", [MOST, -MOST])
def test_the_largest_sums_fit(value: int) -> None:
    subsets = subsets_of_the_deck()
    sums = subsets.sums(np.full(7463, value))
    for size, level in enumerate(subsets.levels):
        expected = value * comb(52 - size, 5 - size)
        assert set(sums[level.first : level.first + level.classes].tolist()) == {expected}


def test_spreading_is_the_transpose_of_summing() -> None:
    random = np.random.default_rng(2)
    subsets = subsets_of_the_deck()
    values, weights = random.integers(-1000, 1000, 7463), random.integers(-1000, 1000, subsets.classes)
    values[0] = 0
    assert subsets.sums(values) @ weights == values @ subsets.spread(weights)


def test_a_weight_on_one_set_is_spread_over_the_hands_that_contain_it() -> None:
    weights = np.zeros(subsets_of_the_deck().classes, np.int64)
    weights[class_of_set([48, 49])] = 7
    has_both = (every_hand() == 48).any(axis=1) & (every_hand() == 49).any(axis=1)
    expected = 7 * np.bincount(every_strength()[has_both], minlength=7463)
    assert np.array_equal(subsets_of_the_deck().spread(weights), expected)
