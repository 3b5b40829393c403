"""Exports: a viewer's copy of a game, which can be verified and contains the secrets that the viewer may see."""

import json
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import secret_digest
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.evidence.jsonl import InvalidFile
from pokersvc.service import NotOver

from .rewritten import changed, events_in, shown
from .support import checks, exported, findings, lines, mutations, verification

# What is in it.


@pytest.mark.parametrize("viewer", [EVERYONE, AUDITOR, 1, 2])
def test_it_is_the_whole_game_and_verifies(played: EventLog, viewer: Viewer) -> None:
    content = exported(played, "finished", viewer)
    records = list(played.read("finished"))
    for line, record in zip(events_in(content), records, strict=True):
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
    opened = [line for line in events_in(everything) if "secret" in line]
    assert [(line["secret"], bytes.fromhex(line["salt"])) for line in opened] == [
        (record.secret, record.salt) for record in secrets
    ]


def test_opening_a_secret_later_proves_that_it_is_the_one(played: EventLog) -> None:
    before = exported(played, "finished")
    secrets = [line["seq"] for line in events_in(before) if "digest" in line]
    after = exported(played, "finished", opened=[secrets[3], secrets[1]])
    assert findings(after) == []
    assert json.loads(lines(after)[0])["opened"] == [secrets[1], secrets[3]]
    assert [line["seq"] for line in events_in(after) if "secret" in line] == [secrets[1], secrets[3]]
    for first, second in zip(events_in(before), events_in(after), strict=True):
        assert first["hash"] == second["hash"]
        assert first == {name: value for name, value in second.items() if name not in ("salt", "secret")}
    line = next(line for line in events_in(after) if "secret" in line)
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
    assert all("secret" in line for line in events_in(whole) if "digest" in line)
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
    for line in events_in(content):

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
@pytest.mark.parametrize(
    ("viewer", "every"),
    [(1, 4), *(pytest.param(viewer, 1, marks=pytest.mark.exhaustive) for viewer in (1, EVERYONE, AUDITOR))],
)
def test_no_byte_of_an_export_can_be_changed_anywhere(played: EventLog, viewer: Viewer, every: int) -> None:
    """There are about nine changes a byte, so that every fourth is one of each kind."""
    content = exported(played, "running", viewer, force=True)
    assert all(map(noticed, islice(mutations(content), None, None, every)))


@given(st.binary(max_size=300))
def test_any_file_is_read_or_refused(played: EventLog, content: bytes) -> None:
    noticed(content)
    noticed(lines(exported(played, "running"))[0] + content)
