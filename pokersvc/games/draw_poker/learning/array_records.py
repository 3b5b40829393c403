"""The records of many tables for two in one array: events are rows of numbers, written at many tables at once.

An event is written twice, with different values in one field. Comparing the two shows the numbers that are the same at
every table, and the places of the others. So nothing here knows the order of fields or the number of a type.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pokersvc.core.event import Event

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Whole = NDArray[np.int64]
Rows = NDArray[np.intp]


class VariedEvent(NamedTuple):
    """An event, and a second value for each field that differs from table to table."""

    event: Event
    others: Mapping[str, object] = {}


class EventColumns:
    """Several consecutive events encoded as numbers, as one viewer sees them."""

    def __init__(self, varied: Iterable[VariedEvent], written: Callable[[Event], list[int]]) -> None:
        """Find the positions of the fields that differ; ``written`` returns an event as numbers."""
        numbers: list[int] = []
        places: dict[str, list[int]] = {}
        for event, others in varied:
            found = written(event)
            for field, other in others.items():
                changed = written(cast(Event, replace(cast("DataclassInstance", event), **{field: other})))
                pairs = enumerate(zip(found, changed, strict=True), len(numbers))
                places.setdefault(field, []).extend([place for place, (one, two) in pairs if one != two])
            numbers += found
        self.numbers: Final = np.array(numbers, np.int64)
        """The numbers, with arbitrary values at the places of fields that differ."""
        self.places: Final = {field: np.array(found, np.intp) for field, found in places.items() if found}
        """Field → the places of its numbers, in all events together; a field that the viewer does not see has none."""

    def block(self, count: int, values: Mapping[str, Whole]) -> Whole:
        """Return the numbers at ``count`` tables; ``values`` has, for each field, a row or a number for each table."""
        found = np.empty((count, len(self.numbers)), np.int64)
        found[:] = self.numbers
        for field, places in self.places.items():
            value = values[field]
            if value.ndim == 1:
                for place in places:
                    found[:, place] = value
            else:
                found[:, places] = value
        return found


class ArrayRecords:
    """The record of each seat at each table."""

    def __init__(self, tables: int, length: int, opening: Sequence[EventColumns]) -> None:
        """Make empty records of this length; ``opening`` has the columns of the opening events for each seat."""
        seats = len(opening)
        self._length, self._seats, self._opening = length, seats, opening
        self._array = np.zeros((tables * seats, length), np.int64)
        self._flat = self._array.reshape(-1)
        self._filled = np.zeros(tables * seats, np.int64)

    def begin(self, tables: Rows, cards: Sequence[Whole]) -> None:
        """Begin new records, with the cards that each seat was dealt."""
        for seat, (columns, dealt) in enumerate(zip(self._opening, cards, strict=True)):
            rows = tables * self._seats + seat
            size = len(columns.numbers)
            self._array[rows, size:] = 0
            self._array[rows, :size] = columns.block(len(rows), {"cards": dealt})
            self._filled[rows] = size

    def append(self, tables: Rows, seats: Whole, columns: EventColumns, values: Mapping[str, Whole]) -> None:
        """Append events to the record of one seat at each of these tables; seats are counted from 0."""
        if not tables.size:
            return
        rows = tables * self._seats + seats
        size = len(columns.numbers)
        filled = self._filled[rows]
        self._flat[(rows * self._length + filled)[:, None] + np.arange(size)] = columns.block(len(rows), values)
        self._filled[rows] = filled + size

    def of(self, seats: Whole) -> Whole:
        """Return the record of one seat at every table, padded with 0."""
        found: Whole = self._array[np.arange(len(seats)) * self._seats + seats]
        return found
