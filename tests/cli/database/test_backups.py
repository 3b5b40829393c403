"""`pokersvc db backup` and `db check`: a copy that is played on, and whether a database is whole."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.program import Program, beside

EXAMPLE = Path(__file__).parents[3] / "pokerdb.sqlite.example"


@pytest.fixture
def database(program: Program, played: Program) -> Path:
    """Fixture: a copy of the three games in the program's default database."""
    program.database.parent.mkdir(0o700, parents=True)
    shutil.copy(played.database, program.database)
    return program.database


def test_a_backup_is_made_and_opened(program: Program, database: Path, played: Program) -> None:
    before = beside(database)
    games = program.json("games")
    events = sum(len(program.json("events", game["game"])) for game in games)
    assert program.run("db", "backup", "backup.sqlite") == f"backup.sqlite holds 3 games with {events:,} events.\n"
    assert beside(database) == before
    database.unlink()
    for command in (("games",), ("history", "last", "--hands"), ("replay", "last")):
        assert program.run("--db", "backup.sqlite", *command) == played.run(*command)
    assert "The game is saved" in program.run("--db", "backup.sqlite", "resume", "last", typed="quit\n")
    assert program.run("--db", "backup.sqlite", "db", "check") == "backup.sqlite is intact.\n"


@pytest.mark.slow
def test_a_backup_is_made_while_a_person_plays(program: Program) -> None:
    terminal = program.terminal("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")
    terminal.question()
    program.run("db", "backup", "backup.sqlite")
    terminal.type("bet 50")
    terminal.question()
    assert "Ann bets 50" not in program.run("--db", "backup.sqlite", "replay", "last")
    assert "Ann bets 50" in program.run("replay", "last")
    terminal.type("quit")
    assert terminal.end() == 0


def test_a_file_that_is_there_is_not_overwritten(program: Program, database: Path) -> None:
    (program.home / "there").write_text("precious")
    assert program.refused("db", "backup", "there") == (
        "there already exists, and a backup never overwrites a file: name a new file."
    )
    assert (program.home / "there").read_text() == "precious"


def test_a_server_is_backed_up_by_its_own_program_and_needs_not_be_reached_to_say_so(program: Program) -> None:
    sentence = program.refused("--db", "postgresql+psycopg://me:secret@localhost:1/games", "db", "backup", "x")
    assert "pg_dump" in sentence
    assert "secret" not in sentence
    assert list(program.home.iterdir()) == []


def test_without_a_database_there_is_nothing_to_back_up_or_check(program: Program) -> None:
    for command in (("db", "backup", "backup.sqlite"), ("db", "check")):
        assert program.refused(*command).startswith(f"There is no database {program.database}")
    assert list(program.home.iterdir()) == []


def test_a_database_that_is_whole_is_said_to_be(program: Program, database: Path) -> None:
    before = beside(database)
    assert program.run("db", "check") == f"{database} is intact.\n"
    assert program.json("db", "check") == []
    assert beside(database) == before


def test_the_example_is_whole(program: Program) -> None:
    ended = program.ended("--db", EXAMPLE, "db", "check")
    assert (ended.code, ended.out) == (0, f"{EXAMPLE} is intact.\n")


WRITABLE = "PRAGMA writable_schema = ON"
FLAWS = {
    "a trigger that is gone": (["DROP TRIGGER events_refuse_update"], "no trigger events_refuse_update"),
    "a trigger that does nothing": (
        [
            "DROP TRIGGER events_refuse_delete",
            "CREATE TRIGGER events_refuse_delete BEFORE DELETE ON events BEGIN SELECT 1; END",
        ],
        "another trigger events_refuse_delete",
    ),
    "a trigger of somebody's": (
        ["CREATE TRIGGER spy AFTER INSERT ON events BEGIN SELECT 1; END"],
        "a trigger spy where there should be nothing",
    ),
    "a table of somebody's": (["CREATE TABLE recipes (name TEXT)"], "a table recipes"),
    "a view of somebody's": (["CREATE VIEW won AS SELECT 1"], "a view won"),
    "an index that is gone": (["DROP INDEX first_events"], "no index first_events"),
    "a table that is gone": (["DROP TABLE history_entries"], "no such table"),
    "a constraint that is gone": (
        [WRITABLE, "UPDATE sqlite_master SET sql = replace(sql, 'seq >= 1', 'seq >= 0') WHERE name = 'events'"],
        "another table events",
    ),
    "two numbers of the schema": (["INSERT INTO alembic_version VALUES ('0001')"], "the schema numbers"),
    "an event of no game": (
        ["DROP TRIGGER events_refuse_update", "UPDATE events SET game_id = 'nobody' WHERE position = 1"],
        "row 1 of events with nothing that it belongs to",
    ),
    "a value that a constraint forbids": (
        [
            "DROP TRIGGER events_refuse_update",
            "PRAGMA ignore_check_constraints = ON",
            "UPDATE events SET n = 0 WHERE position = 1",
        ],
        "CHECK constraint failed in events",
    ),
    "a summary that is gone": (
        ["DELETE FROM history_entries", "DELETE FROM game_summaries WHERE rounds > 50"],
        "no summary of game",
    ),
    "a line of history that is gone": (["DELETE FROM history_entries WHERE number = 2"], "lines of history of game"),
    "a summary that cannot be read": (["UPDATE game_summaries SET seats = 'x'"], "that cannot be read"),
    "a line that cannot be read": (["UPDATE history_entries SET facts = '{'"], "that cannot be read"),
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_is_found(program: Program, database: Path, flaw: str) -> None:
    statements, said = FLAWS[flaw]
    program.sql(*statements)
    before = beside(database)
    ended = program.ended("db", "check")
    assert (ended.code, ended.err) == (3, "")
    assert all(line.startswith("Found ") for line in ended.out.splitlines())
    assert said in ended.out
    found = program.ended("db", "check", "--json")
    assert found.code == 3
    assert any(said.partition(" where ")[0] in each["found"] for each in json.loads(found.out))
    assert beside(database) == before


@pytest.mark.parametrize("page", range(2, 12))
def test_a_page_that_is_damaged_is_found(program: Program, database: Path, page: int) -> None:
    content = bytearray(database.read_bytes())
    start = 4096 * (page - 1)
    content[start : start + 4096] = b"\xa5" * 4096
    database.write_bytes(content)
    ended = program.ended("db", "check")
    assert ended.code == 3
    assert ended.out.startswith("Found ")
    assert ended.err == ""


def test_a_file_that_was_cut_off_is_found(program: Program, database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(database.stat().st_size // 2)
    ended = program.ended("db", "check")
    assert ended.code == 3
    assert "Found " in ended.out


def test_what_is_mended_is_whole_again(program: Program, database: Path) -> None:
    program.sql("DELETE FROM history_entries WHERE number = 2")
    assert program.ended("db", "check").code == 3
    program.run("db", "rebuild")
    program.run("db", "check")
