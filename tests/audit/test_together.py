"""A dealer and players who cheat at a table that shuffles together: each lie is found, in the log and in copies."""

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.common_shuffle import Dealing, SharedEntropy
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence import export
from pokersvc.evidence.audit import audit
from pokersvc.evidence.findings import Finding
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.verification import Verification
from pokersvc.remote.device import Device
from pokersvc.service import Service
from tests.audit.judging import VIEWERS, Found, judged
from tests.audit.test_at_table import later, table_event
from tests.shuffling import TOGETHER, Table, Turned


class Cheated:
    """A game that was played, and its log, for forgers."""

    def __init__(self, people: int = 2, **options: Any) -> None:
        self.database = Database.for_writing(":memory:")
        self.log = EventLog(self.database)
        clock = Turned()
        self.table = Table(Service(self.log, clock), clock, people=people, **options)

    @property
    def records(self) -> list[Record]:
        return list(self.log.read(self.table.game_id))

    def at(self, type_: str, which: int = 0) -> int:
        """The place of an event of a type in the list of records."""
        return [at for at, record in enumerate(self.records) if record.type == type_][which]

    def found(self, records: list[Record], viewer: Viewer) -> list[Found]:
        numbered = [record._replace(seq=seq) for seq, record in enumerate(records, 1)]
        return judged(self.table.kind, numbered, viewer)


def dealt(people: int = 2, **options: Any) -> Cheated:
    """A game whose first round was dealt and not played."""
    cheated = Cheated(people, **options)
    cheated.table.bind()
    cheated.table.open_round()
    cheated.table.share()
    return cheated


def changed(records: list[Record], at: int, **fields: object) -> list[Record]:
    payload = {**json.loads(records[at].payload), **fields}
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    return [*records[:at], records[at]._replace(payload=text), *records[at + 1 :]]


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_is_played_by_the_rules_is_found_right(viewer: Viewer) -> None:
    cheated = dealt()
    cheated.table.play_round()
    assert cheated.found(cheated.records, viewer) == []


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(("member", "why"), [("share", "not the share of seat 2"), ("signature", "not signed")])
def test_another_share_or_signature(viewer: Viewer, member: str, why: str) -> None:
    cheated = dealt()
    records, at = cheated.records, cheated.at("ShareOpened", 1)
    said = json.loads(records[at].payload)[member]
    (first, *_) = cheated.found(changed(records, at, **{member: flipped(said)}), viewer)
    assert (first.seq, first.check) == (at + 1, "rules")
    assert why in first.expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_history_that_the_seats_did_not_sign(viewer: Viewer) -> None:
    cheated = dealt()
    records, at = cheated.records, cheated.at("SharesAwaited")
    other = [*records[:at], records[at]._replace(hash=bytes(32)), *records[at + 1 :]]
    found = cheated.found(other, viewer)
    assert [one.seq for one in found[:2]] == [at + 2, at + 3]
    assert "not signed by its key for round 1 of this history" in found[0].expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_binding_that_its_key_did_not_sign(viewer: Viewer) -> None:
    cheated = dealt()
    at = cheated.at("SeatBound")
    other = Device.fresh(cheated.table.start, 1, length=40)
    (first, *_) = cheated.found(changed(cheated.records, at, tip=other.chain.tip.hex()), viewer)
    assert (first.seq, first.check) == (at + 1, "rules")
    assert "The binding of seat 1 is not signed by its key" in first.expected


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(
    ("type_", "payload", "why"),
    [
        ("SeatReplaced", '{"seat":1}', "waits for shares"),
        ("DeviceChanged", '{"seat":1}', "waits for shares"),
        ("ClockRestarted", "{}", "waits for shares"),
        ("SharesAwaited", '{"round":2,"seats":[1,2]}', "waits for shares"),
        ("ShareMissed", '{"seat":3}', "No share of seat 3 is awaited"),
        ("TableResumed", "{}", "not paused"),
    ],
)
def test_what_may_not_stand_between_the_shares(viewer: Viewer, type_: str, payload: str, why: str) -> None:
    cheated = dealt()
    records, at = cheated.records, cheated.at("ShareOpened")
    other = table_event(records[at], type_, payload)
    (first, *_) = cheated.found([*records[:at], other, *records[at:]], viewer)
    assert (first.seq, first.check) == (at + 1, "rules")
    assert why in first.expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_pause_may_stand_between_the_shares(viewer: Viewer) -> None:
    cheated = dealt()
    records, at = cheated.records, cheated.at("ShareOpened")
    paused = [table_event(records[at], type_) for type_ in ("TablePaused", "TableResumed")]
    assert cheated.found([*records[:at], *paused, *records[at:]], viewer) == []


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_seat_that_is_bound_within_a_round(viewer: Viewer) -> None:
    cheated = dealt()
    records = cheated.records
    late = records[cheated.at("SeatBound")]._replace(command_id="late")
    (first, *_) = cheated.found([*records, late], viewer)
    assert (first.seq, first.check) == (len(records) + 1, "rules")
    assert "between two rounds" in first.expected


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("fields", [{"seats": [1]}, {"seats": [2, 1]}, {"seats": [1, 2, 3]}, {"round": 2}])
def test_a_round_that_asks_others_or_has_another_number(viewer: Viewer, fields: dict[str, object]) -> None:
    cheated = dealt()
    at = cheated.at("SharesAwaited")
    (first, *_) = cheated.found(changed(cheated.records, at, **fields), viewer)
    assert (first.seq, first.check) == (at + 1, "rules")
    assert "Round 1 comes next, with shares of the seats 1, 2" in first.expected


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_round_that_begins_without_shares(viewer: Viewer) -> None:
    cheated = dealt()
    records = [record for record in cheated.records if record.type not in ("SharesAwaited", "ShareOpened")]
    first = cheated.found(records, viewer)[0]
    assert first.expected == "the shares of a round before it begins"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_share_that_never_came(viewer: Viewer) -> None:
    cheated = dealt()
    at = cheated.at("ShareOpened", 1)
    records = [record for number, record in enumerate(cheated.records) if number != at]
    first = cheated.found(records, viewer)[0]
    assert first == Found(at + 1, "rules", "shares, or that they were missed, and nothing else")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_share_that_is_called_missed_too_early(viewer: Viewer) -> None:
    cheated = Cheated()
    cheated.table.bind()
    cheated.table.open_round()
    cheated.table.share(1)
    cheated.table.miss()
    records, at = cheated.records, cheated.at("ShareMissed")
    assert cheated.found(records, viewer) == []
    early = [
        record._replace(recorded_at=later(record, -0.5)) if number >= at else record
        for number, record in enumerate(records)
    ]
    assert cheated.found(early, viewer) == [Found(at + 1, "clock", "that once it is over")]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_who_gave_no_share_is_out_of_the_round(viewer: Viewer) -> None:
    cheated = Cheated(3)
    cheated.table.bind()
    cheated.table.open_round()
    cheated.table.share(1, 3)
    cheated.table.miss()
    cheated.table.act()
    records, at = cheated.records, cheated.at("RoundForgone")
    assert cheated.found(records, viewer) == []
    kept = [*records[:at], *records[at + 1 :]]
    assert "Bob out of the round" in cheated.found(kept, viewer)[0].expected
    other = changed(records, at, seat=3)
    assert cheated.found(other, viewer)[0].seq == at + 1


