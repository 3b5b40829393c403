"""The hash chain, against the page that defines it and against itself written a second time."""

import hashlib
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.eventlog.record import (
    GENESIS,
    ChainBroken,
    NewEvent,
    Record,
    chain,
    event_hash,
    secret_digest,
    timestamp,
    verify,
)

PAGE = (Path(__file__).parents[2] / "docs" / "log.md").read_text(encoding="utf-8")
AT = "2026-01-31T12:00:00.000000Z"

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
new_events = st.builds(NewEvent, texts, st.integers(min_value=1, max_value=10**6), texts, st.none() | texts)


def digest_by_definition(salt: bytes | None, secret: str | None) -> bytes:
    if secret is None:
        return b""
    assert salt is not None
    return hashlib.sha256(b"pokersvc/secret/1" + b"\x00" + salt + secret.encode("utf-8")).digest()


def hash_by_definition(previous: bytes, record: Record, digest: bytes) -> bytes:
    def u64(number: int) -> bytes:
        return number.to_bytes(8, "big")

    hashed = hashlib.sha256()
    hashed.update(b"pokersvc/event/1" + b"\x00")
    hashed.update(previous)
    hashed.update(u64(record.seq))
    hashed.update(u64(record.n))
    for text in (
        record.game_id,
        record.type,
        str(record.version),
        record.recorded_at,
        record.command_id,
        record.payload,
    ):
        hashed.update(u64(len(text.encode("utf-8"))))
        hashed.update(text.encode("utf-8"))
    hashed.update(u64(len(digest)))
    hashed.update(digest)
    return hashed.digest()


def made(*commands: list[NewEvent]) -> list[Record]:
    records: list[Record] = []
    for number, events in enumerate(commands):
        head = records[-1].hash if records else GENESIS
        records += chain("game", events, count=len(records), head=head, recorded_at=AT, command_id=f"c{number}")
    return records


def checked(records: list[Record]) -> list[Record]:
    return list(verify(records, game_id="game"))


def test_the_test_vectors_of_the_page_hold() -> None:
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    vectors: list[dict[str, Any]] = json.loads(found[1])
    records, previous = [], GENESIS
    for vector in vectors:
        digest = bytes.fromhex(vector.pop("digest"))
        salt = None if vector["salt"] is None else bytes.fromhex(vector["salt"])
        record = Record(game_id="game", **{**vector, "salt": salt, "hash": bytes.fromhex(vector["hash"])})
        record = record._replace(game_id="example-game")
        assert secret_digest(salt, record.secret) == digest == digest_by_definition(salt, record.secret)
        assert record.hash == hash_by_definition(previous, record, digest)
        public = record._asdict()
        for name in ("secret", "salt", "hash"):
            del public[name]
        assert record.hash == event_hash(previous, digest=digest, **public)
        previous = record.hash
        records.append(record)
    assert list(verify(records, game_id="example-game")) == records
    assert len(records) == 3


@given(st.lists(st.lists(new_events, min_size=1, max_size=4), min_size=1, max_size=4), texts, st.integers(0, 2**62))
def test_a_batch_is_hashed_as_the_definition_says(commands: list[list[NewEvent]], game_id: str, count: int) -> None:
    head = GENESIS
    first = count
    records = []
    for number, events in enumerate(commands):
        batch = chain(game_id, events, count=count, head=head, recorded_at=AT, command_id=str(number))
        previous = head
        for record in batch:
            digest = digest_by_definition(record.salt, record.secret)
            assert secret_digest(record.salt, record.secret) == digest
            assert record.hash == hash_by_definition(previous, record, digest)
            public = record._asdict()
            for name in ("secret", "salt", "hash"):
                del public[name]
            assert record.hash == event_hash(previous, digest=digest, **public)
            previous = record.hash
        assert [(record.seq, record.n) for record in batch] == [(count + n, n) for n in range(1, len(events) + 1)]
        records += batch
        count, head = count + len(batch), batch[-1].hash
    assert list(verify(records, game_id=game_id, count=first)) == records


def test_each_secret_has_a_fresh_salt_and_nothing_else_has_one() -> None:
    event = NewEvent("HandDealt", 1, "{}", '{"cards":[]}')
    records = made([event, event, NewEvent("Checked", 1, "{}")])
    assert records[2].salt is None
    first, second = records[0].salt, records[1].salt
    assert first is not None
    assert second is not None
    assert first != second
    assert len(first) == len(second) == 16


