"""The chance of one hand of five-card draw to beat another if both are known and draws are still to come.

The chance is exact if only one of the hands still draws. If both do, the hand that draws second is assumed to draw from
all cards but its own, whatever the first one holds; so the chance is only a close estimate.
"""

from functools import lru_cache
from itertools import chain, combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import ranking
from pokersvc.cards.arrays import ranked
from pokersvc.cards.card import Card
from pokersvc.cards.discards import Values, outcomes, totals
from pokersvc.cards.opponents import WIN_UNITS, win_values
from pokersvc.cards.ranking import STRENGTHS

_COUNTED: Final = 3
"""Draws of at most this many cards are enumerated; for more cards there are 178,365 draws or more, so a typical draw is
assumed."""
_KEPT: Final = 512
"""Maximum number of tables kept, of 60 kB each."""


class DrawingHand(NamedTuple):
    """A hand, with the cards that were thrown away and are still to be replaced."""

    kept: tuple[Card, ...]
    thrown: tuple[Card, ...] = ()
    gone: tuple[Card, ...] = ()
    """The cards that were thrown away and have been replaced."""

    @property
    def seen(self) -> tuple[Card, ...]:
        """All cards that the other hand cannot be dealt."""
        return (*self.kept, *self.thrown, *self.gone)


def chance(first: DrawingHand, second: DrawingHand) -> float:
    """Return the chance that the hand that draws first beats the other, a tie counting as a half."""
    if first.thrown:
        return chance_drawing(first, second)
    if second.thrown:
        return float(_against_draw(second.kept, second.thrown).by_strength[ranking.strength(first.kept)]) / WIN_UNITS
    mine, theirs = ranking.strength(first.kept), ranking.strength(second.kept)
    return (1 + (mine > theirs) - (mine < theirs)) / 2


def chance_drawing(one: DrawingHand, other: DrawingHand) -> float:
    """Return the exact mean, over all draws of a hand that draws next, of its `chance` to beat another."""
    values = _against_draw(other.kept, other.thrown) if other.thrown else _against(ranking.strength(other.kept))
    mask = 0b11111 & -1 << len(one.kept)
    total = totals((*one.kept, *one.thrown), values, (*one.gone, *other.seen))[mask]
    return total / outcomes(mask, len(one.gone) + len(other.seen)) / WIN_UNITS


@lru_cache(_KEPT)
def _against(strength: int) -> Values:
    """Return the chance of each final hand to beat a strength, in `WIN_UNITS`."""
    wins = np.zeros(STRENGTHS, np.int64)
    wins[strength - 1] = WIN_UNITS // 2
    wins[strength:] = WIN_UNITS
    return Values(wins)


@lru_cache(_KEPT)
def _against_draw(kept: tuple[Card, ...], thrown: tuple[Card, ...]) -> Values:
    """Return the chance of each final hand to beat a hand that still draws, in `WIN_UNITS`."""
    if len(thrown) > _COUNTED:
        return win_values(1, (len(thrown),))
    strengths = _finals([card.number for card in kept], [card.number for card in thrown])
    counts = np.bincount(strengths, minlength=STRENGTHS + 1)
    beaten = np.cumsum(counts)[:-1] * 2 + counts[1:]  # counts each win twice and each tie once
    return Values(np.rint(beaten / (2 * len(strengths)) * WIN_UNITS).astype(np.int64))


def _finals(kept: list[int], thrown: list[int]) -> NDArray[np.uint16]:
    """Return the strengths of all hands that a draw may come to."""
    left = [number for number in range(52) if number not in kept and number not in thrown]
    drawn = np.fromiter(chain.from_iterable(combinations(left, len(thrown))), np.intp).reshape(-1, len(thrown))
    columns = [np.full(len(drawn), number, np.intp) for number in kept]
    return ranked(*columns, *drawn.T)
