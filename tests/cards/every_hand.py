"""All hands, enumerated one by one: a slow reference for the fast calculations."""

from collections.abc import Iterable
from functools import cache
from itertools import chain, combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import CARDS, STRENGTHS, strength

HANDS: Final = comb(52, 5)


@cache
def every_hand() -> NDArray[np.uint8]:
    """Return all hands, each once, its cards ascending: shape ``(2598960, 5)``."""
    numbers = chain.from_iterable(combinations(range(52), 5))
    hands = np.fromiter(numbers, np.uint8, 5 * HANDS).reshape(HANDS, 5)
    hands.flags.writeable = False
    return hands


@cache
def every_strength() -> NDArray[np.uint16]:
    """Return their strengths, ranked one at a time in plain Python."""
    return np.fromiter(map(strength, combinations(CARDS, 5)), np.uint16, HANDS)


def final_hands(hand: Iterable[int], dead: Iterable[int] = ()) -> NDArray[np.int64]:
    """Count, for each discard, the final hands of each strength, by enumerating all: shape ``(32, 7463)``.

    A hand is a final hand of exactly one discard, the one that throws away the cards which are not in it.
    """
    role = np.zeros(52, np.uint8)
    for place, card in enumerate(hand):
        role[card] = 1 << place
    role[list(dead)] = 32  # no more than five of them are in a hand: 32 to 160
    kept = role[every_hand()].sum(axis=1, dtype=np.uint8)
    possible = kept < 32
    found = np.bincount(
        (31 - kept[possible]).astype(np.intp) * (STRENGTHS + 1) + every_strength()[possible],
        minlength=32 * (STRENGTHS + 1),
    )
    return found.reshape(32, STRENGTHS + 1)
