"""What each of the six checks finds, and how it says so; that an audit goes on after a finding."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from pokersvc.core.actions import Forfeit, Leave
from pokersvc.core.chance import EntropySource
from pokersvc.core.registry import _REGISTRY
from pokersvc.core.seats import HUMAN
from pokersvc.core.setup import Setup
from pokersvc.core.stream import derive
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent, Record
from pokersvc.evidence.audit import Audited, audit
from pokersvc.evidence.audit.judge import MOST_IN_A_ROW
from pokersvc.evidence.audit.report import MOST_FINDINGS
from pokersvc.evidence.findings import Finding
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.service import Service
from pokersvc.service.history import NotRebuilt, rebuild
from tests.sending import send

from ..service.support import act, play_to_the_pause, started
from .played import HOUSES, Tampered, seats

CHOICES = ("Bet", "Called", "Checked", "Folded", "Raised", "CardsDiscarded")


def only(findings: list[Finding], check: str) -> list[Finding]:
    return [finding for finding in findings if finding.check == check]


def forged(tampered: Tampered, game_id: str, type_: str, change: Callable[[Record], Record], which: int = 0) -> int:
    """Change one event of a type, with all hashes made anew and the lists rebuilt; return its number."""
    records = tampered.records(game_id)
    at = [at for at, record in enumerate(records) if record.type == type_][which]
    tampered.rewrite(game_id, [*records[:at], change(records[at]), *records[at + 1 :]])
    return at + 1


def told(**fields: Any) -> Callable[[Record], Record]:
    """Change what everybody may know."""

    def change(record: Record) -> Record:
        return record._replace(payload=_json({**json.loads(record.payload), **fields}))

    return change


def hidden(**fields: Any) -> Callable[[Record], Record]:
    """Change what is secret."""

    def change(record: Record) -> Record:
        assert record.secret is not None
        return record._replace(secret=_json({**json.loads(record.secret), **fields}))

    return change


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


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
    assert all(one.whole for one in audited)


def test_a_game_of_another_kind_is_audited_by_its_contract(tampered: Tampered) -> None:
    (audited,) = tampered.audited("nim")
    assert (audited.kind, audited.known, audited.findings) == ("nim", True, [])
    assert "Forfeited" in {record.type for record in tampered.records("nim")}


@pytest.fixture
def database() -> Any:
    with Database.for_writing(":memory:") as opened:
        yield opened


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
    assert [one.whole for one in (first, *others)] == [False, *(True for _ in others)]
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
        return record._replace(version=1, payload=_json(heap))

    forged(tampered, "nim", "StonesTaken", old)
    assert tampered.audit("nim") == []
    forged(tampered, "nim", "StonesTaken", lambda r: r._replace(payload=r.payload.replace(",", ", ", 1)))
    assert [(f.check, f.expected) for f in tampered.audit("nim")] == [("schema", "canonical JSON")]


# The rules.


def test_an_event_of_the_dealers_equals_what_the_dealer_had_to_do(tampered: Tampered) -> None:
    seq = forged(tampered, "rising-ante", "AntePosted", told(amount=4))
    finding = only(tampered.audit("rising-ante"), "rules")[0]
    assert (finding.seq, finding.found) == (seq, 'AntePosted {"amount":4,"seat":1}')
    assert finding.expected == 'AntePosted {"amount":5,"seat":1}'


def test_a_choice_is_one_that_was_allowed(tampered: Tampered) -> None:
    seq = forged(tampered, "fixed-limit", "Raised", told(to=5))
    finding = only(tampered.audit("fixed-limit"), "rules")[0]
    assert finding.seq == seq
    assert finding.found.startswith('Raised {"amount"')
    assert "cannot raise to 5 now; the choices are to call" in finding.expected


def test_a_choice_out_of_turn_is_found_and_the_game_is_followed_no_further(tampered: Tampered) -> None:
    other = {1: 2, 2: 3, 3: 1}
    seq = forged(tampered, "fixed-limit", "Called", lambda r: told(seat=other[json.loads(r.payload)["seat"]])(r))
    first, second = only(tampered.audit("fixed-limit"), "rules")
    assert (first.seq, second.seq) == (seq, seq)
    assert "cannot act now" in first.expected
    assert "cannot be followed" in second.found


def test_what_is_behind_an_event_that_cannot_be_followed_is_still_read(tampered: Tampered) -> None:
    seq = forged(tampered, "fixed-limit", "Called", told(seat=99))
    tampered.sql("UPDATE events SET payload = '{}' WHERE game_id = 'fixed-limit' AND seq > ?", [seq])
    findings = tampered.audit("fixed-limit")
    later = set(range(seq + 1, len(tampered.records("fixed-limit")) + 1))
    assert {f.seq for f in only(findings, "schema")} == {f.seq for f in only(findings, "chain")} == later
    assert {f.seq for f in findings if f.check in ("rules", "money", "deal")} == {seq}


def test_a_missing_event_of_the_dealers_is_one_finding(tampered: Tampered) -> None:
    records = tampered.records("rising-ante")
    at = next(at for at, record in enumerate(records) if record.type == "AntePosted")
    tampered.rewrite("rising-ante", records[:at] + records[at + 1 :])
    with pytest.raises(NotRebuilt, match=f"game rising-ante cannot be replayed from event {at + 3} on"):
        rebuild(tampered.database)
    rules = only(tampered.audit("rising-ante"), "rules")
    assert [(f.seq, f.expected) for f in rules] == [(at + 1, 'AntePosted {"amount":5,"seat":1}')]


def test_nothing_comes_after_the_end(tampered: Tampered) -> None:
    records = tampered.records("nim")
    tampered.rewrite("nim", [*records, records[2]])
    assert only(tampered.audit("nim"), "rules")[0].expected == "nothing, the game is over"


def test_a_log_ends_where_a_command_may(tampered: Tampered) -> None:
    records = tampered.records("no-limit")
    tampered.rewrite("no-limit", records[:4])
    rebuild(tampered.database)
    assert [(f.seq, f.found, f.expected) for f in tampered.audit("no-limit")] == [
        (None, "the end of the log", "DeckShuffled, which the rules require next")
    ]


def test_a_person_leaves_between_rounds_and_nowhere_else(tampered: Tampered) -> None:
    records = tampered.records("people")
    at = next(at for at, record in enumerate(records) if record.type == "PlayerLeft")
    leaving = records[at]
    tampered.rewrite("people", [*records[: at - 3], leaving, *records[at - 3 : at], *records[at + 1 :]])
    assert any(f.found.startswith("PlayerLeft") for f in only(tampered.audit("people"), "rules"))


def test_a_program_cannot_leave_and_a_person_cannot_forfeit(tampered: Tampered) -> None:
    forged(tampered, "people", "PlayerLeft", told(seat=2))
    assert only(tampered.audit("people"), "rules")[0].found.startswith('PlayerLeft {"amount":0')

    tampered.restore()
    records = tampered.records("people")
    at = next(at for at, r in enumerate(records) if r.type in CHOICES and json.loads(r.payload)["seat"] == 1)
    forfeit = records[at]._replace(type="Forfeited", payload='{"code":"timeout","seat":1}', secret=None, salt=None)
    tampered.rewrite("people", [*records[:at], forfeit, *records[at + 1 :]])
    assert "is a person, and is asked again" in only(tampered.audit("people"), "rules")[0].expected


def test_seats_have_names_of_their_own(tampered: Tampered) -> None:
    same = [{"kind": "random", "name": name} for name in ("Ann", "ann", "Cy")]
    forged(tampered, "no-limit", "GameStarted", told(seats=same))
    assert "every seat needs a different name" in only(tampered.audit("no-limit"), "rules")[0].expected


@pytest.mark.parametrize("seat", [0, 4, 10**12, -1])
def test_events_of_seats_that_are_not_there_break_nothing(tampered: Tampered, seat: int) -> None:
    for type_ in ("BlindPosted", "HandDealt", "Called", "Folded"):
        tampered.restore()
        seq = forged(tampered, "no-limit", type_, told(seat=seat))
        assert any(f.seq == seq for f in tampered.audit("no-limit"))


def test_absurd_numbers_take_no_memory(tampered: Tampered) -> None:
    for type_, change in (("HandDealt", told(count=10**12)), ("RoundStarted", told(button=10**12))):
        tampered.restore()
        seq = forged(tampered, "no-limit", type_, change)
        assert only(tampered.audit("no-limit"), "rules" if type_ == "RoundStarted" else "deal")[0].seq == seq


def test_a_game_that_is_not_like_the_rules_at_all_is_not_followed_to_its_end(
    tampered: Tampered, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_IN_A_ROW == 20
    monkeypatch.setattr("pokersvc.evidence.audit.judge.MOST_IN_A_ROW", 3)
    ((game_id,),) = tampered.sql("SELECT DISTINCT game_id FROM events WHERE type = 'DeckReshuffled'")
    seq = forged(tampered, game_id, "DeckShuffled", hidden(seed="00" * 32))
    findings = [f for f in tampered.audit(game_id) if f.check in ("rules", "deal", "money")]
    assert [f.seq for f in findings] == [seq, *range(seq + 1, seq + 5), seq + 4]
    assert "cannot be followed" in findings[-1].found


# The deal.


def test_dealt_cards_are_those_of_the_recorded_seed(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "HandDealt", hidden(cards=["Ah", "Kh", "Qh", "Jh", "Th"]))
    finding = only(tampered.audit("no-limit"), "deal")[0]
    assert (finding.seq, finding.type) == (seq, "HandDealt")
    assert '["Ah","Kh","Qh","Jh","Th"]' in finding.found
    assert finding.expected.startswith('the secret {"cards":[')


def test_another_seed_gives_other_cards(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "DeckShuffled", hidden(seed="00" * 32))
    deal = only(tampered.audit("no-limit"), "deal")
    assert [finding.seq for finding in deal[:3]] == [seq, seq + 1, seq + 2]


def test_the_seeds_of_a_reproducible_game_follow_from_its_text(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "DeckShuffled", hidden(seed="00" * 32))
    finding = only(tampered.audit("no-limit"), "deal")[0]
    assert (finding.seq, finding.found) == (seq, f"the seed {'00' * 32}")
    expected = derive(b"no-limit", "deck", 1).hex()
    assert finding.expected == f"the seed {expected}, which follows from the text of the game's seed"


def test_the_secret_of_a_reproducible_game_follows_from_its_text(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "GameStarted", hidden(entropy={"secret": "00" * 32, "text": "no-limit"}))
    assert only(tampered.audit("no-limit"), "deal")[0].expected == "the secret that follows from the text of its seed"


def test_a_game_says_in_public_whether_it_is_reproducible(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "GameStarted", told(reproducible=False))
    assert only(tampered.audit("no-limit"), "deal")[0].found == "a game that is not reproducible"


def test_a_shuffle_that_is_not_known_is_found(tampered: Tampered) -> None:
    forged(tampered, "no-limit", "GameStarted", told(shuffle=2))
    assert only(tampered.audit("no-limit"), "deal")[0].found == "shuffle 2"


def test_openers_and_reshuffles_follow_from_the_seed(tampered: Tampered) -> None:
    seq = forged(tampered, "buy-the-pot", "OpenerChosen", lambda r: told(seat=json.loads(r.payload)["seat"] % 3 + 1)(r))
    assert only(tampered.audit("buy-the-pot"), "deal")[0].seq == seq
    ((reshuffled,),) = tampered.sql("SELECT DISTINCT game_id FROM events WHERE type = 'DeckReshuffled'")
    seq = forged(tampered, reshuffled, "DeckReshuffled", told(count=3))
    assert only(tampered.audit(reshuffled), "deal")[0].seq == seq


def test_a_hand_is_shown_as_it_was_dealt(tampered: Tampered) -> None:
    seq = forged(tampered, "pot-limit", "HandShown", told(cards=["Ah", "Kh", "Qh", "Jh", "Th"]))
    finding = only(tampered.audit("pot-limit"), "rules")[0]
    assert (finding.seq, finding.type) == (seq, "HandShown")


def test_secrets_are_told_of_games_that_are_over_only(tampered: Tampered) -> None:
    royal = ["Ah", "Kh", "Qh", "Jh", "Th"]
    records = tampered.records("no-limit")
    at = next(at for at, record in enumerate(records) if record.type == "HandDealt")
    cut = [*records[:at], hidden(cards=royal)(records[at]), *records[at + 1 : at + 3]]
    tampered.rewrite("no-limit", cut)
    tampered.sql("UPDATE game_summaries SET outcome = NULL, rounds = 0 WHERE game_id = 'no-limit'")
    finding = only(tampered.audit("no-limit"), "deal")[0]
    assert finding.seq == at + 1
    assert "with another secret" in finding.found
    assert "cards" not in str(finding)
    tampered.rewrite("no-limit", [*records[: at - 1], hidden(seed="00" * 32)(records[at - 1])])
    assert "00000" not in "".join(map(str, tampered.audit("no-limit")))


def test_without_its_seed_a_deck_is_not_followed(tampered: Tampered) -> None:
    for change in (hidden(seed="00"), lambda record: record._replace(secret=None, salt=None)):
        tampered.restore()
        seq = forged(tampered, "no-limit", "DeckShuffled", change)
        findings = tampered.audit("no-limit")
        assert {finding.seq for finding in findings} == {seq}
        assert "cannot be followed" in findings[-1].found


def test_a_ledger_that_cannot_be_printed_is_no_finding(tampered: Tampered) -> None:
    def closed(game_id: str, page: Any) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        list(audit(tampered.database, ["people"], ledger=closed))


# The money.


def test_chips_are_paid_out_of_pots_that_have_them(tampered: Tampered) -> None:
    def more(record: Record) -> Record:
        (share,) = json.loads(record.payload)["shares"]
        return told(shares=[{**share, "amount": share["amount"] + 7}])(record)

    seq = forged(tampered, "no-limit", "PotAwarded", more)
    money = only(tampered.audit("no-limit"), "money")
    assert money[0].seq == seq
    assert "paid from pot 1" in money[0].found


def test_nobody_puts_in_more_than_they_have(tampered: Tampered) -> None:
    seq = forged(tampered, "people", "Called", told(amount=5000))
    money = only(tampered.audit("people"), "money")
    assert (money[0].seq, money[0].expected) == (seq, "at most the stack, 1004")


def test_final_stacks_are_what_was_paid(tampered: Tampered) -> None:
    seq = forged(tampered, "people", "GameEnded", told(stacks=[1, 2, 3]))
    money = only(tampered.audit("people"), "money")
    assert (money[0].seq, money[0].found) == (seq, "final stacks 1 2 3")


def test_a_returned_bet_is_what_nobody_matched(tampered: Tampered) -> None:
    seq = forged(tampered, "no-limit", "UncalledBetReturned", told(amount=1))
    assert any(f.seq == seq and "returned to" in f.found for f in only(tampered.audit("no-limit"), "money"))


def test_a_remainder_is_what_did_not_divide(tampered: Tampered) -> None:
    ((game_id,),) = tampered.sql("SELECT DISTINCT game_id FROM events WHERE type = 'RemainderCarried'")
    seq = forged(tampered, game_id, "RemainderCarried", told(amount=2))
    money = only(tampered.audit(game_id), "money")
    assert (money[0].seq, money[0].found, money[0].expected) == (seq, "2 carried", "1, which did not divide")


def test_the_stones_of_nim_are_counted(tampered: Tampered) -> None:
    seq = forged(tampered, "nim", "StonesTaken", told(stones=9))
    assert any(f.seq == seq and "stones taken from pile" in f.found for f in only(tampered.audit("nim"), "money"))


def test_books_and_state_are_compared_at_every_event(tampered: Tampered, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(type(DRAW_POKER.books(DRAW_POKER.start(_any_setup())))):  # type: ignore[misc]  # found at run time
        def post(self, event: Any) -> Any:
            return () if type(event).__name__ == "Called" else super().post(event)

    monkeypatch.setattr(type(DRAW_POKER), "books", lambda self, started: Forgetful(started))
    first, *others = only(tampered.audit("people"), "money")
    assert first.type == "Called"
    assert not any("in the pot" in other.expected for other in others), "once apart, they stay apart"
    assert first.found.startswith("stacks ")
    assert first.expected.endswith(" in the pot")


def _any_setup() -> Setup:
    return Setup(seats("random", "random"), EntropySource.fresh())


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
    assert audited.untold == {"chain": 5}


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
