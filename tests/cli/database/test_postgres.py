"""The program with a PostgreSQL server: every command by URL, in a role with playing rights only."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from sqlalchemy import URL

from pokersvc.cli.main import main
from tests.cli.program import TWO_MINIMUM, Program, lines_of
from tests.postgres import Server, run, text


@pytest.fixture
def empty(server: Server) -> Iterator[URL]:
    with server.empty() as url:
        yield url


@pytest.fixture
def owner(tmp_path: Path, empty: URL) -> Program:
    """The program as the role that owns the database."""
    return Program(tmp_path, {"POKERSVC_DATABASE_URL": text(empty)})


@pytest.fixture
def player(server: Server, empty: URL, owner: Program) -> Iterator[Program]:
    """The program as a role that may play."""
    with server.role() as role:
        owner.run("db", "upgrade")
        owner.run("db", "grant", role)
        yield Program(owner.home, {"POKERSVC_DATABASE_URL": text(empty.set(username=role))})
        run(empty, f"DROP OWNED BY {role}")


def read(program: Program, *arguments: str) -> str:
    """Run a reading command in this process, which is faster, and return its output."""
    with redirect_stdout(StringIO()) as out:
        assert main(["--db", program.variables["POKERSVC_DATABASE_URL"], *arguments]) == 0
    return out.getvalue()


def test_an_empty_database_is_set_up_by_upgrading_and_granting(server: Server, empty: URL, owner: Program) -> None:
    label = text(empty.set(password=None))
    assert owner.refused("games").endswith("run `pokersvc db upgrade` on it.")
    assert owner.refused(*TWO_MINIMUM, "--rounds", "1").endswith("run `pokersvc db upgrade` on it.")
    assert owner.refused("resume", "last").endswith("run `pokersvc db upgrade` on it, or restore a backup.")
    said = f"{label} has no schema yet; run `pokersvc db upgrade` to migrate it to 0016.\n"
    assert read(owner, "db", "current") == said
    for _ in range(2):
        assert owner.run("db", "upgrade") == f"{label} uses schema 0016.\n"
    assert "owns the log: use another role" in read(owner, "db", "current")
    assert owner.refused("db", "grant", "nobody").startswith("There is no role 'nobody' on the server")
    with server.role() as role:
        assert (
            owner.run("db", "grant", role)
            == f"The role {role} may play on {label}: it can add events, but not change them.\n"
        )
        player = Program(owner.home, {"POKERSVC_DATABASE_URL": text(empty.set(username=role))})
        assert read(player, "db", "current").splitlines()[1] == f"The role {role} cannot change events."
        assert '"append_only": true' in read(player, "db", "current", "--json")
        assert "belongs to" in player.refused("db", "grant", role)
        run(empty, f"DROP OWNED BY {role}")


GUARDS = [f"events_refuse_{change}" for change in ("delete", "truncate", "update")]


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (["SELECT 1"], []),
        ([f"DROP TRIGGER {name} ON events" for name in GUARDS], [f"no trigger {name} where" for name in GUARDS]),
        (["ALTER TABLE events DISABLE TRIGGER events_refuse_update"], ["the trigger events_refuse_update off where"]),
        (
            ["ALTER TABLE events ENABLE TRIGGER events_refuse_update"],
            ["the trigger events_refuse_update off in a session of replication where"],
        ),
        (
            [
                "CREATE OR REPLACE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
                "'BEGIN RETURN NULL; END'"
            ],
            [f"a trigger {name} that does 'BEGIN RETURN NULL; END' where" for name in GUARDS],
        ),
        (
            [
                "DROP TRIGGER events_refuse_delete ON events",
                "CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events FOR EACH ROW "
                "EXECUTE FUNCTION events_refuse_change()",
                "ALTER TABLE events ENABLE ALWAYS TRIGGER events_refuse_delete",
            ],
            ["another trigger events_refuse_delete, 'CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events FOR"],
        ),
        (
            ["CREATE TRIGGER more BEFORE INSERT ON games FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change()"],
            ["a trigger more where there should be nothing that pokersvc did not make"],
        ),
    ],
    ids=["none", "dropped", "disabled", "ordinary", "function", "row", "more"],
)
def test_a_check_finds_triggers_that_are_not_as_they_were_made(
    owner: Program, empty: URL, statements: list[str], said: list[str]
) -> None:
    owner.run("db", "upgrade")
    run(empty, *statements)
    ended = owner.ended("db", "check")
    assert (ended.code, ended.err) == (3 if said else 0, "")
    assert all(f"Found {flaw}" in ended.out for flaw in said)
    assert ended.out.count("\n") == max(1, len(said))


def test_who_may_only_play_plays_and_sees_what_happened(player: Program, played: Program) -> None:
    typed = lines_of("bet 50", "", "check", "call", "", "bet 50", "quit")
    person = ["play", "--player", "Zoë=human", "--player", "Bob=minimum", "--seed", "demo"]
    assert "The game is saved" in player.run(*person, typed=typed)
    player.run(*TWO_MINIMUM, "--rounds", "2", "--seed", "demo")
    listed = read(player, "games").splitlines()
    assert [line.split("  ")[-1] for line in listed] == ["A wins with $1,211", "unfinished"]
    assert read(player, "history", "last", "--hands") == played.read(
        "history", played.json("games")[1]["game"], "--hands"
    )
    assert read(player, "replay", "last").splitlines()[-3:] == ["A wins with $1,211", "A  $1,211", "B  $789"]
    assert read(player, "events", "last").splitlines()[-1].split()[1] == "GameEnded"
    assert player.run("db", "rebuild") == "Read models of 2 games were rebuilt from the events.\n"
    assert read(player, "games").splitlines() == listed
    unfinished = listed[1].split()[0]
    assert "Round 2" in player.run("resume", unfinished, typed=lines_of("quit"))


def test_a_server_takes_options_and_shows_no_password(server: Server, empty: URL, owner: Program) -> None:
    url = empty.set(password="hush", query={"options": "-csearch_path=games", "connect_timeout": "5"})
    run(empty, "CREATE SCHEMA games")
    said = owner.run("--db", text(url), "db", "upgrade")
    assert "search_path" in said
    assert "hush" not in said
    assert run(empty, "SELECT count(*) FROM games.events") == [(0,)]
    assert "hush" not in owner.refused("--db", text(url.set(port=1)), "games")


def test_a_file_has_no_roles(program: Program) -> None:
    assert program.refused("db", "grant", "ann").endswith(
        "is a file and has no roles: its permissions control who may write it."
    )
    assert list(program.home.iterdir()) == []
