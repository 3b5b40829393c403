"""A strategy for both seats in one spot: the probability of each action, for every group of hands."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, Hands
from pokersvc.games.draw_poker.strategy.spots import Spot
from pokersvc.games.draw_poker.strategy.tree import CallEnd, Node, betting_tree, ends_of, nodes_of


@dataclass(frozen=True, slots=True, eq=False)
class AfterDraw:
    """The draw and the betting after it, for one end of the first betting.

    The first axis of each array is that of the actions; ``blind`` and ``button`` draw 0 to 4 cards.
    """

    end: CallEnd
    blind: Floats
    """The draw of the big blind: shape ``(draws, groups)``."""
    button: Floats
    """The draw of the button, which saw how many the big blind drew: shape ``(draws, drawn by the blind, groups)``."""
    nodes: dict[Node, Floats]
    """The final betting: shape ``(actions, drawn by the blind, drawn by the button, buckets)`` for each choice."""


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
            yield after.blind
            yield after.button
            yield from after.nodes.values()


def filled(spot: Spot, hands: Hands, fill: Callable[[tuple[int, ...]], Floats], root: Node | None = None) -> Strategy:
    """Return a strategy of the spot whose arrays ``fill`` makes from their shapes, in the order of `arrays`."""
    tree = betting_tree(spot) if root is None else root
    groups, buckets = hands
    first = {node: fill((len(node.actions), groups)) for node in nodes_of(tree)}
    after = {}
    for end in ends_of(tree):
        blind, button = fill((DRAWS, groups)), fill((DRAWS, DRAWS, groups))
        nodes = () if end.final is None else nodes_of(end.final)
        shape = (DRAWS, DRAWS, buckets)
        after[end] = AfterDraw(end, blind, button, {node: fill((len(node.actions), *shape)) for node in nodes})
    return Strategy(spot, tree, first, after)


def even(shape: tuple[int, ...]) -> Floats:
    """Return equal probabilities for all actions (first axis)."""
    return np.full(shape, 1 / shape[0])
