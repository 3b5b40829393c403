"""A strategy as the bytes of its file, which take an eighth of the memory: probabilities in whole numbers of 255ths.

Each choice has one byte for every action but the first, whose probability is what is left. The bytes become numbers
when they are looked up, and the parts of the strategy are unpacked as they are needed: the first betting, then what
follows each of its ends.
"""

from collections.abc import Callable, Iterator
from functools import cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.games.draw_poker.strategy.groups import Floats, Hands
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.strategy import OfEnd, Shape, Strategy, after_filled, filled, first_filled
from pokersvc.games.draw_poker.strategy.tree import CallEnd, Node, ends_of

PARTS: Final = 255
"""The probability of 1, in the units of a file."""

_NEARLY: Final = 1e-9
"""The rounding error that an exact number of units may have."""

Bytes = NDArray[np.uint8]


def packed(chances: Floats, parts: int = PARTS) -> Bytes:
    """Return probabilities in units of 1/``parts`` that add up to 1, without those of the first action.

    The last axis has hands or deals from the worst to the best. Each one makes up for the rounding of the one before:
    an opponent meets all of them, so the sum of their frequencies counts. No bound between two actions moves by a whole
    unit, so an action that is always or never taken stays so.
    """
    exact = chances[::-1].cumsum(axis=0)[:-1] * parts
    least, most = np.floor(exact + _NEARLY), np.ceil(exact - _NEARLY)
    bounds = np.full((len(exact) + 1, *exact.shape[1:]), parts, np.int64)
    owed = np.zeros(exact.shape[:-1])
    for one in range(exact.shape[-1]):
        wanted = np.clip(np.rint(exact[..., one] + owed), least[..., one], most[..., one])
        for at in range(1, len(wanted)):
            low = wanted[at - 1]
            wanted[at] = np.where(
                exact[at, ..., one] - exact[at - 1, ..., one] < _NEARLY, low, np.maximum(low, wanted[at])
            )
        # At most one unit is carried on: a debt that nearer hands cannot take must not fall on distant ones.
        owed = np.clip(owed + exact[..., one] - wanted, -1, 1)
        bounds[:-1, ..., one] = wanted
    found: Bytes = np.diff(bounds, axis=0, prepend=0)[-2::-1].astype(np.uint8)
    return found


def unpacked(found: Bytes, parts: int = PARTS) -> Floats:
    """Return probabilities from the result of `packed`, or those of some hands from their part of the result."""
    others = found.astype(np.float64) / parts
    return np.concatenate([1 - others.sum(axis=0, keepdims=True), others])


def rounded(strategy: Strategy, hands: Hands) -> Strategy:
    """Return a strategy as it would be read back from a file."""
    arrays = strategy.arrays()
    return filled(strategy.spot, hands, lambda _: unpacked(packed(next(arrays))), strategy.root)


def parts_of(strategy: Strategy) -> Iterator[bytes]:
    """Yield the bytes of each part of a strategy."""
    yield b"".join(packed(array).tobytes() for array in strategy.first.values())
    for after in strategy.after.values():
        yield b"".join(packed(array).tobytes() for array in after.arrays())


def sizes_of(root: Node, hands: Hands) -> list[int]:
    """Return the number of bytes of each part of a strategy."""
    firsts = first_filled(root, hands, _size).values()
    return [sum(firsts), *(sum(after_filled(end, hands, _size).arrays()) for end in ends_of(root))]


class PackedStrategy:
    """A strategy whose parts are bytes; ``part`` returns a part's bytes by its number, and is called once per part."""

    def __init__(self, spot: Spot, root: Node, hands: Hands, part: Callable[[int], bytes]) -> None:
        self.spot, self.root = spot, root
        self._hands, self._part = hands, part
        self._numbers = {end: number for number, end in enumerate(ends_of(root), 1)}
        self._first = cache(lambda: first_filled(root, hands, _taken(part(0))))
        self._after = cache(self._unpacked_after)

    def first_betting(self, node: Node, group: int | NDArray[np.intp]) -> Floats:
        """Return the probability of each action of a choice before the draw, for a group of deals or several."""
        return unpacked(self._first()[node][:, group])

    def draw(self, end: CallEnd, blind: int | None, group: int | NDArray[np.intp]) -> Floats:
        """Return the probability of each draw; ``blind`` is what the big blind drew; None for its own draw."""
        after = self._after(end)
        return unpacked(after.blind[:, group] if blind is None else after.button[:, blind, group])

    def final_betting(self, end: CallEnd, node: Node, drawn: tuple[int, ...], bucket: int | NDArray[np.intp]) -> Floats:
        """Return the probability of each action of a choice after the draw, for a bucket of hands or several."""
        blind, button = drawn
        return unpacked(self._after(end).nodes[node][:, blind, button, bucket])

    def expanded(self) -> Strategy:
        """Return all probabilities as numbers, in eight times the memory."""
        arrays = (unpacked(array) for array in self._arrays())
        return filled(self.spot, self._hands, lambda _: next(arrays), self.root)

    def _arrays(self) -> Iterator[Bytes]:
        yield from self._first().values()
        for end in self._numbers:
            yield from self._after(end).arrays()

    def _unpacked_after(self, end: CallEnd) -> OfEnd[Bytes]:
        return after_filled(end, self._hands, _taken(self._part(self._numbers[end])))


def _size(shape: Shape) -> int:
    return (shape[0] - 1) * prod(shape[1:])


def _taken(part: bytes) -> Callable[[Shape], Bytes]:
    """Return a function that takes the next array of a shape from the bytes of a part."""
    parts = np.frombuffer(part, np.uint8)
    place = 0

    def taken(shape: Shape) -> Bytes:
        nonlocal place
        begun = place
        place += _size(shape)
        return parts[begun:place].reshape(shape[0] - 1, *shape[1:])

    return taken
