"""The findings of the chain and schema checks, and that an audit continues after a finding."""

import json

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent, Record
from pokersvc.evidence.audit import audit

from .forged import canonical, forged, only
from .played import Tampered

# The chain.


def test_each_thing_found_names_the_game_the_event_its_type_and_both_values(tampered: Tampered) -> None:
    tampered.sql("UPDATE events SET hash = zeroblob(32) WHERE game_id = 'nim' AND seq = 3")
    finding = only(tampered.audit("nim"), "chain")[0]
    record = tampered.records("nim")[2]
    assert finding[:4] == ("nim", 3, record.type, "chain")
    assert finding.found == f"the hash {'00' * 32}"
    assert str(finding).startswith(f"Game nim, event 3 ({record.type}): found the hash 000")


def test_an_audit_goes_on_behind_a_break_of_the_chain(tampered: Tampered) -> None:
    for seq in (4, 9):
        tampered.sql("UPDATE events SET recorded_at = ? WHERE game_id = 'nim' AND seq = ?", ["2" * 27, seq])
    assert [f.seq for f in only(tampered.audit("nim"), "chain") if "hash" in f.found] == [4, 9]


@pytest.mark.parametrize("id_", ["CAST(game_id AS BLOB)", "NULL", "CAST(x'ff41' AS TEXT)"])
def test_an_id_that_is_no_text_is_found_and_no_game_is_left_out(tampered: Tampered, id_: str) -> None:
    tampered.without_constraints()
    tampered.sql(f"INSERT INTO games SELECT {id_}, kind, count, head FROM games LIMIT 1")
    ids = [game_id for (game_id,) in tampered.sql("SELECT game_id FROM events GROUP BY game_id")]
    audited = tampered.audited()
    assert [one.game_id for one in audited if one.game_id is not None] == ids
    assert "as the id of a game where there should be a text" in str([*map(str, only(tampered.audit(), "chain"))])


@pytest.mark.parametrize("column", ["kind", "count", "head"])
def test_a_row_of_games_that_cannot_be_read_is_found_and_no_game_is_left_out(tampered: Tampered, column: str) -> None:
    tampered.without_constraints()
    tampered.sql(f"UPDATE games SET {column} = CAST(x'ff41' AS TEXT) WHERE game_id = (SELECT min(game_id) FROM games)")
    first, *others, database = tampered.audited()
    assert len(others) + 1 == len(tampered.sql("SELECT 1 FROM game_summaries"))
    assert [one.passed for one in (first, *others)] == [False, *(True for _ in others)]
    assert database.game_id is None


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("games", "two rows in the games table"),
        ("game_summaries", "two lines in the list of games"),
        ("history_entries", "line 1 of the history"),
        ("events", "event 1 of game nim"),
    ],
)
def test_a_row_that_is_there_twice_is_found(tampered: Tampered, table: str, found: str) -> None:
    tampered.without_keys(table)
    tampered.sql(f"INSERT INTO {table} SELECT * FROM {table} WHERE game_id = 'nim' LIMIT 1")
    assert found in [finding.found for finding in tampered.audit("nim")]


def test_an_event_that_is_there_twice_and_no_text_once_is_found(tampered: Tampered) -> None:
    tampered.without_keys("events")
    tampered.sql("INSERT INTO events SELECT * FROM events WHERE game_id = 'nim' AND seq = 3")
    tampered.sql("UPDATE events SET payload = CAST(x'ff41' AS TEXT) WHERE rowid = (SELECT max(rowid) FROM events)")
    found = [finding.found for finding in only(tampered.audit("nim"), "chain")]
    assert "event 3 of game nim" in found
    (audited,) = tampered.audited("nim")
    assert [(audited.events,)] == tampered.sql("SELECT count(*) FROM events WHERE game_id = 'nim'")


def test_findings_in_several_games_are_all_told(tampered: Tampered) -> None:
    tampered.sql("UPDATE events SET payload = '{}' WHERE seq = 2")
    ids = {game_id for (game_id,) in tampered.sql("SELECT game_id FROM games")}
    assert {finding.game_id for finding in tampered.audit()} == ids


def test_count_and_head_in_the_games_table_are_those_of_the_events(tampered: Tampered) -> None:
    tampered.sql("UPDATE games SET count = count + 1 WHERE game_id = 'nim'")
    tampered.sql("UPDATE games SET head = zeroblob(32) WHERE game_id = 'no-limit'")
    count, head = tampered.audit("nim", "no-limit")
    assert (count.found, count.expected) == ("the end after 19 events", "20 events")
    assert head.found.startswith("the head 0000")


