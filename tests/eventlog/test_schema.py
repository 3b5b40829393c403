"""The migrations: one head, the same tables as in the code, and upgrades of old files."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

import pokersvc.server.tables.schema
import pokersvc.service.read_models.projections
import pokersvc.service.read_models.tallies
import pokersvc.tournament.ladder.schema  # noqa: F401 - their tables belong to the metadata
from pokersvc.eventlog import schema, sqlite
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import SchemaTooNew, SchemaTooOld, StorageFailed
from pokersvc.eventlog.high_water_mark import path_of
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.tables import metadata
from pokersvc.service.read_models.tallies import tally
from tests.downgraded import downgrade
from tests.migrated import Migrated

from .support import AS_SCHEMA_0001, command_line, names, raw, record, run, state, written


def older(path: Path) -> Path:
    """A file of revision 0001 with a game of six events."""
    written(path)
    raw(
        path,
        *AS_SCHEMA_0001,
        "PRAGMA journal_mode = DELETE",
    )
    return path


def shape(path: Path) -> set[tuple[str, ...]]:
    rows = raw(path, "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '%alembic%' AND type != 'trigger'")
    return {(kind, name, " ".join(sql.split()) if sql else "") for kind, name, sql in rows}


def test_the_constant_is_the_scripts_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parents[2] / "migrations"))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [schema.HEAD] == [schema.head_revision()]
    assert tuple(s.revision for s in scripts.walk_revisions())[::-1] == schema.REVISIONS


def test_what_the_tests_fill_a_new_database_with_is_what_the_migrations_make(tmp_path: Path) -> None:
    assert isinstance(schema.upgrade, Migrated)
    upgrade, made = Migrated(schema.upgrade.by_migrations), []
    for name in ("by migrations", "by statements"):
        engine = create_engine(f"sqlite:///{tmp_path / name}")
        with engine.begin() as connection:
            upgrade(connection)
        engine.dispose()
        with closing(sqlite3.connect(tmp_path / name)) as opened:
            made.append((opened.execute("PRAGMA application_id").fetchall(), sorted(opened.iterdump())))
    assert made[0] == made[1]


def test_the_migrations_make_the_tables_of_the_code(path: Path, tmp_path: Path) -> None:
    written(path)
    drawn = tmp_path / "drawn.sqlite"
    engine = create_engine(f"sqlite:///{drawn}")
    metadata.create_all(engine)
    engine.dispose()
    ours, theirs = shape(path), shape(drawn)
    assert {row[:2] for row in ours} == {row[:2] for row in theirs}

    def parts(rows: set[tuple[str, ...]]) -> dict[str, list[str]]:
        return {
            name: sorted(part.strip(" )") for part in sql.split(", ")) for kind, name, sql in rows if kind == "table"
        }

    assert parts(ours) == parts(theirs)
    with Database.for_reading(str(path)) as database, database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_reading_refuses_an_older_schema_and_leaves_it(path: Path) -> None:
    older(path)
    before = state(path.parent)
    with pytest.raises(SchemaTooOld, match="schema 0001, but 0016 is needed: run `pokersvc db upgrade`"):
        Database.for_reading(str(path))
    with Database.for_reading(str(path), any_revision=True) as database:
        assert database.revision == "0001"
    assert state(path.parent) == before


def test_an_empty_file_is_an_older_schema_to_read(path: Path) -> None:
    path.touch()
    with pytest.raises(SchemaTooOld, match="no schema yet"):
        Database.for_reading(str(path))
    assert path.stat().st_size == 0


@pytest.mark.parametrize("way", [Database.for_writing, Database.for_upgrading])
def test_writing_migrates_an_older_schema_and_keeps_a_copy(path: Path, way: object) -> None:
    assert callable(way)
    path.parent.chmod(0o755)
    older(path)
    path.chmod(0o600)
    events = raw(path, "SELECT * FROM events")
    with way(str(path)) as database:
        assert (database.migrated_from, database.revision) == ("0001", "0016")
        assert len(list(EventLog(database).read("game"))) == 6
    assert names(path.parent) == ["games.sqlite", "games.sqlite.schema-0001"]
    copy = path.with_name("games.sqlite.schema-0001")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert raw(copy, "SELECT * FROM events") == events == raw(path, "SELECT * FROM events")
    assert raw(copy, "SELECT version_num FROM alembic_version") == [("0001",)]
    assert {name for (name,) in raw(copy, "SELECT name FROM sqlite_schema")}.isdisjoint(
        {"game_summaries", "history_entries"}
    )
    with Database.for_writing(str(path)) as database:
        assert database.migrated_from is None


def test_a_copy_never_replaces_an_earlier_one(path: Path) -> None:
    for number in (1, 2, 3):
        older(path)
        path.with_name("games.sqlite.schema-0001" + (f".{number}" if number > 1 else "")).exists()
        Database.for_writing(str(path)).close()
        path.unlink()
        path_of(path).unlink()
    assert names(path.parent) == [f"games.sqlite.schema-0001{end}" for end in ("", ".2", ".3")]


def test_a_copy_holds_what_is_still_in_the_write_ahead_log(path: Path) -> None:
    with Database.for_writing(str(path)) as database:
        record(EventLog(database), commands=2)
        raw(
            path,
            *AS_SCHEMA_0001,
        )
        with Database.for_writing(str(path)) as migrated:
            assert migrated.migrated_from == "0001"
    assert raw(path.with_name("games.sqlite.schema-0001"), "SELECT count(*) FROM events") == [(6,)]


def test_a_copy_that_cannot_be_made_stops_the_migration(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older(path)
    before = state(path.parent)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pokersvc.eventlog.sqlite.sync", fail)
    with pytest.raises(StorageFailed):
        Database.for_writing(str(path))
    assert state(path.parent) == before


def test_a_migration_that_fails_leaves_the_old_schema(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older(path)
    upgrade = schema.upgrade

    def fail(connection: object) -> None:
        upgrade(connection)  # type: ignore[arg-type] # handed on as it came
        raise RuntimeError("killed here")

    monkeypatch.setattr(schema, "upgrade", fail)
    with pytest.raises(RuntimeError, match="killed here"):
        Database.for_writing(str(path))
    assert raw(path, "SELECT version_num FROM alembic_version") == [("0001",)]
    monkeypatch.undo()
    with Database.for_writing(str(path)) as database:
        assert database.migrated_from == "0001"


def test_a_newer_schema_is_refused_and_left(path: Path) -> None:
    written(path)
    raw(path, "UPDATE alembic_version SET version_num = '0099'")
    before = state(path.parent)
    for way in (Database.for_reading, Database.for_writing, Database.for_upgrading):
        with pytest.raises(SchemaTooNew, match="schema 0099, but this pokersvc knows only up to 0016"):
            way(str(path))
    assert state(path.parent) == before


def test_of_processes_that_migrate_at_once_one_does(path: Path) -> None:
    older(path)
    code = """
