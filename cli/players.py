"""Who plays, as a person names it: ``--player NAME=KIND``."""

from collections.abc import Sequence
from typing import Final

import pokersvc
from pokersvc import core
from pokersvc.errors import InvalidValue

MOST_SEATS: Final = 100
"""More than any game has; a game's own limit is told by the game."""


def seat_named(text: str) -> "pokersvc.Seat":
    """Return the seat that a text names; `InvalidValue` where it names none.

    A name may have an equals sign, and so may the path of a file: where what follows the first sign is a file, that
    one ends the name, else the last one does.

    >>> seat_named("Ann=steady"), seat_named("a=b=steady"), seat_named("Ann=x=y/bot.py:Mine")
    (Seat(kind='steady', name='Ann'), Seat(kind='steady', name='a=b'), Seat(kind='x=y/bot.py:Mine', name='Ann'))
    """
    name, equals, kind = text.partition("=")
    if core.own.own_file(kind) is None:
        name, equals, kind = text.rpartition("=")
    if not equals or not kind:
        raise InvalidValue(f"--player {text!r} is not NAME=KIND, such as Bob=steady or Ann=mybot.py:MyPlayer.")
    return pokersvc.Seat(kind, name)


def seats_of(
    game: "pokersvc.Game", options: "pokersvc.Options", count: int | None, named: Sequence[str], *, auto: bool
) -> "tuple[pokersvc.Seat, ...]":
    """Return who sits where: those named first, then a person unless there is one, then the house's bots.

    By default, two or more named players are all, and one is joined by as many as the house seats.
    """
    seats = list(map(seat_named, named))
    if auto and (person := next((seat for seat in seats if seat.kind == pokersvc.HUMAN), None)):
        raise InvalidValue(f"With --auto only bots play, but {person.name} is a person; leave one of them out.")
    if count is None:
        count = len(seats) if len(seats) > 1 else game.default_seats(options)
    if len(seats) > count:
        raise InvalidValue(f"{len(seats)} players are named for {count} seats; give --players {len(seats)} or more.")
    if count > MOST_SEATS:
        raise InvalidValue(f"{count} players are more than any game seats; give --players {MOST_SEATS} or fewer.")
    taken = {seat.name.casefold() for seat in seats}
    while len(seats) < count:
        number = len(seats) + 1
        while f"player{number}" in taken:
            number += 1
        taken.add(f"player{number}")
        person_wanted = not auto and all(seat.kind != pokersvc.HUMAN for seat in seats)
        seats.append(pokersvc.Seat(pokersvc.HUMAN if person_wanted else game.default_kind(options), f"Player{number}"))
    return tuple(seats)
