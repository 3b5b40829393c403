"""Deals as engines 1 to 4 record them: the dealer is committed to whole hands, not to single cards.

Games of those engines continue with these events, which have the names of today's events in an earlier version.
"""

from dataclasses import dataclass
from typing import Final

from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Number
from pokersvc.core.event import Event
from pokersvc.games.draw_poker.events import SeatsCards


@dataclass(frozen=True, slots=True)
class HandDealt(Event):
    """A seat was dealt its hand."""

    cards: SeatsCards
    count: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """A seat was dealt cards in place of those it discarded."""

    cards: SeatsCards
    count: Number
    seat: Number


EVENT_TYPES: Final[EventTypes] = {("HandDealt", 1): HandDealt, ("CardsDrawn", 1): CardsDrawn}
