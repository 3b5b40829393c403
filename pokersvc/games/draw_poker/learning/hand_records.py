"""The records of hands for two at many tables: the events that are recorded, and what each seat sees of them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from pokersvc.cards import CARDS
from pokersvc.core.bots.many_tables import WriteEvent
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.learning.array_records import ArrayRecords, EventColumns, Rows, VariedEvent, Whole

SEATS: Final = 2
DEALS: Final = (events.HandDealt, earlier_events.HandDealt)
"""Deals with and without commitments to cards, which are written alike."""


class HandRecords:
    """The records of both seats at each table; seats are counted from 0."""

    def __init__(self, tables: int, length: int, opening: Sequence[Event], write: WriteEvent) -> None:
        """Make empty records; ``opening`` has the events of an example hand up to its first choice."""
        dealt = [event.seat for event in opening if isinstance(event, DEALS)]
        self.dealt_order: Final = [dealt.index(seat) for seat in range(1, SEATS + 1)]
        """The place of each seat in the order in which hands are dealt, from 0."""
        opened = [_with_other_cards(event) for event in opening]
        self._records = ArrayRecords(
            tables, length, [EventColumns(opened, partial(_seen, write, seat)) for seat in range(1, SEATS + 1)]
        )
        public = partial(write, False)
        seat, chips = {"seat": 2}, {"amount": 2, "seat": 2}
        self._checked = EventColumns([VariedEvent(events.Checked(1), seat)], public)
        self._called = EventColumns([VariedEvent(events.Called(1, 1), chips)], public)
        self._bet = EventColumns([VariedEvent(events.Bet(1, 1), chips)], public)
        self._raised = EventColumns([VariedEvent(events.Raised(1, 1, 1), {**chips, "to": 2})], public)
        draws = [_draw(count) for count in range(HAND + 1)]
        self._drew: Final = [EventColumns(draw, partial(write, True)) for draw in draws]
        self._drew_hidden: Final = [EventColumns(draw, public) for draw in draws]

    def begin(self, tables: Rows, hands: Whole) -> None:
        """Begin new records, with the hands of both seats, each as it was dealt."""
        self._records.begin(tables, [hands[:, seat] for seat in range(SEATS)])

    def of(self, seats: Whole) -> Whole:
        """Return the record of one seat at every table, padded with 0."""
        return self._records.of(seats)

    def check(self, tables: Rows, seats: Whole) -> None:
        """Note checks."""
        self._note(tables, self._checked, seat=seats + 1)

    def call(self, tables: Rows, seats: Whole, amounts: Whole) -> None:
        """Note calls of amounts."""
        self._note(tables, self._called, amount=amounts, seat=seats + 1)

    def bet(self, tables: Rows, seats: Whole, amounts: Whole) -> None:
        """Note bets."""
        self._note(tables, self._bet, amount=amounts, seat=seats + 1)

    def raise_to(self, tables: Rows, seats: Whole, amounts: Whole, prices: Whole) -> None:
        """Note raises to prices."""
        self._note(tables, self._raised, amount=amounts, seat=seats + 1, to=prices)

    def draw(self, tables: Rows, seats: Whole, discarded: Whole, drawn: Whole) -> None:
        """Record draws of the same number of cards: rows of the discarded cards, and rows of the new ones."""
        count = discarded.shape[1]
        values = {"cards": np.concatenate([discarded, drawn], axis=1), "seat": seats + 1}
        self._records.append(tables, seats, self._drew[count], values)
        self._records.append(tables, 1 - seats, self._drew_hidden[count], values)

    def _note(self, tables: Rows, columns: EventColumns, **values: Whole) -> None:
        for seat in range(SEATS):
            self._records.append(tables, np.full(len(tables), seat), columns, values)


def _with_other_cards(event: Event) -> VariedEvent:
    """Return an opening event with other cards as well if it deals any: nothing else differs from hand to hand."""
    if not isinstance(event, DEALS):
        return VariedEvent(event)
    return VariedEvent(replace(event, cards=CARDS[:HAND]), {"cards": CARDS[HAND : 2 * HAND]})


def _draw(count: int) -> list[VariedEvent]:
    """Return the events in which seat 1 draws ``count`` cards, with other cards and the other seat as well."""
    others = {"cards": CARDS[HAND : HAND + count], "seat": 2}
    discarded = VariedEvent(events.CardsDiscarded(CARDS[:count], count, 1), others)
    return [discarded, VariedEvent(earlier_events.CardsDrawn(CARDS[:count], count, 1), others)][: 2 if count else 1]


def _seen(write: WriteEvent, viewer: int, event: Event) -> list[int]:
    """Return an event as a seat sees it; seats are counted from 1."""
    return write(getattr(event, "seat", None) == viewer, event)
