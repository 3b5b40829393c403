"""The groups of hands in which a strategy is solved: of deals before the draw, of final hands after it.

Hands of a group are played alike. After the draw only the final hand counts, since in the abstraction the players are
dealt from separate decks: what one holds or threw away does not change what the other has.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import discards, ranking
from pokersvc.cards.arrays import strengths
from pokersvc.cards.card import Card
from pokersvc.cards.discards import DISCARDS, SIZES
from pokersvc.cards.equilibrium import deals
from pokersvc.cards.opponents import win_values
from pokersvc.cards.ranking import STRENGTHS, Category, strength
from pokersvc.cards.subsets import Ints, subsets_of_the_deck

DRAWS: Final = 5
"""The numbers of cards that a player draws in the abstraction: 0 to 4."""

Floats = NDArray[np.float64]


class Hands(NamedTuple):
    """The granularity of the abstraction: its numbers of groups and buckets."""

    groups: int
    buckets: int


class Groups(NamedTuple):
    """The cards of the abstraction."""

    keys: Ints
    """A number for each group, ascending; see `group_of`."""
    shares: Floats
    """The share of each group in all deals, shape ``(groups,)``."""
    ends: Floats
    """The chance of each bucket of final hands after a draw, shape ``(draws, groups, buckets)``."""

    @property
    def hands(self) -> Hands:
        """The granularity of the abstraction: its numbers of groups and buckets."""
        return Hands(*self.ends.shape[1:])


@cache
def bucket_of() -> NDArray[np.intp]:
    """Return the bucket of each strength, from 0 for the weakest; shape ``(7463,)``, index 0 is not used.

    Hands of a bucket share a category and the faces that count first: a high card and, if it is an ace or a king, the
    next one; a pair and its best kicker (ten or lower alike); the higher of two pairs, and the lower in threes.
    """
    signs = [_sign(code) for code in ranking.by_strength().codes[1:]]
    numbers = {sign: number for number, sign in enumerate(sorted(set(signs)))}
    return np.array([0, *(numbers[sign] for sign in signs)], np.intp)


def _sign(code: int) -> tuple[int, int, int]:
    category, first, second, third = code >> 20, code >> 16 & 15, code >> 12 & 15, code >> 8 & 15
    match category:
        case Category.HIGH_CARD:
            return category, first, second if first >= _KING else 0
        case Category.ONE_PAIR:
            return category, first, max(code >> 8 & 15, _TEN)
        case Category.TWO_PAIR:
            return category, first, third // 3
        case Category.FOUR_OF_A_KIND | Category.STRAIGHT_FLUSH | Category.ROYAL_FLUSH:
            return category, 0, 0
        case _:
            return category, first, 0


_TEN: Final = 8
_KING: Final = 11
_QUEEN: Final = 10
_PATTERNS: Final = (0x100F, *(0x1F << low for low in range(9)))
"""The straights as bits of faces, the wheel first."""


def group_of(hands: NDArray[np.intp], keys: Ints) -> NDArray[np.intp]:
    """Return the group of each deal of five cards, given as card numbers in shape ``(n, 5)``.

    ``keys`` are those of the groups. A deal whose group is not among them belongs to the group before it.
    """
    return _among(keys, _keys(hands, strengths(hands)))


def group_of_hand(cards: Sequence[Card], keys: Ints) -> int:
    """Return the group of one deal, as `group_of`, without the tables that many deals need."""
    numbers = np.array([[card.number for card in cards]], np.intp)
    return int(_among(keys, _keys(numbers, np.array([strength(cards)])))[0])


def _among(keys: Ints, found: Ints) -> NDArray[np.intp]:
    places: NDArray[np.intp] = np.maximum(np.searchsorted(keys, found, side="right") - 1, 0)
    return places


def kept_alike(hands: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Return, for each deal and each number of cards drawn, the discard that wins most often: shape ``(n, draws)``."""
    totals = discards.batch_totals(hands, win_values(1))
    found = np.empty((len(hands), DRAWS), np.uint8)
    for size in range(DRAWS):
        masks = np.array([mask for mask in range(DISCARDS) if SIZES[mask] == size], np.uint8)
        found[:, size] = masks[totals[:, masks].argmax(axis=1)]
    return found


