"""Features of PostgreSQL only: other databases on the server, ended sessions, waiting locks, triggers."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import URL, Connection

import pokersvc.server.tables.schema
import pokersvc.service.read_models.projections
import pokersvc.service.read_models.tallies
import pokersvc.tournament.ladder.schema  # noqa: F401 - the tables of all four belong to the metadata
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog import postgres
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseMissing,
    DatabaseReadOnly,
    DatabaseUnreachable,
    InvalidDatabase,
    NotADatabase,
    SchemaTooNew,
    SchemaTooOld,
)
from pokersvc.eventlog.log import CommandRepeated, ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.eventlog.tables import metadata
from tests.postgres import Server, run, text

from .support import AS_SCHEMA_0001, COMMAND, PUBLIC, record

LAST_ASKED = "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
WAYS = (Database.for_reading, Database.for_writing, Database.for_upgrading)


@pytest.fixture
def url(server: Server) -> Iterator[URL]:
    with server.migrated() as made:
        yield made


@pytest.fixture
def database(url: URL) -> Iterator[Database]:
    with Database.for_writing(text(url)) as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> EventLog:
    return EventLog(database)


@pytest.fixture
def empty(server: Server) -> Iterator[URL]:
    with server.empty() as made:
        yield made


# The schema.


def test_only_upgrading_makes_the_tables(empty: URL) -> None:
    for way in (Database.for_reading, Database.for_writing):
        with pytest.raises(SchemaTooOld, match=r"has no schema yet, but .* is needed: run `pokersvc db upgrade`"):
            way(text(empty))
    assert run(empty, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace") == []
    for _ in range(2):
        with Database.for_upgrading(text(empty)) as database:
            assert (database.migrated_from, database.revision, database.path) == (None, "0016", None)
    with Database.for_writing(text(empty)) as database:
        records = record(EventLog(database))
        assert list(EventLog(database).read("game")) == records
    run(empty, "UPDATE alembic_version SET version_num = '0099'")
    for way in WAYS:
        with pytest.raises(SchemaTooNew, match="0099"):
            way(text(empty))
    run(empty, "DELETE FROM alembic_version")
    for way in WAYS:
        with pytest.raises(DatabaseDamaged, match="schema number is missing"):
            way(text(empty))


def test_an_older_schema_is_migrated_only_when_asked(empty: URL) -> None:
    Database.for_upgrading(text(empty)).close()
    run(empty, *AS_SCHEMA_0001)
    for way in (Database.for_reading, Database.for_writing):
        with pytest.raises(SchemaTooOld, match="has schema 0001, but 0016 is needed"):
            way(text(empty))
    said: list[str | None] = []

    def upgrade() -> None:
        with Database.for_upgrading(text(empty)) as database:
            said.append(database.migrated_from)

    at_once(*[upgrade] * 3)
    assert sorted(map(str, said)) == ["0001", "None", "None"]


def test_the_migrations_make_the_tables_of_the_code(database: Database) -> None:
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        collations = connection.exec_driver_sql(
            "SELECT DISTINCT collation_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND column_name IN ('game_id', 'command_id')"
        )
        assert collations.all() == [("C",)]


def test_two_logs_may_lie_in_two_schemas_of_a_database(empty: URL) -> None:
    run(empty, "CREATE SCHEMA one", "CREATE SCHEMA two")
    for name in ("one", "two"):
        with Database.for_upgrading(text(empty.set(query={"options": f"-csearch_path={name}"}))) as database:
            log = EventLog(database)
            assert list(log.games()) == []
            record(log)
    with pytest.raises(InvalidDatabase, match="search_path"):
        Database.for_upgrading(text(empty.set(query={"options": "-csearch_path=three"})))


# What is not ours.


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE recipes (name text)",
        "CREATE TABLE events (id integer)",
        "CREATE TABLE alembic_version (version_num text)",
    ],
)
def test_what_is_not_ours_is_refused_and_left_as_it_was(empty: URL, made: str) -> None:
    tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    run(empty, made)
    before = run(empty, tables)
    for way in WAYS:
        with pytest.raises(NotADatabase, match="is another program's database"):
            way(text(empty))
    assert run(empty, tables) == before


def test_a_database_that_cannot_hold_every_text_is_refused(server: Server) -> None:
    with server.empty("TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'") as latin:
        for way in WAYS:
            with pytest.raises(InvalidDatabase, match="stores texts as LATIN1: make one with ENCODING 'UTF8'"):
                way(text(latin))


def test_a_database_that_is_not_there_is_said(server: Server) -> None:
    for way in WAYS:
        with pytest.raises(DatabaseMissing, match=r"There is no database .*/nosuch: .*`pokersvc db upgrade`"):
            way(text(server.url.set(database="nosuch")))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"port": 1}, "refused"),
        ({"host": "nosuch.invalid"}, "resolve"),
        ({"username": "nosuch"}, "nosuch"),
        ({"query": {"password": "hush", "sslmode": "nosuch"}}, "sslmode"),
    ],
)
def test_a_server_that_lets_nobody_in_is_said_without_the_password(
    server: Server, change: dict[str, Any], said: str
) -> None:
    for way in WAYS:
        with pytest.raises(DatabaseUnreachable, match=f"cannot be reached: .*{said}") as caught:
            way(text(server.url.set(password="hush").set(**change)))
        assert "hush" not in str(caught.value)


# Reading and writing.


def test_what_is_written_is_as_durable_as_the_docs_say(server: Server, empty: URL) -> None:
    server.run(f"ALTER DATABASE {empty.database} SET synchronous_commit = off")
    with Database.for_upgrading(text(empty)) as database, database.append() as connection:
        assert setting(connection, "synchronous_commit") == "on"
        assert setting(connection, "transaction_isolation") == "read committed"
        assert setting(connection, "lock_timeout") == "5s"


def test_a_promise_of_more_is_kept(server: Server, empty: URL) -> None:
    server.run(f"ALTER DATABASE {empty.database} SET synchronous_commit = remote_apply")
    with Database.for_upgrading(text(empty)) as database, database.append() as connection:
        assert setting(connection, "synchronous_commit") == "remote_apply"


def setting(connection: Connection, name: str) -> Any:
    return connection.exec_driver_sql(f"SHOW {name}").scalar()


def test_reading_is_of_one_moment_and_cannot_write(database: Database) -> None:
    with database.read() as connection:
        assert setting(connection, "transaction_isolation") == "repeatable read"
        assert setting(connection, "transaction_read_only") == "on"
    with pytest.raises(DatabaseReadOnly), database.read() as connection:
        connection.exec_driver_sql("INSERT INTO games VALUES ('game', 'test', 1, decode(repeat('00', 32), 'hex'))")


def test_the_character_that_postgresql_does_not_store_is_refused(log: EventLog) -> None:
    with pytest.raises(InvalidValue, match="NUL"):
        log.append("game", [NewEvent("A", 1, "a\0b")], expected=0, command_id="c", kind="test")
    assert list(log.games()) == []


def test_a_session_that_the_server_ends_is_said_and_the_next_command_goes_on(log: EventLog, url: URL) -> None:
    record(log)

    def killed(connection: Connection, _: object) -> None:
        pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
        run(url, f"SELECT pg_terminate_backend({pid}, 5000)")
        connection.exec_driver_sql("SELECT 1")

    with pytest.raises(DatabaseUnreachable, match=r"went away .*the log shows"):
        log.append("game", COMMAND, expected=3, command_id="c", project=killed)
    assert [r.seq for r in log.append("game", COMMAND, expected=3, command_id="c")] == [4, 5, 6]


def test_a_server_that_was_started_again_while_nobody_acted_is_no_error(log: EventLog, url: URL) -> None:
    record(log)
    ours = "application_name = 'pokersvc' AND datname = current_database()"  # other tests run on this server
    run(url, f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {ours}")
    assert [r.seq for r in log.append("game", COMMAND, expected=3, command_id="c")] == [4, 5, 6]


def test_a_long_read_is_fetched_in_parts(log: EventLog, url: URL) -> None:
    record(log)
    for reading in (log.read("game"), log.games()):
        next(reading)
        # A query that was not would have been answered whole: the driver holds what the server sends.
        assert run(url, LAST_ASKED)[0][0].startswith("FETCH FORWARD ")
        list(reading)  # to the end, where the transaction ends


# Several at once.


def at_once(*works: Any) -> None:
    threads = [Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Slow:
    """A command that keeps its transaction open, with the game's row locked, until told to end."""

    def __init__(self, log: EventLog, **command: Any) -> None:
        self.inside, self.go_on = Event(), Event()

        def wait(_: Connection, __: object) -> None:
            self.inside.set()
            assert self.go_on.wait(30)

        self.thread = Thread(target=lambda: log.append(**command, project=wait))

    def __enter__(self) -> None:
        self.thread.start()
        assert self.inside.wait(30)

    def __exit__(self, *_: object) -> None:
        self.go_on.set()
        self.thread.join()


