"""Findings in changed exports: single changed lines, and completely forged files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import secret_digest
from pokersvc.evidence.jsonl import InvalidFile, line_of
from pokersvc.evidence.verification import Known
from pokersvc.service import Service

from .rewritten import changed, events_in, rechained
from .support import checks, exported, findings, lines, tampered, verification


@pytest.mark.parametrize(
    ("seq", "members", "check", "said"),
    [
        (2, {"payload": '{"ante":6,"button":null,"round":1}'}, "chain", "event 2 (RoundStarted): found the hash"),
        (2, {"recorded_at": "2026-01-31T12:00:00.000000Z"}, "chain", "event 2"),
        (2, {"type": "RoundEnded"}, "chain", "event 2 (RoundEnded): found the hash"),
        (2, {"n": 3}, "chain", "found n = 3 where there should be n = 2"),
        (2, {"seq": 3}, "chain", "found event 3 of game finished where there should be event 2 of game finished"),
        (2, {"hash": "00" * 32}, "chain", "found the hash 0000"),
        (1, {"digest": "00" * 32}, "chain", "event 1 (GameStarted)"),
        (1, {"digest": None}, "chain", "event 1 (GameStarted)"),
        (0, {"game": "another"}, "chain", "Game another, event 1"),
        (0, {"head": "00" * 32}, "chain", "as the first line says"),
        (0, {"count": 7}, "chain", "7, as the first line says"),
        (0, {"as": 1}, "export", "found no opened secret where there should be what the first line says"),
        (0, {"opened": [1]}, "export", "found no opened secret"),
        (0, {"opened": [2]}, "export", "found 0 opened secrets where there should be the 1 that the first line names"),
    ],
)
def test_what_was_changed_is_found(played: EventLog, seq: int, members: dict[str, Any], check: str, said: str) -> None:
    found = findings(changed(exported(played, "finished"), seq, **members))
    assert check in checks(found)
    assert said in "\n".join(map(str, found))


def test_an_export_that_lacks_lines_is_found(played: EventLog) -> None:
    content = lines(exported(played, "finished"))
    (found,) = findings(b"".join(content[:-3]))
    assert found.found == f"the end after {len(content) - 4} events"
    assert found.expected == f"{len(content) - 1}, as the first line says"
    assert checks(findings(b"".join(content[:5] + content[6:]))) == ["chain"]
    assert checks(findings(b"".join([*content[:5], content[6], content[5], *content[7:]]))) == ["chain"]
    assert checks(findings(b"".join([*content, content[-1]]))) == ["chain"]


def test_a_chain_that_was_made_anew_is_found_by_a_head_from_elsewhere(played: EventLog) -> None:
    content = exported(played, "finished")
    head = played.head("finished")
    assert head is not None

    def later(events: list[dict[str, Any]]) -> None:
        for event in events:
            if event["command_id"] == events[-1]["command_id"]:
                event["recorded_at"] = "2030-01-31T12:00:00.000000Z"

    forged = rechained(content, later)
    known = Known(head.hash, "the head that I wrote down")
    assert findings(forged) == []
    (found,) = findings(forged, known)
    assert str(found) == (
        "Game finished: found no such event where there should be one with the head that I wrote down (chain)"
    )
    (found,) = findings(forged, Known(head.hash, "as in a checkpoint", "checkpoint", head.count))
    assert (found.seq, found.check) == (head.count, "checkpoint")
    assert found.expected == f"{head.hash.hex()}, as in a checkpoint"
    assert findings(content, known) == []


def test_a_head_that_was_seen_earlier_is_one_that_the_export_goes_through(played: EventLog) -> None:
    records = list(played.read("finished"))
    verified = verification(
        exported(played, "finished"),
        Known(records[2].hash, "mine"),
        Known(records[4].hash, "a checkpoint", "checkpoint", 5),
    )
    assert list(verified.findings()) == []
    assert sorted(verified.met.values()) == [3, 5]


def test_an_export_shorter_than_a_checkpoint_is_found(played: EventLog) -> None:
    head = played.head("finished")
    assert head is not None
    cut = rechained(exported(played, "finished"), lambda events: events.__delitem__(slice(10, None)))
    (found,) = findings(cut, Known(head.hash, "as in a checkpoint", "checkpoint", head.count))
    assert (found.seq, found.found) == (11, "the end after 10 events")
    assert found.expected == f"{head.count} events, as in a checkpoint"


@pytest.mark.parametrize(
    ("at", "members", "check", "said"),
    [
        (2, {"payload": '{"ante":5,"round":1,"button":null}'}, "schema", "JSON that is not canonical"),
        (2, {"payload": '{"ante": 5,"button":null,"round":1}'}, "schema", "JSON that is not canonical"),
        (2, {"payload": '{"ante":5,"button":null,"extra":1,"round":1}'}, "schema", "what cannot be read"),
        (2, {"payload": '{"ante":5.0,"button":null,"round":1}'}, "schema", "what cannot be read"),
        (2, {"payload": "[" * 100_000}, "schema", "what cannot be read"),
        (2, {"payload": '{"\\u001b[2J' + "x" * 9999 + '":1}'}, "schema", "what cannot be read"),
        (2, {"type": "NoSuchEvent"}, "schema", "is not known to this pokersvc"),
        (2, {"version": 2}, "schema", "is not known to this pokersvc"),
        (3, {"type": "DeckShuffled", "payload": "{}"}, "schema", "found no secret where there should be the secret"),
        (2, {"digest": "00" * 32}, "schema", "found a secret where there should be none"),
        (
            2,
            {"type": "GameEnded", "payload": '{"reason":"rounds","stacks":[1,2],"winners":[2]}'},
            "rules",
            "be RoundStarted {",
        ),
        (3, {"payload": '{"amount":5,"seat":9}'}, "rules", "found the seat 9 where there should be a seat from 1 to 2"),
        (3, {"payload": '{"amount":5,"seat":4611686018427387904}'}, "rules", "a seat from 1 to 2"),
    ],
)
def test_a_forged_chain_is_still_held_to_the_schema_and_to_the_rules(
    played: EventLog, at: int, members: dict[str, Any], check: str, said: str
) -> None:
    def change(events: list[dict[str, Any]]) -> None:
        events[at - 1] |= members

    found = findings(rechained(exported(played, "finished"), change))
    assert check in checks(found)
    assert said in "\n".join(map(str, found))
    assert "\x1b" not in "\n".join(map(str, found))
    assert all(len(str(finding)) < 600 for finding in found)


Change = Callable[[list[dict[str, Any]]], None]


def with_payload(type_: str, **members: Any) -> Change:
    """Return a change of the payload of the first event of a type."""

    def change(events: list[dict[str, Any]]) -> None:
        event = next(event for event in events if event["type"] == type_)
        event["payload"] = line_of({**json.loads(event["payload"]), **members}).decode().rstrip("\n")

    return change


def with_zeros_for_a_seed(events: list[dict[str, Any]]) -> None:
    event = next(event for event in events if event["type"] == "DeckShuffled" and "secret" in event)
    event["secret"] = f'{{"seed":"{"00" * 32}"}}'
    event["digest"] = secret_digest(bytes.fromhex(event["salt"]), event["secret"]).hex()


RICH = [{"amount": 100_060, "seat": 1}]


@pytest.mark.parametrize("viewer", [EVERYONE, 1, AUDITOR])
@pytest.mark.parametrize(
    ("change", "type_", "check", "said"),
    [
        (with_payload("PotAwarded", shares=RICH), "PotAwarded", "money", "found 100060 paid from pot 1 where"),
        (with_payload("AntePosted", amount=500_000), "AntePosted", "money", "found 500000 put in by Ann"),
        (with_payload("AntePosted", amount=6), "AntePosted", "rules", '"amount":5,'),
        (with_payload("Bet", amount=99_999), "Bet", "money", "found 99999 put in by"),
        (with_payload("Bet", amount=99_999), "Bet", "rules", "cannot bet 99999 now"),
        (with_payload("Bet", amount=49), "Bet", "rules", "cannot bet 49 now"),
        (with_payload("Called", amount=49), "Called", "rules", '"amount":50,'),
        (with_payload("GameEnded", winners=[1, 2]), "GameEnded", "rules", '"winners":['),
        (with_payload("RoundStarted", ante=6), "RoundStarted", "rules", '"ante":5'),
    ],
)
def test_chips_and_choices_that_cannot_be_are_found_in_every_copy(
    played: EventLog, viewer: Viewer, change: Change, type_: str, check: str, said: str
) -> None:
    found = findings(rechained(exported(played, "finished", viewer), change))
    assert (type_, check) in [(finding.type, finding.check) for finding in found]
    assert said in "\n".join(map(str, found))


def test_a_deck_that_the_hands_are_not_from_is_found_where_every_secret_is_shown(played: EventLog) -> None:
    found = findings(rechained(exported(played, "finished", AUDITOR), with_zeros_for_a_seed))
    assert "deal" in checks(found)
    assert "HandDealt" in [finding.type for finding in found]


def test_a_choice_while_the_dealer_is_to_act_is_found(played: EventLog) -> None:
    def bet(events: list[dict[str, Any]]) -> None:
        dealt = next(event for event in events if event["type"] == "HandDealt")
        dealt |= {"type": "Checked", "version": 1, "payload": '{"seat":1}'}
        del dealt["digest"]

    (found,) = findings(rechained(exported(played, "finished"), bet))
    assert (found.type, found.check, found.expected) == ("Checked", "rules", "the event that the rules require next")


def test_a_seats_copy_that_does_not_begin_with_the_start_is_found(played: EventLog) -> None:
    def begin_with_a_round(events: list[dict[str, Any]]) -> None:
        events[0] |= {name: events[1][name] for name in ("type", "payload", "version")}
        del events[0]["digest"]

    verified = verification(rechained(exported(played, "finished", 1), begin_with_a_round))
    found = list(verified.findings())
    assert (found[0].check, found[0].expected) == ("rules", "the event that starts a game")
    assert verified.fault is None


def test_an_event_after_the_end_is_found(played: EventLog) -> None:
    def again(events: list[dict[str, Any]]) -> None:
        events.append({**events[-1], "n": events[-1]["n"] + 1})

    for viewer in (EVERYONE, AUDITOR):
        found = findings(rechained(exported(played, "finished", viewer), again))
        assert checks(found)[0] == "rules"
        assert "over" in found[0].expected


def test_an_auditors_copy_that_ends_too_early_is_found(played: EventLog) -> None:
    content = exported(played, "finished", AUDITOR)
    ended = next(line["seq"] for line in events_in(content) if line["type"] == "RoundEnded")
    (found,) = findings(rechained(content, lambda events: events.__delitem__(slice(ended - 1, None))))
    assert (found.seq, found.check, found.found) == (None, "rules", "the end of the log")


def test_an_auditors_copy_without_a_secret_is_found(played: EventLog) -> None:
    content = exported(played, "finished", AUDITOR)
    dealt = next(line["seq"] for line in events_in(content) if line["type"] == "HandDealt")
    (found,) = findings(changed(content, dealt, salt=None, secret=None))
    assert (found.seq, found.check, found.found) == (dealt, "export", "no opened secret")


def test_an_event_of_a_seat_that_is_not_on_turn_is_found(played: EventLog) -> None:
    def swap(events: list[dict[str, Any]]) -> None:
        bet = next(event for event in events if event["type"] == "Bet")
        bet["payload"] = bet["payload"].replace('"seat":1', '"seat":2')

    (found,) = findings(rechained(exported(played, "finished"), swap))
    assert (found.type, found.check) == ("Bet", "rules")
    assert found.expected == "a choice of seat 1"


def test_a_copy_that_says_to_hold_any_number_of_cards_takes_no_memory(played: EventLog) -> None:
    def grow(events: list[dict[str, Any]]) -> None:
        dealt = next(event for event in events if event["type"] == "HandDealt")
        dealt["payload"] = dealt["payload"].replace('"count":5', f'"count":{10**15}')

    findings(rechained(exported(played, "finished"), grow))  # ends, without an error of memory


def test_the_log_itself_is_verified_while_it_is_exported(log: EventLog, path: Path) -> None:
    seats = tuple(Seat("minimum", name) for name in ("Ann", "Bob"))
    Service(log).start("draw", Setup(seats, EntropySource.fresh(), 1), game_id="game")
    tampered(path, "UPDATE events SET payload = replace(payload, '5', '6') WHERE seq = 2")
    with pytest.raises(PokersvcError, match="the log was changed after it was written"):
        exported(log, "game")


@pytest.mark.parametrize("format_", [None, 1, [], "pokersvc/export/2"])
def test_a_first_line_of_another_format_is_no_export(played: EventLog, format_: object) -> None:
    header, *events = lines(exported(played, "finished"))
    other = line_of({**json.loads(header), "format": format_})
    with pytest.raises(InvalidFile, match="format"):
        findings(b"".join([other, *events]))


@pytest.mark.parametrize("type_", ["HandsOpened", "CardsDiscarded", "HandDealt", "PotAwarded"])
def test_what_depends_on_hidden_cards_is_canonical_too(played: EventLog, type_: str) -> None:
    def change(events: list[dict[str, Any]]) -> None:
        event = next(event for event in events if event["type"] == type_)
        event["payload"] = event["payload"].replace(",", ", ", 1)

    (found, *_) = findings(rechained(exported(played, "finished"), change))
    assert (found.check, found.found) == ("schema", "JSON that is not canonical")


def test_hands_are_shown_of_the_seats_that_are_in_and_as_they_were_dealt(played: EventLog) -> None:
    def turned(events: list[dict[str, Any]]) -> None:
        event = next(event for event in events if event["type"] == "HandsOpened")
        said = json.loads(event["payload"])
        said["hands"].reverse()
        event["payload"] = json.dumps(said, separators=(",", ":"))

    def other_cards(events: list[dict[str, Any]]) -> None:
        event = next(event for event in events if event["type"] == "HandsOpened")
        said = json.loads(event["payload"])
        said["hands"][0]["cards"].reverse()
        event["payload"] = json.dumps(said, separators=(",", ":"))

    (found, *_) = findings(rechained(exported(played, "finished"), turned))
    assert found.expected == "the hands of the seats 1, 2"
    (found, *_) = findings(rechained(exported(played, "finished", 1), other_cards))
    assert found.expected == "the hand that seat 1 was dealt"
