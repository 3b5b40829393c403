"""The value of every discard, compared with published figures and with an enumeration of all hands."""

import json
from itertools import combinations, permutations
from math import comb, lcm
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from pokersvc.cards import CARDS, Card, Category, InvalidHand, category_of, code_of, linear_of, parse_cards, strength
from pokersvc.cards.discards import (
    BY_PREFERENCE,
    DISCARDS,
    SIZES,
    Values,
    batch_best,
    batch_totals,
    best,
    category_counts,
    code_values,
    linear_values,
    outcomes,
    rank_values,
    totals,
)
from pokersvc.cards.subsets import MOST
from pokersvc.errors import InvalidValue
from tests.cards.every_hand import every_hand, final_hands

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

FIGURES = json.loads((Path(__file__).parent / "discards.json").read_text(encoding="utf-8"))
OBJECTIVES = {"linear": linear_values, "code": code_values, "rank": rank_values}
AACES = parse_cards("AC AD JH 3S 2D")

orders = st.permutations(CARDS)
hands = orders.map(lambda order: order[:5])


def mask_of(hand: list[Card], discard: list[str]) -> int:
    return sum(1 << hand.index(Card(card)) for card in discard)


def random_values(seed: int, largest: int = MOST) -> Values:
    return Values(np.random.default_rng(seed).integers(-largest, largest, 7462, endpoint=True))


values = st.integers(0, 2**32 - 1).map(random_values)


# Published figures


@pytest.mark.parametrize("case", FIGURES["cases"], ids=lambda case: case["name"])
def test_final_categories_are_as_published(case: dict[str, Any]) -> None:
    hand = list(map(Card, case["hand"]))
    discard = mask_of(hand, case["discard"])
    counts = category_counts(hand)[discard]
    assert outcomes(discard) == case["outcomes"] == counts.sum()
    assert {category.label: counts[category] for category in Category if counts[category]} == case["counts"]


@pytest.mark.parametrize("case", FIGURES["best_discards_by_mean"])
@pytest.mark.parametrize("objective", ["linear", "code"])
def test_best_discards_are_as_published(case: dict[str, Any], objective: str) -> None:
    hand = list(map(Card, case["hand"]))
    published = case[objective]
    discard = mask_of(hand, published["discard"])
    assert best(hand, OBJECTIVES[objective]()) == discard
    assert totals(hand, OBJECTIVES[objective]())[discard] == published["total"]
    assert outcomes(discard) == published["outcomes"]


# Every hand there is


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed not in (0, 2, 5, 9))) for seed in range(12)]
)
def test_totals_are_those_of_all_final_hands(seed: int) -> None:
    """With 0 to 25 dead cards, for the value scales of the founding houses and for random values."""
    random = np.random.default_rng(seed)
    order = random.permutation(52)
    dead = order[5 : 5 + [0, 0, 1, 2, 3, 4, 5, 6, 9, 14, 20, 25][seed]]
    hand, gone = [CARDS[card] for card in order[:5]], [CARDS[card] for card in dead]
    counts = final_hands(order[:5].tolist(), dead.tolist())
    assert counts.sum(axis=1).tolist() == [outcomes(mask, len(dead)) for mask in range(DISCARDS)]
    for of in (linear_values(), code_values(), rank_values(), random_values(seed)):
        worth = of.by_strength.tolist()
        slow = [sum(map(int.__mul__, row, worth)) for row in counts.tolist()]
        assert totals(hand, of, gone) == slow
        assert batch_totals([order[:5]], of, dead).tolist() == [slow]
    by_category = np.zeros((DISCARDS, len(Category)), int)
    for s in range(1, 7463):
        by_category[:, category_of(s)] += counts[:, s]
    assert np.array_equal(category_counts(hand, gone), by_category)


