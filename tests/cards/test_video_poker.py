"""The return of video poker under optimal play, over all 2,598,960 deals, equals the published one."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb, lcm
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from pokersvc.cards import STRENGTHS, Category, category_of, code_of
from pokersvc.cards.arrays import strengths
from pokersvc.cards.discards import DISCARDS, Values, batch_totals, outcomes
from pokersvc.cards.subsets import class_of, subsets_of_the_deck
from tests.cards.every_hand import every_hand

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

ORACLE = json.loads((Path(__file__).parent / "video_poker.json").read_text(encoding="utf-8"))
COMMON: Final = lcm(*map(outcomes, range(DISCARDS)))
CHUNK: Final = 1 << 17
JACK: Final = 9


def outcome(s: int) -> str:
    """Return the name of a final hand in video poker."""
    category = category_of(s)
    if category is Category.ONE_PAIR:
        return "jacks or better" if code_of(s) >> 16 & 15 >= JACK else "nothing"
    return "nothing" if category is Category.HIGH_CARD else category.label


@cache
def outcomes_by_strength() -> list[str]:
    return [outcome(s) for s in range(1, STRENGTHS + 1)]


@cache
def comparable() -> NDArray[np.int64]:
    """Return the factor for each mask of held cards that makes totals comparable."""
    return np.array([COMMON // outcomes(mask) for mask in range(DISCARDS)])[::-1]


def best_held(values: Values) -> tuple[int, NDArray[np.intp]]:
    """Return the sum of the best means of all deals, in parts of COMMON, and which cards each deal holds."""
    total, held = 0, []
    for start in range(0, len(every_hand()), CHUNK):
        means = batch_totals(every_hand()[start : start + CHUNK], values)[:, ::-1] * comparable()
        chosen = means.argmax(axis=1)  # the first of equal ones, as the masks of held cards go up
        total += int(means.max(axis=1).sum())
        held.append(chosen)
    return total, np.concatenate(held)


def returned(pays: list[int]) -> Fraction:
    """Return the mean payout of a bet of one, given the payout of each strength."""
    total, _ = best_held(Values(pays))
    return Fraction(total, comb(52, 5) * COMMON)


def frequencies(held: NDArray[np.intp]) -> Counter[str]:
    """Count each outcome, in units of 1 / COMMON, given the cards held in each deal.

    Every set of a deal's cards counts with the sign that it has in the total of what is held.
    """
    subsets = subsets_of_the_deck()
    signs = np.array(
        [
            [(-1) ** (within ^ mask).bit_count() if within & mask == mask else 0 for within in range(DISCARDS)]
            for mask in range(DISCARDS)
        ]
    )
    weights = (signs * comparable()[:, None]).astype(np.float64)
    by_class, by_strength = np.zeros(subsets.classes), np.zeros(STRENGTHS + 1)
    for start in range(0, len(held), CHUNK):
        hands, chosen = every_hand()[start : start + CHUNK], held[start : start + CHUNK]
        columns = list(hands.T.astype(np.intp))
        for within in range(DISCARDS - 1):
            classes = class_of([columns[bit] for bit in range(5) if within >> bit & 1])
            weight = weights[chosen, within]
            by_class += np.bincount(np.broadcast_to(classes, len(hands)), weight, subsets.classes)
        by_strength += np.bincount(strengths(hands), weights[chosen, -1], STRENGTHS + 1)
    assert max(np.abs(by_class).max(), by_strength.max()) < 2**53  # whole numbers all the way
    whole = by_class.astype(np.int64)
    names = sorted(set(outcomes_by_strength()))
    indicators = np.array([[0] * len(names), *([name == of for name in names] for of in outcomes_by_strength())])
    found = whole @ subsets.sums(indicators) + by_strength.astype(np.int64) @ indicators
    return Counter(dict(zip(names, found.tolist(), strict=True)))


@pytest.mark.slow
def test_nine_six_jacks_or_better() -> None:
    pays = ORACLE["pays"]
    total, held = best_held(Values([pays.get(of, 0) for of in outcomes_by_strength()]))
    assert Fraction(total, comb(52, 5) * COMMON) == Fraction(*ORACLE["return_fraction"])
    assert comb(52, 5) * COMMON == ORACLE["combinations_of"]
    found = frequencies(held)
    assert found == ORACLE["frequencies"]
    assert found.total() == ORACLE["combinations_of"]


def four_of(s: int, aces: int, low: int, others: int) -> int:
    """Return the payout of four of a kind, which is higher for aces, and for twos, threes and fours."""
    face = code_of(s) >> 16 & 15
    return aces if face == 12 else low if face <= 2 else others


JACKS_8_5 = ORACLE["pays"] | {"full house": 8, "flush": 5}
DOUBLE_BONUS_10_7 = ORACLE["pays"] | {"full house": 10, "flush": 7, "straight": 5, "two pair": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pays", "fours", "percent"),
    [
        (JACKS_8_5, (25, 25, 25), "97.298"),
        (JACKS_8_5, (80, 40, 25), "99.166"),
        (DOUBLE_BONUS_10_7, (160, 80, 50), "100.173"),
    ],
    ids=["8/5 Jacks or Better", "8/5 Bonus Poker", "10/7 Double Bonus"],
)
def test_other_pay_tables(pays: dict[str, int], fours: tuple[int, int, int], percent: str) -> None:
    """Source: the pay tables' returns as the Wizard of Odds gives them."""
    by_strength = [
        four_of(s, *fours) if of == "four of a kind" else pays.get(of, 0)
        for s, of in enumerate(outcomes_by_strength(), start=1)
    ]
    assert f"{float(100 * returned(by_strength)):.3f}" == percent
