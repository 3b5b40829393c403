"""Audits of intact games and of read models, and how an audit reports findings."""

import pytest

from pokersvc.core.actions import Forfeit, Leave
from pokersvc.core.registry import _REGISTRY, game_kinds
from pokersvc.core.seats import HUMAN
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import Audited, audit
from pokersvc.evidence.audit.report import MOST_FINDINGS
from pokersvc.evidence.findings import Finding
from pokersvc.service import Service
from tests.sending import send

from ..service.support import act, play_to_the_pause, started
from .forged import only
from .played import HOUSES, Tampered

# Whole games.


@pytest.mark.parametrize("house", HOUSES)
def test_a_game_of_every_house_is_whole(tampered: Tampered, house: str) -> None:
    (audited,) = tampered.audited(house)
    assert (audited.game_id, audited.kind, audited.known, audited.over) == (house, "draw", True, True)
    assert audited.events == len(tampered.records(house))
    assert audited.findings == []


def test_all_games_and_the_database_itself_are_whole(tampered: Tampered) -> None:
    audited = tampered.audited()
    ids = [game_id for (game_id,) in tampered.sql("SELECT game_id FROM games ORDER BY game_id")]
    assert [one.game_id for one in audited] == [*ids, None]
    assert all(one.passed for one in audited)


def test_a_game_of_every_kind_is_audited(tampered: Tampered) -> None:
    assert {audited.kind for audited in tampered.audited() if audited.game_id is not None} == set(game_kinds())


def test_a_game_of_another_kind_is_audited_by_its_contract(tampered: Tampered) -> None:
    (audited,) = tampered.audited("nim")
    assert (audited.kind, audited.known, audited.findings) == ("nim", True, [])
    assert "Forfeited" in {record.type for record in tampered.records("nim")}


def test_a_game_with_fresh_seeds_is_whole_at_every_command(database: Database) -> None:
    service = Service(EventLog(database))
    game_id = started(service, HUMAN, "minimum", rounds=2, text=None)
    while service.status(game_id).outcome is None:
        (audited,) = audit(database, [game_id])
        assert (audited.findings, audited.over) == ([], False)
        act(service, game_id) if not service.status(game_id).pausing else service.go_on(game_id)
    (audited,) = audit(database, [game_id])
    assert (audited.findings, audited.over) == ([], True)


def test_a_person_may_leave_between_rounds_and_a_program_may_forfeit(database: Database) -> None:
    service = Service(EventLog(database))
    game_id = started(service, HUMAN, "minimum", "minimum")
    play_to_the_pause(service, game_id)
    service.act(game_id, Leave(1))
    send(service, game_id, Forfeit(2, "illegal"))
    assert [one.findings for one in audit(database)] == [[], []]


# The read models.


def test_lists_and_histories_say_what_the_events_say(tampered: Tampered) -> None:
    tampered.sql("UPDATE history_entries SET facts = '{}' WHERE game_id = 'people' AND number = 1")
    tampered.sql("DELETE FROM history_entries WHERE game_id = 'people' AND number = 2")
    tampered.sql("INSERT INTO history_entries VALUES ('people', 99, 1, '{}')")
    tampered.sql("UPDATE history_entries SET seq = 7 WHERE game_id = 'people' AND number = 3")
    tampered.sql("""UPDATE game_summaries SET facts = '{"house":"chess"}' WHERE game_id = 'people'""")
    findings = tampered.audit("people")
    assert {finding.check for finding in findings} == {"read_models"}
    assert [finding.found for finding in findings] == [
        "no line 2 of the history",
        "line 3 of the history at event 7",
        "{} in the history",
        "line 2 of the history as it was before",
        "line 99 of the history",
        'facts {"house":"chess"} in the list of games',
    ]


def test_a_line_is_at_the_event_that_told_it_last(tampered: Tampered) -> None:
    last = tampered.records("people")[-1].seq
    tampered.sql("UPDATE history_entries SET seq = seq + 1 WHERE game_id = 'people' AND number = 1")
    tampered.sql(f"UPDATE history_entries SET seq = {last} WHERE game_id = 'no-limit' AND number = 1")
    (told_again,) = tampered.audit("people")
    (told_once,) = tampered.audit("no-limit")
    number, _, where = told_again.found.partition(" of the history at event ")
    assert (number, told_again.expected) == ("line 1", f"at event {int(where) - 1}")
    assert told_once.found == f"line 1 of the history at event {last}"
    assert told_once.expected == f"at event {told_once.seq}"


def test_a_text_that_is_no_text_in_the_lists_is_found(tampered: Tampered) -> None:
    tampered.sql("UPDATE history_entries SET facts = CAST(x'ff' AS TEXT) WHERE game_id = 'people' AND number = 1")
    assert tampered.audit("people")[0].found == "a text that is not UTF-8 in the lists"


def test_rows_in_the_lists_without_a_game_are_found(tampered: Tampered) -> None:
    tampered.sql("INSERT INTO history_entries VALUES ('nowhere', 1, 1, '{}')")
    assert [(f.game_id, f.found) for f in only(tampered.audit(), "read_models")] == [
        ("nowhere", "a row in history_entries")
    ]


# How much is told.


def test_of_findings_without_end_the_first_thousand_are_told_and_the_others_counted() -> None:
    audited = Audited("game")
    for seq in range(MOST_FINDINGS + 5):
        audited.add(Finding("game", seq, None, "chain", "a", "b"))
    audited.add(Finding("game", None, None, "money", "a", "b"))
    assert (len(audited.findings), audited.count) == (MOST_FINDINGS + 1, MOST_FINDINGS + 6)
    assert audited.not_shown == {"chain": 5}


def test_the_chain_alone_can_be_checked(tampered: Tampered) -> None:
    tampered.sql("UPDATE history_entries SET facts = '{}' WHERE game_id = 'people'")
    (audited,) = audit(tampered.database, ["people"], only_chain=True)
    assert audited.findings == []
    assert audited.events == len(tampered.records("people"))


def test_progress_counts_every_event(tampered: Tampered) -> None:
    counts: list[int] = []
    list(audit(tampered.database, progress=counts.append))
    assert sum(counts) == tampered.sql("SELECT count(*) FROM events")[0][0]


def test_another_programs_kind_of_game_leaves_the_audit_as_it_is(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = {kind: game for kind, game in _REGISTRY.items() if kind != "nim"}
    monkeypatch.setattr("pokersvc.core.registry._REGISTRY", without)
    (nim,) = tampered.audited("nim")
    assert (nim.known, nim.findings) == (False, [])