@pytest.mark.slow
@settings(max_examples=3)
@given(orders, st.integers(38, 47), values)
def test_nearly_all_cards_may_be_dead(order: list[Card], dead: int, of: Values) -> None:
    hand, gone, live = order[:5], order[5 : 5 + dead], order[5 + dead :]
    slow = []
    for mask in range(DISCARDS):
        kept = [card for place, card in enumerate(hand) if not mask >> place & 1]
        slow.append(sum(int(of.by_strength[strength([*kept, *drawn])]) for drawn in combinations(live, SIZES[mask])))
    assert totals(hand, of, gone) == slow
    assert SIZES[best(hand, of, dead=gone)] <= len(live)


# What values may be


def test_the_objectives_are_what_the_ranking_says() -> None:
    assert linear_values().by_strength.tolist()[1:] == [linear_of(s) for s in range(1, 7463)]
    assert code_values().by_strength.tolist()[1:] == [code_of(s) for s in range(1, 7463)]
    assert rank_values().by_strength.tolist()[1:] == list(range(1, 7463))


@pytest.mark.parametrize("dtype", ["int64", "uint16", "uint64", ">i4"])
def test_values_may_be_any_integers(dtype: str) -> None:
    numbers = np.arange(7462)
    assert Values(numbers.astype(dtype)).by_strength.tolist() == [0, *range(7462)]
    assert Values(list(range(7462))).by_strength.tolist() == [0, *range(7462)]


def test_values_may_be_true_or_false() -> None:
    of = Values(np.arange(1, 7463) == 7462)
    assert totals(parse_cards("AS KS QS JS 2D"), of)[16] == 1


@pytest.mark.parametrize("wrong", [[], 7, [1] * 7461, [1] * 7463, np.ones((7462, 1), int), [[1], [1, 2]]])
def test_another_number_of_values_is_refused(wrong: ArrayLike) -> None:
    with pytest.raises(InvalidValue, match=r"^Values are 7462 numbers, one a strength"):
        Values(wrong)


@pytest.mark.parametrize("wrong", [[0.5] * 7462, ["1"] * 7462, [None] * 7462, [2**70] * 7462])
def test_values_that_are_no_whole_numbers_are_refused(wrong: ArrayLike) -> None:
    with pytest.raises(InvalidValue, match=r"^Values are whole numbers, not .*; give fractions in smaller units"):
        Values(wrong)


@pytest.mark.parametrize(
    ("value", "dtype"), [(MOST + 1, "int64"), (-MOST - 1, "int64"), (-(2**63), "int64"), (2**64 - 1, "uint64")]
)
def test_values_that_are_too_large_are_refused(value: int, dtype: str) -> None:
    numbers = np.ones(7462, dtype)
    numbers[17] = value
    with pytest.raises(InvalidValue) as refused:
        Values(numbers)
    assert str(refused.value) == f"A value of the size of {abs(value)} is too large; values are -2^35 to 2^35."


@pytest.mark.parametrize("value", [MOST, -MOST])
@pytest.mark.parametrize("dead", [0, 3, 30])
def test_the_largest_values_do_not_overflow(value: int, dead: int) -> None:
    of = Values(np.full(7462, value))
    hand, gone = list(CARDS[:5]), list(CARDS[5 : 5 + dead])
    expected = [value * outcomes(mask, dead) for mask in range(DISCARDS)]
    assert totals(hand, of, gone) == expected
    numbers = [card.number for card in gone]
    assert batch_totals([[0, 1, 2, 3, 4]], of, numbers).tolist() == [expected]
    assert best(hand, of, dead=gone) == 0  # all are equally good
    assert batch_best([[0, 1, 2, 3, 4]], of, dead=numbers).tolist() == [0]


def test_means_at_the_bound_can_be_compared() -> None:
    for dead in range(48):
        common = lcm(*filter(None, (outcomes(mask, dead) for mask in range(DISCARDS))))
        assert MOST * common < 2**63


