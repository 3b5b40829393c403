"""Sums over all hands that contain given cards: the tables that every exact figure is computed from.

Let T(K) be the sum of a value over all five-card hands of the whole deck that contain the cards K. A value that depends
only on strengths stays the same if suits are renamed, so T(K) is the same for all K that differ only in the names of
the suits: the 270,725 sets of four cards form 16,432 *classes*, and all sets of at most four cards form 18,370. So each
table of sums is small. It is computed from the strengths of the hands that contain one example of each class of four
cards.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards.arrays import CHUNK, ranked
from pokersvc.cards.ranking import STRENGTHS

Ints = NDArray[np.int64]
Classes = NDArray[np.uint16]

MOST: Final = 2**35
"""The largest absolute value allowed: all sums, even those scaled for comparison, then fit into 64 bits."""

_PAIRS: Final = 1326
_BITS: Final = 1 << 13 * (np.arange(52) % 4) + np.arange(52) // 4
"""``card`` → a bit of its own: the 13 faces of each suit stand together."""
_ROWS: Final = 1 << 10  # classes summed at once, so that intermediate results of ten values stay small


class Level(NamedTuple):
    """The classes of all sets of one size; a class is all sets that differ only in the names of suits."""

    first: int
    """The number of this size's first class; the classes of all sizes are numbered consecutively."""
    classes: int
    """The number of classes of this size."""
    onward: NDArray[Any]
    """For each class, the classes that one of its sets makes with each other card; strengths for sets of four."""


class Subsets(NamedTuple):
    """The classes of all sets of up to four cards, and tables that give a set's class for its cards in any order."""

    levels: tuple[Level, ...]
    """The classes of each size, 0 to 4."""
    examples: tuple[NDArray[np.intp], ...]
    """For each size, one set of each class, in order of the classes: shape ``(count, size)``."""
    pairs: NDArray[np.intp]
    """``card * 52 + card`` → the number of the pair, 0 to 1325."""
    ones: Classes
    """``card`` → class."""
    twos: Classes
    """``pair`` → class."""
    threes: Classes
    """``pair * 52 + card`` → class."""
    fours: Classes
    """``pair * 1326 + pair`` → class."""

    @property
    def classes(self) -> int:
        """The number of classes of all sizes."""
        return self.levels[4].first + self.levels[4].classes

    def sums(self, values: Ints) -> Ints:
        """Return, for each class, the sum T of the values of all hands that contain one given set of the class.

        There is one value per strength; index 0 is not used. Shape ``(7463,)`` gives ``(classes,)``, and
        ``(7463, m)``, m values at once, gives ``(classes, m)``.
        """
        found = np.empty((self.classes, *values.shape[1:]), np.int64)
        above = values
        for size in range(4, -1, -1):
            level = self.levels[size]
            # Every hand that contains the set is counted once for each card of the hand that is not in the set.
            sums = found[level.first : level.first + level.classes]
            for row in range(0, level.classes, _ROWS):
                np.sum(above[level.onward[row : row + _ROWS]], axis=1, out=sums[row : row + _ROWS])
            sums //= 5 - size
            above = found
        return found

    def spread(self, weights: Ints) -> Ints:
        """Return, for each strength, the sum over classes of weight × number of its hands with one set of the class.

        This is the transpose of `sums`: a weight on a class counts for each hand that contains one set of that class.
        """
        # Each size below four passes its weights on to the next: a share to every set that is one card larger. Counted
        # in 120ths, all shares are whole.
        carried = weights * 120
        for size in range(4):
            level = self.levels[size]
            share = carried[level.first : level.first + level.classes] // (5 - size)
            np.add.at(carried, level.onward, share[:, None])
        found = np.zeros(STRENGTHS + 1, np.int64)
        np.add.at(found, self.levels[4].onward, carried[self.levels[4].first :, None])
        return found // 120


def class_of(columns: Sequence[NDArray[np.intp]]) -> Classes:
    """Return the class of sets of up to four different cards, given as arrays of card numbers that broadcast."""
    return _class_of(subsets_of_the_deck(), columns)


