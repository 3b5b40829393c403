"""A mistake in the code is told as one, and is no finding; what a forger can make is a finding, and never a mistake."""

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.core import registry
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.audit import Audited, audit, audit_in_processes
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.walk import Walk
from pokersvc.evidence.findings import DEBUG, Fault, Finding, place_of
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.verification import Verification
from pokersvc.games.draw_poker import apply as draw_apply
from pokersvc.games.draw_poker import events as draw
from pokersvc.games.draw_poker.rules import DrawPokerRules
from tests.evidence.support import exported, verification

from .changes import others
from .flips import run
from .forger import GAMES, copied, forged_game, recorded
from .played import HOUSES, Tampered, rehashed, written

CALLING: Final = "fixed-limit"
"""A game in which somebody calls."""


def typo(table: Any, _event: Any) -> None:
    table.staked_chips += 1


@pytest.fixture
def with_a_typo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of draw poker with a typo where a call is applied."""
    break_apply(monkeypatch, typo, draw.Called)


def break_apply(monkeypatch: pytest.MonkeyPatch, handler: Callable[[Any, Any], None], *broken: type[Event]) -> None:
    """Apply events of these types, or all, by another handler."""
    for handlers in draw_apply.HANDLERS.values():
        for event in handlers:
            if event in broken or not broken:
                monkeypatch.setitem(cast(dict[type[Event], Any], handlers), event, handler)


@pytest.fixture
def path(tampered: Tampered, tmp_path: Path) -> Path:
    """The games in a file, for the program."""
    path = tmp_path / "games.sqlite"
    path.write_bytes(written())
    return path


def first(tampered: Tampered, game_id: str, type_: str) -> int:
    return next(record.seq for record in tampered.records(game_id) if record.type == type_)


# The audit of a database.


@pytest.mark.usefixtures("with_a_typo")
def test_a_mistake_in_the_code_is_told_with_its_type_and_place_and_is_no_finding(tampered: Tampered) -> None:
    (audited,) = tampered.audited(CALLING)
    seq = first(tampered, CALLING, "Called")
    line = typo.__code__.co_firstlineno + 1
    place = f"tests/audit/test_faults.py:{line}"
    assert (audited.findings, audited.checked, audited.whole) == ([], False, False)
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
    assert (audited["market"].whole, audited["kalah"].whole, audited["nim"].count) == (True, True, 1)
    assert {one.game_id for one in audited.values() if one.fault} >= {CALLING, "no-limit"}
    assert not any(one.findings for one in audited.values() if one.fault)


@pytest.mark.usefixtures("with_a_typo")
def test_the_chain_and_the_form_of_events_are_checked_to_the_end_of_a_game_that_cannot_be_followed(
    tampered: Tampered,
) -> None:
    seq = first(tampered, CALLING, "Called") + 2
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
    assert (lost.seq, lost.check) == (first(tampered, CALLING, "Called"), "rules")
    assert "cannot be followed (AttributeError at tests/audit/test_faults.py:" in lost.found


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


# On the command line.


@pytest.mark.usefixtures("with_a_typo")
def test_the_program_exits_with_1_where_only_mistakes_were_met_and_with_3_where_anything_was_found(path: Path) -> None:
    said = run(path, "audit", CALLING, "market")
    assert said.code == 1
    assert said.err == "pokersvc: 1 game was not checked; its line says why.\n"
    lines = said.out.splitlines()
    assert "  not checked, AttributeError at tests/audit/test_faults.py:" in lines[0]
    assert lines[1].startswith(f"Game {CALLING}, event ")
    assert lines[2].endswith("passed")
    told, market = json.loads(run(path, "audit", CALLING, "market", "--json").out)
    assert (told["result"], told["checked"], told["findings"]) == ("not checked", False, [])
    assert (told["fault"]["type"], told["fault"]["error"]) == ("Called", "AttributeError")
    assert (market["result"], market["checked"], market["fault"]) == ("whole", True, None)


@pytest.mark.usefixtures("with_a_typo")
def test_any_finding_anywhere_makes_3(path: Path, tampered: Tampered) -> None:
    tampered.sql("UPDATE game_summaries SET rounds = 7 WHERE game_id = 'market'")
    path.write_bytes(tampered.connection.serialize())
    said = run(path, "audit", CALLING, "market")
    assert (said.code, said.err) == (3, "")
    assert "not checked, AttributeError" in said.out


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


# Exports.


@pytest.mark.usefixtures("with_a_typo")
@pytest.mark.parametrize("viewer", [EVERYONE, 1, AUDITOR])
def test_a_mistake_in_the_code_is_no_finding_of_a_copy(tampered: Tampered, viewer: Viewer) -> None:
    verified = verification(exported(EventLog(tampered.database), CALLING, viewer, force=True))
    assert list(verified.findings()) == []
    assert not verified.checked
    assert verified.fault is not None
    assert verified.fault[:4] == (CALLING, first(tampered, CALLING, "Called"), "Called", "AttributeError")


@pytest.mark.parametrize("broken", [draw.DeckShuffled, draw.HandDealt, draw.HandsOpened, draw.PotAwarded])
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
    assert "because of a bug in pokersvc, AttributeError at tests/audit/test_faults.py:" in said.err
    told = json.loads(run(path, "verify", str(file), "--json").out)
    assert (told["verified"], told["checked"], told["findings"]) == (False, False, [])
    assert told["fault"]["error"] == "AttributeError"
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
    assert "cannot be followed (AttributeError at tests/audit/test_faults.py:" in found[-1].found


# A game of an unknown kind.


def test_a_copy_of_an_unknown_kind_is_not_checked(tampered: Tampered, path: Path) -> None:
    file = path.parent / "copy.jsonl"
    for viewer in (EVERYONE, AUDITOR):
        file.write_bytes(_of_kind("chess", exported(EventLog(tampered.database), "nim", viewer)))
        said = run(path, "verify", str(file))
        assert said.code == 1
        assert "; not checked; " in said.out
        assert said.err == "pokersvc: Game nim: only its chain was checked; this pokersvc does not know 'chess'.\n"
    told = json.loads(run(path, "verify", str(file), "--json").out)
    assert (told["verified"], told["checked"], told["fault"]) == (False, False, None)


def test_what_is_found_in_the_chain_of_a_copy_of_an_unknown_kind_is_found(tampered: Tampered, path: Path) -> None:
    file = path.parent / "copy.jsonl"
    lines = _of_kind("chess", exported(EventLog(tampered.database), "nim")).splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], lines[3].replace(b'"n":', b'"n":1'), *lines[4:]]))
    assert run(path, "verify", str(file)).code == 3


def _of_kind(kind: str, content: bytes) -> bytes:
    first, rest = content.split(b"\n", 1)
    return first.replace(b'"kind":"nim"', b'"kind":"%s"' % kind.encode()) + b"\n" + rest


# What a forger can make.


def found_in(game: Game, records: Sequence[Record]) -> Audited:
    """Walk a log as an audit does."""
    result = Audited("forged", game.kind)

    def failed(record: AnyRecord | None, error: Exception) -> None:
        result.fail(error, *((None, None) if record is None else (record.seq, record.type)))

    def report(check: Any, record: AnyRecord | None, found: str, expected: str) -> None:
        result.add(Finding("forged", record and record.seq, record and record.type, check, found, expected))

    walk = Walk(game, report, failed, over=True, ledger=None)
    for record in records:
        walk.follow(record)
    walk.end()
    return result


def check_copy(game: Game, records: Sequence[Record], viewer: Viewer) -> Verification:
    verified = Verification(lines_in(BytesIO(copied(game, records, viewer)), "copy"), "copy")
    list(verified.findings())
    assert verified.fault is None, verified.fault
    return verified


VIEWERS: Final[tuple[Viewer, ...]] = (AUDITOR, AUDITOR, EVERYONE, 1, 2)


def a_forged_game_is_no_mistake_in_the_code(seed: int) -> None:
    """Whatever game is started, and whatever is said where a copy does not show it, nothing fails but the forger."""
    random = Random(seed)
    game, viewer = random.choice(GAMES), random.choice(VIEWERS)
    records = recorded(game, forged_game(game, random, viewer).events)
    if viewer == AUDITOR:
        assert found_in(game, records).fault is None
    check_copy(game, records, viewer)


EXTREME: Final[tuple[Any, ...]] = (0, -1, 1, 6, 53, 2**31, 2**63, 10**12, 10**4299, None, "", "7S", [], {})
"""What may stand in the place of any value of an event."""


def changed(records: list[Record], every: Sequence[Record], random: Random) -> list[Record]:
    """Change a log in one place: what an event says, or which events there are."""
    at = random.randrange(len(records))
    record, (before, after) = records[at], (records[:at], records[at + 1 :])
    match random.randrange(9):
        case 0:
            return [*before, *after]
        case 1:
            return [*before, record, record, *after]
        case 2:
            return [*before, *after[:1], record, *after[1:]]
        case 3:
            return [*before, random.choice(every), record, *after]
        case 4:
            other = random.choice(every)
            return [*before, record._replace(type=other.type, version=other.version), *after]
        case 5 if record.secret is not None:
            return [*before, record._replace(secret=_other(record.secret, random)), *after]
        case _:
            return [*before, record._replace(payload=_other(record.payload, random)), *after]


def _other(text: str, random: Random) -> str:
    value = json.loads(text)
    possible = list(others(value))
    if random.random() < 0.5 and isinstance(value, dict) and value:
        name = random.choice(list(value))
        possible = [{**value, name: extreme} for extreme in EXTREME]
    return json.dumps(random.choice(possible), sort_keys=True, separators=(",", ":")) if possible else text


Logs = dict[str, list[Record]]


@pytest.fixture(scope="module")
def logs(_played: Tampered) -> Logs:
    """Short games of every kind and house."""
    _played.restore()
    return {
        game_id: _played.records(game_id)
        for game_id in (*HOUSES, "people", *[kind for kind in game_kinds() if kind != "draw"])
    }


def a_changed_log_is_no_mistake_in_the_code(logs: Logs, seed: int) -> None:
    random = Random(seed)
    game_id = random.choice(list(logs))
    game = game_of(game_id if game_id in game_kinds() else "draw")
    alike = HOUSES if game.kind == "draw" else (game_id,)
    every = [record for id_ in alike for record in logs[id_]]
    records = logs[game_id][: random.choice([20, 60, 10**6])]
    for _ in range(random.choice([1, 1, 2, 3])):
        records = changed(records, every, random) or records
    records = rehashed([record._replace(game_id="forged") for record in records])
    assert found_in(game, records).fault is None
    check_copy(game, records, random.choice(VIEWERS))


@given(st.integers(0, 2**32))
@settings(max_examples=30)
def test_a_forged_game_is_never_a_mistake_in_the_code(seed: int) -> None:
    a_forged_game_is_no_mistake_in_the_code(seed)


@given(st.integers(0, 2**32))
@settings(max_examples=40)
def test_a_changed_log_is_never_a_mistake_in_the_code(logs: Logs, seed: int) -> None:
    a_changed_log_is_no_mistake_in_the_code(logs, seed)


@pytest.mark.slow
@pytest.mark.no_cover
def test_thousands_of_forged_games_and_changed_logs_are_never_mistakes_in_the_code(
    logs: Logs, measured: Callable[[str], None]
) -> None:
    for seed in range(5_000):
        a_forged_game_is_no_mistake_in_the_code(seed)
    for seed in range(2_000):
        a_changed_log_is_no_mistake_in_the_code(logs, seed)
    measured("Forged games: 5,000, and 2,000 changed logs, none of them taken for a mistake in the code")


def test_a_typed_refusal_is_a_finding(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PokersvcError("No.")

    break_apply(monkeypatch, refuse)
    (audited,) = tampered.audited(CALLING)
    assert (audited.fault, [finding.check for finding in audited.findings]) == (None, ["rules"])
    assert "cannot be followed (rules, deal" in audited.findings[0].found


def test_rules_that_nobody_can_play_are_the_finding_where_following_them_fails() -> None:
    game, seed = game_of("draw"), 0
    said: list[str] = []
    while not said and seed < 3000:
        events, error = forged_game(game, Random(seed), AUDITOR)
        if error is not None:
            said = [f.found for f in found_in(game, recorded(game, events)).findings if "cannot be played" in f.found]
        seed += 1
    assert said, "no forged game fails any more; then nothing has to be asked"
    assert said[0].startswith("rules that cannot be played, by their ")


def test_no_games_are_none_in_one_process_and_in_several(tampered: Tampered, path: Path) -> None:
    assert list(audit(tampered.database, [])) == []
    assert list(audit_in_processes(str(path), 2, [])) == []


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
        "pokersvc.evidence.verification.may_see",
        "pokersvc.evidence.audit.walk.redact",
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
    assert all(one.whole for id_, one in audited.items() if id_ not in ("market", None))
    assert str(audited[None].fault).startswith("The database: not checked from here on, because of a bug")


def test_nor_does_it_end_the_check_of_chains(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    _misspelt(monkeypatch)
    assert all(one.whole for one in audit(tampered.database, only_chain=True))


@pytest.mark.parametrize("broken", ["seeded", "codec"])
def test_a_mistake_in_what_a_game_says_of_itself_is_no_finding(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(type(game_of("draw")), broken, property(lambda _: 1 // 0))
    audited = {one.game_id: one for one in tampered.audited()}
    assert [one.findings for one in audited.values() if one.findings] == []
    assert {CALLING, None} <= {id_ for id_, one in audited.items() if one.fault is not None}
    assert (audited["market"].whole, audited["kalah"].whole) == (True, True)


def test_the_program_exits_with_1_where_a_game_cannot_be_imported(
    path: Path, tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    _misspelt(monkeypatch)
    said = run(path, "audit")
    assert (said.code, said.err) == (1, "pokersvc: 1 game was not checked; its line says why.\n")
    *_, whole = json.loads(run(path, "audit", "--json").out)
    assert (whole["game"], whole["result"], whole["fault"]["error"]) == (None, "not checked", "AttributeError")
    tampered.sql("DELETE FROM events WHERE game_id = 'market'")
    for table in ("games", "game_summaries", "history_entries"):
        tampered.sql(f"DELETE FROM {table} WHERE game_id = 'market'")
    tampered.renumber_positions()
    path.write_bytes(tampered.connection.serialize())
    said = run(path, "audit")
    assert (said.code, said.err) == (
        1,
        "pokersvc: Whether games share seeds was not checked; the line of the database says why.\n",
    )


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
