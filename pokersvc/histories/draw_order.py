"""Finds a hand's draw order: as its file states it, else by the site's custom, else by the order of its lines."""

from typing import Final

from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.hand import DRAW_ORDERS, DrawOrder, HandHistory
from pokersvc.histories.statements import Discarded, Drew

_SAID: Final = {order: said for said, order in DRAW_ORDERS.items()}


def draw_order(hand: HandHistory) -> DrawOrder:
    """Return whether each player draws right after discarding, or all players discard before anybody draws."""
    if hand.draw is not None:
        return hand.draw
    custom = CONVENTIONS[hand.dialect].draws
    if custom != "as_told":
        return custom
    waiting, last = None, None
    """The player who discarded and was not dealt cards yet, and the player who discarded last."""
    for one in hand.told:
        if isinstance(one, Discarded):
            if waiting is not None and one.count:
                return "together"
            waiting, last = (one.name if one.count else waiting), one.name
        elif isinstance(one, Drew):
            if one.name != last:
                return "together"
            waiting = None
    return "in_turn"


def draw_said(hand: HandHistory) -> str:
    """Return the draw order of a hand as PHH and OHH write it."""
    return _SAID[draw_order(hand)]
