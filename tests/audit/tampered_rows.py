"""What audits find in changed tables: see `tests.digested`, and run ``python -m tests.audit.tampered_rows``.

Each column of each table of a small database is changed to values of every type, in its first and its last row, and
rows are removed and added; then all games and the database are audited.
"""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pokersvc.core.books import LedgerPage
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.service import Service
from pokersvc.service.read_models.tallies import tally
from tests.clock import ticking
from tests.digested import Digested, Texts, titled
from tests.web.played import repeatable

TABLES: Final = (
    "games", "events", "game_summaries", "game_players", "history_entries", "played_rounds", "tallies",
)  # fmt: skip
VALUES: Final = ("NULL", "0", "{0} + 1", "-1", "'x'", "x'ff'", "CAST(x'ff' AS TEXT)", "{0} || 'x'", "9e999")
MOST_COLUMNS: Final = 13
"""The maximum number of columns changed per table; tables with more, such as the sums of figures, skip some."""
_GUARDED: Final = ("events_refuse_update", "events_refuse_delete")


def _texts() -> dict[str, Texts]:
    """Return the findings after changes to each table."""
    return {table: titled(partial(_changed, table)) for table in TABLES}


@cache
def _made() -> bytes:
    """Return a database with three games: one in the tallies, one not, and one unfinished."""
    with TemporaryDirectory() as folder, repeatable(7):
        path = Path(folder) / "games.sqlite"
        with Database.for_writing(str(path)) as database:
            service = Service(EventLog(database), clock=ticking())
            for game_id, kind, rounds in (("a", "draw", 2), ("b", "kalah", None), ("c", "draw", 2)):
                player = "minimum" if kind == "draw" else "random"
                seats = tuple(Seat(player, name) for name in ("Ann", "Bob"))
                setup = Setup(seats, EntropySource.from_text(game_id), rounds)
                service.start(kind, setup, game_id=game_id)
                service.play_round(game_id)
                while game_id != "c" and service.status(game_id).outcome is None:
                    service.play_round(game_id)
                if game_id == "a":
                    tally(database)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            return connection.serialize()


def _statements(table: str) -> Iterator[str]:
    """Yield changes of a table: of its columns, each to a third of the values, in the first or in the last row."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(_made())
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    key = ", ".join(name for _, name, *_, place in columns if place)
    first, last = (", ".join(f"{part} {way}" for part in key.split(", ")) for way in ("ASC", "DESC"))
    ends = [f"({key}) = (SELECT {key} FROM {table} ORDER BY {order} LIMIT 1)" for order in (first, last)]
    yield from (f"DELETE FROM {table} WHERE {row}" for row in ends)
    for place, (_, column, *_) in enumerate(columns[:: -(-len(columns) // MOST_COLUMNS)]):
        for number, value in enumerate(VALUES[place % 3 :: 3], place):
            yield f"UPDATE OR REPLACE {table} SET {column} = {value.format(column)} WHERE {ends[number % 2]}"
    yield f"DELETE FROM {table}"
    yield f"INSERT OR IGNORE INTO {table} SELECT {', '.join(['1'] * len(columns))}"


def _changed(table: str) -> Iterator[tuple[str, str]]:
    for statement in _statements(table):
        yield statement, found_after(statement)


def found_after(statement: str) -> str:
    """Return the findings of an audit of the games and the database after a change, also with a checkpoint."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.deserialize(_made())
            for trigger in _GUARDED:
                connection.execute(f"DROP TRIGGER {trigger}")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            try:
                connection.execute(statement)
            except sqlite3.Error as error:
                return f"not changed: {type(error).__name__}"
            path.write_bytes(connection.serialize())
        lines: list[str] = []
        steps: list[int] = []
        with Database.for_reading(str(path)) as database:
            pages = partial(_add_page, lines)
            for one in audit(database, ledger=pages, progress=steps.append):
                lines += [str(found) for found in one.findings]
                lines.append(
                    f"{one.game_id} {one.kind} {one.known} {one.over} {one.events} {one.unchecked} {one.fault}"
                )
                lines.append(f"{one.checked} {one.passed} {one.count} {one.intact} {sorted(one.shown.items())}")
        return "\n".join([*lines, str(steps)]).replace(folder, "")


def _add_page(lines: list[str], game_id: str, page: LedgerPage) -> None:
    lines.append(f"{game_id} {page}")


FOUND: Final = Digested(Path(__file__).with_suffix(".json"), _texts)

if __name__ == "__main__":
    FOUND.main(sys.argv[1:])