import sys
from pokersvc.eventlog.database import Database
with Database.for_writing(sys.argv[1]) as database:
    print(database.migrated_from)
"""
    said: list[str] = []
    threads = [Thread(target=lambda: said.append(run(code, path))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == ["0001", "None", "None"]
    # Of processes that close at the same moment SQLite lets none clear away the write-ahead log.
    left = {"games.sqlite-wal", "games.sqlite-shm"}
    assert [name for name in names(path.parent) if name not in left] == ["games.sqlite", "games.sqlite.schema-0001"]


def test_what_another_migrates_while_it_is_opened_is_not_migrated_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older(path)
    looked_at = sqlite.refuse_no_writing

    def meanwhile(file: Path, label: str) -> None:
        monkeypatch.setattr(sqlite, "refuse_no_writing", looked_at)
        with Database.for_writing(str(path)) as other:
            assert other.migrated_from == "0001"
        looked_at(file, label)

    monkeypatch.setattr(sqlite, "refuse_no_writing", meanwhile)
    with Database.for_writing(str(path)) as database:
        assert (database.migrated_from, database.revision) == (None, schema.HEAD)
        assert len(list(EventLog(database).read("game"))) == 6
    assert names(path.parent) == ["games.sqlite", "games.sqlite.schema-0001"]


def test_a_migration_prints_nothing_and_reading_does_not_import_alembic(path: Path) -> None:
    make = "import sys; from pokersvc.eventlog.database import Database as D; D.for_writing(sys.argv[1]).close()"
    assert run(make, path) == ""
    code = """
import sys
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
for way in (Database.for_reading, Database.for_writing):
    with way(sys.argv[1]) as database:
        assert list(EventLog(database).games()) == []
print("alembic" in sys.modules)
"""
    said = subprocess.run(command_line(code, path), capture_output=True, text=True, check=True, timeout=60).stdout
    assert said == "False\n"


def test_a_developer_can_draft_a_revision(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path)
    root = Path(schema.__file__).parents[2]
    monkeypatch.chdir(root)
    assert Path("alembic.ini").exists()
    config = Config("alembic.ini")
    config.cmd_opts = type("Options", (), {"x": [f"db={path}"]})()
    command.check(config)
    assert names(path.parent) == [path.name]


def test_a_number_of_the_schema_that_is_gone_is_damage(path: Path) -> None:
    written(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM alembic_version")
    with pytest.raises(Exception, match="schema number is missing"):
        Database.for_writing(str(path))


def test_an_earlier_revision_and_back_is_the_same_database(path: Path) -> None:
    """With the games of the example: the newest migration derives all new data from old data."""
    example = Path(__file__).parents[2] / "pokerdb.sqlite.example"
    path.write_bytes(example.read_bytes())
    raw(path, "UPDATE game_summaries SET seats = 'not JSON', facts = 'null' WHERE rowid = 1")
    raw(path, "DELETE FROM game_players WHERE game_id = (SELECT game_id FROM game_summaries WHERE rowid = 1)")
    raw(path, "UPDATE game_summaries SET house = NULL WHERE rowid = 1")
    unmade = "SELECT '', '', '', game_id, 0, 0, NULL, NULL, '', 0, NULL FROM game_summaries WHERE kind = 'draw'"
    raw(path, "DELETE FROM played_rounds", f"INSERT INTO played_rounds {unmade}")  # as a migration leaves them
    tables = ("game_summaries", "game_players", "tallies", "played_rounds", "events")
    before = [raw(path, f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]
    shapes = shape(path)
    assert len(before[1]) > 5
    downgrade(path, "0006")
    assert "game_players" not in {name for _, name, _ in shape(path)}
    assert "house" not in {row[1] for row in raw(path, "PRAGMA table_info(game_summaries)")}
    with Database.for_writing(str(path)) as database:
        assert database.migrated_from == "0006"
        tally(database)  # as every command that writes does at its end
    assert [raw(path, f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables] == before
    assert {row[:2] for row in shape(path)} == {row[:2] for row in shapes}
