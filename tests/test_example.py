"""pokerdb.sqlite.example: readable by this program, true to its logs, and left as it is by who reads it."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pokersvc.cli.main import main
from pokersvc.core.event import EVERYONE
from pokersvc.core.registry import game_of
from pokersvc.eventlog import schema
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from pokersvc.service.read_models import history, projections, tallies
from tests.cli.program import inside

from .example import EXAMPLES, write

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "pokerdb.sqlite.example"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(EXAMPLE, tmp_path / "games.sqlite"))


@pytest.fixture
def database(copy: Path) -> Iterator[Database]:
    with Database.for_reading(str(copy)) as opened:
        yield opened


def rows(database: Database) -> list[Any]:
    with database.read() as connection:
        return [
            [tuple(row) for row in connection.execute(table.select().order_by(*table.primary_key))]
            for table in (*projections.READ_MODELS, tallies.tallies)
        ]


def test_it_is_small_whole_and_at_the_newest_schema(copy: Path, database: Database) -> None:
    assert EXAMPLE.stat().st_size < 500_000
    assert database.revision == schema.HEAD
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_its_games_are_finished_and_listed(database: Database) -> None:
    listed = list(history.games(database))
    assert {summary.game_id for summary in listed} == {example.game_id for example in EXAMPLES}
    assert all(summary.outcome is not None for summary in listed)
    assert EventLog(database).find("last") == EXAMPLES[-1].game_id


@pytest.mark.parametrize("game_id", [example.game_id for example in EXAMPLES])
def test_its_logs_verify_and_replay_to_what_its_read_models_say(database: Database, game_id: str) -> None:
    log = EventLog(database)
    head, summary = log.head(game_id), history.summary(database, game_id)
    assert head is not None
    codec = game_of(head.kind).codec
    for record in log.read(game_id):
        assert codec.is_canonical(record.type, record.version, record.payload, record.secret)
    entries = {}
    for step in Service(log).with_secrets.replay(game_id):
        if (entry := step.state.entry(step.event, EVERYONE)) is not None:
            entries[entry.number] = replace(entry, again=False)

    assert (step.record.seq, step.record.hash) == (head.count, head.hash)
    assert step.state.outcome == summary.outcome
    assert list(entries.values()) == list(history.entries(database, game_id))
    assert len(entries) == summary.rounds


def test_its_read_models_made_again_are_the_same(database: Database, copy: Path) -> None:
    before = rows(database)
    database.close()
    with Database.for_writing(str(copy)) as writable:
        assert history.rebuild(writable) == len(EXAMPLES)
        assert rows(writable) == before


@pytest.mark.no_cover
def test_made_again_it_holds_the_same_games(database: Database, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    folder.mkdir()
    write(folder / "games.sqlite")
    write(folder / "games.sqlite")
    assert [path.name for path in folder.iterdir()] == ["games.sqlite"]
    with Database.for_reading(str(folder / "games.sqlite")) as again:
        for example in EXAMPLES:
            one, other = (
                [(r.type, r.version, r.payload, r.secret, r.n) for r in EventLog(found).read(example.game_id)]
                for found in (database, again)
            )
            assert one == other


def test_who_reads_it_leaves_it_as_it_is(copy: Path) -> None:
    for command in (["history", "last"], ["games"], ["replay", EXAMPLES[0].game_id], ["db", "current"]):
        done = inside(main, ["--db", copy, *command], typed="", home=copy.parent, environment=dict(os.environ))
        assert (done.code, done.err) == (0, "")
        if command[0] == "history":
            assert [line.split()[-2:] for line in done.out.splitlines()] == [
                *(["won", amount] for amount in ("210", "212", "214"))
            ]
    assert sha256(copy.read_bytes()).digest() == sha256(EXAMPLE.read_bytes()).digest()
    assert list(copy.parent.iterdir()) == [copy]
