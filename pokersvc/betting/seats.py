"""Sets of seats as bit masks: seat ``s`` is bit ``1 << s``.

A table has at most ten seats, so there are few sets, and answers that are needed all the time are cached.
"""

from functools import cache


def has(seats: int, seat: int) -> bool:
    """Return whether a seat is in a set.

    >>> has(0b10110, 2), has(0b10110, 3)
    (True, False)
    """
    return seats >> seat & 1 == 1


def fewer_than_two(seats: int) -> bool:
    """Return whether a set has at most one seat.

    >>> fewer_than_two(0b00100), fewer_than_two(0b10100), fewer_than_two(0)
    (True, False, True)
    """
    return seats & (seats - 1) == 0


@cache
def seats_in(seats: int) -> tuple[int, ...]:
    """Return the seats of a set, lowest first.

    >>> seats_in(0b10110)
    (1, 2, 4)
    """
    return tuple(seat for seat in range(seats.bit_length()) if has(seats, seat))


@cache
def next_seat(seats: int, after: int) -> int:
    """Return the seat of a nonempty set that comes next clockwise after a given seat.

    >>> next_seat(0b10110, after=2), next_seat(0b10110, after=4)
    (4, 1)
    """
    seats = (seats >> (after + 1) << (after + 1)) or seats
    return (seats & -seats).bit_length() - 1


def passed(first: int, last: int) -> int:
    """Return the set of all seats strictly between two seats, clockwise from the first.

    >>> everyone = 0b1111110
    >>> seats_in(everyone & passed(2, 5)), seats_in(everyone & passed(5, 3)), passed(4, 4)
    ((3, 4), (1, 2, 6), 0)
    """
    below = (1 << last) - 1
    return below & ~((2 << first) - 1) if first < last else 0 if first == last else below | -(2 << first)


def clockwise(seats: int, after: int) -> tuple[int, ...]:
    """Return the seats of a set in clockwise order, beginning after a given seat.

    >>> clockwise(0b10110, after=2)
    (4, 1, 2)
    """
    low = seats & ((2 << after) - 1)
    return seats_in(seats ^ low) + seats_in(low)
