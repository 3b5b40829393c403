"""What nothing else depends on, as docs/audit.md and docs/audit-validation.md name it: no check finds a change."""

import json
from pathlib import Path

import pytest

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import audit
from pokersvc.evidence.checkpoint import now, write
from pokersvc.server.tables.schema import SERVER_TABLES
from pokersvc.service.read_models.history import rebuild

from .judging import VIEWERS
from .played import Tampered
from .test_at_table import later
from .test_recorded_hands import elsewhere
from .test_together import Cheated, changed, dealt

__all__ = ["elsewhere"]


def found(tampered: Tampered, game_id: str, records: list[Record], tmp_path: Path) -> list[str]:
    """Put records in the place of a game's, make its hashes and the lists anew, and return which checks find that.

    They are asked beside a checkpoint of before; without it, none may.
    """
    path = tmp_path / "checkpoint.jsonl"
    with path.open("wb") as file, EventLog(tampered.database).snapshot() as snapshot:
        write(file, snapshot, created_at=now())
    tampered.rewrite(game_id, records)
    rebuild(tampered.database)
    assert tampered.audit(game_id) == []
    return [finding.check for one in audit(tampered.database, [game_id], checkpoint=path) for finding in one.findings]


def test_a_lowered_engine_number_where_no_rule_differs(tampered: Tampered, tmp_path: Path) -> None:
    records = tampered.records("rising-ante")
    assert json.loads(records[0].payload)["engine"] == 4
    assert found(tampered, "rising-ante", changed(records, 0, engine=3), tmp_path) == ["checkpoint"]


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


@pytest.mark.parametrize("table", [table.name for table in SERVER_TABLES])
def test_the_tables_of_the_server(tampered: Tampered, table: str) -> None:
    columns = tampered.columns(table)
    assert columns
    tampered.sql(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", ["no such thing"] * len(columns))
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