def test_the_kind_in_the_games_table_is_the_one_that_the_first_event_says(tampered: Tampered) -> None:
    tampered.sql("UPDATE games SET kind = 'nim' WHERE game_id = 'no-limit'")
    (audited,) = tampered.audited("no-limit")
    assert [(f.check, f.found, f.expected) for f in audited.findings] == [
        ("chain", "the kind 'nim' in the games table", "'draw'")
    ]
    assert audited.kind == "draw"


def test_of_an_unknown_kind_the_chain_is_checked_and_nothing_else(database: Database) -> None:
    EventLog(database).append("chess", [NewEvent("Moved", 1, "{}")], expected=0, command_id="c", kind="chess")
    game, _ = audit(database)
    assert (game.known, game.kind, game.events, game.findings) == (False, "chess", 1, [])


def test_events_of_no_game_and_games_without_events_are_found(tampered: Tampered) -> None:
    tampered.sql("UPDATE events SET game_id = 'nowhere' WHERE game_id = 'nim'")
    found = {finding.game_id: finding.found for finding in only(tampered.audit(), "chain")}
    assert found == {"nowhere": "19 events of a game that is not in the games table", "nim": "the end after 0 events"}


def test_a_row_out_of_its_place_is_found(tampered: Tampered) -> None:
    first = tampered.records("nim")[0]
    position = tampered.sql("SELECT position FROM events WHERE game_id = 'nim' AND seq = 1")[0][0]
    tampered.sql("UPDATE events SET position = 9999 WHERE hash = ?", [first.hash])
    findings = tampered.audit()
    assert (findings[0].seq, findings[0].found) == (2, "a row before that of an earlier event")
    assert f"events at positions {'2' if position == 1 else '1'} to 9999" in only(findings, "storage")[0].found


def test_events_of_one_command_have_one_moment(tampered: Tampered) -> None:
    later = forged(
        tampered, "no-limit", "BlindPosted", lambda r: r._replace(recorded_at="2030-01-01T00:00:00.000000Z"), 1
    )
    moments = only(tampered.audit("no-limit"), "chain")
    assert [finding.seq for finding in moments] == [later, later + 1]
    assert moments[0].expected == "that of the event before it, which is of the same command"


@pytest.mark.parametrize("moment", ["2026-13-45T99:99:99.0000000", "yesterday, or so it is said", "2" * 27])
def test_a_moment_has_its_form(tampered: Tampered, moment: str) -> None:
    records = [record._replace(recorded_at=moment) for record in tampered.records("nim")]
    tampered.rewrite("nim", records)
    assert only(tampered.audit("nim"), "chain")[0].found == f"the moment {moment!r}"


# The schema.


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ('{"seat":2,"amount":1,"blind":"small"}', 'canonical JSON, {"amount":1,"blind":"small","seat":2}'),
        ('{"amount": 1,"blind":"small","seat":2}', 'canonical JSON, {"amount":1,"blind":"small","seat":2}'),
        ('{"amount":1,"blind":"small","seat":true}', "an event that can be read ("),
        ('{"amount":1,"blind":"small"}', "an event that can be read ("),
        ('{"amount":1,"blind":"small","note":"","seat":2}', "an event that can be read ("),
        ("[[[[[[", "an event that can be read ("),
    ],
)
def test_a_payload_is_valid_and_canonical_to_the_byte(tampered: Tampered, payload: str, expected: str) -> None:
    seq = forged(tampered, "no-limit", "BlindPosted", lambda r: r._replace(payload=payload))
    finding = only(tampered.audit("no-limit"), "schema")[0]
    assert (finding.seq, finding.type) == (seq, "BlindPosted")
    assert finding.expected.startswith(expected)


def test_an_event_that_is_only_written_otherwise_is_one_finding(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "RoundEnded", lambda r: r._replace(payload=r.payload.replace(":", ": ")))
    assert [finding.check for finding in tampered.audit("no-limit")] == ["schema"]


def test_a_secret_is_there_where_the_event_has_one(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "HandDealt", lambda r: r._replace(secret=None, salt=None))
    found = [(f.check, f.found, f.expected) for f in tampered.audit("no-limit")]
    assert ("schema", "no secret", "the secret of a HandDealt") in found


def test_an_event_of_an_old_version_is_canonical_in_its_own(tampered: Tampered) -> None:
    def old(record: Record) -> Record:
        taken = json.loads(record.payload)
        heap = {"heap": taken["pile"] - 1, "seat": taken["seat"], "stones": taken["stones"]}
        return record._replace(version=1, payload=canonical(heap))

    forged(tampered, "nim", "StonesTaken", old)
    assert tampered.audit("nim") == []
    forged(tampered, "nim", "StonesTaken", lambda r: r._replace(payload=r.payload.replace(",", ", ", 1)))
    assert [(f.check, f.expected) for f in tampered.audit("nim")] == [("schema", "canonical JSON")]
