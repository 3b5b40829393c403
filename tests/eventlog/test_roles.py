"""A playing role may read the log and append to it, but not change events or remove the protection."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import URL

from pokersvc.eventlog.claim import claim
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseReadOnly, DatabaseUnreadable
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.roles import NotTheOwner, RoleRights, RoleTooPowerful, UnknownRole, grant, rights
from pokersvc.service.read_models.history import rebuild
from pokersvc.service.read_models.projections import READ_MODELS
from pokersvc.service.read_models.tallies import tallies
from tests.postgres import Server, run, text

from .support import COMMAND, record

TABLES = [*(table.name for table in READ_MODELS), tallies.name]


@pytest.fixture
def url(server: Server) -> Iterator[URL]:
    with server.migrated() as made:
        yield made


@pytest.fixture
def owned(url: URL) -> Iterator[Database]:
    with Database.for_writing(text(url)) as opened:
        yield opened


@pytest.fixture
def role(server: Server, url: URL) -> Iterator[str]:
    with server.role() as name:
        yield name
        run(url, f"DROP OWNED BY {name}")


@pytest.fixture
def playing(url: URL, owned: Database, role: str) -> URL:
    grant(owned, role, TABLES)
    return url.set(username=role)


def test_a_playing_role_plays(playing: URL, role: str) -> None:
    with Database.for_writing(text(playing)) as database, claim(database, "game"):
        log = EventLog(database)
        records = record(log, commands=2)
        assert list(log.read("game")) == records
        assert log.find("last") == "game"
        assert rebuild(database) == 0
        assert rights(database, TABLES) == RoleRights(role, ())


FORBIDDEN = (
    "UPDATE events SET payload = '{}'",
    "UPDATE events SET seq = seq WHERE false",
    "DELETE FROM events",
    "TRUNCATE events",
    "TRUNCATE games CASCADE",
    "DELETE FROM games",
    "DROP TABLE events",
    "DROP TRIGGER events_refuse_update ON events",
    "ALTER TABLE events DISABLE TRIGGER ALL",
    "ALTER TABLE events ADD COLUMN note text",
    "ALTER TABLE events OWNER TO CURRENT_USER",
    "CREATE TRIGGER mine BEFORE INSERT ON events EXECUTE FUNCTION events_refuse_change()",
    "CREATE OR REPLACE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
    "CREATE RULE mine AS ON UPDATE TO events DO INSTEAD NOTHING",
    "CREATE TABLE mine (game_id text REFERENCES games)",
    "CREATE TABLE mine ()",
    "SELECT nextval('events_position_seq')",
    "SELECT setval('events_position_seq', 1)",
    "SET session_replication_role = replica",
    "UPDATE alembic_version SET version_num = '0001'",
    "DROP FUNCTION events_refuse_change() CASCADE",
    "COMMENT ON TABLE events IS 'mine'",
)


def test_it_may_do_nothing_else(owned: Database, playing: URL) -> None:
    records = record(EventLog(owned))
    for statement in FORBIDDEN:
        with pytest.raises(psycopg.Error, match=r"permission denied|must be owner"):
            run(playing, statement)
        assert list(EventLog(owned).read("game")) == records, statement


def test_what_a_role_had_before_is_taken_from_it(url: URL, owned: Database, role: str) -> None:
    run(url, f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}", f"GRANT CREATE ON SCHEMA public TO {role}")
    run(url, "GRANT DELETE ON events TO PUBLIC")
    grant(owned, role, TABLES)
    with Database.for_reading(text(url.set(username=role))) as database:
        assert rights(database, TABLES) == RoleRights(role, ())


def test_a_role_that_owns_the_log_by_another_is_refused_and_gets_nothing(
    server: Server, url: URL, owned: Database, role: str
) -> None:
    with server.role() as group:
        run(url, f"GRANT TRUNCATE ON events TO {group}", f"GRANT {group} TO {role}")
        with pytest.raises(RoleTooPowerful, match=f"'{role}' would still be one that may TRUNCATE on events"):
            grant(owned, role, TABLES)
        with pytest.raises(psycopg.Error, match=r"permission denied"):
            run(url.set(username=role), "SELECT FROM games")
        run(url, f"DROP OWNED BY {group}")


def test_the_owner_cannot_be_made_to_play_only(owned: Database, url: URL) -> None:
    assert url.username is not None
    with pytest.raises(RoleTooPowerful, match="owns the log"):
        grant(owned, url.username, TABLES)
    assert rights(owned, TABLES) == RoleRights(url.username, ("owns the log",))


@pytest.mark.parametrize("name", ["nobody", "", 'a"b', "a\0b", "100%"])
def test_a_role_that_is_not_there_is_said(owned: Database, name: str) -> None:
    with pytest.raises(UnknownRole, match="There is no role"):
        grant(owned, name, TABLES)


def test_a_role_may_have_any_name(server: Server, url: URL, owned: Database) -> None:
    name = 'Ann "100%" Lee'
    server.run("""CREATE ROLE "Ann ""100%"" Lee" LOGIN""")
    try:
        grant(owned, name, TABLES)
        with Database.for_writing(text(url.set(username=name))) as database:
            record(EventLog(database))
        run(url, """DROP OWNED BY "Ann ""100%"" Lee" """)
    finally:
        server.run("""DROP ROLE "Ann ""100%"" Lee" """)


def test_only_the_owner_grants(owned: Database, playing: URL, role: str) -> None:
    with (
        Database.for_writing(text(playing)) as database,
        pytest.raises(NotTheOwner, match=f"but this is {role}: run this as"),
    ):
        grant(database, role, TABLES)


def test_a_role_without_rights_is_told_so(url: URL, owned: Database, role: str) -> None:
    with pytest.raises(DatabaseUnreadable, match=r"permission denied .*`pokersvc db grant`"):
        Database.for_reading(text(url.set(username=role)))
    run(url, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
    with Database.for_writing(text(url.set(username=role))) as database:
        log = EventLog(database)
        assert list(log.games()) == []
        with pytest.raises(DatabaseReadOnly, match=r"permission denied .*`pokersvc db grant`"):
            log.append("game", COMMAND, expected=0, command_id="c", kind="test")


def test_the_owner_need_be_no_superuser(server: Server) -> None:
    with server.role() as owner, server.role() as role, server.empty(f"OWNER {owner}") as url:
        with Database.for_upgrading(text(url.set(username=owner))) as database:
            grant(database, role, TABLES)
            assert rights(database, TABLES) == RoleRights(owner, ("owns the log",))
        with Database.for_writing(text(url.set(username=role))) as database:
            record(EventLog(database))
            assert rights(database, TABLES) == RoleRights(role, ())