def test_a_chain_is_handed_on_up_to_the_event_that_breaks_it() -> None:
    records = made([NewEvent("A", 1, "{}")] * 5)
    records[3] = records[3]._replace(payload='{"to":1000}')
    verified = verify(records, game_id="game")
    assert [next(verified).seq for _ in range(3)] == [1, 2, 3]
    with pytest.raises(ChainBroken, match="event 4") as caught:
        next(verified)
    assert (caught.value.game_id, caught.value.seq) == ("game", 4)
    assert records[3].hash.hex() in caught.value.found
    assert len(caught.value.expected) == 64


@pytest.mark.parametrize(
    "change",
    [
        {"game_id": "other"},
        {"seq": 3},
        {"type": "B"},
        {"version": 2},
        {"version": True},
        {"version": "1"},
        {"recorded_at": "2026-01-31T12:00:00.000001Z"},
        {"command_id": "c1"},
        {"n": 1},
        {"payload": '{"to": 1}'},
        {"payload": b"{}"},
        {"payload": None},
        {"payload": "\ud800"},
        {"type": None},
        {"secret": '{"s":2}'},
        {"secret": None},
        {"secret": 7},
        {"salt": bytes(16)},
        {"salt": None},
        {"salt": "sixteen letters!"},
        {"salt": None, "secret": None},
        {"hash": bytes(32)},
        {"hash": None},
    ],
    ids=str,
)
def test_a_change_of_any_field_to_anything_is_found(change: dict[str, Any]) -> None:
    records = made([NewEvent("A", 1, "{}", '{"s":1}')] * 3)
    records[1] = records[1]._replace(**change)
    if change == {"version": "1"}:  # the definition writes the number in decimal: the same text
        assert checked(records) == records
        return
    with pytest.raises(ChainBroken, match="event 2"):
        checked(records)


def test_bytes_cannot_move_between_salt_and_secret() -> None:
    records = made([NewEvent("A", 1, "{}", '{"s":1}')])
    salt, secret = records[0].salt, records[0].secret
    assert salt is not None
    assert secret is not None
    moved = records[0]._replace(salt=salt + secret[:1].encode(), secret=secret[1:])
    assert secret_digest(moved.salt, moved.secret) == secret_digest(salt, secret)
    with pytest.raises(ChainBroken, match="salt of 17 bytes"):
        checked([moved])


def test_events_cannot_be_removed_added_or_exchanged() -> None:
    records = made([NewEvent("A", 1, "{}")] * 3, [NewEvent("B", 1, "{}")])
    for doctored in (records[1:], [*records[:1], *records[2:]], [*records[:2], *records[1:]], records[::-1]):
        with pytest.raises(ChainBroken):
            checked(doctored)


def test_n_counts_within_each_command_even_in_a_chain_that_is_hashed_anew() -> None:
    first = made([NewEvent("A", 1, "{}")])[0]
    skipped = first._replace(n=2)
    skipped = skipped._replace(hash=hash_by_definition(GENESIS, skipped, b""))
    with pytest.raises(ChainBroken, match="n = 2"):
        checked([skipped])


def test_a_moment_is_written_in_utc_with_microseconds() -> None:
    assert timestamp(datetime(2026, 1, 31, 12, tzinfo=UTC)) == "2026-01-31T12:00:00.000000Z"
    east = timezone(timedelta(hours=5, minutes=30))
    assert timestamp(datetime(2026, 1, 1, 1, 2, 3, 4, tzinfo=east)) == "2025-12-31T19:32:03.000004Z"
    with pytest.raises(ValueError, match="time zone"):
        timestamp(datetime(2026, 1, 31))  # noqa: DTZ001 - without a zone, which has to be refused


@pytest.mark.parametrize(
    ("changes", "reported"),
    [
        ({"payload": "another"}, [2]),  # the next event follows the hash that is stored
        ({"hash": bytes(32)}, [2, 3]),
        ({"hash": b"short"}, [2]),  # no hash: the next event follows the one that would be right
        ({"hash": "text"}, [2]),
    ],
)
def test_after_a_broken_event_the_next_follows_the_hash_that_is_stored(
    changes: dict[str, Any], reported: list[int]
) -> None:
    records = made(*([NewEvent("Noted", 1, f"{number}")] for number in range(4)))
    records[1] = records[1]._replace(**changes)
    found: list[int] = []
    assert list(verify(records, game_id="game", report=lambda broken, record: found.append(broken.seq))) == records
    assert found == reported
