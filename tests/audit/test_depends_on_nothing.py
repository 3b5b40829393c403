"""Values that no other data depends on (docs/audit.md, docs/audit-validation.md): changes of these are not found."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import audit
from pokersvc.evidence.checkpoint import now, write
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.server.tables.schema import SERVER_TABLES
from pokersvc.service import Service
from pokersvc.service.read_models.history import rebuild
from pokersvc.tournament.ladder.schema import LADDER_TABLES

from .judging import VIEWERS
from .played import Tampered, in_one_file, play, seats, tampering
from .test_at_table import later
from .test_recorded_hands import elsewhere
from .test_together import Cheated, changed, dealt

__all__ = ["elsewhere"]


def found(tampered: Tampered, game_id: str, records: list[Record], tmp_path: Path) -> list[str]:
    """Replace a game's records, recompute its hashes and read models, and return the checks that report findings.

    They are asked beside a checkpoint of before; without it, none may.
    """
    path = tmp_path / "checkpoint.jsonl"
    with path.open("wb") as file, EventLog(tampered.database).snapshot() as snapshot:
        write(file, snapshot, created_at=now())
    tampered.rewrite(game_id, records)
    rebuild(tampered.database)
    assert tampered.audit(game_id) == []
    return [finding.check for one in audit(tampered.database, [game_id], checkpoint=path) for finding in one.findings]


def rising_ante(service: Service) -> None:
    setup = Setup(seats("random", "random"), EntropySource.from_text("lowered"), 2, {"rules": "rising-ante"})
    play(service, service.start("draw", setup, game_id="lowered")[0])


def test_a_lowered_engine_number_where_no_rule_differs(tmp_path: Path) -> None:
    with patch.object(type(DRAW_POKER), "engine", 4):
        content = in_one_file(rising_ante)
    with tampering(content) as tampered:
        tampered.restore()
        records = tampered.records("lowered")
        assert json.loads(records[0].payload)["engine"] == 4
        assert found(tampered, "lowered", changed(records, 0, engine=3), tmp_path) == ["checkpoint"]


def test_a_file_s_own_word_that_is_deleted_whole(elsewhere: Tampered, tmp_path: Path) -> None:
    elsewhere.restore()
    quoted, *rest = [record for record in elsewhere.records("dealt-3") if record.type == "HandQuoted"]
    assert not rest
    kept = [record for record in elsewhere.records("dealt-3") if record != quoted]
    assert found(elsewhere, "dealt-3", kept, tmp_path) == ["checkpoint"]


def other_secret(records: list[Record]) -> list[Record]:
    secret = json.loads(records[0].secret or "")
    secret["entropy"]["secret"] = "0" * 64
    return [records[0]._replace(secret=json.dumps(secret, sort_keys=True, separators=(",", ":"))), *records[1:]]


def test_the_secret_of_a_dealer_who_shuffles_alone() -> None:
    alone = Cheated(settings=TableSettings())
    alone.table.play_round()
    assert alone.found(alone.records, AUDITOR) == []
    assert alone.found(other_secret(alone.records), AUDITOR) == []
    together = dealt()
    assert [one.check for one in together.found(other_secret(together.records), AUDITOR)] == ["deal"]


def test_the_tables_of_the_server_and_of_ladders(tampered: Tampered) -> None:
    for table in (*SERVER_TABLES, *LADDER_TABLES):
        columns = tampered.columns(table.name)
        assert columns
        values = ", ".join("?" * len(columns))
        tampered.sql(f"INSERT INTO {table.name} VALUES ({values})", ["no such thing"] * len(columns))
    assert tampered.audit() == []


@pytest.mark.parametrize("viewer", VIEWERS)
def test_false_moments_of_a_share_that_is_called_missed_too_early(viewer: Viewer) -> None:
    cheated = Cheated()
    cheated.table.bind()
    cheated.table.open_round()
    cheated.table.share(1)
    cheated.table.miss()
    records, at = cheated.records, cheated.at("ShareMissed")

    early = [one._replace(recorded_at=later(one, -15)) if at <= n else one for n, one in enumerate(records)]
    assert [one.check for one in cheated.found(early, viewer)] == ["clock"]
    # A dealer who has waited five seconds and says that it were twenty writes what one writes who has waited.
    assert cheated.found(records, viewer) == []
