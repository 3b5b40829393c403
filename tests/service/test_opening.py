"""Opening a database in one call: the file exists, its schema is current, and its read models are complete."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.errors import DatabaseMissing, DatabaseReadOnly, SchemaTooOld
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from pokersvc.service.opening import open_database
from pokersvc.service.read_models import history
from pokersvc.service.read_models.game_search import Sought, games
from tests.downgraded import downgrade
from tests.eventlog.support import AS_SCHEMA_0001

SETUP = Setup((Seat("minimum", "Ann"), Seat("minimum", "Bob")), EntropySource.from_text("open"), rounds=1)


def started(path: Path) -> str:
    """Start a game in a new database, and return its id."""
    with open_database(path) as database:
        game_id, _ = Service(EventLog(database)).start("draw", SETUP)
    return game_id


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def to_first_schema(path: Path) -> None:
    """Take a database back to the schema that had no lists."""
    run(path, *AS_SCHEMA_0001)


def test_a_file_that_is_missing_is_made(tmp_path: Path) -> None:
    game_id = started(tmp_path / "games.sqlite")
    with open_database(str(tmp_path / "games.sqlite"), read_only=True) as database:
        assert [game.game_id for game in history.games(database)] == [game_id]


def test_nothing_is_made_to_be_read(tmp_path: Path) -> None:
    with pytest.raises(DatabaseMissing):
        open_database(tmp_path / "games.sqlite", read_only=True)
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_where_it_was_opened_to_be_read(tmp_path: Path) -> None:
    game_id = started(tmp_path / "games.sqlite")
    with (
        open_database(tmp_path / "games.sqlite", read_only=True) as database,
        pytest.raises(DatabaseReadOnly),
    ):
        Service(EventLog(database)).play_round(game_id)


def test_an_older_database_is_migrated_and_has_its_lists_again(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    game_id = started(path)
    to_first_schema(path)
    with pytest.raises(SchemaTooOld):
        open_database(path, read_only=True)
    with open_database(path) as database:
        assert database.migrated_from == "0001"
        assert [game.game_id for game in history.games(database)] == [game_id]


def test_a_migration_that_fills_what_it_adds_replays_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite"
    game_id = started(path)
    downgrade(path, "0006")
    monkeypatch.setattr("pokersvc.service.opening.rebuild", lambda _: 1 // 0)
    with open_database(path) as database:
        assert database.migrated_from == "0006"
        assert [game.game_id for game in games(database, Sought(player="ann"))] == [game_id]


def test_lists_that_an_interrupted_migration_left_empty_are_made(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    game_id = started(path)
    run(path, "DELETE FROM history_entries", "DELETE FROM game_summaries")
    with open_database(path) as database:
        assert database.migrated_from is None
        assert [game.game_id for game in history.games(database)] == [game_id]


def test_it_is_closed_where_its_lists_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite"
    started(path)
    to_first_schema(path)
    monkeypatch.setattr("pokersvc.service.opening.rebuild", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        open_database(path)
    run(path, "BEGIN EXCLUSIVE")
