"""Infers an opponent's hands from its draws, some of which may be blind: made regardless of the hand.

Usually, a hidden hand that stands pat is a straight or better. But a player who always stands pat has a straight or
better as seldom as anybody.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.games.draw_poker.reading.hand_classes import (
    DRAW_GROUPS,
    KEYS,
    Floats,
    Population,
    class_chances,
    counted_classes,
    population,
)

_PARTS: Final = (0.01, 0.04, 0.15, 0.4, 0.7, 0.9, 0.99)
"""The values considered for the part of an opponent's draws that is blind."""
_BEFORE: Final = (8.0, 8.0, 2.0, 0.5, 0.5, 0.5, 0.5)
"""The prior weight of each of these values, before any draw was seen."""
_LEAST: Final = 1e-4
"""The probability given to a key that never occurs in a `population`."""


class Drawer(NamedTuple):
    """The hands of a player who draws as the hand requires, or of one who draws blindly."""

    keys: Floats
    """The probability of each key, separately among hidden and among shown hands; shape ``(KEYS,)``."""
    deal: Floats
    """The probability of each class of deals given a key, shape ``(KEYS, CLASSES)``."""
    final: Floats
    """The probability of each class of final hands given that key, in the same shape."""


class DrawsRead(NamedTuple):
    """The inferences from a player's draws about its hands."""

    blindly: float
    """The part of its draws that is blind."""
    deal: Floats
    """The probability of each class of deals given a hand's key, shape ``(KEYS, CLASSES)``."""
    final: Floats
    """The probability of each class of final hands given that key, in the same shape."""


def drawn(hands: Floats, opponents: int, most: int) -> DrawsRead:
    """Return the inferences from a player's draws; ``hands`` counts its hands by key, shape ``(KEYS,)``.

    Bayes' rule is used twice: for the part of the player's draws that is blind, and for whether one draw was blind.
    """
    by_hand, blind = _drawers(opponents, most)
    parts = np.array(_PARTS)
    fits = np.log(_BEFORE) + np.log(np.outer(1 - parts, by_hand.keys) + np.outer(parts, blind.keys)) @ hands
    fits = np.exp(fits - fits.max())
    part = float(parts @ fits / fits.sum())
    blindly = part * blind.keys
    likely = (blindly / (blindly + (1 - part) * by_hand.keys))[:, None]
    deal = (1 - likely) * by_hand.deal + likely * blind.deal
    return DrawsRead(part, deal, (1 - likely) * by_hand.final + likely * blind.final)


@cache
def _drawers(opponents: int, most: int) -> tuple[Drawer, Drawer]:
    """Return a player who draws by the hand, and one who draws blindly, each number of cards equally often."""
    of = population(opponents, most)
    usual = class_chances(opponents, most)
    return (
        Drawer(_keys(of, of.sensible), usual.deal, usual.final),
        Drawer(_keys(of, ~of.sensible), *counted_classes(of, ~of.sensible)),
    )


def _keys(of: Population, rows: NDArray[np.bool_]) -> Floats:
    found = np.full(KEYS, _LEAST)
    found[0] = 1  # a hand folded before the draw says nothing
    hidden = 1 + np.minimum(of.drew[rows], DRAW_GROUPS - 1)
    for keys in (hidden, of.key[rows]):
        found += np.bincount(keys, minlength=KEYS) / rows.sum()
    return found
