"""The exact value of every discard, calculated over all possible draws without random numbers.

Keep the cards H of a hand C and draw others for the rest. The final hands are those that contain H, nothing of the rest
of C, and none of the cards D that are known to be out of play. By inclusion and exclusion, the sum of a value over
them is

    sum over X, a subset of (C - H) + D with at most 5 - |H| cards, of (-1)^|X| T(H + X),

where T(K) is the sum over all hands of the whole deck that contain K (`pokersvc.cards.subsets`). So the values of
all 32 discards follow from 32 lookups, T(K) for each K in C, and some more for cards out of play.

A discard is a mask: bit i is set when the hand's card i, from 0, is thrown away. Totals are whole numbers.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, combinations
from math import comb, lcm
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokersvc.cards import ranking
from pokersvc.cards.arrays import Cards, array_of, checked_hands, checked_numbers, ranked
from pokersvc.cards.card import Card
from pokersvc.cards.hand import InvalidHand
from pokersvc.cards.ranking import STRENGTHS, Category
from pokersvc.cards.subsets import MOST, Ints, class_of, subsets_of_the_deck
from pokersvc.errors import InvalidValue

DISCARDS: Final = 32
"""The number of possible discards of a hand; a discard is a mask from 0 (keep all) to 31 (throw all away)."""

SIZES: Final = tuple(mask.bit_count() for mask in range(DISCARDS))
"""The number of cards that each discard throws away."""

BY_PREFERENCE: Final = tuple(sorted(range(DISCARDS), key=lambda mask: (SIZES[mask], mask)))
"""The discards in the order of preference among equally good ones: fewer cards first, then by mask."""

_CHUNK: Final = 1 << 12  # hands processed at once: their 32 sums fit into the processor's cache


@final
class Values:
    """The value of every final hand: a whole number for each strength, 1 to 7462.

    Raises `InvalidValue` for another number of values, for a value that is not a whole number, and for one beyond
    ±2^35, above which sums might not fit into 64 bits. Fractions are given in smaller units, such as millionths.
    """

    __slots__ = ("_lists", "by_strength", "sums")

    by_strength: Ints
    """The values, in shape ``(7463,)``; index 0 is not used."""
    sums: Ints
    """Class of card sets → sum of the values of all hands that contain one given set of the class: `Subsets.sums`."""

    def __init__(self, values: ArrayLike) -> None:
        array = array_of(values)
        if array.shape != (STRENGTHS,):
            raise InvalidValue(f"Values are {STRENGTHS} numbers, one a strength, not an array of shape {array.shape}.")
        if array.dtype.kind not in "iub":
            raise InvalidValue(f"Values are whole numbers, not {array.dtype}; give fractions in smaller units.")
        largest = max(int(array.max()), -int(array.min()))
        if largest > MOST:
            raise InvalidValue(f"A value of the size of {largest} is too large; values are -2^35 to 2^35.")
        self.by_strength = np.concatenate([[0], array.astype(np.int64)])
        self.sums = subsets_of_the_deck().sums(self.by_strength)
        self._lists: _Lists | None = None

    @property
    def lists(self) -> "_Lists":
        """The tables of values as Python lists, the fastest form for single hands; made at the first use."""
        if self._lists is None:
            self._lists = _Lists(self)
        return self._lists


@cache
def linear_values() -> Values:
    """Return the linear values of the founding documents: `ranking.linear_of`."""
    return Values(ranking.by_strength().linear[1:])


@cache
def code_values() -> Values:
    """Return the codes of hands as their values: `ranking.code_of`."""
    return Values(ranking.by_strength().codes[1:])


@cache
def rank_values() -> Values:
    """Return the strengths themselves as values, 1 to 7462."""
    return Values(np.arange(1, STRENGTHS + 1))


class _Lists:
    """The tables of `Values` and `Subsets` as lists, for one hand at a time."""

    __slots__ = ("by_strength", "fours", "ones", "pairs", "sums", "threes", "twos")

    def __init__(self, values: Values) -> None:
        self.by_strength: list[int] = values.by_strength.tolist()
        self.sums: list[int] = values.sums.tolist()
        subsets = subsets_of_the_deck()
        self.ones: list[int] = values.sums[subsets.ones].tolist()
        self.twos: list[int] = values.sums[subsets.twos].tolist()
        self.pairs, self.threes, self.fours = _shared_lists()


@cache
def _shared_lists() -> "tuple[list[int], memoryview[int], memoryview[int]]":
    subsets = subsets_of_the_deck()
    return subsets.pairs.tolist(), subsets.threes.data, subsets.fours.data


def outcomes(discard: int, dead: int = 0) -> int:
    """Return the number of draws after a discard of k cards, with ``dead`` known cards out of play: C(47 - dead, k)."""
    return comb(47 - dead, SIZES[discard])


def totals(hand: Sequence[Card], values: Values, dead: Iterable[Card] = ()) -> list[int]:
    """Return the total of each of a hand's 32 discards: the sum of the values of the discard's final hands.

    The mean is the total divided by `outcomes`. The hand is not checked: it must have five different cards.

    Raises `InvalidHand` for a dead card that is in the hand or is named twice.

    >>> from pokersvc.cards.card import parse_cards
    >>> totals(parse_cards("AC AD JH 3S 2D"), linear_values())[0b11100], outcomes(0b11100)
    (712071, 16215)
    """
    if dead := tuple(dead):
        held, gone = checked_cards(hand, dead)
        found: list[int] = _batch(held[None], values.sums, values.by_strength, gone)[:, 0].tolist()
        return found
    sums = _sums(hand, values)
    for without, within in _STEPS:
        sums[without] -= sums[within]
    sums.reverse()  # from indices by the cards kept to indices by the cards thrown away
    return sums


_STEPS: Final = tuple((mask, mask | 1 << bit) for bit in range(5) for mask in range(DISCARDS) if not mask >> bit & 1)
"""Pairs of card sets, as masks, for inclusion and exclusion: a set, and the same set with one card more.

