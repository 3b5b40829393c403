"""A mistake in the code is reported as one by an audit, and is no finding."""

import json
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core import registry
from pokersvc.core.registry import game_of
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit, audit_in_processes
from pokersvc.evidence.findings import DEBUG, Fault, place_of
from pokersvc.games.draw_poker import events as draw
from tests.evidence.support import exported, verification

from .flips import run
from .mistakes import CALLING, break_apply, first_of, typo
from .played import Tampered

# The audit of a database.


@pytest.mark.usefixtures("with_a_typo")
def test_a_mistake_in_the_code_is_told_with_its_type_and_place_and_is_no_finding(tampered: Tampered) -> None:
    (audited,) = tampered.audited(CALLING)
    seq = first_of(tampered, CALLING, "Called")
    line = typo.__code__.co_firstlineno + 1
    place = f"tests/audit/mistakes.py:{line}"
    assert (audited.findings, audited.checked, audited.passed) == ([], False, False)
    assert audited.fault == Fault(CALLING, seq, "Called", "AttributeError", place)
    assert str(audited.fault) == (
        f"Game {CALLING}, event {seq} (Called): not checked from here on, because of a bug in pokersvc,"
        f" AttributeError at {place}; POKERSVC_DEBUG=1 shows its traceback"
    )


@pytest.mark.usefixtures("with_a_typo")
def test_the_other_games_are_still_audited(tampered: Tampered) -> None:
    tampered.sql("UPDATE game_summaries SET rounds = 7 WHERE game_id = 'nim'")
    audited = {one.game_id: one for one in tampered.audited()}
    assert len(audited) == len(tampered.sql("SELECT 1 FROM games")) + 1
    assert (audited["market"].passed, audited["kalah"].passed, audited["nim"].count) == (True, True, 1)
    assert {one.game_id for one in audited.values() if one.fault} >= {CALLING, "no-limit"}
    assert not any(one.findings for one in audited.values() if one.fault)


@pytest.mark.usefixtures("with_a_typo")
def test_the_chain_and_the_form_of_events_are_checked_to_the_end_of_a_game_that_cannot_be_followed(
    tampered: Tampered,
) -> None:
    seq = first_of(tampered, CALLING, "Called") + 2
    tampered.sql("UPDATE events SET payload = '{}' WHERE game_id = ? AND seq = ?", [CALLING, seq])
    (audited,) = tampered.audited(CALLING)
    assert {(finding.seq, finding.check) for finding in audited.findings} == {(seq, "chain"), (seq, "schema")}
    assert audited.fault is not None


@pytest.mark.usefixtures("with_a_typo")
def test_after_a_finding_in_the_same_game_an_exception_is_a_finding_too(tampered: Tampered) -> None:
    tampered.sql("UPDATE events SET hash = zeroblob(32) WHERE game_id = ? AND seq = 2", [CALLING])
    (audited,) = tampered.audited(CALLING)
    assert audited.fault is None
    lost = audited.findings[-1]
    assert (lost.seq, lost.check) == (first_of(tampered, CALLING, "Called"), "rules")
    assert "cannot be followed (AttributeError at tests/audit/mistakes.py:" in lost.found


