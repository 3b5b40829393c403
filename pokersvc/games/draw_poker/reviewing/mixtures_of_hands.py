"""A program's policy for many hands at once, as arrays.

A hand is a row of five card numbers. Many hands are played alike, so chances are kept by *class* of hands.
"""

from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards.discards import SIZES
from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Raise

Numbers = NDArray[np.intp]
Floats = NDArray[np.float64]

SIZES_OF: Final = np.array(SIZES)
"""The number of cards of each discard, by its mask."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """A program's betting policy: the probability of each action with each of many hands."""

    actions: tuple[Action, ...]
    chances: Floats
    """The probabilities by class, in shape ``(classes, actions)``; each row adds up to 1."""
    classes: Numbers
    """The class of each hand, in shape ``(hands,)``."""

    def of(self, action: Action) -> Floats:
        """Return the probability of an action with each hand; a bet or raise counts as the nearest size.

        The probability is 0 for all hands if the program never takes an action of this kind.
        """
        chosen = self._nearest(action)
        return np.zeros(len(self.classes)) if chosen is None else self.chances[self.classes, chosen]

    def _nearest(self, action: Action) -> int | None:
        if action in self.actions:
            return self.actions.index(action)
        size = amount_of(action)
        sizes = {place: amount_of(one) for place, one in enumerate(self.actions) if type(one) is type(action)}
        if size is None or not sizes:
            return None
        return min(sizes, key=lambda place: abs(log((sizes[place] or 1) / max(size, 1))))

    def with_few_sizes(self, few: int) -> "Mixed":
        """Return the policy with at most ``few`` sizes of bets, each the middle of a group of the original ones."""
        places = [place for place, action in enumerate(self.actions) if amount_of(action) is not None]
        if len(places) <= few:
            return self
        places.sort(key=lambda place: amount_of(self.actions[place]) or 0)
        whole = np.bincount(self.classes, minlength=len(self.chances)) @ self.chances[:, places]
        if not whole.sum():
            return self
        middle = (whole.cumsum() - whole / 2) / whole.sum()
        part = np.minimum((middle * few).astype(int), few - 1)
        others = [place for place in range(len(self.actions)) if place not in places]
        actions, columns = [self.actions[place] for place in others], [self.chances[:, place] for place in others]
        for number in range(few):
            within = np.flatnonzero(part == number)
            if len(within):
                nearest = within[np.abs(middle[within] - (number + 0.5) / few).argmin()]
                actions.append(self.actions[places[nearest]])
                columns.append(self.chances[:, [places[one] for one in within]].sum(axis=1))
        return Mixed(tuple(actions), np.array(columns).T, self.classes)

    def drawn(self, uniform: Floats) -> Numbers:
        """Return the index of an action for each hand, drawn by the hand's number from 0 to 1 in ``uniform``."""
        bounds = self.chances.cumsum(axis=1)
        found = (uniform[:, None] >= bounds[self.classes]).sum(axis=1)
        places: Numbers = np.minimum(found, len(self.actions) - 1)
        return places


def amount_of(action: Action) -> int | None:
    """Return the size of a bet or the price of a raise; None for any other action."""
    return action.amount if isinstance(action, Bet) else action.to if isinstance(action, Raise) else None


@dataclass(frozen=True, slots=True)
class Thrown:
    """A program's drawing policy: its possible discards with each of many hands."""

    masks: NDArray[np.uint8]
    """Bit i is set if card i is thrown away; in shape ``(hands, discards)``."""
    chances: Floats
    """The probability of each discard, in the same shape."""

    def of_size(self, count: int) -> Floats:
        """Return the probability that each hand discards this many cards."""
        found: Floats = (self.chances * (SIZES_OF[self.masks] == count)).sum(axis=1)
        return found

    def drawn(self, uniform: Floats) -> NDArray[np.uint8]:
        """Return a discard for each hand, drawn by the hand's number from 0 to 1 in ``uniform``."""
        return _picked(self.masks, self.chances, uniform)

    def drawn_of_size(self, count: int, uniform: Floats, otherwise: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a discard of this many cards for each hand, drawn alike; ``otherwise`` is for hands without one."""
        chances = self.chances * (SIZES_OF[self.masks] == count)
        whole = chances.sum(axis=1, keepdims=True)
        found = _picked(self.masks, chances / np.where(whole > 0, whole, 1), uniform)
        return np.where(whole[:, 0] > 0, found, otherwise)


def _picked(masks: NDArray[np.uint8], chances: Floats, uniform: Floats) -> NDArray[np.uint8]:
    place = np.minimum((uniform[:, None] >= chances.cumsum(axis=1)).sum(axis=1), masks.shape[1] - 1)
    found: NDArray[np.uint8] = masks[np.arange(len(masks)), place]
    return found
