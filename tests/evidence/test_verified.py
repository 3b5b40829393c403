"""Verifying an export in one call returns the same findings as reading it step by step."""

from pathlib import Path

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence import export
from pokersvc.evidence.export import Export
from pokersvc.evidence.jsonl import InvalidFile
from pokersvc.evidence.verification import Known, Verification
from pokersvc.evidence.verified import MOST_FINDINGS, verify_export
from pokersvc.service import Service
from pokersvc.service.opening import open_database

SETUP = Setup((Seat("minimum", "Ann"), Seat("minimum", "Bob")), EntropySource.from_text("verify"), rounds=1)


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, Export]:
    """Ann's copy of a game that is over."""
    path = tmp_path / "mine.jsonl"
    with open_database(":memory:") as database, path.open("xb") as file:
        service = Service(EventLog(database))
        game_id, _ = service.start("draw", SETUP)
        service.play_round(game_id)
        return path, export.write(file, EventLog(database), game_id, 1)


def test_a_copy_as_it_was_written_is_whole(written: tuple[Path, Export]) -> None:
    path, made = written
    verified = verify_export(path, [Known(made.head, "noted")])
    assert verified.passed
    assert verified.export == made
    assert (verified.checked, verified.over, verified.fault, verified.findings) == (True, True, None, ())
    assert 0 < verified.shown < verified.secrets


def test_a_changed_copy_is_not(written: tuple[Path, Export]) -> None:
    path, _ = written
    path.write_bytes(path.read_bytes().replace(b'\\"amount\\":5', b'\\"amount\\":6', 1))
    verified = verify_export(path)
    assert not verified.passed
    assert verified.findings[0].check == "chain"


def test_a_copy_that_lacks_what_its_reader_knows_is_not(written: tuple[Path, Export]) -> None:
    verified = verify_export(written[0], [Known(bytes(32), "noted")])
    assert not verified.passed
    assert [finding.expected for finding in verified.findings] == ["one with noted"]


def test_what_is_no_export_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(InvalidFile):
        verify_export(tmp_path / "other.jsonl")


def test_no_more_is_read_after_a_thousand_findings(
    written: tuple[Path, Export], monkeypatch: pytest.MonkeyPatch
) -> None:
    def findings(verification: Verification) -> object:
        while True:
            yield verification._finding("chain", "this", "that")

    monkeypatch.setattr(Verification, "findings", findings)
    assert len(verify_export(written[0]).findings) == MOST_FINDINGS