For each pair in turn, the sum of the second is subtracted from that of the first. In the end, each sum is over the
five-card hands that contain the set, and no other card of the given hand.
"""


def _sums(hand: Sequence[Card], values: Values) -> list[int]:
    """Return the total value T(K) of the hands that contain K, for each subset K of a hand, by mask (bit i: card i)."""
    a, b, c, d, e = (card.number for card in hand)
    lists = values.lists
    pairs, sums, ones, twos = lists.pairs, lists.sums, lists.ones, lists.twos
    threes, fours = lists.threes, lists.fours
    a52, b52, c52 = a * 52, b * 52, c * 52
    ab, ac, ad, ae = pairs[a52 + b], pairs[a52 + c], pairs[a52 + d], pairs[a52 + e]
    bc, bd, be = pairs[b52 + c], pairs[b52 + d], pairs[b52 + e]
    cd, ce, de = pairs[c52 + d], pairs[c52 + e], pairs[d * 52 + e]
    ab_, ac_, bc_ = ab * 52, ac * 52, bc * 52
    ad_, bd_, cd_ = ad * 52, bd * 52, cd * 52
    ab__, ac__, bc__ = ab * 1326, ac * 1326, bc * 1326
    return [
        sums[0], ones[a], ones[b], twos[ab],
        ones[c], twos[ac], twos[bc], sums[threes[ab_ + c]],
        ones[d], twos[ad], twos[bd], sums[threes[ab_ + d]],
        twos[cd], sums[threes[ac_ + d]], sums[threes[bc_ + d]], sums[fours[ab__ + cd]],
        ones[e], twos[ae], twos[be], sums[threes[ab_ + e]],
        twos[ce], sums[threes[ac_ + e]], sums[threes[bc_ + e]], sums[fours[ab__ + ce]],
        twos[de], sums[threes[ad_ + e]], sums[threes[bd_ + e]], sums[fours[ab__ + de]],
        sums[threes[cd_ + e]], sums[fours[ac__ + de]], sums[fours[bc__ + de]],
        lists.by_strength[ranking.strength(hand)],
    ]  # fmt: skip


def best(hand: Sequence[Card], values: Values, most: int = 5, dead: Iterable[Card] = ()) -> int:
    """Return the discard of at most ``most`` cards with the largest mean; of equals, the first in `BY_PREFERENCE`.

    >>> from pokersvc.cards.card import parse_cards
    >>> best(parse_cards("AC AD JH 3S 2D"), linear_values())
    28
    """
    dead = tuple(dead)
    found = totals(hand, values, dead)
    choice = _choice(most, len(dead))
    return max(
        choice.masks, key=[total * weight for total, weight in zip(found, choice.weights, strict=True)].__getitem__
    )


class _Choice(NamedTuple):
    """The discards to choose from, with weights that make their totals comparable despite unequal numbers of draws."""

    masks: tuple[int, ...]
    weights: tuple[int, ...]
    """For each discard, the factor that scales its total as if every discard had the same number of draws."""


@cache
def _choice(most: int, dead: int) -> _Choice:
    if not 0 <= most <= 5:
        raise InvalidValue(f"The limit of discards cannot be {most}; it is 0 to 5.")
    live = 47 - dead
    counts = [outcomes(mask, dead) for mask in range(DISCARDS)]
    common = lcm(*filter(None, counts))
    masks = tuple(mask for mask in BY_PREFERENCE if SIZES[mask] <= min(most, live))
    return _Choice(masks, tuple(common // count if count else 0 for count in counts))


def batch_totals(hands: ArrayLike, values: Values, dead: ArrayLike = ()) -> Ints:
    """Return the `totals` of many hands, shape ``(n, 32)``, from card numbers in shape ``(n, 5)``.

    ``dead`` are the numbers of cards that are out of play, the same for all hands. Raises `InvalidHand`.
    """
    cards, gone = _checked(hands, dead)
    found = np.empty((len(cards), DISCARDS), np.int64)
    for start in range(0, len(cards), _CHUNK):
        chunk = cards[start : start + _CHUNK]
        found[start : start + _CHUNK] = _batch(chunk, values.sums, values.by_strength, gone).T
    return found


def batch_best(hands: ArrayLike, values: Values, most: int = 5, dead: ArrayLike = ()) -> NDArray[np.uint8]:
    """Return the `best` discard of each of many hands, shape ``(n,)``, from card numbers in shape ``(n, 5)``."""
    cards, gone = _checked(hands, dead)
    choice = _choice(most, len(gone))
    masks = np.array(choice.masks, np.uint8)
    weights = np.array(choice.weights)[masks, None]
    found = np.empty(len(cards), np.uint8)
    for start in range(0, len(cards), _CHUNK):
        chunk = cards[start : start + _CHUNK]
        comparable = _batch(chunk, values.sums, values.by_strength, gone)[masks] * weights
        found[start : start + _CHUNK] = masks[comparable.argmax(axis=0)]
    return found


def category_counts(hand: Sequence[Card], dead: Iterable[Card] = ()) -> Ints:
    """Return, for each discard, the number of final hands in each category: shape ``(32, 10)``."""
    held, gone = checked_cards(hand, tuple(dead))
    by_strength, sums = _category_tables()
    return _batch(held[None], sums, by_strength, gone)[:, 0]


def checked_cards(hand: Sequence[Card], dead: Sequence[Card]) -> tuple[Cards, Cards]:
    """Return the numbers of a hand's cards and of dead cards; raise `InvalidHand` for invalid ones (see `totals`)."""
    cards, gone = _checked([[card.number for card in hand]], [card.number for card in dead])
    return cards[0], gone