@pytest.mark.parametrize("viewer", VIEWERS)
def test_who_gave_a_share_is_not_put_out_of_the_round(viewer: Viewer) -> None:
    cheated = dealt(3)
    records = cheated.records
    out = records[-1]._replace(
        type="RoundForgone", version=1, payload='{"seat":2}', secret=None, salt=None, n=records[-1].n + 1
    )
    (first, *_) = cheated.found([*records, out], viewer)
    assert first.seq == len(records) + 1


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_deck_that_comes_later_than_its_shares(viewer: Viewer) -> None:
    cheated = dealt()
    records, at = cheated.records, cheated.at("ShareOpened", 1)
    apart = [
        record._replace(command_id="later", n=number - at) if number > at else record
        for number, record in enumerate(records)
    ]
    assert cheated.found(apart, viewer)[0].expected == "the deck in the command that completed its shares"


def test_shares_that_no_deck_follows() -> None:
    cheated = dealt()
    records = cheated.records[: cheated.at("ShareOpened", 1) + 1]
    assert Found(None, "rules", "the deck in the command that completed its shares") in cheated.found(records, AUDITOR)


@pytest.mark.parametrize("place", [2, 4])
def test_how_a_table_shuffles_is_said_third(place: int) -> None:
    cheated = dealt()
    records = cheated.records
    said = records.pop(2)
    records.insert(place - 1, said)
    first = cheated.found(records, AUDITOR)[0]
    assert (first.seq, first.check) == (min(place, 3), "rules")


# A dealer who deals from a seed of its own, and is bound all the same.


def verified(cheated: Cheated, viewer: Viewer) -> list[Finding]:
    """Return the findings of `pokersvc verify` for a copy, with the dealer's secrets if the table publishes them."""
    file = BytesIO()
    export.write(file, cheated.log, cheated.table.game_id, viewer)
    file.seek(0)
    return [finding for finding in Verification(lines_in(file, "copy"), "copy").findings() if finding.check == "deal"]


