"""A mistake in the code is no finding of an exported copy either."""

import json
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer
from pokersvc.core.registry import game_of
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import events as draw
from pokersvc.games.draw_poker.earlier_events import HandDealt
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from tests.evidence.support import exported, verification

from .flips import run
from .forger import copied
from .mistakes import CALLING, break_apply, first_of, typo
from .played import Tampered, rehashed

# Exports.


@pytest.mark.usefixtures("with_a_typo")
@pytest.mark.parametrize("viewer", [EVERYONE, 1, AUDITOR])
def test_a_mistake_in_the_code_is_no_finding_of_a_copy(tampered: Tampered, viewer: Viewer) -> None:
    verified = verification(exported(EventLog(tampered.database), CALLING, viewer, force=True))
    assert list(verified.findings()) == []
    assert not verified.checked
    assert verified.fault is not None
    assert verified.fault[:4] == (CALLING, first_of(tampered, CALLING, "Called"), "Called", "AttributeError")


@pytest.mark.parametrize("broken", [draw.DeckShuffled, HandDealt, draw.HandsOpened, draw.PotAwarded])
def test_nor_where_the_copy_does_not_show_what_the_event_says(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch, broken: type[Event]
) -> None:
    content = exported(EventLog(tampered.database), "buy-the-pot")
    break_apply(monkeypatch, typo, broken)
    verified = verification(content)
    assert list(verified.findings()) == []
    assert verified.fault is not None
    assert verified.fault.type == broken.__name__


@pytest.mark.usefixtures("with_a_typo")
def test_verify_exits_with_1_for_a_mistake_in_the_code_and_with_3_for_a_finding(tampered: Tampered, path: Path) -> None:
    file = path.parent / "copy.jsonl"
    content = exported(EventLog(tampered.database), CALLING)
    file.write_bytes(content)
    said = run(path, "verify", str(file))
    assert said.code == 1
    assert "; not checked; " in said.out
    assert "because of a bug in pokersvc, AttributeError at tests/audit/mistakes.py:" in said.err
    said_json = json.loads(run(path, "verify", str(file), "--json").out)
    assert (said_json["verified"], said_json["checked"], said_json["findings"]) == (False, False, [])
    assert said_json["fault"]["error"] == "AttributeError"
    *_, last = lines = content.splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:-1], last.replace(b'"n":', b'"n":1')]))
    said = run(path, "verify", str(file))
    assert (said.code, said.err) == (3, "")
    assert "AttributeError" in said.out


def test_an_exception_after_a_finding_in_a_copy_is_a_finding(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = tampered.records("no-limit")
    late = [record._replace(recorded_at="2026-02-30T12:00:00.000000Z") for record in records]
    break_apply(monkeypatch, typo)
    verified = verification(copied(game_of("draw"), rehashed(late), EVERYONE))
    found = list(verified.findings())
    assert verified.fault is None
    assert "cannot be followed (AttributeError at tests/audit/mistakes.py:" in found[-1].found


# A game of an unknown kind.


def test_a_copy_of_an_unknown_kind_is_not_checked(tampered: Tampered, path: Path) -> None:
    file = path.parent / "copy.jsonl"
    for viewer in (EVERYONE, AUDITOR):
        file.write_bytes(_of_kind("chess", exported(EventLog(tampered.database), "nim", viewer)))
        said = run(path, "verify", str(file))
        assert said.code == 1
        assert "; not checked; " in said.out
        assert said.err == "pokersvc: Game nim: only its chain was checked; this pokersvc does not know 'chess'.\n"
    said_json = json.loads(run(path, "verify", str(file), "--json").out)
    assert (said_json["verified"], said_json["checked"], said_json["fault"]) == (False, False, None)


def test_what_is_found_in_the_chain_of_a_copy_of_an_unknown_kind_is_found(tampered: Tampered, path: Path) -> None:
    file = path.parent / "copy.jsonl"
    lines = _of_kind("chess", exported(EventLog(tampered.database), "nim")).splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], lines[3].replace(b'"n":', b'"n":1'), *lines[4:]]))
    assert run(path, "verify", str(file)).code == 3


def _of_kind(kind: str, content: bytes) -> bytes:
    first, rest = content.split(b"\n", 1)
    return first.replace(b'"kind":"nim"', b'"kind":"%s"' % kind.encode()) + b"\n" + rest


# A mistake in what is asked where something else failed, and where events are read.


@pytest.mark.parametrize("viewer", [EVERYONE, 1, AUDITOR])
def test_a_mistake_in_a_rule_is_told_where_asking_for_the_rules_that_nobody_can_play_fails_too(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch, viewer: Viewer
) -> None:
    def button(_: Any) -> Any:
        raise AttributeError("blnds")

    def unplayable(*_: Any) -> Any:
        raise ZeroDivisionError

    content = exported(EventLog(tampered.database), "no-limit", viewer)
    monkeypatch.setattr(DrawPokerRules, "button", property(button))
    monkeypatch.setattr(type(game_of("draw")), "unplayable", unplayable)
    (audited,) = tampered.audited("no-limit")
    assert (audited.findings, audited.fault and audited.fault.error) == ([], "AttributeError")
    verified = verification(content)
    assert list(verified.findings()) == []
    assert verified.fault is not None
    assert verified.fault.error == "AttributeError"


@pytest.mark.parametrize("viewer", [EVERYONE, 1, AUDITOR])
@pytest.mark.parametrize(
    "broken",
    [
        "pokersvc.core.codec.EventCodec.decode",
        "pokersvc.core.codec.EventCodec.is_canonical",
        "pokersvc.evidence.copy_check.may_see",
        "pokersvc.evidence.audit.walk.known_to",
        "pokersvc.evidence.audit.reading.secret_fields",
    ],
)
def test_a_mistake_in_what_reads_events_is_no_finding_of_a_copy(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch, viewer: Viewer, broken: str
) -> None:
    content = exported(EventLog(tampered.database), CALLING, viewer)
    monkeypatch.setattr(broken, lambda *_: 1 // 0)
    verified = verification(content)
    assert list(verified.findings()) == []
    assert verified.fault is not None
    assert verified.count == len(tampered.records(CALLING)), "the chain is checked to the end"
    assert (verified.known_kind, verified.checked) == (True, False)
    assert verified.fault.error == "ZeroDivisionError"


def test_the_chain_of_a_copy_is_checked_behind_an_event_that_a_mistake_keeps_from_being_read(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    *before, last = exported(EventLog(tampered.database), CALLING).splitlines(keepends=True)
    monkeypatch.setattr("pokersvc.core.codec.EventCodec.decode", lambda *_: 1 // 0)
    verified = verification(b"".join([*before, last.replace(b'"n":', b'"n":1')]))
    assert [finding.check for finding in verified.findings()] == ["chain"]
    assert verified.fault is not None


@pytest.mark.parametrize("viewer", [EVERYONE, AUDITOR])
def test_a_copy_of_a_game_that_cannot_be_asked_is_not_checked_beyond_its_chain(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch, viewer: Viewer
) -> None:
    content = exported(EventLog(tampered.database), CALLING, viewer)
    monkeypatch.setattr(type(game_of("draw")), "seeded", property(lambda _: 1 // 0))
    verified = verification(content)
    assert list(verified.findings()) == []
    assert (verified.known_kind, verified.checked) == (True, False)
    assert verified.fault is not None
    assert verified.fault[:4] == (CALLING, None, None, "ZeroDivisionError")
