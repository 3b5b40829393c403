"""Opening a database of games, for programs."""

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from pokersvc.core.counting import RoundPlayed
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of, usable
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.service.read_models import history
from pokersvc.service.read_models.history import NotRebuilt, rebuild
from pokersvc.service.read_models.played_rounds import forget, rows_of, store_played, unmade
from pokersvc.service.read_models.projections import Projector
from pokersvc.service.read_models.tallies import MISCOUNTED


def open_database(url: str | Path, *, read_only: bool = False) -> Database:
    """Open a database by the path of its file or by URL; close it, or use it as a context manager.

    A missing SQLite file is made, for its owner alone; an older file is copied to a file beside it and migrated, and
    its read models are rebuilt. ``":memory:"`` is gone once closed. A database on a server must exist with the current
    schema (``pokersvc db upgrade``). With ``read_only`` nothing is made, changed or migrated.

    Raises `InvalidDatabase` for a text that names no database; `DatabaseMissing`, `NotADatabase`, `SchemaTooOld` or
    `SchemaTooNew` if there is no database, or one of a different kind or schema; `DatabaseReadOnly`,
    `DatabaseUnreadable`, `DatabaseUnreachable` or `DatabaseBusy` if it cannot be used; and `EventsLost` if recorded
    events are missing. All of these are a `PokersvcError`.

    >>> with open_database(":memory:") as database:
    ...     database.label
    ':memory:'
    """
    if read_only:
        return Database.for_reading(str(url))
    database = Database.for_writing(str(url))
    try:
        complete_lists(database)
    except BaseException:
        database.close()
        raise
    return database


FILLED: Final = "0006"
"""The lists of a database older than this schema revision are rebuilt when the database is opened.

From this revision on, migrations fill new tables and columns from existing data, because it is slow to replay millions
of games.
"""


def complete_lists(database: Database) -> bool:
    """Rebuild the lists and histories that a migration, even an interrupted one, has left incomplete.

    Return whether a rebuild was needed. A game that cannot be replayed is skipped: opening that game raises the error.
    """
    of_old = database.migrated_from is not None and database.migrated_from < FILLED
    if not of_old and history.is_listed(database):
        return _make_rounds(database)
    with suppress(NotRebuilt):
        rebuild(database)
    return True


def is_complete(database: Database) -> bool:
    """Return whether nothing must be rebuilt after a migration; see `complete_lists`."""
    with database.read() as connection:
        if unmade(connection):
            return False
    return history.is_listed(database)


def _make_rounds(database: Database) -> bool:
    """Store the played rounds that a migration left out, in one transaction; return whether any were left out."""
    with database.read() as connection:
        if not unmade(connection):
            return False
    with database.write() as connection:
        snapshot = Snapshot(connection)
        for game_id in unmade(connection):
            forget(connection, game_id)
            head = snapshot.head(game_id)
            if head is not None and usable(head.kind):
                store_played(connection, rows_of(game_id, _rounds(snapshot, game_id, game_of(head.kind))))
    return True


def _rounds(snapshot: Snapshot, game_id: str, game: Game) -> Iterator[RoundPlayed]:
    """Yield the rounds of a game, as far as its log can be read."""
    projector = Projector(game)
    with suppress(*MISCOUNTED), closing(snapshot.read(game_id)) as records:
        for record in records:
            event = game.codec.decode(record.type, record.version, record.payload, None)
            if (played := projector.take(event, record.recorded_at)) is not None:
                yield played
