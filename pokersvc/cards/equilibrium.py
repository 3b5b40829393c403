"""The distribution of good players' final hands: the fixed point at which every player draws best against all others.

A player who faces n opponents makes the draw that wins most often against n final hands, and so do the opponents. The
final hands determine the values of `win_values`, these values determine the best discards, and the discards determine
the final hands. Starting with discards by mean strength, this is repeated until the discards no longer change. For some
n they return to earlier discards instead; from there on, final hands are averaged over all rounds (fictitious play),
until the values change by less than 10^-6. Everything is counted in whole numbers, so the result is the same on every
machine.

Source of the averaging: G. W. Brown, Iterative Solution of Games by Fictitious Play, 1951.

``python -m pokersvc.cards.equilibrium FILE`` regenerates the file that comes with the package.
"""

import sys
from functools import cache
from math import comb
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards.arrays import Strengths, strengths
from pokersvc.cards.card import FACES
from pokersvc.cards.discards import DISCARDS, SIZES, batch_best, rank_values
from pokersvc.cards.opponents import (
    MOST_OPPONENTS,
    THROWN_UNITS,
    TOGETHER_UNITS,
    WIN_UNITS,
    Ends,
    had,
    not_seen,
    save,
    winning,
)
from pokersvc.cards.ranking import STRENGTHS
from pokersvc.cards.subsets import Classes, Ints, class_of, others, subsets_of_the_deck, suit_free

STILL: Final = 1e-6
"""Values that change by less than this are considered stable."""

TYPICAL: Final = 3
"""The number of opponents that players face when thrown-away cards are counted."""

RARE: Final = 1e-6
"""The least probability by which `together` divides; below it, the ratio is taken as 1."""


class Deals(NamedTuple):
    """All deals of five cards up to a renaming of suits: 134,459 deals represent 2,598,960."""

    hands: NDArray[np.intp]
    """Shape ``(134459, 5)``."""
    weights: Ints
    """For each deal, the number of deals that it represents."""
    strengths: Strengths
    classes: list[Classes]
    """For each set of some, not all, of the hand's cards, by mask (bit i: card i is in it), its class in each deal."""


def solve(opponents: int) -> Ends:
    """Return the distribution of final hands of good players, each of whom faces ``opponents`` good players."""
    hands = deals().hands
    discards = batch_best(hands, rank_values())
    seen: list[bytes] = []
    while discards.tobytes() not in seen:
        seen.append(discards.tobytes())
        ends = Ends(final_hands(discards), 1)
        values = winning([ends.chances()] * opponents)
        discards = batch_best(hands, values)
    if discards.tobytes() == seen[-1]:
        return ends
    while True:
        ends = Ends(ends.counts + final_hands(discards), ends.rounds + 1)
        before, values = values, winning([ends.chances()] * opponents)
        if np.abs(values.by_strength - before.by_strength).max() < STILL * WIN_UNITS:
            return ends
        discards = batch_best(hands, values)


