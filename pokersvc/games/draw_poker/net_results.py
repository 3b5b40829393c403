"""Net results of a round: what each seat won, less what it put in, computed from the events of the round alone."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events

_PAYING: Final = (
    events.AntePosted,
    events.BlindPosted,
    events.Posted,
    events.Bet,
    events.Called,
    events.Raised,
    events.PlayerLeft,  # a player who surrenders leaves chips in the pot
)
_PAYS: Final = frozenset(_PAYING)


def newcomers(happened: Iterable[Event]) -> frozenset[int]:
    """Return the seats that another person has taken since a round: that person did not get the seat's result."""
    return frozenset([one.seat for one in happened if isinstance(one, events.SatDown) and one.name is not None])


def brought(happened: Iterable[Event]) -> tuple[tuple[int, int], ...]:
    """Return the net result of each seat that put in or won chips in a round, in the order of seats.

    Events after the end of the round are ignored.
    """
    net: Counter[int] = Counter()
    for event in happened:
        kind = event.__class__
        if kind in _PAYS:
            net[event.seat] -= event.amount  # type: ignore[attr-defined]  # as all of them have
        elif isinstance(event, events.UncalledBetReturned):
            net[event.seat] += event.amount
        elif isinstance(event, events.PotAwarded):
            for share in event.shares:
                net[share.seat] += share.amount
        elif isinstance(event, events.RoundEnded):
            break
    return tuple(sorted(net.items()))
