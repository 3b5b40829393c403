"""Open seats of a cash game: a game's start stores each as a seat of a person without chips, named by its own number.

So a start needs no field for open seats, and every program that knows cash games can read the start.
"""

from typing import Final

from pokersvc.core.seats import HUMAN, OPEN, Seat, open_seat
from pokersvc.core.setup import Option, Options
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.house.cash_table import CashTable, seats_at_start
from pokersvc.games.draw_poker.house.rules import MOST_SEATS
from pokersvc.text import counted

OPEN_SEATS: Final = Option("open_seats", "Seats of a cash game at which nobody sits yet.", open=False)


def how_many(given: Options, most: int = MOST_SEATS) -> int:
    """Return the number of open seats in the options; raise `InvalidValue` if it is wrong, or above ``most``."""
    asked = given.get(OPEN_SEATS.name)
    if asked is None:
        return 0
    if type(asked) is not int or asked < 0:
        raise InvalidValue(f"open_seats = {asked!r} is not valid; it must be a whole number, 0 or more.")
    if asked and not given.get("cash"):
        raise InvalidValue("Seats stay open in cash games alone: add --cash, or leave out --open-seats.")
    if asked > most:  # checked before any seat is made; a huge number is not printed
        said = counted(asked, "open seat") if asked < 10**9 else "So many open seats"
        raise InvalidValue(f"{said} are not possible: this house has {counted(most, 'seat')} in all.")
    return asked


def with_open_seats(seats: tuple[Seat, ...], options: Options) -> tuple[Seat, ...]:
    """Return the seats followed by as many open ones as the options ask for, less those already there."""
    missing = how_many(options) - sum(seat.kind == OPEN for seat in seats)
    return (*seats, *[open_seat(len(seats) + number) for number in range(1, missing + 1)])


def as_stored(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats as a game's start stores them: an open seat becomes the seat of a person."""
    return tuple([Seat(HUMAN, seat.name) if seat.kind == OPEN else seat for seat in seats])


def check_persons(seats: tuple[Seat, ...], table: CashTable | None) -> None:
    """Raise `InvalidValue` if a person without chips has an open seat's name, so that the seat would count as open."""
    for number, (given, read) in enumerate(zip(seats, seats_at_start(as_stored(seats), table), strict=True), 1):
        if given.kind == HUMAN and read.kind == OPEN:
            raise InvalidValue(
                f"With a stack of 0, {given.name!r} would be taken for the open seat {number};"
                " give them more, or another name."
            )