@pytest.mark.parametrize(
    "dead", [0, 2, 20, 33, *(pytest.param(dead, marks=pytest.mark.slow) for dead in (1, 7, 40, 44, 47))]
)
def test_means_at_the_bound_are_compared_as_python_would(dead: int) -> None:
    of = Values(np.where(np.arange(7462) % 2, MOST, -MOST))
    hand = [CARDS[card] for card in (0, 13, 26, 39, 48)]
    gone = [card for card in CARDS if card not in hand][:dead]
    assert batch_best([[0, 13, 26, 39, 48]], of, dead=[card.number for card in gone])[0] == best(hand, of, dead=gone)


# A batch


@settings(max_examples=20)
@given(st.lists(hands, max_size=8), values, st.integers(0, 5))
def test_a_batch_is_the_same_as_one_at_a_time(drawn: list[list[Card]], of: Values, most: int) -> None:
    numbers = np.array([[card.number for card in hand] for hand in drawn], np.int16).reshape(-1, 5)
    assert batch_totals(numbers, of).tolist() == [totals(hand, of) for hand in drawn]
    assert batch_best(numbers, of, most).tolist() == [best(hand, of, most) for hand in drawn]


@settings(max_examples=20)
@given(orders, st.integers(0, 6), values)
def test_a_batch_with_dead_cards_is_the_same_as_one_at_a_time(order: list[Card], dead: int, of: Values) -> None:
    drawn, gone = [order[at : at + 5] for at in range(0, 40, 5)], order[40 : 40 + dead]
    numbers, gone_numbers = [[card.number for card in hand] for hand in drawn], [card.number for card in gone]
    assert batch_totals(numbers, of, gone_numbers).tolist() == [totals(hand, of, gone) for hand in drawn]
    assert batch_best(numbers, of, 3, gone_numbers).tolist() == [best(hand, of, 3, gone) for hand in drawn]


