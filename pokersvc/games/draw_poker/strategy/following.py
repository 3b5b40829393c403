"""Where a hand at a real table is in the tree of a strategy, which has other stacks and fewer sizes of bets."""

from collections.abc import Iterator
from typing import NamedTuple

from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.recorded_hands.recorded_events import RecordedCardsDiscarded
from pokersvc.games.draw_poker.strategy.groups import DRAWS
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.tree import STAY, CallEnd, FoldEnd, Node


class Place(NamedTuple):
    """A place in the tree, with the weight that it has among several."""

    node: Node | CallEnd | FoldEnd
    """The choice that is next, or the end of a betting round."""
    weight: float
    end: CallEnd | None = None
    """The end of the first betting, if that is over."""
    drawn: tuple[int, ...] = ()
    """The numbers of cards that were drawn, first by the big blind; the tree has at most 4."""


def followed(root: Node, happened: tuple[Event, ...], big_blind: int) -> list[Place]:
    """Return the places to which the events of a hand lead; several where a bet is between two sizes of the tree.

    Once the tree has no more bets, as its stacks are smaller, further ones count as calls.
    """
    places = [Place(root, 1.0)]
    for event in happened:
        match event:
            case events.Checked() | events.Called():
                places = [stayed(place) for place in places]
            case events.Bet():
                places = [one for place in places for one in raised(place, event.amount * BIG_BLIND / big_blind)]
            case events.Raised():
                places = [one for place in places for one in raised(place, event.to * BIG_BLIND / big_blind)]
            case events.CardsDiscarded() | RecordedCardsDiscarded():
                places = [_drew(place, event.count) for place in places]
            case _:
                pass
    return places


def stayed(place: Place) -> Place:
    """Return the place after a check or a call."""
    node = place.node
    return place._replace(node=node.children[node.actions.index(STAY)]) if isinstance(node, Node) else place


def _drew(place: Place, count: int) -> Place:
    while isinstance(place.node, Node):  # the tree has a choice where the table has none
        place = stayed(place)
    if place.end is None and isinstance(place.node, CallEnd):
        place = place._replace(end=place.node)
    drawn = (*place.drawn, min(count, DRAWS - 1))
    if len(drawn) == 2 and place.end is not None and place.end.final is not None:
        return place._replace(drawn=drawn, node=place.end.final)
    return place._replace(drawn=drawn)


def raised(place: Place, price: float) -> Iterator[Place]:
    """Yield the places after a bet or a raise to a price, in units: at the nearest sizes below and above it.

    They are weighted by the pseudo-harmonic mapping. Source: S. Ganzfried, T. Sandholm, Action Translation in
    Extensive-Form Games with Large Action Spaces, 2013.
    """
    node = place.node
    if not isinstance(node, Node) or node.actions[-1] < 0:
        yield stayed(place)
        return
    prices = [action for action in node.actions if action >= 0]
    lower = max([one for one in prices if one <= price], default=prices[0])
    upper = min([one for one in prices if one >= price], default=prices[-1])
    for one, weight in _weighted(node, price, lower, upper):
        yield place._replace(node=node.children[node.actions.index(one)], weight=place.weight * weight)


def _weighted(node: Node, price: float, lower: int, upper: int) -> Iterator[tuple[int, float]]:
    if lower >= upper:
        yield upper, 1.0
        return
    small, size, large = [(one - node.price) / node.called for one in (lower, price, upper)]
    weight = (large - size) * (1 + small) / ((large - small) * (1 + size))
    yield from ((one, share) for one, share in ((lower, weight), (upper, 1 - weight)) if share > 0)
