"""Who came to a table and when; before a game, this reveals moves to another device."""

from collections.abc import Iterator, Mapping

from pokersvc.errors import printable

Arrivals = dict[int, tuple[str, object]]
"""Seat → the name of a person who came, and when they came to their device."""


def arrivals(information: Mapping[str, object]) -> Arrivals:
    """Return who came when, from a server's information about a table."""
    seats = information.get("seats")
    return {
        seat["seat"]: (str(seat.get("name")), seat.get("came_at"))
        for seat in (seats if isinstance(seats, list) else [])
        if isinstance(seat, dict) and seat.get("kind") == "human" and seat.get("came") and type(seat.get("seat")) is int
    }


def went_on(before: Arrivals, now: Arrivals) -> Iterator[str]:
    """Yield the name, for a terminal, of each person who has moved to another device since then.

    >>> [*went_on({1: ("Ann", "12:00"), 2: ("Bo", "12:00")}, {1: ("Ann", "12:05"), 2: ("Cid", "12:05")})]
    ['Ann']
    """
    for number, (name, came_at) in now.items():
        known, earlier = before.get(number, (None, None))
        if name == known and came_at is not None and came_at != earlier:
            yield printable(name)[:60]
