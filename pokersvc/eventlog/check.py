"""Integrity checks of a database: its pages, its constraints, its schema and the triggers that guard the log."""

from collections.abc import Iterator
from contextlib import suppress
from glob import escape
from stat import S_IRGRP, S_IROTH, S_IWGRP, S_IWOTH
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from pokersvc.errors import printable
from pokersvc.eventlog import claim, high_water_mark, schema, sqlite
from pokersvc.eventlog.database import Database
from pokersvc.system.files import beside

_TRIGGERS: Final = text(
    """
    SELECT tgname, tgenabled, pg_get_triggerdef(pg_trigger.oid, true), prosrc
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('events'))
    """
)
_REFUSES: Final = (
    "BEGIN RAISE EXCEPTION 'events are append-only: % is refused', TG_OP "
    "USING ERRCODE = 'integrity_constraint_violation'; END"
)
"""The body of migration 0001's PostgreSQL function that refuses changes of events; `_GUARDS` are its triggers."""
_GUARDS: Final = {
    f"events_refuse_{change.lower()}": f"CREATE TRIGGER events_refuse_{change.lower()} BEFORE {change} ON events "
    "FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change()"
    for change in ("UPDATE", "DELETE", "TRUNCATE")
}
_FOR_OTHERS: Final = S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH
_STATES: Final = {"A": "always on", "O": "off in a session of replication", "D": "off", "R": "on in replication only"}


class Flaw(NamedTuple):
    """A defect of a database: what was found, and what should be there."""

    found: str
    expected: str

    def __str__(self) -> str:
        return printable(f"Found {self.found} where there should be {self.expected}.")


def flaws(database: Database) -> Iterator[Flaw]:
    """Yield the defects of a SQLite file; on a PostgreSQL server, only those of the triggers that guard the log.

    A server checks its files itself. Raises DatabaseDamaged if the check cannot continue.
    """
    with database.read() as connection:
        if database.on_server:
            yield from _of_triggers(connection)
            return
        yield from _of_pages(connection)
        if (lost := database.lost(connection)) is not None:
            yield Flaw(lost.found, database.by_mark(lost))
        yield from _of_references(connection)
        yield from _of_schema(connection)


def warnings(database: Database) -> Iterator[str]:
    """Yield warnings of file permissions that are too wide, and of a mark file that cannot be read.

    pokersvc creates files for their owner alone, and does not change the permissions of existing files.
    """
    if database.path is None:
        return
    copies = sorted(database.path.parent.glob(f"{escape(database.path.name)}.schema-*"))
    for file in (database.path, *copies):
        if file.stat().st_mode & _FOR_OTHERS:
            yield f"{file} may be read by others on this machine, but holds hands and seeds: chmod 600 {file}"
    sqlites = database.path.stat().st_mode  # SQLite gives its files the database's permissions
    for ending, usual in (("-wal", sqlites), ("-shm", sqlites), (high_water_mark.SUFFIX, 0), (claim.SUFFIX, 0)):
        file = beside(database.path, ending)
        with suppress(OSError):  # the file is missing, or was just removed
            if file.stat().st_mode & _FOR_OTHERS & ~usual:
                yield f"{file} may be used by others on this machine: chmod 600 {file}"
    folder = database.path.parent
    if folder.stat().st_mode & _FOR_OTHERS:
        yield f"The folder {folder} may be read by others on this machine: chmod 700 {folder}, if all in it is yours"
    if high_water_mark.says_nothing(database.path):
        yield (
            f"{high_water_mark.path_of(database.path)} cannot be read, so it is unknown whether the newest events are"
            " there: `pokersvc db check --accept` rewrites it"
        )


def _of_triggers(connection: Connection) -> Iterator[Flaw]:
    found = {str(name): rest for name, *rest in connection.execute(_TRIGGERS)}
    for name in sorted(_GUARDS.keys() - found.keys()):
        yield Flaw(f"no trigger {name}", "one, as pokersvc makes it")
    for name in sorted(found.keys() - _GUARDS.keys()):
        yield Flaw(f"a trigger {name}", "nothing that pokersvc did not make")
    for name in sorted(found.keys() & _GUARDS.keys()):
        enabled, definition, does = found[name]
        state = enabled.decode() if isinstance(enabled, bytes) else str(enabled)
        if state != "A":
            yield Flaw(f"the trigger {name} {_STATES.get(state, state)}", "one that is always on")
        if definition != _GUARDS[name]:
            yield Flaw(f"another trigger {name}, {definition!r}", repr(_GUARDS[name]))
        if " ".join(does.split()) != _REFUSES:
            yield Flaw(f"a trigger {name} that does {does!r}", repr(_REFUSES))


def _of_pages(connection: Connection) -> Iterator[Flaw]:
    for (said,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if said != "ok":
            yield Flaw(f"this, by SQLite's own check: {' '.join(str(said).split())}", "a file in order")


def _of_references(connection: Connection) -> Iterator[Flaw]:
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield Flaw(f"row {row} of {table} with nothing that it belongs to", f"a row of {parent} for it")


def _of_schema(connection: Connection) -> Iterator[Flaw]:
    found, expected = _schema_of(connection), _schema()
    for name in sorted(expected.keys() - found.keys()):
        yield Flaw(f"no {name}", "one, as pokersvc makes it; restore a backup")
    for name in sorted(found.keys() - expected.keys()):
        yield Flaw(f"a {name}", "nothing that pokersvc did not make")
    for name in sorted(name for name in found.keys() & expected.keys() if found[name] != expected[name]):
        yield Flaw(f"another {name}, {found[name]!r}", repr(expected[name]))
    revisions = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    if revisions != [schema.HEAD]:
        yield Flaw(f"the schema numbers {', '.join(map(str, revisions))}", f"one, {schema.HEAD}")


def _schema() -> dict[str, str]:
    """Return the schema that this pokersvc makes."""
    engine = sqlite.memory_engine()
    try:
        with engine.begin() as connection:
            schema.upgrade(connection)
            return _schema_of(connection)
    finally:
        engine.dispose()


def _schema_of(connection: Connection) -> dict[str, str]:
    """Map the kind and name of each object in a database's schema to its SQL, on one line."""
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {f"{type_} {name}": " ".join(sql.split()) for type_, name, sql in rows if not name.startswith("sqlite_")}
