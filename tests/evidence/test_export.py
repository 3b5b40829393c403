"""Exports: a reader's copy of a game, which verifies end to end and opens what that reader may see."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.chance import EntropySource
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import event_hash, secret_digest
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.evidence.jsonl import InvalidFile, line_of
from pokersvc.evidence.verification import Known
from pokersvc.service import NotOver, Service

from .support import checks, exported, findings, lines, mutations, tampered, verification


def told(content: bytes) -> list[dict[str, Any]]:
    """Return the lines behind the first."""
    return [json.loads(line) for line in lines(content)[1:]]


def shown(content: bytes) -> list[tuple[str, int | None]]:
    """Return the type and seat of every event whose secret is opened."""
    return [(line["type"], json.loads(line["payload"]).get("seat")) for line in told(content) if "secret" in line]


def changed(content: bytes, seq: int, /, **members: Any) -> bytes:
    """Change members of the line of an event (0: the first line); None removes one."""
    found = lines(content)
    line = {**json.loads(found[seq]), **members}
    found[seq] = line_of({name: value for name, value in line.items() if value is not None})
    return b"".join(found)


def rechained(content: bytes, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    """Change the events and hash them anew, as somebody does who forges the whole file."""
    header, events = json.loads(lines(content)[0]), told(content)
    change(events)
    head = bytes(32)
    for seq, event in enumerate(events, 1):
        event["seq"] = seq
        public = {name: event[name] for name in ("n", "type", "version", "recorded_at", "command_id", "payload")}
        digest = bytes.fromhex(event.get("digest", ""))
        head = event_hash(head, seq=seq, game_id=header["game"], digest=digest, **public)
        event["hash"] = head.hex()
    header |= {"count": len(events), "head": head.hex()}
    return b"".join(map(line_of, [header, *events]))


# What is in it.


@pytest.mark.parametrize("viewer", [EVERYONE, AUDITOR, 1, 2])
def test_it_is_the_whole_game_and_verifies(played: EventLog, viewer: Viewer) -> None:
    content = exported(played, "finished", viewer)
    records = list(played.read("finished"))
    for line, record in zip(told(content), records, strict=True):
        assert (line["seq"], line["payload"], line["hash"]) == (record.seq, record.payload, record.hash.hex())
        if record.secret is None:
            assert not {"digest", "salt", "secret"} & set(line)
        else:
            assert line["digest"] == secret_digest(record.salt, record.secret).hex()
    verified = verification(content)
    assert list(verified.findings()) == []
    assert (verified.count, verified.export.head, verified.over) == (len(records), records[-1].hash, True)
    assert (verified.shown, verified.secrets) == (
        len(shown(content)),
        sum(record.secret is not None for record in records),
    )


def test_a_secret_is_opened_for_who_may_see_it(played: EventLog) -> None:
    assert shown(exported(played, "finished")) == []
    assert set(shown(exported(played, "finished", 1))) == {("HandDealt", 1), ("CardsDiscarded", 1)}
    everything = exported(played, "finished", AUDITOR)
    secrets = [record for record in played.read("finished") if record.secret is not None]
    opened = [line for line in told(everything) if "secret" in line]
    assert [(line["secret"], bytes.fromhex(line["salt"])) for line in opened] == [
        (record.secret, record.salt) for record in secrets
    ]


def test_opening_a_secret_later_proves_that_it_is_the_one(played: EventLog) -> None:
    before = exported(played, "finished")
    secrets = [line["seq"] for line in told(before) if "digest" in line]
    after = exported(played, "finished", opened=[secrets[3], secrets[1]])
    assert findings(after) == []
    assert json.loads(lines(after)[0])["opened"] == [secrets[1], secrets[3]]
    assert [line["seq"] for line in told(after) if "secret" in line] == [secrets[1], secrets[3]]
    for first, second in zip(told(before), told(after), strict=True):
        assert first["hash"] == second["hash"]
        assert first == {name: value for name, value in second.items() if name not in ("salt", "secret")}
    line = next(line for line in told(after) if "secret" in line)
    other = line["secret"].replace(line["secret"][-4], "f" if line["secret"][-4] != "f" else "e", 1)
    (found,) = findings(changed(after, line["seq"], secret=other))
    assert (found.seq, found.type, found.check) == (line["seq"], line["type"], "chain")
    assert found.expected == f"the one committed to, {line['digest']}"


def first_secret(log: EventLog, type_: str, seat: int | None = None) -> int:
    """Return the number of the first event of a type, and of a seat."""
    return next(
        record.seq
        for record in log.read("running")
        if record.type == type_ and seat in (None, json.loads(record.payload).get("seat"))
    )


def test_until_the_game_is_over_only_ones_own_secrets_are_opened(played: EventLog) -> None:
    seed, own = first_secret(played, "DeckShuffled"), first_secret(played, "HandDealt", 1)
    other = first_secret(played, "HandDealt", 2)
    asked: list[tuple[Viewer, list[int]]] = [(1, [own, other]), (1, [seed]), (EVERYONE, [own]), (AUDITOR, [seed])]
    with pytest.raises(NotOver, match=r"an auditor's export opens every secret; .* --force"):
        exported(played, "running", AUDITOR)
    for viewer, opened in asked:
        with pytest.raises(NotOver, match="--force"):
            exported(played, "running", viewer, opened=opened)
    assert shown(exported(played, "running", 1)) == [("HandDealt", 1)]
    assert exported(played, "running", 1, opened=[own]) == exported(played, "running", 1)
    assert shown(exported(played, "running", 1, opened=[seed], force=True)) == [
        ("DeckShuffled", None),
        ("HandDealt", 1),
    ]
    whole = exported(played, "running", AUDITOR, force=True)
    assert all("secret" in line for line in told(whole) if "digest" in line)
    assert findings(whole) == []
    assert not verification(whole).over


def test_only_a_secret_that_is_there_can_be_opened(played: EventLog) -> None:
    with pytest.raises(InvalidValue, match=r"Event 2 of game finished \(RoundStarted\) has no secret to open"):
        exported(played, "finished", opened=[2])
    for seq in (0, -1, 10_000):
        with pytest.raises(InvalidValue, match=f"has no event {seq}; its events are 1 to"):
            exported(played, "finished", opened=[1, seq])
    with pytest.raises(InvalidValue, match="There is no seat 3"):
        exported(played, "finished", 3)
    with pytest.raises(UnknownGame):
        exported(played, "nothing")


def test_it_is_a_line_an_event_of_the_form_of_the_page(played: EventLog) -> None:
    """The format written down a second time, from docs/exports.md."""
    content = exported(played, "finished", AUDITOR)
    header, head = json.loads(lines(content)[0]), bytes(32)
    assert sorted(header) == ["as", "count", "format", "game", "head", "kind", "opened"]
    for line in told(content):

        def field(text: str) -> bytes:
            return len(text.encode()).to_bytes(8, "big") + text.encode()

        digest = b""
        if "digest" in line:
            digest = sha256(b"pokersvc/secret/1\0" + bytes.fromhex(line["salt"]) + line["secret"].encode()).digest()
            assert digest.hex() == line["digest"]
        head = sha256(
            b"pokersvc/event/1\0"
            + head
            + line["seq"].to_bytes(8, "big")
            + line["n"].to_bytes(8, "big")
            + b"".join(map(field, (header["game"], line["type"], str(line["version"]), line["recorded_at"])))
            + field(line["command_id"])
            + field(line["payload"])
            + len(digest).to_bytes(8, "big")
            + digest
        ).digest()
        assert line["hash"] == head.hex()
    assert header["head"] == head.hex()


# What is found.


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
    """Return what changes the payload of the first event of a type."""

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
        dealt |= {"type": "Checked", "payload": '{"seat":1}'}
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
    ended = next(line["seq"] for line in told(content) if line["type"] == "RoundEnded")
    (found,) = findings(rechained(content, lambda events: events.__delitem__(slice(ended - 1, None))))
    assert (found.seq, found.check, found.found) == (None, "rules", "the end of the log")


def test_an_auditors_copy_without_a_secret_is_found(played: EventLog) -> None:
    content = exported(played, "finished", AUDITOR)
    dealt = next(line["seq"] for line in told(content) if line["type"] == "HandDealt")
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


# What is no export.


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{}\n", "has no 'format'"),
        (b'{"format":"pokersvc/export/2"}\n', "has 'format'"),
        (b"\0" * 100, "truncated"),
        (b"SQLite format 3\0\n", "not canonical"),
    ],
)
def test_what_is_no_export_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(InvalidFile, match=said):
        verification(content)


@pytest.mark.parametrize(
    "members",
    [
        {"as": 0}, {"as": "nobody"}, {"as": True}, {"as": [1]}, {"count": 0}, {"game": ""}, {"game": "a\nb"},
        {"head": "AA" * 32}, {"head": 1}, {"opened": [2, 1]}, {"opened": [1, 1]}, {"opened": ["1"]}, {"opened": [0]},
        {"more": 1}, {"kind": ""},
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_first_line_is_refused(played: EventLog, members: dict[str, Any]) -> None:
    with pytest.raises(PokersvcError):
        verification(changed(exported(played, "finished"), 0, **members))


@pytest.mark.parametrize(
    "members",
    [
        {"seq": "1"}, {"seq": 0}, {"version": 0}, {"n": 2**63}, {"payload": {}}, {"hash": "00"}, {"type": ""},
        {"recorded_at": 1}, {"digest": "00"}, {"command_id": "\x00"}, {"salt": "00" * 16}, {"secret": "{}"},
        {"digest": "00" * 32, "salt": "00" * 15, "secret": "{}"}, {"more": 1}, {"hash": None},
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_line_is_refused(played: EventLog, members: dict[str, Any]) -> None:
    with pytest.raises(InvalidFile, match=r"^file, line 3, "):
        findings(changed(exported(played, "finished"), 2, **members))


def test_text_that_is_no_text_is_refused(played: EventLog) -> None:
    found = findings(changed(exported(played, "finished"), 2, payload="\ud800"))
    assert checks(found) == ["chain"]


def noticed(content: bytes) -> bool:
    try:
        verified = verification(content)
        return bool(list(verified.findings())) or not verified.checked
    except PokersvcError:
        return True


@given(st.data())
def test_no_byte_of_an_export_can_be_changed(played: EventLog, data: st.DataObject) -> None:
    content = bytearray(exported(played, "running", data.draw(st.sampled_from([EVERYONE, 1, 2]))))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    assert noticed(bytes(content))


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [EVERYONE, 1, AUDITOR])
def test_no_byte_of_an_export_can_be_changed_anywhere(played: EventLog, viewer: Viewer) -> None:
    content = exported(played, "running", viewer, force=True)
    assert all(map(noticed, mutations(content)))


@given(st.binary(max_size=300))
def test_any_file_is_read_or_refused(played: EventLog, content: bytes) -> None:
    noticed(content)
    noticed(lines(exported(played, "running"))[0] + content)
