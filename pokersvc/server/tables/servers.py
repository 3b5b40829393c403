"""Which server runs the bots and the clock of a game, and which servers are alive.

A live server increments its beat; a server whose beat does not change is dead. Clocks of machines are never compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from uuid import uuid4

from sqlalchemy import insert, select, update

from pokersvc.eventlog.database import Database
from pokersvc.server.tables.schema import servers, table_games


class ServerStore:
    """The servers of a database and the games that they run; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def playing(self) -> list[tuple[str, str | None]]:
        """Return every game in progress, with the server that runs it."""
        with self._database.read() as connection:
            rows = connection.execute(
                select(table_games.c.game_id, table_games.c.runner).where(table_games.c.status == "playing")
            ).all()
        return [(row.game_id, row.runner) for row in rows]

    def beat(self, server_id: str) -> dict[str, int]:
        """Increment a server's beat, and return the beats of all servers."""
        with self._database.append() as connection:
            counted = update(servers).where(servers.c.server_id == server_id).values(beat=servers.c.beat + 1)
            if not connection.execute(counted).rowcount:
                connection.execute(insert(servers), {"server_id": server_id, "beat": 1})
            return {row.server_id: row.beat for row in connection.execute(select(servers))}

    def try_writing(self) -> None:
        """Write a row and delete it again, in a transaction like that of a command."""
        row = {"server_id": str(uuid4()), "beat": 0}
        with self._database.append() as connection:
            connection.execute(insert(servers), row)
            connection.execute(servers.delete().where(servers.c.server_id == row["server_id"]))

    def claim(self, game_ids: Iterable[str], server_id: str, held_by: str | None) -> list[str]:
        """Take over games from a dead server, or games that no server runs; return the IDs of those taken."""
        was = table_games.c.runner.is_(None) if held_by is None else table_games.c.runner == held_by
        taken = []
        with self._database.append() as connection:
            for game_id in game_ids:
                mine = update(table_games).where(table_games.c.game_id == game_id, was).values(runner=server_id)
                if connection.execute(mine).rowcount:
                    taken.append(game_id)
        return taken

    def attend(self, game_ids: Sequence[str]) -> None:
        """Report that people are at those of these games that are in progress, by counting them as changed."""
        with self._database.append() as connection:
            for some in parts(game_ids):
                there = update(table_games).where(table_games.c.game_id.in_(some), table_games.c.status == "playing")
                connection.execute(there.values(changes=table_games.c.changes + 1))

    def release(self, server_id: str) -> None:
        """Give up all games of a server that is ending."""
        with self._database.append() as connection:
            connection.execute(update(table_games).where(table_games.c.runner == server_id).values(runner=None))
            connection.execute(servers.delete().where(servers.c.server_id == server_id))


def parts(ids: Sequence[str], size: int = 500) -> Iterator[Sequence[str]]:
    """Yield the IDs in parts, each small enough for one statement."""
    for begin in range(0, len(ids), size):
        yield ids[begin : begin + size]
