"""The possible hands of the others, as one seat sees a hand: many samples, weighted by each seat's actions.

Each sample has cards for all seats that were dealt in, none of them twice and none that the seat has seen. Its weight
is the probability that a program with these cards would have acted as the others did.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.reviewing.mixtures_of_hands import SIZES_OF, Floats, Mixed, Numbers, Thrown
from pokersvc.games.draw_poker.strategy.groups import DRAWS, kept_alike

SAMPLES: Final = 20_000
"""The number of samples at the deal."""
SLIP: Final = 1e-4
"""The chance of a mistake, added to the chance of every action, so that a range is never empty.

An action that the program takes less often than that was probably a mistake, and gives no information.
"""

HAND: Final = 5
_DECK: Final = 52
FREE: Final = 0
"""A card that is in the deck."""
GONE: Final = 1
"""A card that was thrown away or folded; it is dealt again if the deck runs out."""
HELD: Final = 2
"""A card that is in a hand."""

Places = NDArray[np.uint8]


class UnseenHands:
    """Samples of the other seats' hands, and the place of each card in each sample."""

    def __init__(self, own: Numbers, others: Sequence[int], random: np.random.Generator) -> None:
        """Deal the samples to the ``others``; ``own`` are the card numbers of the hand that is seen."""
        self._random = random
        self.own = own
        """The cards that the seat holds."""
        self.weights = np.ones(SAMPLES)
        order = random.random((SAMPLES, _DECK))
        order[:, own] = 2
        dealt = order.argsort(axis=1)[:, : HAND * len(others)]
        self.places: Places = np.zeros((SAMPLES, _DECK), np.uint8)
        self.places[:, own] = HELD
        np.put_along_axis(self.places, dealt, HELD, axis=1)
        self.hands = {one: dealt[:, HAND * at : HAND * (at + 1)] for at, one in enumerate(others)}
        """Seat → its hand in each sample, in shape ``(samples, 5)``."""
        self.strayed: set[int] = set()
        """The seats that took an action that the program hardly ever takes: it has not learned to play on after it."""

    def bet(self, seat: int, mixed: Mixed, action: Action) -> None:
        """Weight the samples by the probability that a seat bets in this way."""
        self._weigh(seat, mixed.of(action))

    def folded(self, seat: int) -> None:
        """Remove a seat's hand."""
        np.put_along_axis(self.places, self.hands.pop(seat), GONE, axis=1)

    def drew(self, seat: int, thrown: Thrown, count: int) -> None:
        """Weight the samples by the probability that a seat draws this many cards, and deal it new ones."""
        self._weigh(seat, thrown.of_size(count))
        hands = self.hands[seat]
        alike = kept_alike(hands)[:, count] if count < DRAWS else np.full(len(hands), 2**HAND - 1, np.uint8)
        masks = thrown.drawn_of_size(count, self._random.random(len(hands)), alike)
        self.hands[seat] = redrawn(hands, masks, self.places, self._random.random((len(hands), _DECK)))

    def threw(self, cards: Numbers) -> None:
        """Note the seat's own discard."""
        self.own = self.own[~np.isin(self.own, cards)]
        self.places[:, cards] = GONE

    def was_dealt(self, cards: Numbers) -> None:
        """Note the cards that the seat itself drew, and drop samples in which somebody else has one of them."""
        self.own = np.concatenate([self.own, cards])
        fits = (self.places[:, cards] != HELD).all(axis=1)
        if fits.any():
            self._keep(np.flatnonzero(fits))
        self.places[:, cards] = HELD

    def sampled(self, count: int) -> Numbers:
        """Return rows of samples, resampled by their weights with even spacing."""
        bounds = self.weights.cumsum()
        points = (np.arange(count) + self._random.random()) / count * bounds[-1]
        rows: Numbers = np.minimum(bounds.searchsorted(points, side="right"), len(bounds) - 1)
        return rows

    def _weigh(self, seat: int, chances: Floats) -> None:
        if chances @ self.weights < SLIP * self.weights.sum():
            self.strayed.add(seat)
        self.weights = self.weights * (chances + SLIP)
        self.weights /= self.weights.max()

    def _keep(self, rows: Numbers) -> None:
        self.weights, self.places = self.weights[rows], self.places[rows]
        self.hands = {seat: hands[rows] for seat, hands in self.hands.items()}


def redrawn(hands: Numbers, masks: Places, places: Places, order: Floats) -> Numbers:
    """Return the hands after their draws, in which the next cards replace those that a mask marks; update ``places``.

    ``order`` has a number from 0 to 1 for each card of each deck: the card with the lowest is the next. Cards that were
    thrown away before come after all others.
    """
    gone = (masks[:, None] >> np.arange(HAND) & 1).astype(bool)
    count = SIZES_OF[masks]
    most = int(count.max(initial=0))
    if not most:
        return hands
    next_ = (order + places).argsort(axis=1)[:, :most]
    rows, columns = np.nonzero(gone)
    number = gone.cumsum(axis=1)[rows, columns] - 1
    found = hands.copy()
    places[rows, hands[rows, columns]] = GONE
    found[rows, columns] = next_[rows, number]
    places[rows, found[rows, columns]] = HELD
    return found
