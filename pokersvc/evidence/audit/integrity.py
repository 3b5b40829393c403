"""The checks outside of games: rows without a game, seeds used in two games, the tallies, and the database file."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from pokersvc.eventlog import sqlite
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged, translated
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.eventlog.tables import games as logged
from pokersvc.evidence.audit.report import Audited, damage
from pokersvc.evidence.audit.seeds import repeated_between, seeded
from pokersvc.evidence.audit.tallies import TalliedGames
from pokersvc.evidence.findings import Finding
from pokersvc.service.read_models.projections import READ_MODELS
from pokersvc.text import counted


def check_integrity(
    database: Database, connection: Connection, games: TalliedGames, *, only_chain: bool = False
) -> Audited:
    """Check the database outside its games and return the result; ``games`` has the sums to check the tallies with."""
    result = Audited(None)
    checks = [_unlisted(connection), _unknown_in_read_models(connection)]
    if not only_chain:
        result.unchecked.update(games.unchecked)
        try:
            with translated(database.label):
                names = seeded(connection)
        except DatabaseDamaged as error:
            result.add(damage(None, error))
        except Exception as error:
            result.fail(error, None, None)
        else:
            checks += [repeated_between(connection, names), games.check()]
    if database.dialect.name == "sqlite":
        checks += [_file(connection), _lost(database, connection)]
    for check in checks:
        try:
            with translated(database.label):
                for finding in check:
                    result.add(finding)
        except DatabaseDamaged as error:
            result.add(damage(None, error))
    return result


def _unlisted(connection: Connection) -> Iterator[Finding]:
    for game_id, count in Snapshot(connection).unlisted():
        found = f"{counted(count, 'event')} of a game that is not in the games table"
        yield Finding(_name(game_id), None, None, "chain", found, "events of games that are")


def _unknown_in_read_models(connection: Connection) -> Iterator[Finding]:
    for table in READ_MODELS:
        strays = select(table.c.game_id).where(table.c.game_id.not_in(select(logged.c.game_id))).distinct()
        for (game_id,) in connection.execute(strays):
            yield Finding(_name(game_id), None, None, "read_models", f"a row in {table.name}", "none without its game")


def _file(connection: Connection) -> Iterator[Finding]:
    for found, expected in sqlite.faults(connection):
        yield Finding(None, None, None, "storage", found, expected)


def _lost(database: Database, connection: Connection) -> Iterator[Finding]:
    if (lost := database.lost(connection)) is not None:
        yield Finding(None, None, None, "storage", lost.found, database.by_mark(lost))


def _name(game_id: object) -> str:
    return game_id if isinstance(game_id, str) else repr(game_id)
