"""Whatever a file contains, its reader ends with a typed error or reports findings."""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pokersvc.eventlog.record import secret_digest
from pokersvc.evidence.jsonl import line_of

from . import files, samples
from .__main__ import SOON, fuzz
from .files import KINDS, made, read, verified


@pytest.mark.parametrize(
    ("first", "last"),
    [(0, 200), *(pytest.param(last - 500 or 200, last, marks=pytest.mark.slow) for last in range(500, 20_001, 500))],
)
def test_every_reader_survives_what_the_grammar_makes(first: int, last: int) -> None:
    """20,000 files in all; `python -m tests.fuzz 1000000` reads a million."""
    tally, failed = fuzz(1, first, last - first)
    assert tally.keys() == KINDS.keys()
    assert failed == []


def test_what_is_not_changed_is_whole(tmp_path: Path) -> None:
    """Unchanged copies verify, also after their hashes are recomputed."""
    for copy in samples.copies():
        header, events = dict(copy.header), [dict(event) for event in copy.events]
        files._hash_anew(header, events, Random(5))
        content = b"".join(map(line_of, [header, *events]))
        if len(events) == copy.header["count"]:
            assert verified(content).findings == []


def test_a_file_is_made_again_from_its_numbers(tmp_path: Path) -> None:
    assert [made(3, number, tmp_path) for number in range(50)] == [made(3, number, tmp_path) for number in range(50)]
    assert made(4, 1, tmp_path) != made(3, 1, tmp_path)


@pytest.mark.parametrize("fault", [ValueError("fault"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "fault")])
def test_a_reader_that_fails_is_found(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def fail(*_: Any) -> None:
        raise fault

    monkeypatch.setattr("pokersvc.evidence.copy_check.CopyCheck._event", fail)
    _, failed = fuzz(1, 0, 60)
    assert {one.kind for one in failed} == {"export"}
    assert "fault" in failed[0].said


def test_a_reader_that_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 1_000_000, int(SOON) + 1))
    monkeypatch.setattr("tests.fuzz.__main__.time.monotonic", lambda: next(times))
    _, failed = fuzz(1, 0, 1)
    assert [one.said for one in failed] == [f"It took {SOON + 1:.1f} s."]


# What was found


def forged(change: Callable[[dict[str, Any]], None]) -> bytes:
    """Return an auditor's copy with one event changed, and the hashes recomputed as far as possible."""
    copy = next(copy for copy in samples.copies() if copy.header["as"] == "auditor")
    header, events = dict(copy.header), [dict(event) for event in copy.events]
    change(next(event for event in events if "secret" in event))
    files._hash_anew(header, events, Random(5))
    return b"".join(map(line_of, [header, *events]))


@pytest.mark.parametrize("text", ["\ud800", '{"cards":["\udfff"]}', "a\ud83d"])
def test_half_a_character_in_a_secret_is_a_finding(tmp_path: Path, text: str) -> None:
    def change(event: dict[str, Any]) -> None:
        event["secret"] = text

    content = forged(change)
    read("export", content, tmp_path)
    first = verified(content).findings[0]
    assert (first.check, first.found) == ("chain", "a secret that is not UTF-8")
    with pytest.raises(UnicodeEncodeError):
        secret_digest(bytes(16), text)


def test_a_value_nested_about_as_deep_as_python_goes_is_refused(tmp_path: Path) -> None:
    limit = sys.getrecursionlimit()
    for depth in range(limit - 150, limit):
        deep = b"[" * depth + b"]" * depth
        read("export", b'{"as":"everyone","count":' + deep + b',"format":"pokersvc/export/1"}\n', tmp_path)