@pytest.mark.usefixtures("with_a_typo")
def test_a_variable_lets_a_mistake_in_the_code_through(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(AttributeError, match="staked_chips"):
        tampered.audited(CALLING)
    with pytest.raises(AttributeError, match="staked_chips"):
        list(verification(exported(EventLog(tampered.database), CALLING)).findings())
    monkeypatch.setenv(DEBUG, "0")
    assert tampered.audited(CALLING)[0].fault is not None


@pytest.mark.parametrize("broken", ["action_of", "seats", "books", "contradictions", "seed_of"])
def test_a_mistake_in_what_auditors_ask_is_no_finding_either(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(type(game_of("draw")), broken, lambda *_: 1 // 0)
    (audited,) = tampered.audited(CALLING)
    assert (audited.findings, audited.fault and audited.fault.error) == ([], "ZeroDivisionError")


def test_a_mistake_in_the_facts_of_lists_is_no_finding(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(game_of("draw")), "facts", lambda *_: str(())[9])
    (audited,) = tampered.audited(CALLING)
    assert (audited.findings, audited.fault and audited.fault[1:4]) == ([], (None, None, "IndexError"))


def test_a_typed_refusal_is_a_finding(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PokersvcError("No.")

    break_apply(monkeypatch, refuse)
    (audited,) = tampered.audited(CALLING)
    assert (audited.fault, [finding.check for finding in audited.findings]) == (None, ["rules"])
    assert "cannot be followed (rules, deal" in audited.findings[0].found


def test_a_misspelt_field_of_a_value_is_told_where_it_is_asked_for(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    def misspelt(table: Any, _event: Any) -> None:
        table.rules.anteh += 1

    break_apply(monkeypatch, misspelt, draw.Called)
    (audited,) = tampered.audited(CALLING)
    line = misspelt.__code__.co_firstlineno + 1
    assert audited.fault is not None
    assert (audited.fault.error, audited.fault.place) == ("AttributeError", f"tests/audit/test_faults.py:{line}")


def test_what_a_library_raises_by_itself_is_told_in_the_library() -> None:
    error = ImportError("nothing of pokersvc is on its way")
    names: dict[str, Any] = {"__name__": "pydantic.main"}
    exec(compile("def fail(error):\n    raise error\n", "main.py", "exec"), names)
    with pytest.raises(ImportError) as caught:
        names["fail"](error)
    assert caught.value.__traceback__ is not None
    assert place_of(error.with_traceback(caught.value.__traceback__.tb_next)) == "pydantic/main.py:2"


# On the command line.


@pytest.mark.usefixtures("with_a_typo")
def test_the_program_exits_with_1_where_only_mistakes_were_met_and_with_3_where_anything_was_found(path: Path) -> None:
    said = run(path, "audit", CALLING, "market")
    assert said.code == 1
    assert said.err == "pokersvc: 1 game was not checked; its line says why.\n"
    lines = said.out.splitlines()
    assert "  not checked, AttributeError at tests/audit/mistakes.py:" in lines[0]
    assert lines[1].startswith(f"Game {CALLING}, event ")
    assert lines[2].endswith("passed")
    said_json, market = json.loads(run(path, "audit", CALLING, "market", "--json").out)
    assert (said_json["result"], said_json["checked"], said_json["findings"]) == ("not checked", False, [])
    assert (said_json["fault"]["type"], said_json["fault"]["error"]) == ("Called", "AttributeError")
    assert (market["result"], market["checked"], market["fault"]) == ("whole", True, None)


@pytest.mark.usefixtures("with_a_typo")
def test_any_finding_anywhere_makes_3(path: Path, tampered: Tampered) -> None:
    tampered.sql("UPDATE game_summaries SET rounds = 7 WHERE game_id = 'market'")
    path.write_bytes(tampered.connection.serialize())
    said = run(path, "audit", CALLING, "market")
    assert (said.code, said.err) == (3, "")
    assert "not checked, AttributeError" in said.out


@pytest.mark.slow
def test_processes_tell_mistakes_in_the_code_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typo_at_start = (
        "import pokersvc.games.draw_poker.apply as apply, pokersvc.games.draw_poker.events as events\n"
        "def typo(table, event):\n    table.staked_chips += 1\n"
        "for handlers in apply.HANDLERS.values():\n"
        "    if events.Called in handlers:\n        handlers[events.Called] = typo\n"
    )
    (path.parent / "sitecustomize.py").write_text(typo_at_start)
    monkeypatch.setenv("PYTHONPATH", str(path.parent))
    audited = list(audit_in_processes(str(path), 1, [CALLING, "market"]))
    assert [(one.game_id, one.findings, one.checked) for one in audited] == [(CALLING, [], False), ("market", [], True)]
    assert audited[0].fault is not None
    assert audited[0].fault.place == "sitecustomize.py:3"


def test_no_games_are_none_in_one_process_and_in_several(tampered: Tampered, path: Path) -> None:
    assert list(audit(tampered.database, [])) == []
    assert list(audit_in_processes(str(path), 2, [])) == []


# A mistake that keeps a game from being asked at all.


def _misspelt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._REGISTRY, "market", "pokersvc.games.poker_market:POKER_MARKETT")


def test_a_game_that_cannot_be_imported_ends_the_check_of_its_own_games_alone(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    _misspelt(monkeypatch)
    last = len(tampered.records("market"))
    tampered.sql("UPDATE events SET hash = zeroblob(32) WHERE game_id = 'market' AND seq = ?", [last])
    audited = {one.game_id: one for one in tampered.audited()}
    assert {id_ for id_, one in audited.items() if one.fault is not None} == {"market", None}
    assert {finding.check for finding in audited["market"].findings} == {"chain"}
    assert audited["market"].events == last
    assert all(one.passed for id_, one in audited.items() if id_ not in ("market", None))
    assert str(audited[None].fault).startswith("The database: not checked from here on, because of a bug")


def test_nor_does_it_end_the_check_of_chains(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    _misspelt(monkeypatch)
    assert all(one.passed for one in audit(tampered.database, only_chain=True))


@pytest.mark.parametrize("broken", ["seeded", "codec"])
def test_a_mistake_in_what_a_game_says_of_itself_is_no_finding(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(type(game_of("draw")), broken, property(lambda _: 1 // 0))
    audited = {one.game_id: one for one in tampered.audited()}
    assert [one.findings for one in audited.values() if one.findings] == []
    assert {CALLING, None} <= {id_ for id_, one in audited.items() if one.fault is not None}
    assert (audited["market"].passed, audited["kalah"].passed) == (True, True)


def test_the_program_exits_with_1_where_a_game_cannot_be_imported(
    path: Path, tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    _misspelt(monkeypatch)
    said = run(path, "audit")
    assert (said.code, said.err) == (1, "pokersvc: 1 game was not checked; its line says why.\n")
    *_, passed = json.loads(run(path, "audit", "--json").out)
    assert (passed["game"], passed["result"], passed["fault"]["error"]) == (None, "not checked", "AttributeError")
    tampered.sql("DELETE FROM events WHERE game_id = 'market'")
    for table in ("games", "game_summaries", "game_players", "played_rounds", "history_entries"):
        tampered.sql(f"DELETE FROM {table} WHERE game_id = 'market'")
    tampered.renumber_positions()
    path.write_bytes(tampered.connection.serialize())
    said = run(path, "audit")
    assert (said.code, said.err) == (
        1,
        "pokersvc: Not everything outside the games was checked; the line of the database says why.\n",
    )
