"""Opening, recognising and locking a database on a PostgreSQL server: everything that only PostgreSQL needs."""

from contextlib import suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError

from pokersvc.eventlog import schema
from pokersvc.eventlog.errors import DatabaseDamaged, InvalidDatabase, NotADatabase
from pokersvc.eventlog.tables import metadata

LOCK_TIMEOUT = 5.0  # seconds
CONNECT_TIMEOUT = 10  # seconds, unless the URL says otherwise

# A comment on the table of events, which the first migration writes, marks the database as ours.
_FOUND = text(
    """
    SELECT current_setting('server_encoding'),
           coalesce(starts_with(obj_description(to_regclass('events'), 'pg_class'), 'pokersvc:'), false),
           to_regclass('alembic_version') IS NOT NULL,
           EXISTS (
               SELECT FROM pg_class
               WHERE relnamespace::regnamespace::name = ANY (current_schemas(false))
                 AND NOT EXISTS (
                     SELECT FROM pg_depend
                     WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
                 )
           )
    """
)
# Sets the time to wait for locks, and that a commit is on the disk when it returns, whatever the server's default is.
_SETTINGS = """
    SELECT set_config('lock_timeout', %s, false),
           CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
"""
# PostgreSQL's advisory locks have a pair of numbers as a key, or a single one: pairs are for the schema, single
# numbers for games.
_LOCK_SCHEMA = text("SELECT pg_advisory_xact_lock(:application_id, 0)")
_LOCK_GAME, _UNLOCK_GAME = (
    text(f"SELECT {function}(hashtextextended(:game_id, to_regclass('events')::oid::bigint))")
    for function in ("pg_try_advisory_lock", "pg_advisory_unlock")
)


def server_engine(url: URL) -> Engine:
    """Open a database by URL; raise ImportError if the driver is missing."""
    asked = {"client_encoding": "UTF8", "fallback_application_name": "pokersvc"}
    if "connect_timeout" not in url.query:
        asked["connect_timeout"] = str(CONNECT_TIMEOUT)
    # Each connection is tested before use: the server may have been restarted while a person was thinking.
    engine = create_engine(url, connect_args=asked, use_native_hstore=False, hide_parameters=True, pool_pre_ping=True)
    event.listen(engine, "connect", _set)
    for table in metadata.tables.values():
        for index in table.indexes:
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]
    return engine


def reading(engine: Engine) -> Engine:
    """Return an engine whose transactions read one snapshot and refuse every statement that writes."""
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def revision(connection: Connection, label: str) -> str | None:
    """Return a database's schema revision, None if it is empty; raise NotADatabase if it is another program's."""
    encoding, ours, versioned, filled = connection.execute(_FOUND).one()
    if encoding != "UTF8":
        raise InvalidDatabase(f"{label} stores texts as {encoding}: make one with ENCODING 'UTF8'.")
    if ours:
        current = schema.current_revision(connection) if versioned else None
        if current is None:
            raise DatabaseDamaged(f"{label} is damaged, its schema number is missing: restore a backup.")
        return current
    if filled:
        raise NotADatabase(f"{label} is another program's database: name one that pokersvc made, or an empty one.")
    return None


def keep_others_out(connection: Connection) -> None:
    """Prevent others from writing the log or its schema until the transaction ends; reading stays possible."""
    connection.execute(_LOCK_SCHEMA, {"application_id": schema.APPLICATION_ID})
    if connection.scalar(text("SELECT to_regclass('games')")) is not None:
        # Conflicts with the lock that every append takes on its game's row.
        connection.execute(text("LOCK TABLE games IN EXCLUSIVE MODE"))


def lock_game(connection: Connection, game_id: str) -> bool:
    """Try to take a game's lock, and return whether it was taken.

    The lock belongs to the connection's session: when the process dies, the server releases it.
    """
    return bool(connection.scalar(_LOCK_GAME, {"game_id": game_id}))


def unlock_game(connection: Connection, game_id: str) -> None:
    """Release a game's lock."""
    with suppress(DBAPIError):  # a lost connection has lost its locks
        connection.execute(_UNLOCK_GAME, {"game_id": game_id})


def _set(connection: Any, _record: object) -> None:
    """Apply the settings to a new session outside any transaction, because a rollback would undo them."""
    before = connection.autocommit
    connection.autocommit = True
    try:
        connection.execute(_SETTINGS, [f"{LOCK_TIMEOUT:g}s"])
        connection.autocommit = before
    except BaseException:  # nobody else has the connection yet, so nobody else would close it
        connection.close()
        raise