def waits_for(url: URL, slow: Slow, work: Any) -> Any:
    """Run ``work``, which waits for a slow command's lock; end that command, and return the result of the work."""
    done: list[Any] = []

    def worked() -> None:
        try:
            done.append(work())
        except PokersvcError as error:
            done.append(error)

    waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with slow:
        thread = Thread(target=worked)
        thread.start()
        while not run(url, waiting):
            assert thread.is_alive()
    thread.join()
    return done[0]


def test_of_two_who_start_a_game_at_once_one_does(log: EventLog, url: URL) -> None:
    start: dict[str, Any] = {"game_id": "game", "events": COMMAND, "expected": 0, "kind": "test"}
    other = waits_for(url, Slow(log, **start, command_id="a"), lambda: log.append(**start, command_id="b"))
    assert isinstance(other, ConcurrentUpdate)
    assert (other.expected, other.found) == (0, 3)
    again = waits_for(
        url,
        Slow(log, **{**start, "game_id": "another"}, command_id="a"),
        lambda: log.append(**{**start, "game_id": "another"}, command_id="a"),
    )
    assert isinstance(again, CommandRepeated)
    assert again.records == list(log.read("another"))


@pytest.mark.parametrize("expected", [3, 6, 9])
def test_a_command_sent_twice_at_once_is_recorded_once(log: EventLog, url: URL, expected: int) -> None:
    record(log)
    command: dict[str, Any] = {"game_id": "game", "events": COMMAND, "command_id": "c"}
    again = waits_for(url, Slow(log, **command, expected=3), lambda: log.append(**command, expected=expected))
    assert isinstance(again, CommandRepeated)
    assert again.records == list(log.read("game"))[3:]


