"""The findings of the rules check."""

import json

import pytest

from pokersvc.evidence.audit.judge import MOST_IN_A_ROW
from pokersvc.service.read_models.history import NotRebuilt, rebuild

from .forged import forged, hidden, only, public
from .played import Tampered

CHOICES = ("Bet", "Called", "Checked", "Folded", "Raised", "CardsDiscarded")


# The rules.


def test_an_event_of_the_dealers_equals_what_the_dealer_had_to_do(tampered: Tampered) -> None:
    seq = forged(tampered, "rising-ante", "AntePosted", public(amount=4))
    finding = only(tampered.audit("rising-ante"), "rules")[0]
    assert (finding.seq, finding.found) == (seq, 'AntePosted {"amount":4,"seat":1}')
    assert finding.expected == 'AntePosted {"amount":5,"seat":1}'


def test_a_choice_is_one_that_was_allowed(tampered: Tampered) -> None:
    seq = forged(tampered, "fixed-limit", "Raised", public(to=5))
    finding = only(tampered.audit("fixed-limit"), "rules")[0]
    assert finding.seq == seq
    assert finding.found.startswith('Raised {"amount"')
    assert "cannot raise to 5 now; the choices are to call" in finding.expected


def test_a_choice_out_of_turn_is_found_and_the_game_is_followed_no_further(tampered: Tampered) -> None:
    other = {1: 2, 2: 3, 3: 1}
    seq = forged(tampered, "fixed-limit", "Called", lambda r: public(seat=other[json.loads(r.payload)["seat"]])(r))
    first, second = only(tampered.audit("fixed-limit"), "rules")
    assert (first.seq, second.seq) == (seq, seq)
    assert "cannot act now" in first.expected
    assert "cannot be followed" in second.found


def test_what_is_behind_an_event_that_cannot_be_followed_is_still_read(tampered: Tampered) -> None:
    seq = forged(tampered, "fixed-limit", "Called", public(seat=99))
    tampered.sql("UPDATE events SET payload = '{}' WHERE game_id = 'fixed-limit' AND seq > ?", [seq])
    findings = tampered.audit("fixed-limit")
    later = set(range(seq + 1, len(tampered.records("fixed-limit")) + 1))
    assert {f.seq for f in only(findings, "schema")} == {f.seq for f in only(findings, "chain")} == later
    assert {f.seq for f in findings if f.check in ("rules", "money", "deal")} == {seq}


def test_a_missing_event_of_the_dealers_is_one_finding(tampered: Tampered) -> None:
    records = tampered.records("rising-ante")
    at = next(at for at, record in enumerate(records) if record.type == "AntePosted")
    tampered.rewrite("rising-ante", records[:at] + records[at + 1 :])
    with pytest.raises(NotRebuilt, match=f"game rising-ante cannot be read from event {at + 3} on"):
        rebuild(tampered.database)
    rules = only(tampered.audit("rising-ante"), "rules")
    assert [(f.seq, f.expected) for f in rules] == [(at + 1, 'AntePosted {"amount":5,"seat":1}')]


def test_nothing_comes_after_the_end(tampered: Tampered) -> None:
    records = tampered.records("nim")
    tampered.rewrite("nim", [*records, records[2]])
    assert only(tampered.audit("nim"), "rules")[0].expected == "nothing, as the game is over"


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
    forged(tampered, "people", "PlayerLeft", public(seat=2))
    assert only(tampered.audit("people"), "rules")[0].found.startswith('PlayerLeft {"amount":0')

    tampered.restore()
    records = tampered.records("people")
    at = next(at for at, r in enumerate(records) if r.type in CHOICES and json.loads(r.payload)["seat"] == 1)
    forfeit = records[at]._replace(type="Forfeited", payload='{"code":"timeout","seat":1}', secret=None, salt=None)
    tampered.rewrite("people", [*records[:at], forfeit, *records[at + 1 :]])
    assert "is a person, and is asked again" in only(tampered.audit("people"), "rules")[0].expected


def test_seats_have_names_of_their_own(tampered: Tampered) -> None:
    same = [{"kind": "random", "name": name} for name in ("Ann", "ann", "Cy")]
    forged(tampered, "no-limit", "GameStarted", public(seats=same))
    assert "every seat needs a different name" in only(tampered.audit("no-limit"), "rules")[0].expected


@pytest.mark.parametrize("seat", [0, 4, 10**12, -1])
def test_events_of_seats_that_are_not_there_break_nothing(tampered: Tampered, seat: int) -> None:
    for type_ in ("BlindPosted", "HandDealt", "Called", "Folded"):
        tampered.restore()
        seq = forged(tampered, "no-limit", type_, public(seat=seat))
        assert any(f.seq == seq for f in tampered.audit("no-limit"))


def test_absurd_numbers_take_no_memory(tampered: Tampered) -> None:
    for type_, change in (("HandDealt", public(count=10**12)), ("RoundStarted", public(button=10**12))):
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
