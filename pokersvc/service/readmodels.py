"""The read models: what lists and histories show, made from the events and always rebuildable from them.

They hold public facts only, and are written in the same transaction as the events they come from.
"""

import json
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Column, Connection, ForeignKey, Integer, Table, Text, bindparam, delete, insert, update

from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome
from pokersvc.eventlog.tables import KEY, metadata

game_summaries = Table(
    "game_summaries",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("seats", Text, nullable=False),  # JSON
    Column("rounds", Integer, nullable=False),
    Column("outcome", Text),  # JSON; NULL while the game is played
)

history_entries = Table(
    "history_entries",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("facts", Text, nullable=False),  # JSON
)


READ_MODELS: Final = (history_entries, game_summaries)


def project_start(
    connection: Connection, game_id: str, *, kind: str, title: str, started_at: str, seats: Sequence[Seat]
) -> None:
    """Note a game that has started."""
    connection.execute(
        insert(game_summaries),
        {
            "game_id": game_id,
            "kind": kind,
            "title": title,
            "started_at": started_at,
            "seats": seats_text(seats),
            "rounds": 0,
        },
    )


def project_entries(connection: Connection, game_id: str, entries: Sequence[tuple[int, Entry]]) -> None:
    """Note lines of history that are complete, each with the number of the event that completed it."""
    first = [(seq, entry) for seq, entry in entries if not entry.again]
    if first:
        rows = [
            {"game_id": game_id, "number": entry.number, "seq": seq, "facts": facts_text(entry)} for seq, entry in first
        ]
        connection.execute(insert(history_entries), rows)
        connection.execute(
            update(game_summaries).where(game_summaries.c.game_id == game_id).values(rounds=rows[-1]["number"])
        )
    if again := [{"of": entry.number, "at": seq, "says": facts_text(entry)} for seq, entry in entries if entry.again]:
        connection.execute(_TOLD_AGAIN.where(history_entries.c.game_id == game_id), again)


_TOLD_AGAIN: Final = (
    update(history_entries)
    .where(history_entries.c.number == bindparam("of"))
    .values(seq=bindparam("at"), facts=bindparam("says"))
)


def project_outcome(connection: Connection, game_id: str, outcome: Outcome) -> None:
    """Note how a game ended."""
    ended = {"outcome": outcome_text(outcome)}
    connection.execute(update(game_summaries).where(game_summaries.c.game_id == game_id).values(ended))


def clear(connection: Connection, game_id: str) -> None:
    """Forget the read models of a game, before they are made again."""
    for table in READ_MODELS:
        connection.execute(delete(table).where(table.c.game_id == game_id))


def seats_text(seats: Sequence[Seat]) -> str:
    """Return who plays, as it is stored."""
    return _json([{"kind": seat.kind, "name": seat.name} for seat in seats])


def facts_text(entry: Entry) -> str:
    """Return the facts of a line of history, as they are stored."""
    return _json(entry.facts)


def outcome_text(outcome: Outcome) -> str:
    """Return how a game ended, as it is stored."""
    return _json({"ranks": list(outcome.ranks), "scores": list(outcome.scores)})


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