@cache
def _category_tables() -> tuple[Ints, Ints]:
    categories = np.array(ranking.by_strength().categories)
    by_strength = np.eye(len(Category), dtype=np.int64)[categories]
    return by_strength, subsets_of_the_deck().sums(by_strength)


def _checked(hands: ArrayLike, dead: ArrayLike) -> tuple[Cards, Cards]:
    cards = checked_hands(hands)
    gone = array_of(dead)
    if gone.ndim != 1 or (gone.size and gone.dtype.kind not in "iu"):
        raise InvalidHand(f"Dead cards are a list of card numbers, not {dead!r}.")
    gone = checked_numbers(gone)
    if len(np.unique(gone)) != len(gone):
        raise InvalidHand("A dead card is named twice: name each once.")
    if (held := np.isin(cards, gone)).any():
        raise InvalidHand(f"{Card.of(int(cards[held][0]))} is in the hand and dead as well; it cannot be both.")
    return cards, gone


def _batch(cards: Cards, sums: Ints, by_strength: Ints, dead: Cards) -> Ints:
    """Return the totals in shape ``(32, n)``, by discard and hand; further dimensions of the values come last."""
    columns = [column.astype(np.intp) for column in cards.T]
    found = np.empty((DISCARDS, len(cards), *by_strength.shape[1:]), np.int64)
    for mask in range(DISCARDS):
        kept = [column for bit, column in enumerate(columns) if mask >> bit & 1]
        found[mask] = sums[class_of(kept)] if len(kept) < 5 else by_strength[ranked(*kept)]
        for size in range(1, min(5 - len(kept), len(dead)) + 1):
            found[mask] += (-1) ** size * _with_dead(kept, dead, size, sums, by_strength)
    by_card = found.reshape(2, 2, 2, 2, 2, *found.shape[1:])
    for axis in range(5):
        halves = np.moveaxis(by_card, axis, 0)
        halves[0] -= halves[1]
    return found[::-1]  # from indices by the cards kept to indices by the cards thrown away


def _with_dead(kept: list[NDArray[np.intp]], dead: Cards, size: int, sums: Ints, by_strength: Ints) -> Ints:
    """Return, for each hand with the kept cards K, the sum of T(K + X) over all sets X of ``size`` dead cards."""
    numbers = chain.from_iterable(combinations(dead.tolist(), size))
    added = np.fromiter(numbers, np.intp).reshape(-1, size)
    hands = len(kept[0]) if kept else 1
    total = np.zeros((hands, *by_strength.shape[1:]), np.int64)
    rows = max(1, _CHUNK * DISCARDS // (hands * by_strength[0].size))
    for start in range(0, len(added), rows):
        columns = [*(column[:, None] for column in kept), *added[start : start + rows].T[:, None]]
        total += (sums[class_of(columns)] if len(columns) < 5 else by_strength[ranked(*columns)]).sum(axis=1)
    return total
