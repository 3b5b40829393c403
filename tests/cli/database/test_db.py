"""`pokersvc db`: shows the schema and upgrades it, and rebuilds read models from the events."""

import re
import shutil
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from tests.cli.program import Program
from tests.eventlog.support import AS_SCHEMA_0001


@pytest.fixture
def database(program: Program, played: Program) -> Path:
    """Fixture: a copy of the three games in the program's default database."""
    program.database.parent.mkdir(parents=True)
    shutil.copy(played.database, program.database)
    return program.database


def read_models(program: Program) -> list[list[object]]:
    """Return the read models, except how much of each game is in the tallies, which depends on the time."""
    summaries = "SELECT game_id, kind, facts, started_at, seats, rounds, outcome, house FROM game_summaries ORDER BY 1"
    others = ("history_entries", "game_players", "played_rounds")
    return [program.sql(summaries), *[program.sql(f"SELECT * FROM {table} ORDER BY 1, 2") for table in others]]


def test_the_schema_is_told(program: Program, database: Path) -> None:
    told = program.json("db", "current")
    assert told == {"database": str(database), "newest": told["schema"], "schema": told["schema"]}
    assert program.run("db", "current") == f"{database} uses schema {told['schema']}, the current one.\n"


def test_an_older_schema_is_told_with_what_to_run(program: Program, database: Path) -> None:
    newest = program.json("db", "current")["newest"]
    program.sql(
        *AS_SCHEMA_0001,
    )
    assert program.json("db", "current")["schema"] == "0001"
    said = f"{database} uses schema 0001; run `pokersvc db upgrade` to migrate it to {newest}.\n"
    assert program.run("db", "current") == said


def test_upgrading_makes_a_database_where_there_is_none(program: Program) -> None:
    said = program.run("db", "upgrade")
    assert said.startswith(f"{program.database} uses schema ")
    assert program.json("games") == []


TAMPERED = (
    "UPDATE game_summaries SET rounds = 99, facts = '{}', outcome = NULL",
    "UPDATE history_entries SET facts = replace(facts, '210', '999')",
    "DELETE FROM history_entries WHERE number > 1",
    "DELETE FROM game_summaries WHERE rounds < 50",
    "DELETE FROM game_players",
    "DELETE FROM played_rounds",
)


@pytest.mark.parametrize("statements", [TAMPERED[:2], TAMPERED[2:3], TAMPERED[3:], TAMPERED])
def test_read_models_are_made_again_from_the_events(
    program: Program, played: Program, database: Path, statements: tuple[str, ...]
) -> None:
    program.sql(*statements)
    assert read_models(program) != read_models(played)
    assert program.run("db", "rebuild") == "Read models of 3 games were rebuilt from the events.\n"
    assert read_models(program) == read_models(played)
    assert program.run("games") == played.run("games")


def test_rebuilding_changes_no_event(program: Program, database: Path) -> None:
    events = "SELECT * FROM events ORDER BY position"
    before = program.sql(events)
    program.run("db", "rebuild")
    assert program.sql(events) == before


def test_rebuilding_an_empty_database_is_fine(program: Program) -> None:
    program.run("db", "upgrade")
    assert program.run("db", "rebuild") == "Read models of 0 games were rebuilt from the events.\n"


def test_rebuilding_from_a_broken_chain_is_a_sentence_and_stops_before_it(program: Program, database: Path) -> None:
    program.sql(
        "DROP TRIGGER events_refuse_update", "UPDATE events SET payload = replace(payload, '50', '60') WHERE seq = 8"
    )
    before = program.sql("SELECT * FROM history_entries ORDER BY 1, 2")
    said = program.refused("db", "rebuild")
    damaged = re.findall(r"game (\S+) cannot be read from event 8 on", said)
    assert damaged, said
    others = [row for row in before if row[0] not in damaged]
    assert program.sql("SELECT * FROM history_entries ORDER BY 1, 2") == others, "event 8 is in the first round"
    assert program.run("games"), "and the list shows all games"


def test_a_migration_that_was_interrupted_is_finished_by_the_next_writing_command(
    program: Program, played: Program, database: Path
) -> None:
    program.sql("DELETE FROM history_entries", "DELETE FROM game_summaries")
    program.run("db", "upgrade")
    assert read_models(program) == read_models(played)


@pytest.mark.parametrize("command", [("db", "upgrade"), ("resume", "last")])
def test_a_writing_command_with_nothing_to_do_changes_nothing(program: Program, command: tuple[str, ...]) -> None:
    folder = program.home / "kept"
    folder.mkdir()
    example = Path(__file__).parents[3] / "pokerdb.sqlite.example"
    database = shutil.copy(example, folder)
    program.ended("--db", database, *command)
    assert Path(database).read_bytes() == example.read_bytes()
    assert [path.name for path in folder.iterdir()] == [example.name]


@pytest.mark.parametrize(
    ("change", "command"),
    [
        ("UPDATE game_summaries SET seats = 'x'", ["games"]),
        ("UPDATE game_summaries SET outcome = '{}'", ["history", "last"]),
        ("UPDATE game_summaries SET rounds = 'abc'", ["replay", "last"]),
        ("UPDATE history_entries SET facts = '{'", ["history", "last"]),
    ],
)
def test_a_read_model_that_cannot_be_read_is_told_with_the_way_out(
    program: Program, database: Path, change: str, command: list[str]
) -> None:
    program.sql(change)
    assert "run `pokersvc db rebuild`" in program.refused(*command)
    program.run("db", "rebuild")
    program.run(*command)


def test_a_game_of_a_kind_that_this_program_lacks_does_not_stop_the_others(program: Program, database: Path) -> None:
    program.sql("UPDATE games SET kind = 'go' WHERE game_id = (SELECT min(game_id) FROM games)")
    program.sql("UPDATE game_summaries SET kind = 'go' WHERE game_id = (SELECT min(game_id) FROM games)")
    assert "does not know 'go'" in program.run("games") or "unfinished" in program.run("games")
    assert program.run("db", "rebuild") == "Read models of 2 games were rebuilt from the events.\n"
    assert len(program.json("games")) == 3


def log_impossible_event(database: Path) -> None:
    with Database.for_writing(str(database)) as opened:
        log = EventLog(opened)
        game_id = min(game_id for game_id, _ in log.games())
        call = NewEvent("Called", 1, '{"amount":1000000,"seat":1}')
        log.append(game_id, [call], expected=sum(1 for _ in log.read(game_id)), command_id="forged")


REFUSAL = (
    r".*Read models of 2 games were rebuilt, but game \S+ cannot be read from event \d+ on;"
    r" what came before is in the read models\.\n"
)


def test_a_game_that_cannot_be_replayed_does_not_stop_the_others(program: Program, database: Path) -> None:
    log_impossible_event(database)
    before = read_models(program)
    program.sql("DELETE FROM history_entries")
    ended = program.ended("db", "rebuild")
    assert (ended.code, ended.out) == (1, "")
    assert re.fullmatch(REFUSAL, ended.err)
    assert read_models(program) == before


def test_nor_does_it_stop_a_migration(program: Program, database: Path) -> None:
    log_impossible_event(database)
    program.sql("DELETE FROM history_entries", "DELETE FROM game_summaries")
    before = program.run("db", "upgrade")
    assert len(program.json("games")) == 3, "the lists have it, with what came before the event"
    assert program.run("db", "upgrade") == before