def test_nobody_waits_for_another_game(log: EventLog) -> None:
    record(log)
    record(log, "other")
    with Slow(log, game_id="game", events=COMMAND, expected=3, command_id="c"):
        log.append("other", COMMAND, expected=3, command_id="c")
        record(log, "third")
        assert len(list(log.read("game"))) == 3
    assert len(list(log.read("game"))) == 6


def test_what_concerns_every_game_waits_for_all(log: EventLog, url: URL, database: Database) -> None:
    record(log)

    def count() -> int:
        with database.write() as connection:
            return int(connection.exec_driver_sql("SELECT count(*) FROM events").scalar_one())

    assert waits_for(url, Slow(log, game_id="game", events=COMMAND, expected=3, command_id="c"), count) == 6


def test_who_waits_too_long_is_told(log: EventLog, url: URL, monkeypatch: pytest.MonkeyPatch) -> None:
    record(log)
    monkeypatch.setattr("pokersvc.eventlog.postgres.LOCK_TIMEOUT", 0.2)
    slow = Slow(log, game_id="game", events=COMMAND, expected=3, command_id="c")
    with Database.for_writing(text(url)) as impatient, slow:
        with pytest.raises(DatabaseBusy, match="did not respond in time"):
            EventLog(impatient).append("game", COMMAND, expected=3, command_id="d")
        assert len(list(EventLog(impatient).read("game"))) == 3


# The triggers, whoever asks.

CHANGES = [
    "UPDATE events SET payload = '{}' WHERE seq = 2",
    "UPDATE events SET payload = '{}' WHERE seq = 99",
    "DELETE FROM events WHERE seq = 3",
    "TRUNCATE events",
    "TRUNCATE games CASCADE",
    "INSERT INTO events (game_id, seq, type, version, recorded_at, command_id, n, payload, hash) "
    "SELECT game_id, seq, type, version, recorded_at, command_id, n, '{}', hash FROM events "
    "ON CONFLICT (game_id, seq) DO UPDATE SET payload = '{}'",
    "MERGE INTO events USING games ON games.game_id = events.game_id WHEN MATCHED THEN DELETE",
]


@pytest.mark.parametrize("before", ["SELECT", "SET session_replication_role = replica"], ids=["plain", "as a replica"])
def test_even_the_owner_is_refused_to_change_an_event(log: EventLog, url: URL, before: str) -> None:
    records, refused = record(log), r"events are append-only: (UPDATE|DELETE|TRUNCATE) is refused"
    for change in CHANGES:
        with pytest.raises(psycopg.IntegrityError, match=refused):
            run(url, before, change)
        assert list(log.read("game")) == records, change


def test_positions_are_the_servers_to_give(log: EventLog, url: URL) -> None:
    record(log)
    with pytest.raises(psycopg.Error, match="position"):
        run(
            url,
            "INSERT INTO events SELECT 100, game_id, 4, type, 1, recorded_at, 'c', 1, '', NULL, NULL, hash FROM events",
        )
    log.append("game", [PUBLIC], expected=3, command_id="c")
    assert run(url, "SELECT max(position) FROM events") == [(4,)]


def test_a_connection_that_is_lost_before_its_settings_are_made_is_closed() -> None:
    class Lost:
        autocommit = closed = False

        def execute(self, *_: object) -> None:
            raise psycopg.OperationalError

        def close(self) -> None:
            self.closed = True

    connection = Lost()
    with pytest.raises(psycopg.OperationalError):
        postgres._set(connection, None)
    assert connection.closed
