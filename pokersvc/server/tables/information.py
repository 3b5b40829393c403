"""Public information on tables, and on the games that can be played."""

from collections.abc import Collection
from typing import Final

from pokersvc.core.game import Game
from pokersvc.core.names import alike
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of, usable
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Option, Setup
from pokersvc.errors import InvalidValue
from pokersvc.server.tables.store import EMPTY, SeatRow, TableRow

MOST_SEATS: Final = 10
"""Most seats at a table of any game of pokersvc; each game tells its own limit."""


def information(row: TableRow) -> dict[str, object]:
    """Return the public information on a table: no token, and no digest of one."""
    return {
        "table": row.table_id,
        "kind": row.kind,
        "name": row.name,
        "options": dict(row.options),
        "rounds": row.rounds,
        "settings": dict(row.settings),
        "public": row.public,
        "status": row.status,
        "created_at": row.created_at,
        "seats": [_seat(seat) for seat in row.seats],
    }


def _seat(seat: SeatRow) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "name": seat.name,
        "kind": seat.kind,
        "came": seat.came or seat.kind not in (HUMAN, EMPTY),
    }


def programs_of(game: Game, listed: tuple[str, ...]) -> list[str]:
    """Return the kinds of bots that a request may name: the game's own, and those that the operator lists.

    Kinds whose amount of work can be chosen (``rollout/5000``) are left out: nobody may set how long the server thinks.
    """
    return [*(kind for kind in game.players if "/" not in kind), *listed]


def games(listed: tuple[str, ...]) -> list[dict[str, object]]:
    """Return every game that can be played here, with its options."""
    return [_game(game_of(kind), listed) for kind in game_kinds() if usable(kind)]


def _game(game: Game, listed: tuple[str, ...]) -> dict[str, object]:
    options = game.options({})
    return {
        "kind": game.kind,
        "hides": game.hides,
        "houses": [{"name": house.name, "summary": house.summary, "text": house.text} for house in game.houses()],
        "options": [_option(option) for option in game.own_options if option.open],
        "programs": programs_of(game, listed),
        "default_program": game.default_kind(options),
        "default_seats": game.default_seats(options),
        "seats": seats_allowed(game),
    }


def _option(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "help": option.words_of_form,
        "type": {bool: "boolean", int: "integer"}.get(option.of_form, "string"),
        "metavar": option.metavar,
    }


def seats_allowed(game: Game) -> dict[str, int]:
    """Return the fewest and the most seats that the game can be started with by default."""
    fits = []
    for count in range(1, MOST_SEATS + 1):
        seats = tuple(Seat(HUMAN, f"Player{number}") for number in range(1, count + 1))
        try:
            game.start(Setup(seats, EntropySource.from_text("seats")))
        except InvalidValue:
            continue
        fits.append(count)
    return {"least": min(fits, default=0), "most": max(fits, default=0)}


def default_name(number: int, taken: Collection[str]) -> str:
    """Return a name that looks like no other name at the table.

    >>> default_name(2, ["PIayer2"])
    'Player3'
    """
    while any(alike(f"Player{number}", name) for name in taken):
        number += 1
    return f"Player{number}"
