"""The players named by ``--player NAME=KIND``, and the permissions of custom players, which are programs."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pokersvc
from pokersvc import core
from pokersvc.errors import InvalidValue

MOST_SEATS: Final = 100
"""The maximum number of seats read from the options: more than any game has, so that games report their own limits."""


def seat_named(text: str) -> "pokersvc.Seat":
    """Parse a text NAME=KIND as a seat; raise `InvalidValue` for any other text.

    A name may contain an equals sign, and so may the path of a file: the first sign ends the name if a file follows
    it, else the last sign does.

    >>> seat_named("Ann=steady"), seat_named("a=b=steady"), seat_named("Ann=x=y/bot.py:Mine")
    (Seat(kind='steady', name='Ann'), Seat(kind='steady', name='a=b'), Seat(kind='x=y/bot.py:Mine', name='Ann'))
    """
    name, equals, kind = text.partition("=")
    if core.bots.custom_players.own_file(kind) is None:
        name, equals, kind = text.rpartition("=")
    if not equals or not kind:
        raise InvalidValue(f"--player {text!r} is not NAME=KIND, such as Bob=steady or Ann=mybot.py:MyPlayer.")
    return pokersvc.Seat(kind, name)


def has_person(named: Sequence[str], count: int | None, *, auto: bool) -> bool:
    """Return whether `seats_of`, with the same options, makes a person play."""
    if auto:
        return False
    return len(named) < (count or 2) or any(seat_named(one).kind == pokersvc.HUMAN for one in named)


def has_others(
    game: "pokersvc.Game", options: "pokersvc.Options", count: int | None, named: Sequence[str], *, auto: bool
) -> bool:
    """Return whether `seats_of`, with the same options, fills a seat with a bot that is not named."""
    person_wanted = not auto and all(seat_named(one).kind != pokersvc.HUMAN for one in named)
    return len(named) + person_wanted < _count(game, options, count, named)


def _count(game: "pokersvc.Game", options: "pokersvc.Options", count: int | None, named: Sequence[str]) -> int:
    if count is None:
        return len(named) if len(named) > 1 else game.default_seats(options)
    return count


def seats_of(
    game: "pokersvc.Game",
    options: "pokersvc.Options",
    count: int | None,
    named: Sequence[str],
    *,
    auto: bool,
    own_name: str | None = None,
    opponents: str | None = None,
) -> "tuple[pokersvc.Seat, ...]":
    """Return the seats: the named players first, then a person unless there is one, then bots.

    Bots that are not named are of the kind ``opponents``, or of the house's.

    By default, two or more named players play alone, and fewer are joined by others up to the house's number of
    seats. A person who is not named is called ``own_name``, unless another player has that name.
    """
    seats = list(map(seat_named, named))
    if auto and (person := next((seat for seat in seats if seat.kind == pokersvc.HUMAN), None)):
        raise InvalidValue(f"With --auto only bots play, but {person.name} is a person; leave one of them out.")
    count = _count(game, options, count, named)
    if len(seats) > count:
        raise InvalidValue(f"{len(seats)} players are named for {count} seats; give --players {len(seats)} or more.")
    if count > MOST_SEATS:
        raise InvalidValue(f"{count} players are more than any game seats; give --players {MOST_SEATS} or fewer.")
    taken = {seat.name.casefold() for seat in seats}
    bot = opponents or game.default_kind(options)
    while len(seats) < count:
        person_wanted = not auto and all(seat.kind != pokersvc.HUMAN for seat in seats)
        if person_wanted and own_name is not None and own_name.casefold() not in taken:
            taken.add(own_name.casefold())
            seats.append(pokersvc.Seat(pokersvc.HUMAN, own_name))
            continue
        number = len(seats) + 1
        while f"player{number}" in taken:
            number += 1
        taken.add(f"player{number}")
        seats.append(pokersvc.Seat(pokersvc.HUMAN if person_wanted else bot, f"Player{number}"))
    return tuple(seats)


def kinds_of(seats: "Iterable[pokersvc.Seat]") -> dict[str, str]:
    """Map each seat's name to the kind of its player."""
    return {seat.name: seat.kind for seat in seats}


def walls_of(
    kinds: Mapping[str, str],
    *,
    trust: bool,
    may_read: Sequence[str] | None,
    may_use_network: Sequence[str] | None,
    strict: bool = False,
) -> "pokersvc.Walls":
    """Return the permissions of custom players, by the options; raise `InvalidValue` for a name not in ``kinds``."""
    files: dict[str, tuple[Path, ...]] = {}
    for granted in may_read or ():
        name, equals, place = granted.rpartition("=")
        path = Path(place).absolute()
        if not equals or not path.exists():
            raise InvalidValue(f"--player-may-read {granted!r} is not NAME=PATH with a file or a folder that is there.")
        kind = _custom("--player-may-read", name, kinds)
        files[kind] = (*files.get(kind, ()), path)
    connecting = frozenset(_custom("--player-may-use-network", name, kinds) for name in may_use_network or ())
    if trust and (files or connecting):
        raise InvalidValue("With --trust custom players may do everything; leave out --player-may-….")
    if strict and (trust or files or connecting):
        raise InvalidValue("--strict gives custom players no access; leave out --trust and --player-may-….")
    return pokersvc.Walls(trust, files, connecting, strict)


def _custom(option: str, name: str, kinds: Mapping[str, str]) -> str:
    """Return the kind of a custom player by its name; raise `InvalidValue` if other seats have the same kind."""
    kind = kinds.get(name)
    if kind is None or not core.bots.custom_players.is_own(kind):
        custom = [name for name, kind in kinds.items() if core.bots.custom_players.is_own(kind)]
        known = f"; custom players are {', '.join(custom)}" if custom else ", and no custom player plays"
        raise InvalidValue(f"{option} names {name!r}, which is not a custom player{known}.")
    if others := [other for other, its in kinds.items() if its == kind and other != name]:
        raise InvalidValue(f"{option} is for {name}, but {others[0]} is played by {kind} too; copy the file for one.")
    return kind