def _class_of(subsets: "Subsets", columns: Sequence[NDArray[np.intp]]) -> Classes:
    pairs = subsets.pairs
    found: Classes
    match columns:
        case []:
            found = np.zeros(1, np.uint16)
        case [a]:
            found = subsets.ones[a]
        case [a, b]:
            found = subsets.twos[pairs[a * 52 + b]]
        case [a, b, c]:
            found = subsets.threes[pairs[a * 52 + b] * 52 + c]
        case [a, b, c, d]:
            found = subsets.fours[pairs[a * 52 + b] * _PAIRS + pairs[c * 52 + d]]
        case _:
            raise ValueError(f"Classes are of up to four cards, not {len(columns)}.")
    return found


@cache
def subsets_of_the_deck() -> Subsets:
    """Return the classes of all sets of up to four cards, computed at the first call."""
    pairs = np.zeros(52 * 52, np.intp)
    for number, (a, b) in enumerate(combinations(range(52), 2)):
        pairs[a * 52 + b] = pairs[b * 52 + a] = number
    levels: list[Level] = []
    indices: list[Classes] = []
    first = 0
    examples: list[NDArray[np.intp]] = []
    sets = np.empty((0, 0), np.intp)
    for size in range(5):
        sets = _larger(sets) if size else np.zeros((1, 0), np.intp)
        _, shown, classes = np.unique(suit_free(sets), return_index=True, return_inverse=True)
        examples.append(sets[shown])
        levels.append(Level(first, len(shown), np.empty(0)))
        indices.append(_index(sets, (classes + first).astype(np.uint16), pairs))
        first += len(shown)
    made = Subsets(tuple(levels), tuple(examples), pairs, *indices[1:])
    return made._replace(
        levels=tuple(level._replace(onward=_onward(made, cards)) for level, cards in zip(levels, examples, strict=True))
    )


def suit_free(sets: NDArray[np.intp]) -> Ints:
    """Return a number for each set (a row of cards), equal for sets that differ only in the names of suits."""
    cards = np.zeros(len(sets), np.int64)
    for column in sets.T:
        cards |= _BITS[column]
    suits = [cards >> 13 * suit & 0x1FFF for suit in range(4)]
    for low, high in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):  # these exchanges sort four numbers
        suits[low], suits[high] = np.minimum(suits[low], suits[high]), np.maximum(suits[low], suits[high])
    number: Ints = suits[0] | suits[1] << 13 | suits[2] << 26 | suits[3] << 39
    return number


def _larger(sets: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return all sets one card larger than the given sets, which are all sets of a size; in order of `combinations`."""
    last = sets[:, -1] if sets.shape[1] else np.array([-1])
    more = 51 - last
    added = np.arange(more.sum()) + np.repeat(last + 1 - (more.cumsum() - more), more)
    return np.column_stack([np.repeat(sets, more, axis=0), added])


def others(sets: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return, for each set (a row of different cards), a row of the cards that are not in the set."""
    lacking = np.ones((len(sets), 52), bool)
    lacking[np.arange(len(sets))[:, None], sets] = False
    return np.nonzero(lacking)[1].reshape(len(sets), -1)


def _index(sets: NDArray[np.intp], classes: Classes, pairs: NDArray[np.intp]) -> Classes:
    """Return the table from sets to classes, indexed by one to four cards in any order, as pairs or single cards."""
    size = sets.shape[1]
    if size < 2:
        return classes
    if size == 2:
        return classes  # combinations come in the order of the pairs' numbers
    found = np.zeros(_PAIRS * (52 if size == 3 else _PAIRS), np.uint16)
    columns = list(sets.T)
    for i, j in combinations(range(size), 2):
        pair = pairs[columns[i] * 52 + columns[j]]
        rest = [columns[k] for k in range(size) if k not in (i, j)]
        if size == 3:
            found[pair * 52 + rest[0]] = classes
        else:
            found[pair * _PAIRS + pairs[rest[0] * 52 + rest[1]]] = classes
    return found


def _onward(subsets: Subsets, sets: NDArray[np.intp]) -> NDArray[Any]:
    """Return the rows of `Level.onward`, a row for each class, given one set of each class."""
    added = others(sets)
    size = sets.shape[1]
    rows = len(sets) if size < 4 else CHUNK // added.shape[1]
    return np.concatenate(
        [
            _grown(subsets, [*sets[row : row + rows, :, None].swapaxes(0, 1), added[row : row + rows]])
            for row in range(0, len(sets), rows)
        ]
    )


def _grown(subsets: Subsets, columns: Sequence[NDArray[np.intp]]) -> NDArray[Any]:
    return _class_of(subsets, columns) if len(columns) < 5 else ranked(*columns)