@cache
def groups() -> Groups:
    """Return the cards of the abstraction, counted over all deals and draws in whole numbers."""
    of, bucket = deals(), bucket_of()
    keys, group = np.unique(_keys(of.hands, strengths(of.hands)), return_inverse=True)
    count, buckets = len(keys), int(bucket.max()) + 1
    by_strength = np.zeros((STRENGTHS + 1, buckets), np.int64)
    by_strength[np.arange(1, STRENGTHS + 1), bucket[1:]] = 1
    sums = subsets_of_the_deck().sums(by_strength).astype(np.float64)  # exact: whole numbers whose sums stay below 2^53
    thrown = kept_alike(of.hands)
    ends = np.empty((DRAWS, count, buckets))
    for size in range(DRAWS):
        weights = np.zeros((count, len(sums)))
        pat = np.zeros((count, buckets))
        for discard in (mask for mask in range(DISCARDS) if SIZES[mask] == size):
            rows = np.flatnonzero(thrown[:, size] == discard)
            kept = DISCARDS - 1 - discard
            for mask in (mask for mask in range(DISCARDS) if mask & kept == kept):
                signed = of.weights[rows] * (-1) ** (mask ^ kept).bit_count()
                if mask == DISCARDS - 1:
                    np.add.at(pat, (group[rows], bucket[of.strengths[rows]]), signed)
                else:
                    np.add.at(weights, (group[rows], of.classes[mask][rows]), signed)
        ends[size] = weights @ sums + pat
    ends /= ends.sum(axis=2, keepdims=True)
    shares = np.bincount(group, of.weights, count)
    return Groups(keys, shares / shares.sum(), ends)


def _keys(hands: NDArray[np.intp], found: NDArray[np.integer]) -> Ints:
    """Return a number for each deal, with its strength in ``found``: the same number for all deals of a group.

    Made hands from a straight up are distinguished as final hands are; three of a kind by their face, two pairs by both
    faces; a pair by its face, its best kicker and whether four cards are to a flush or to an open straight; other hands
    by these draws and their highest card, or else by their two highest cards and whether one face completes a straight.
    """
    codes = np.array(ranking.by_strength().codes, np.int64)[found]
    category, first, second, third = codes >> 20, codes >> 16 & 15, codes >> 12 & 15, codes >> 8 & 15
    suited = (hands[:, :, None] % 4 == np.arange(4)).sum(axis=1).max(axis=1) == 4
    outs = _outs()[np.bitwise_or.reduce(1 << hands // 4, axis=1)]
    draw = np.where(suited, 2, outs >= 2)  # 2 for a flush draw, 1 for an open straight draw, 0 for none
    high = np.select(
        [draw > 0, first >= _KING, first >= _QUEEN],
        [(draw << 8) + (np.maximum(first, _TEN) << 4), (first << 4) + np.maximum(second, _TEN - 1), first << 4],
        np.maximum(first, _TEN - 1) << 4,
    )
    high += ((outs == 1) & (draw == 0)) * 1024
    keys: Ints = (category << 16) + np.select(
        [category >= Category.STRAIGHT, category == Category.HIGH_CARD, category == Category.ONE_PAIR],
        [bucket_of()[found], high, (draw << 8) + (first << 4) + np.maximum(third, _TEN - 1)],
        (first << 4) + np.where(category == Category.TWO_PAIR, third, 0),
    )
    return keys


@cache
def _outs() -> Ints:
    """Return, for each set of faces as bits, how many other faces complete a straight."""
    sets = np.arange(1 << 13)
    straight = np.zeros(1 << 13, bool)
    for pattern in _PATTERNS:
        straight |= sets & pattern == pattern
    faces = np.arange(13)
    added = sets[:, None] | 1 << faces
    found: Ints = ((added != sets[:, None]) & straight[added]).sum(axis=1)
    return found
