"""The rounds that were played, by player, site and time: the read model from which sessions are made.

`pokersvc.service.read_models.projections.Projector` makes them, like all read models; this module stores them.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    delete,
    insert,
    select,
    text,
)

from pokersvc.core.counting import RoundPlayed
from pokersvc.eventlog.tables import KEY, metadata

HERE: Final = "pokersvc"
"""The site name of games that are played here; each of these games counts as a table of its own."""

played_rounds = Table(
    "played_rounds",
    metadata,
    Column("player", KEY, primary_key=True),  # case-sensitive; empty for a round that is nobody's own
    Column("site", KEY, primary_key=True),
    Column("at", KEY, primary_key=True),  # when it began, to the second or finer; empty if unknown
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("own", Integer, nullable=False),  # 1 for the player who saved the file, and for a person who played here
    Column("table_name", Text),
    Column("tournament", Text),
    Column("currency", Text, nullable=False),
    Column("exponent", Integer, nullable=False),
    Column("net", BigInteger),
    sqlite_with_rowid=False,
)
"""One row for each player of each round, in the order in which sessions are read: by player, site and moment."""

OWN: Final = text("own = 1")
_ORDER: Final = (played_rounds.c.at, played_rounds.c.game_id, played_rounds.c.round)
Index("own_rounds", played_rounds.c.player, played_rounds.c.site, *_ORDER, sqlite_where=OWN)
Index("rounds_of_games", played_rounds.c.game_id, played_rounds.c.round, played_rounds.c.player)


def rows_of(game_id: str, played: Iterable[RoundPlayed]) -> Iterator[dict[str, object]]:
    """Yield the rows for some rounds: one row for each player of each round.

    Only a forged log has two seats of one name in a round: the first of them gets the row, and an audit reports this.
    """
    for one in played:
        for seat in {seat.player: seat for seat in reversed(one.seats)}.values():
            yield {
                "player": seat.player, "site": one.site or HERE, "at": one.at, "game_id": game_id, "round": one.round,
                "own": int(seat.own), "table_name": one.table if one.site else game_id, "tournament": one.tournament,
                "currency": one.currency, "exponent": one.exponent, "net": seat.net,
            }  # fmt: skip


def store_played(connection: Connection, rows: Iterable[dict[str, object]]) -> None:
    """Store rows from `rows_of`, of any number of games."""
    if found := list(rows):
        connection.execute(insert(played_rounds), found)


_OF_NO_SITE: Final = (played_rounds.c.player == "") & (played_rounds.c.site == "")
"""Selects placeholders: a migration stores such a row for each game whose rounds must still be read from the log."""


def unmade(connection: Connection) -> list[str]:
    """Return the IDs of the games whose rounds must still be stored after a migration."""
    return list(connection.scalars(select(played_rounds.c.game_id).where(_OF_NO_SITE)))


def forget(connection: Connection, game_id: str) -> None:
    """Delete the rounds of a game before they are stored again."""
    connection.execute(delete(played_rounds).where(played_rounds.c.game_id == game_id))
