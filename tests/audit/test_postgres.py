"""The evidence on a server: what is changed there is found, and its games are exported and verified."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import URL

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from tests.audit.flips import Said, run
from tests.postgres import Server, text
from tests.postgres import run as on_server

from .played import play, seats


class Played(NamedTuple):
    """Two finished games on a PostgreSQL server, and methods that tamper with them."""

    url: URL

    def change(self, statement: str) -> None:
        off, on = "ALTER TABLE events DISABLE TRIGGER ALL", "ALTER TABLE events ENABLE ALWAYS TRIGGER {}"
        triggers = on_server(self.url, "SELECT tgname FROM pg_trigger WHERE tgname LIKE 'events_refuse_%'")
        on_server(self.url, off, statement)
        on_server(
            self.url, "ALTER TABLE events ENABLE TRIGGER ALL", *(on.format(name) for (name,) in triggers), "SELECT 1"
        )

    def run(self, *arguments: str) -> Said:
        return run(text(self.url), *arguments)


@pytest.fixture
def played(server: Server) -> Iterator[Played]:
    with server.migrated() as url:
        with Database.for_writing(text(url)) as database:
            play_games(database, first="first", second="second")
        yield Played(url)


def play_games(database: Database, **seeds: str) -> None:
    """Play a game with each ID to its end, from its seed."""
    service = Service(EventLog(database))
    for game_id, seed in seeds.items():
        setup = Setup(seats("random", "steady"), EntropySource.from_text(seed), 2)
        play(service, service.start("draw", setup, game_id=game_id)[0])


CHANGES = {
    "chain": "UPDATE events SET hash = decode(repeat('00', 32), 'hex') WHERE game_id = '{game}' AND seq = 3",
    "schema": "UPDATE events SET payload = '{{}}' WHERE game_id = '{game}' AND seq = 3",
    "rules": "DELETE FROM events WHERE game_id = '{game}' AND seq = 3",
    "deal": "UPDATE events SET secret = (SELECT min(secret) FROM events WHERE game_id = 'second'"
    " AND type = 'HandDealt') WHERE game_id = '{game}' AND type = 'HandDealt'",
    "money": "UPDATE events SET payload = regexp_replace(payload, '\"amount\":\\d', '\"amount\":9')"
    " WHERE game_id = '{game}' AND type = 'AntePosted'",
    "read_models": "UPDATE game_summaries SET rounds = 7 WHERE game_id = '{game}'",
}
"""What is done to one game for each check."""


def test_a_change_on_a_server_is_found_by_its_check(played: Played) -> None:
    with Database.for_writing(text(played.url)) as database:
        play_games(database, **dict.fromkeys(CHANGES, "first"))
    assert played.run("audit").code == 0
    for check, change in CHANGES.items():
        played.change(change.format(game=check))
    said = played.run("audit")
    assert (said.code, said.err) == (3, "")
    findings = " ".join(said.out.split()).split("Game ")
    for check in CHANGES:
        assert any(re.match(rf"{check}[:,] .*\({check}\)", one) for one in findings), said.out


@pytest.mark.slow
def test_a_game_removed_from_a_server_is_found_beside_a_checkpoint_alone(played: Played, tmp_path: Path) -> None:
    file = str(tmp_path / "checkpoint.jsonl")
    assert played.run("checkpoint", "-o", file).code == 0
    assert played.run("audit", "--checkpoint", file, "--processes", "2").code == 0
    for table in ("history_entries", "game_players", "played_rounds", "game_summaries", "events", "games"):
        played.change(f"DELETE FROM {table} WHERE game_id = 'second'")
    assert played.run("audit").code == 0
    said = played.run("audit", "--checkpoint", file)
    assert said.code == 3
    assert said.out.startswith("Game second: found no such game where there should be one of ")


def test_a_game_of_a_server_is_exported_and_verified(played: Played, tmp_path: Path) -> None:
    file, checkpoint = str(tmp_path / "game.jsonl"), str(tmp_path / "checkpoint.jsonl")
    assert played.run("checkpoint", "-o", checkpoint).code == 0
    assert played.run("export", "first", "--as", "auditor", "-o", file).code == 0
    assert played.run("verify", file, "--checkpoint", checkpoint).code == 0


def test_a_table_without_its_key_on_a_server_is_audited_to_the_end(played: Played) -> None:
    played.change("ALTER TABLE game_summaries DROP CONSTRAINT game_summaries_key")
    played.change("INSERT INTO game_summaries SELECT * FROM game_summaries WHERE game_id = 'first'")
    said = played.run("audit")
    played.change("DELETE FROM game_summaries")
    played.change("ALTER TABLE game_summaries ADD CONSTRAINT game_summaries_key PRIMARY KEY (game_id)")
    assert (said.code, said.out.count("two lines in the list of games")) == (3, 1)
