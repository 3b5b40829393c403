"""Lists and histories store facts, and no words: what is said of them may be reworded, and files of titles are read."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import SchemaTooOld
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.kalah.board import Side
from pokersvc.service import Service
from pokersvc.service.read_models import history
from tests.downgraded import downgrade

from .support import play_out, rows

KINDS = game_kinds()


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "games.sqlite"
    with Database.for_writing(str(path)) as database:
        service = Service(EventLog(database))
        for kind in KINDS:
            seats = (Seat("random", "Ann"), Seat("random", "Bob"))
            service.start(kind, Setup(seats, EntropySource.from_text(kind)), game_id=kind)
            play_out(service, kind)
    return path


@pytest.fixture
def path(_played: Path, tmp_path: Path) -> Path:
    """A database with a game of each kind, all over."""
    return Path(shutil.copy(_played, tmp_path))


def reworded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all words in which a game describes stored facts."""
    for kind in KINDS:
        words = type(game_of(kind).words)
        for name in ("title", "line", "result"):
            monkeypatch.setattr(words, name, lambda *_: "quite other words")
    monkeypatch.setattr(Side, "label", property(lambda side: f"the {side.name.lower()} side"))


def found(database: Database) -> list[str]:
    return [str(finding) for audited in audit(database) for finding in audited.findings]


def test_a_title_is_made_when_it_is_shown(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Database.for_reading(str(path)) as database:
        titles = {game.kind: game.title for game in history.games(database)}
        assert sorted(titles) == sorted(KINDS)
        assert titles["kalah"] == "Kalah(6, 4)"
        stored = json.dumps(rows(database))
        assert not any(title in stored for title in titles.values())
        reworded(monkeypatch)
        assert {game.title for game in history.games(database)} == {"quite other words"}


def test_of_reworded_games_every_old_one_is_still_sound(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Database.for_writing(str(path)) as database:
        before = rows(database)
        reworded(monkeypatch)
        assert found(database) == []
        history.rebuild(database)
        assert rows(database) == before


def test_a_renamed_side_is_called_so_in_old_histories(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Side, "label", property(lambda side: f"the {side.name.lower()} side"))
    with Database.for_reading(str(path)) as database:
        first = next(history.entries(database, "kalah"))
    assert game_of("kalah").words.line(first).startswith("Move 1 -- Ann (the south side) sowed")
    assert first.facts["side"] == "South"


# A file of the revision that stored titles.


def older(path: Path) -> None:
    downgrade(path, "0006")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for table in ("table_seats", "tables", "servers"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("DROP TABLE tallies")
        connection.execute("DROP INDEX uncounted_games")
        connection.execute("ALTER TABLE game_summaries DROP COLUMN counted")
        connection.execute("ALTER TABLE game_summaries RENAME COLUMN facts TO title")
        connection.execute("UPDATE game_summaries SET title = 'Old words for ' || kind")
        connection.execute("UPDATE alembic_version SET version_num = '0002'")


def test_a_file_with_titles_is_brought_over_and_its_titles_are_no_finding(path: Path) -> None:
    with Database.for_reading(str(path)) as database:
        before = rows(database)
    older(path)
    with pytest.raises(SchemaTooOld, match="schema 0002, but 0016 is needed"):
        Database.for_reading(str(path))
    with Database.for_writing(str(path)) as database:
        assert database.migrated_from == "0002"
        assert not history.is_listed(database), "whoever migrates makes the read models again"
        history.rebuild(database)
        assert history.is_listed(database)
        assert rows(database) == before
        assert found(database) == []


def test_what_a_migration_left_open_is_told(path: Path) -> None:
    older(path)
    with Database.for_writing(str(path)) as database:
        assert [game.facts for game in history.games(database)] == [None] * len(KINDS)
        assert len(list(history.gaps(database))) == len(KINDS)
        with pytest.raises(history.ReadModelsDamaged, match="run `pokersvc db rebuild`"):
            _ = history.summary(database, "kalah").title


def test_a_game_of_an_unknown_kind_keeps_its_line(path: Path) -> None:
    older(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET kind = 'chess' WHERE game_id = 'kalah'")
        connection.execute("UPDATE game_summaries SET kind = 'chess' WHERE game_id = 'kalah'")
    with Database.for_writing(str(path)) as database:
        history.rebuild(database)
        assert history.is_listed(database), "no program that lacks the game tries again each time"
        assert "'chess'" in history.summary(database, "kalah").title
        assert len(list(history.games(database))) == len(KINDS)