def thrown_away() -> NDArray[np.uint8]:
    """Return the mean number of thrown-away cards of each face, multiplied by `THROWN_UNITS`.

    Shape ``(13, 6, 7463)``, by face, cards drawn and final strength, for players who face `TYPICAL` opponents; with
    other numbers of opponents, players throw away nearly the same.
    """
    hands = deals().hands
    discards = batch_best(hands, winning([solve(TYPICAL).chances()] * TYPICAL))
    thrown = discards[:, None] >> np.arange(5) & 1
    often = np.maximum(1, final_hands(discards))
    return np.stack(
        [
            (THROWN_UNITS * final_hands(discards, (thrown * (hands // 4 == face)).sum(axis=1)) + often // 2) // often
            for face in range(len(FACES))
        ]
    ).astype(np.uint8)


def together(ends: Ends, thrown: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Return, for each strength s, how much the shared deck raises the chance that two players end with at most s.

    Shape ``(7463,)``, in `TOGETHER_UNITS` of the chance with separate decks. A player who ends with a hand has had
    cards that the other player cannot have: of some faces, on average a fractional number. Between whole numbers of
    cards, the chance is interpolated.
    """
    by_size = np.array([counts / comb(47, size) for size, counts in enumerate(ends.counts)])
    had_of = (had(thrown) * by_size).sum(axis=1) / np.maximum(by_size.sum(axis=0), np.finfo(float).tiny)
    likely = np.array([not_seen(had_of, of_face) for of_face in range(5)])
    chances = ends.chances()
    both, other = np.zeros(STRENGTHS + 1), np.zeros(STRENGTHS + 1)
    for s in range(1, STRENGTHS + 1):
        whole = np.minimum(had_of[:, s].astype(int), 3)
        part = (had_of[:, s] - whole)[:, None]
        faces = range(len(FACES))
        left = (likely[whole, faces] * (1 - part) + likely[whole + 1, faces] * part).prod(axis=0) * chances
        left *= chances[s] / left.sum()
        other += left
        both[s:] += left.cumsum()[s:]
    alone = chances.cumsum() * other.cumsum()
    more = np.where(alone > RARE, both / np.maximum(alone, RARE) - 1, 0)
    found: NDArray[np.int32] = np.rint(TOGETHER_UNITS * more).astype(np.int32)
    return found


def final_hands(discards: NDArray[np.uint8], times: Ints | None = None) -> Ints:
    """Return the number of draws that end with each strength, by cards drawn; ``discards`` has each deal's discard.

    With ``times``, each deal counts that many times.

    This is the transpose of valuing a discard: instead of adding up T(K) with their signs, every set K gets its sign as
    a weight, and hands count the weights of the sets that they contain.
    """
    of = deals()
    subsets = subsets_of_the_deck()
    found = np.zeros((6, STRENGTHS + 1), np.int64)
    counted = of.weights if times is None else of.weights * times
    for size in range(6):
        rows = np.flatnonzero(np.array(SIZES)[discards] == size)
        signs = _signs()[discards[rows]] * counted[rows, None]
        weights = np.zeros(subsets.classes, np.int64)
        for mask in range(DISCARDS - 1):
            np.add.at(weights, of.classes[mask][rows], signs[:, mask])
        found[size] = subsets.spread(weights)
        np.add.at(found[size], of.strengths[rows], signs[:, -1])
    return found


@cache
def deals() -> Deals:
    """Return one deal from each group of deals that differ only in the names of suits."""
    fours = subsets_of_the_deck().examples[4]
    added = others(fours)
    grown = np.concatenate([np.repeat(fours, added.shape[1], axis=0), added.reshape(-1, 1)], axis=1)
    numbers, first = np.unique(suit_free(grown), return_index=True)
    hands = grown[first]
    columns = list(hands.T)
    classes = [
        np.broadcast_to(class_of([columns[i] for i in range(5) if mask >> i & 1]), len(hands))
        for mask in range(DISCARDS - 1)
    ]
    return Deals(hands, _stood_for(numbers), strengths(hands), classes)


def _stood_for(numbers: Ints) -> Ints:
    """Return how many hands each `suit_free` number represents: 24 / the number of orders of suits with equal faces."""
    suits = numbers[:, None] >> np.array([0, 13, 26, 39]) & 0x1FFF
    weights = np.full(len(numbers), 24)
    alike = np.ones(len(numbers), np.int64)
    for suit in range(1, 4):
        alike = np.where(suits[:, suit] == suits[:, suit - 1], alike + 1, 1)
        weights //= alike
    return weights


@cache
def _signs() -> Ints:
    """Return, for each discard, the sign (1, -1 or 0) with which each set of the hand's cards counts in the total."""
    signs = np.zeros((DISCARDS, DISCARDS), np.int64)
    for discard in range(DISCARDS):
        kept = DISCARDS - 1 - discard
        for mask in range(DISCARDS):
            if mask & kept == kept:
                signs[discard, mask] = (-1) ** (mask ^ kept).bit_count()
    return signs


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the file to make: python -m pokersvc.cards.equilibrium FILE")
    solved = [solve(opponents) for opponents in range(1, MOST_OPPONENTS + 1)]
    lost = thrown_away()
    save(Path(sys.argv[1]), solved, lost, np.array([together(ends, lost) for ends in solved]))
