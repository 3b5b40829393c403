"""Which person of a table holds a seat: found from the log, by the token that the seat has had since an event.

A token belongs to one device, to which it may have been moved from another. So a person who comes with another device,
by a new link or by the link to sit down, is new to the table.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from pokersvc.core.persons import Persons
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN
from pokersvc.core.setup import Setup
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.service import Service

PART: Final = 2_000
"""The number of events that are read at once."""
MOST_GAMES: Final = 200
"""The number of a table's last games that are searched for the previous game."""


class TablePersons:
    """Identifies the persons of tables; thread-safe."""

    def __init__(self, service: Service, tables: TableStore) -> None:
        self._service, self._tables = service, tables

    def holder(self, row: TableRow, seat: SeatRow) -> int:
        """Return the number of the person who holds a seat of a game that has started; 0 if they are new to it."""
        game, part = game_of(row.kind), self._service.with_secrets.part
        (first,) = part(row.game_id, after=0, upto=1)
        found, began = seat.person or 0, game.persons(game.new(first.event))
        if not seat.since and began is not None:
            found = began.of_seat(seat.seat) or 0
        count = self._service.status(row.game_id).count
        for after in range(seat.since, count, PART):
            for told in part(row.game_id, after=after, upto=min(count, after + PART)):
                if (sat := game.person_seated(told.event)) is not None and sat[0] == seat.seat:
                    found = sat[1]
        return found

    def numbered(self, row: TableRow, setup: Setup) -> Setup:
        """Return the setup of a table's game in which everybody keeps the number that they had in the game before."""
        for before, persons in self._before(row):
            numbers = {}
            for seat in row.seats:
                then = next((one for one in before.seats if _same_holder(one, seat)), None)
                if seat.kind == HUMAN and seat.name and then is not None and (number := self.holder(before, then)):
                    numbers[seat.name] = number
            options = game_of(row.kind).numbering(setup.options or {}, persons, numbers)
            return replace(setup, options=options)
        return setup

    def _before(self, row: TableRow) -> Iterator[tuple[TableRow, Persons]]:
        """Yield the earlier games of a table whose people have numbers, the latest first."""
        for one in self._tables.games(row.table_id, MOST_GAMES):
            if one.number < row.number and one.kind == row.kind:
                with suppress(UnknownGame):  # it was never started
                    if (persons := self._service.persons(one.game_id)) is not None:
                        yield one, persons


def _same_holder(before: SeatRow, now: SeatRow) -> bool:
    """Return whether the same person holds both seats: by the same token, or by the same link that nobody has used."""
    if now.token is not None:
        return before.token == now.token
    return now.link is not None and before.link == now.link