def test_a_batch_may_be_long() -> None:
    drawn = every_hand()[:: len(every_hand()) // 9000]
    found = batch_totals(drawn, rank_values())
    for row in (0, 4095, 4096, 8191, 8192, 9000):
        assert found[row].tolist() == totals([CARDS[card] for card in drawn[row]], rank_values())


# Which discard is chosen


@given(hands, values, st.permutations(range(5)))
def test_the_order_of_the_cards_only_permutes_the_discards(hand: list[Card], of: Values, order: list[int]) -> None:
    shuffled = [hand[place] for place in order]
    found, again = totals(hand, of), totals(shuffled, of)
    for mask in range(DISCARDS):
        same = sum(1 << at for at, place in enumerate(order) if mask >> place & 1)
        assert found[mask] == again[same]


@given(hands, values)
def test_what_the_suits_are_called_changes_nothing(hand: list[Card], of: Values) -> None:
    found = totals(hand, of)
    for suits in permutations(range(4)):
        assert totals([Card.of(4 * card.face + suits[card.suit]) for card in hand], of) == found


def test_fewer_cards_are_preferred_and_then_the_lower_mask() -> None:
    assert sorted(BY_PREFERENCE) == list(range(DISCARDS))
    assert [(SIZES[mask], mask) for mask in BY_PREFERENCE] == sorted((SIZES[mask], mask) for mask in range(DISCARDS))
    assert [mask.bit_count() for mask in range(DISCARDS)] == list(SIZES)


@given(hands, st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_the_best_discard_has_the_largest_mean_and_ties_are_by_preference(
    hand: list[Card], most: int, seed: int
) -> None:
    of = random_values(seed, largest=1 if seed % 2 else MOST)
    found = totals(hand, of)
    chosen = best(hand, of, most)
    assert SIZES[chosen] <= most
    allowed = [mask for mask in range(DISCARDS) if SIZES[mask] <= most]
    for mask in allowed:
        ahead = found[chosen] * outcomes(mask) - found[mask] * outcomes(chosen)
        assert ahead >= 0
        if ahead == 0:
            assert (SIZES[chosen], chosen) <= (SIZES[mask], mask)


def test_of_equal_discards_the_first_by_preference_is_chosen() -> None:
    nothing = Values(np.zeros(7462, int))
    assert best(AACES, nothing) == 0
    royal = Values(np.arange(1, 7463) == 7462)
    hand = parse_cards("AS KS QS 2C 2D")  # both twos have to go, whichever comes first
    assert best(hand, royal) == 0b11000
    assert best(hand, royal, 1) == best(hand, royal, 0) == 0  # no royal flush can be drawn


@pytest.mark.parametrize("most", [-1, 6, 100])
def test_another_limit_is_refused(most: int) -> None:
    for refused in (
        lambda: best(AACES, rank_values(), most),
        lambda: batch_best([[0, 1, 2, 3, 4]], rank_values(), most),
    ):
        with pytest.raises(InvalidValue, match=f"^The limit of discards cannot be {most}; it is 0 to 5"):
            refused()


# Dead cards


def test_a_card_that_is_in_the_hand_cannot_be_dead() -> None:
    with pytest.raises(InvalidHand, match=r"^JH is in the hand and dead as well"):
        totals(AACES, linear_values(), parse_cards("2H JH"))
    with pytest.raises(InvalidHand, match=r"^JH is in the hand and dead as well"):
        batch_totals([[0, 1, 2, 3, 4], [38, 49, 48, 7, 1]], linear_values(), [38])


def test_a_card_is_dead_once() -> None:
    for refused in (totals, best):
        with pytest.raises(InvalidHand, match=r"^A dead card is named twice"):
            refused(AACES, linear_values(), dead=[Card("2H"), Card("2H")])
    with pytest.raises(InvalidHand, match=r"^A dead card is named twice"):
        category_counts(AACES, [Card("2H"), Card("2H")])


@pytest.mark.parametrize(
    ("dead", "sentence"),
    [
        ([52], "52 is not the number of a card"),
        ([-1], "-1 is not the number of a card"),
        ([0.5], "Dead cards are a list of card numbers"),
        ([True], "Dead cards are a list of card numbers"),
        ([[7]], "Dead cards are a list of card numbers"),
        ([["7"]], "Dead cards are a list of card numbers"),
        (7, "Dead cards are a list of card numbers"),
        ([[7], [8, 9]], "Dead cards are a list of card numbers"),
    ],
)
def test_what_are_no_cards_cannot_be_dead(dead: ArrayLike, sentence: str) -> None:
    for asked in (batch_totals, batch_best):
        with pytest.raises(InvalidHand, match=f"^{sentence}"):
            asked([[0, 1, 2, 3, 4]], linear_values(), dead=dead)


@given(orders, values)
def test_the_order_of_dead_cards_changes_nothing(order: list[Card], of: Values) -> None:
    assert totals(order[:5], of, order[5:8]) == totals(order[:5], of, iter(order[7:4:-1]))


def test_hands_are_checked() -> None:
    for asked in (batch_totals, batch_best):
        with pytest.raises(InvalidHand, match=r"^Hand 0 has a card twice"):
            asked([[0, 1, 2, 3, 3]], linear_values())


@given(orders, st.integers(0, 47))
def test_categories_add_up_to_the_outcomes(order: list[Card], dead: int) -> None:
    counts = category_counts(order[:5], order[5 : 5 + min(dead, 8)])
    assert counts.sum(axis=1).tolist() == [outcomes(mask, min(dead, 8)) for mask in range(DISCARDS)]
    assert counts.min() >= 0


def test_outcomes_are_the_ways_to_draw() -> None:
    assert [outcomes((1 << size) - 1) for size in range(6)] == [comb(47, size) for size in range(6)]
    assert outcomes(31, 43) == 0


def test_keeping_all_is_the_hand_itself() -> None:
    assert totals(AACES, rank_values())[0] == strength(AACES)
