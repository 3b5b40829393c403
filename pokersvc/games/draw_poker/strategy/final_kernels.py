"""The betting after the draw, improved for one seat in a single pass over the tree; numba compiles it.

It is written as loops over plain arrays: with NumPy alone, each choice would take a dozen operations on small arrays.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.games.draw_poker.strategy.groups import Floats

FOLDED: Final = 2
"""The kind of an end by a fold; kinds 0 and 1 are choices of the seat with that number."""
SHOWN: Final = 3
"""The kind of a showdown."""

_Ints = NDArray[np.int64]


def improve(
    seat: int,
    weight: float,
    tremble: float,
    least: float,
    tree: _Ints,
    starts: _Ints,
    own: Floats,
    other: Floats,
    chances: Floats,
    regrets: Floats,
    sums: Floats,
) -> Floats:
    """Improve a seat's choices and return the values of its hands, by pair of draws and bucket.

    Rows of ``tree`` are kind, amount, first child and number of children; ``starts`` says where the chances of a choice
    begin in the flat arrays. ``own`` and ``other`` have a row of buckets for each pair of draws.
    """
    pairs, buckets = own.shape
    size = len(tree)
    mine, theirs, values = np.empty((size, buckets)), np.empty((size, buckets)), np.empty((size, buckets))
    found, mean, whole = np.empty((pairs, buckets)), np.empty(buckets), np.empty(buckets)
    for pair in range(pairs):
        mine[0], theirs[0] = own[pair], other[pair]
        for at in range(size):
            for action in range(tree[at, 3]):
                child = tree[at, 2] + action
                base = starts[at] + (action * pairs + pair) * buckets
                chance = chances[base : base + buckets]
                if tree[at, 0] == seat:
                    for x in range(buckets):
                        mine[child, x] = mine[at, x] * chance[x]
                        theirs[child, x] = theirs[at, x]
                else:
                    for x in range(buckets):
                        mine[child, x] = mine[at, x]
                        theirs[child, x] = theirs[at, x] * (chance[x] * (1 - tremble) + tremble)
        for at in range(size - 1, -1, -1):
            kind, amount, first, count = tree[at, 0], tree[at, 1], tree[at, 2], tree[at, 3]
            if kind >= FOLDED:
                total = 0.0
                for x in range(buckets):
                    total += theirs[at, x]
                if kind == FOLDED:
                    for x in range(buckets):
                        values[at, x] = amount * total
                else:
                    below = 0.0
                    for x in range(buckets):
                        values[at, x] = amount * (2 * below + theirs[at, x] - total)
                        below += theirs[at, x]
            elif kind != seat:
                for x in range(buckets):
                    values[at, x] = 0
                for action in range(count):
                    for x in range(buckets):
                        values[at, x] += values[first + action, x]
            else:
                for x in range(buckets):
                    mean[x] = 0
                    whole[x] = 0
                for action in range(count):
                    base = starts[at] + (action * pairs + pair) * buckets
                    chance = chances[base : base + buckets]
                    for x in range(buckets):
                        mean[x] += chance[x] * values[first + action, x]
                for action in range(count):
                    base = starts[at] + (action * pairs + pair) * buckets
                    chance, so_far = chances[base : base + buckets], sums[base : base + buckets]
                    regret = regrets[base : base + buckets]
                    for x in range(buckets):
                        so_far[x] += weight * mine[at, x] * chance[x]
                        now = max(regret[x] + values[first + action, x] - mean[x], 0.0)
                        regret[x] = now
                        whole[x] += now + least
                for action in range(count):
                    base = starts[at] + (action * pairs + pair) * buckets
                    chance, regret = chances[base : base + buckets], regrets[base : base + buckets]
                    for x in range(buckets):
                        chance[x] = (regret[x] + least) / whole[x]
                for x in range(buckets):
                    values[at, x] = mean[x]
        found[pair] = values[0]
    return found