def ended(
    monkeypatch: pytest.MonkeyPatch, seed: Callable[[Dealing, bytes], bytes] | None, *, opens: bool = True
) -> Cheated:
    """A finished game whose dealer makes the seeds with a given function."""
    if seed is not None:
        monkeypatch.setattr(SharedEntropy, "seed", lambda self, index: seed(self.dealing, self.secret))
    cheated = Cheated(rounds=2, settings=replace(TOGETHER, opens_seeds=opens))
    cheated.table.bind()
    cheated.table.play()
    monkeypatch.undo()
    return cheated


def _own_seed(dealing: Dealing, secret: bytes) -> bytes:
    return bytes([dealing.round]) * 32


def _without_a_share(dealing: Dealing, secret: bytes) -> bytes:
    assert dealing.awaited is not None
    dealing.awaited.shares, shares = {**dealing.awaited.shares, 2: b"\1" * 32}, dealing.awaited.shares
    try:
        return dealing.seed(secret)
    finally:
        dealing.awaited.shares = shares


def _of_another_secret(dealing: Dealing, secret: bytes) -> bytes:
    return dealing.seed(bytes(32))


@pytest.mark.parametrize("seed", [_own_seed, _without_a_share, _of_another_secret])
def test_a_dealer_who_takes_another_seed_is_found(
    seed: Callable[[Dealing, bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    cheated = ended(monkeypatch, seed)
    assert {finding.check for audited in audit(cheated.database) for finding in audited.findings} == {"deal"}
    decks = [record.seq for record in cheated.records if record.type == "DeckShuffled"]
    for viewer in (EVERYONE, 1, 2):
        assert [finding.seq for finding in verified(cheated, viewer)] == decks
    closed = ended(monkeypatch, seed, opens=False)
    assert verified(closed, EVERYONE) == [], "where the seeds stay closed only an auditor can tell"
    assert {finding.check for audited in audit(closed.database) for finding in audited.findings} == {"deal"}


def test_an_honest_dealer_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    cheated = ended(monkeypatch, None)
    assert [finding for audited in audit(cheated.database) for finding in audited.findings] == []
    for viewer in (EVERYONE, 1, 2):
        assert verified(cheated, viewer) == []


# Players who cheat are refused when they try.


def test_a_share_of_another_seat_round_game_or_version_is_no_share() -> None:
    cheated, other = Cheated(), dealt()
    table = cheated.table
    table.bind()
    table.open_round()
    device = table.devices[1]
    honest = device.open(table.dealing)
    assert honest is not None
    theirs = other.table.devices[1]
    tries = [
        replace(honest, share=table.devices[2].chain.share(1)),
        replace(honest, share=device.chain.share(2)),
        replace(honest, share=device.chain.tip),
        replace(honest, share=theirs.chain.share(1)),
        replace(honest, share=theirs.chain.share(1), signature=theirs.signed[1][2]),
        replace(honest, signature=theirs.signed[1][2]),
        replace(honest, signature=table.devices[2]._private().sign(b"pokersvc/opened/2")),
    ]
    for attempt in tries:
        with pytest.raises(Exception, match=r"not the share|not signed"):
            table.service.open_share(table.game_id, attempt)
    assert table.service.open_share(table.game_id, honest)


def test_a_chain_that_is_made_afterwards_does_not_lead_to_the_tip() -> None:
    """To choose a share after seeing the others', a seat needs a chain that leads to the tip recorded in the log."""
    cheated = Cheated()
    table = cheated.table
    table.bind()
    table.open_round()
    forged = table.devices[1] = Device(table.start, 1, bytes(32), table.devices[1].key, 40)
    with pytest.raises(Exception, match="did not make"):
        forged.open(table.dealing)


def test_what_every_dealer_could_choose_from_by_calling_shares_missed() -> None:
    """A dealer who knows the shares of four awaited seats and may call two missed can choose from 1 + 4 + 6 decks."""
    from itertools import combinations

    cheated = Cheated(4, bots=0)
    table = cheated.table
    table.bind()
    table.open_round()
    dealing = table.dealing
    awaited = dealing.awaited
    assert awaited is not None
    shares = {seat: table.devices[seat].chain.share(1) for seat in awaited.seats}
    seeds = set()
    for missed in range(3):
        for gone in combinations(awaited.seats, missed):
            awaited.shares = {seat: b"" if seat in gone else share for seat, share in shares.items()}
            seeds.add(dealing.seed(bytes(32)))
    assert len(seeds) == 1 + 4 + 6
    assert TOGETHER.dealing == "together"
