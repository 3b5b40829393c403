"""The seat numbers that tables show to people, which may differ from a game's own numbers 1, 2, …."""

import json
from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy import select

from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.registry import game_of, history_words_of, usable
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.tables import events as logged
from pokersvc.service.read_models.history import GameSummary


def places(database: Database, summary: GameSummary) -> tuple[int, ...]:
    """Return the seat numbers that a game's table shows, in order from seat 1; tables of other sites may have gaps."""
    first = next(EventLog(database).read(summary.game_id, upto=1))
    game = game_of(summary.kind)
    return game.places(game.codec.decode(first.type, first.version, first.payload, first.secret))


def places_of(database: Database, summaries: Sequence[GameSummary]) -> dict[str, tuple[int, ...]]:
    """Map game IDs to the seat numbers that the tables show, by one query; damaged games get the numbers 1, 2, …."""
    of, found = logged.c, {one.game_id: tuple(range(1, len(one.seats) + 1)) for one in summaries}
    kinds = {one.game_id: one.kind for one in summaries if usable(one.kind)}
    asked = select(of.game_id, of.type, of.version, of.payload).where(of.game_id.in_(kinds), of.seq == 1)
    with database.read() as connection:
        rows = connection.execute(asked).all()
    for game_id, type_, version, payload in rows:
        kind, seats = kinds[game_id], len(found[game_id])
        with suppress(UnreadableEvent, ValueError, TypeError, KeyError):
            # A list of games needs no game's code: the JSON of most starts suffices.
            if (numbers := history_words_of(kind).places(json.loads(payload), seats)) is None:
                game = game_of(kind)
                numbers = game.places(game.codec.decode(type_, version, payload, None))
            if len(numbers) == seats:
                found[game_id] = numbers
    return found
