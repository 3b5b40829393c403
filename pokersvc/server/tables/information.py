"""Public information on tables, and on the games that can be played."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict
from typing import Final

from pokersvc.core.game import Game
from pokersvc.core.names import alike
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of, usable
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Option, Options, Setup
from pokersvc.core.words import Words
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow

MOST_SEATS: Final = 10
"""The maximum number of seats at a table of any game of pokersvc; each game has its own limit."""
_SOURCE: Final = EntropySource.from_text("seats")
"""A source of chance for games that are started only to see whether they can be."""


def information(row: TableRow) -> dict[str, object]:
    """Return the public information on a table with one of its games: no token, and no digest of one."""
    return {
        "table": row.table_id,
        "game": row.game_id,
        "number": row.number,
        "next": row.next_game,
        "closed": row.closed,
        "kind": row.kind,
        "name": row.name,
        "title": row.name or _short_title(row),
        "terms": _terms(row),
        "options": dict(row.options),
        "rounds": row.rounds,
        "settings": dict(row.settings),
        "public": row.public,
        "access": asdict(row.access),
        "status": row.status,
        "created_at": row.created_at,
        "host_came_at": row.host_came_at,
        "seats": [_seat(seat) for seat in row.seats],
    }


def _terms(row: TableRow) -> list[str]:
    """Return the terms of a table's game; none if this version cannot read its options."""
    with suppress(PokersvcError):
        game = game_of(row.kind)
        return game.words.terms(game.options(row.options))
    return []


def _short_title(row: TableRow) -> str:
    """Return a short title for a table without a name."""
    with suppress(PokersvcError):
        game = game_of(row.kind)
        if title := game.words.short_title(game.options(row.options)):
            return title
    return row.kind.capitalize()


def _seat(seat: SeatRow) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "name": seat.name,
        "kind": seat.kind,
        "came": seat.came or seat.kind not in (HUMAN, EMPTY),
        "came_at": seat.came_at if seat.kind == HUMAN else None,
        "admitted": seat.admitted,
        "removed": seat.removed,
    }


def programs_of(game: Game, listed: tuple[str, ...]) -> list[str]:
    """Return the kinds of bots that a request may name: the game's own, and those listed by the operator.

    Kinds whose amount of work can be chosen (``rollout/5000``) are left out: nobody may set how long the server thinks.
    """
    return [*(kind for kind in game.players if "/" not in kind), *listed]


def games(listed: tuple[str, ...]) -> list[dict[str, object]]:
    """Return every game that can be played on this server, with its options."""
    return [_game(game_of(kind), listed) for kind in game_kinds() if usable(kind)]


def _game(game: Game, listed: tuple[str, ...]) -> dict[str, object]:
    houses = game.houses()
    usual = next((house.name for house in houses if house.usual), None)
    options = game.options({} if usual is None else {"rules": usual})
    return {
        "kind": game.kind,
        "hides": game.hides,
        "houses": [asdict(house) for house in houses],
        "options": [_option(option) for option in game.own_options if option.open],
        "programs": programs_of(game, listed),
        "programs_said": dict(game.players_said),
        "program_levels": list(game.bot_levels),
        "default_program": game.default_kind(options),
        "default_seats": game.default_seats(options),
        "seats": seats_allowed(game),
        "rounds": takes_rounds(game, options),
        "advises": type(game.words).advise is not Words.advise,
        "shuffles": game.dealt_together,
        "ready_tables": [asdict(ready) for ready in game.ready_tables],
    }


def _option(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "help": option.words_of_form,
        "type": {bool: "boolean", int: "integer"}.get(option.of_form, "string"),
        "metavar": option.metavar,
        "first": option.first,
        "each": option.each,
    }


def takes_rounds(game: Game, options: Options | None = None) -> bool:
    """Return whether the game can be started with a number of rounds."""
    with suppress(InvalidValue):
        count = game.default_seats(game.options({}) if options is None else options)
        game.start(Setup(_people(count), _SOURCE, rounds=1))
        return True
    return False


def seats_allowed(game: Game) -> dict[str, int]:
    """Return the fewest and the most seats that the game can be started with by default."""
    fits = []
    for count in range(1, MOST_SEATS + 1):
        try:
            game.start(Setup(_people(count), _SOURCE))
        except InvalidValue:
            continue
        fits.append(count)
    return {"least": min(fits, default=0), "most": max(fits, default=0)}


def _people(count: int) -> tuple[Seat, ...]:
    return tuple([Seat(HUMAN, f"Player{number}") for number in range(1, count + 1)])


def default_name(number: int, taken: Collection[str]) -> str:
    """Return a name that looks like no other name at the table.

    >>> default_name(2, ["PIayer2"])
    'Player3'
    """
    while any(alike(f"Player{number}", name) for name in taken):
        number += 1
    return f"Player{number}"
