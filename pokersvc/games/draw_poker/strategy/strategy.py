"""A strategy for both seats in one spot: the probability of each action, for every group of hands."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, Hands
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.tree import CallEnd, Node, betting_tree, ends_of, nodes_of

Shape: TypeAlias = tuple[int, ...]
ArrayT = TypeVar("ArrayT")


@dataclass(frozen=True, slots=True, eq=False)
class OfEnd(Generic[ArrayT]):
    """The draw and the betting after it, for one end of the first betting.

    The first axis of each array is that of the actions; ``blind`` and ``button`` draw 0 to 4 cards.
    """

    end: CallEnd
    blind: ArrayT
    """The draw of the big blind: shape ``(draws, groups)``."""
    button: ArrayT
    """The draw of the button, which saw how many the big blind drew: shape ``(draws, drawn by the blind, groups)``."""
    nodes: dict[Node, ArrayT]
    """The final betting: shape ``(actions, drawn by the blind, drawn by the button, buckets)`` for each choice."""

    def arrays(self) -> Iterator[ArrayT]:
        """Yield all arrays in a fixed order."""
        yield self.blind
        yield self.button
        yield from self.nodes.values()


AfterDraw: TypeAlias = OfEnd[Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """Probabilities, or other values in the same shape such as regrets, for every choice of both seats in a spot."""

    spot: Spot
    root: Node
    first: dict[Node, Floats]
    """The first betting: shape ``(actions, groups)`` for each choice."""
    after: dict[CallEnd, AfterDraw]

    def arrays(self) -> Iterator[Floats]:
        """Yield all arrays in a fixed order: the first betting, then what follows each of its ends."""
        yield from self.first.values()
        for after in self.after.values():
            yield from after.arrays()

    def first_betting(self, node: Node, group: int | NDArray[np.intp]) -> Floats:
        """Return the probability of each action of a choice before the draw, for a group of deals or several."""
        return self.first[node][:, group]

    def draw(self, end: CallEnd, blind: int | None, group: int | NDArray[np.intp]) -> Floats:
        """Return the probability of each draw; ``blind`` is what the big blind drew; None for its own draw."""
        after = self.after[end]
        return after.blind[:, group] if blind is None else after.button[:, blind, group]

    def final_betting(self, end: CallEnd, node: Node, drawn: tuple[int, ...], bucket: int | NDArray[np.intp]) -> Floats:
        """Return the probability of each action of a choice after the draw, for a bucket of hands or several."""
        blind, button = drawn
        return self.after[end].nodes[node][:, blind, button, bucket]


def filled(spot: Spot, hands: Hands, fill: Callable[[Shape], Floats], root: Node | None = None) -> Strategy:
    """Return a strategy for a spot; ``fill`` makes each array from its shape, in the order of `arrays`."""
    tree = betting_tree(spot) if root is None else root
    first = first_filled(tree, hands, fill)
    return Strategy(spot, tree, first, {end: after_filled(end, hands, fill) for end in ends_of(tree)})


def first_filled(root: Node, hands: Hands, fill: Callable[[Shape], ArrayT]) -> dict[Node, ArrayT]:
    """Return the array that ``fill`` makes for the shape of each choice of the first betting."""
    return {node: fill((len(node.actions), hands.groups)) for node in nodes_of(root)}


def after_filled(end: CallEnd, hands: Hands, fill: Callable[[Shape], ArrayT]) -> OfEnd[ArrayT]:
    """Return the arrays that ``fill`` makes for the shapes of all that follows an end of the first betting."""
    groups, buckets = hands
    blind, button = fill((DRAWS, groups)), fill((DRAWS, DRAWS, groups))
    nodes = () if end.final is None else nodes_of(end.final)
    shape = (DRAWS, DRAWS, buckets)
    return OfEnd(end, blind, button, {node: fill((len(node.actions), *shape)) for node in nodes})


def even(shape: Shape) -> Floats:
    """Return equal probabilities for all actions (first axis)."""
    return np.full(shape, 1 / shape[0])
