"""How many journeys a command over HTTP makes to a PostgreSQL server, counted where libpq sends them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.pool import Pool

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.commands import Asked, Commands
from pokersvc.server.metrics import Metrics
from pokersvc.server.models.game_models import shape_of
from pokersvc.server.tables.store import TableStore
from pokersvc.service import Service
from tests import postgres

from .test_two_servers import serving

JOURNEYS = re.compile(rb"\tF\t\d+\t(?:Query|Execute)\t")


class Quiet:
    """A hub without listeners."""

    def news(self, game_id: str) -> None:
        """Notify nobody."""


@contextmanager
def traced(file: Path) -> Iterator[None]:
    """Write what every new connection sends to a file."""
    with file.open("wb") as out:

        def begin(connection: Any, _: object) -> None:
            connection.pgconn.trace(out.fileno())

        event.listen(Pool, "connect", begin)
        try:
            yield
        finally:
            event.remove(Pool, "connect", begin)


def test_a_command_is_seven_journeys(server_of_postgres: postgres.Server, tmp_path: Path) -> None:
    with server_of_postgres.empty() as url:
        where = postgres.text(url)
        Database.for_upgrading(where).close()
        with serving(where) as guest:
            made = guest.made({"name": "Ann"}, {"name": "Bob"}).started()
        file = tmp_path / "trace"
        with traced(file), Database.for_writing(where) as database:
            service, tables, hub = Service(EventLog(database)), TableStore(database), Quiet()
            commands = Commands(service, tables, hub, Metrics(), 3.0)  # type: ignore[arg-type]
            head = service.status(made.game).head  # the game is in memory now
            before = sent(file)
            row = tables.get(made.game)
            bet = shape_of("draw").action({"type": "Bet", "amount": 50}, 1)
            commands.act(SeatRequest(row, row.seat(1)), Asked("c", head, bet))
            # Is the connection alive? The table. Is it alive? BEGIN, the guard, the events, COMMIT.
            assert sent(file) - before == 7


def sent(file: Path) -> int:
    return len(JOURNEYS.findall(file.read_bytes()))
