"""The read models: game list and histories, made from the events and always rebuildable from them.

They hold public facts only, and no words: `Projector` makes them, and they are written in the same transaction as the
events they come from.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Column, Connection, ForeignKey, Integer, Table, Text, bindparam, delete, insert, update

from pokersvc.eventlog.tables import KEY, metadata
from pokersvc.service.projector import Line, Listing

game_summaries = Table(
    "game_summaries",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("facts", Text, nullable=False),  # JSON; null after a migration, until they are rebuilt
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


def store_listing(connection: Connection, game_id: str, listing: Listing, started_at: str) -> None:
    """Store what the list of games says of a game that has started."""
    row = {"game_id": game_id, **listing._asdict(), "started_at": started_at, "rounds": 0}
    connection.execute(insert(game_summaries), row)


def store_lines(connection: Connection, game_id: str, lines: Sequence[Line]) -> None:
    """Store lines of history that are complete."""
    rows = [
        {"game_id": game_id, "number": line.number, "seq": line.seq, "facts": line.facts}
        for line in lines
        if not line.again
    ]
    if rows:
        connection.execute(insert(history_entries), rows)
        connection.execute(
            update(game_summaries).where(game_summaries.c.game_id == game_id).values(rounds=rows[-1]["number"])
        )
    if again := [{"of": line.number, "at": line.seq, "says": line.facts} for line in lines if line.again]:
        connection.execute(_AGAIN.where(history_entries.c.game_id == game_id), again)


_AGAIN: Final = (
    update(history_entries)
    .where(history_entries.c.number == bindparam("of"))
    .values(seq=bindparam("at"), facts=bindparam("says"))
)


def store_outcome(connection: Connection, game_id: str, outcome: str) -> None:
    """Store how a game ended."""
    connection.execute(update(game_summaries).where(game_summaries.c.game_id == game_id).values(outcome=outcome))


def clear(connection: Connection, game_id: str) -> None:
    """Forget the read models of a game, before they are made again."""
    for table in READ_MODELS:
        connection.execute(delete(table).where(table.c.game_id == game_id))
