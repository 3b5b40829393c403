"""Evidence at its edges: numbers, files and findings, the last that is allowed and the first that is not."""

import errno
import json
import os
import stat
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence import export, jsonl
from pokersvc.evidence.audit.coverage import with_coverage
from pokersvc.evidence.audit.report import MOST_FINDINGS, UNCOUNTED, UNKNOWN, Audited
from pokersvc.evidence.audit.timestamps import Moments
from pokersvc.evidence.checkpoint import CheckpointForged
from pokersvc.evidence.findings import DEBUG, Check, Fault, Finding, failure, lost
from pokersvc.evidence.jsonl import Fields, InvalidFile, check_new, line_of, lines_in, opened, written
from pokersvc.evidence.proof import proof_line, prove, read_proof
from pokersvc.evidence.spoken_head import spoken
from pokersvc.service import NotOver
from pokersvc.system.files import FileNotWritten

from .support import checkpointed, record

# Lines


def fields(**members: Any) -> Fields:
    return next(lines_in(BytesIO(line_of(members)), "file"))


def test_members_are_taken_as_they_are() -> None:
    line = fields(a=2**63 - 1, b=0, c="text", d="2026-01-31T12:00:00.000000Z", e="00ff", f="id", g="x")
    assert line.has("a")
    assert (line.get("a"), line.get("nothing")) == (2**63 - 1, None)
    assert (line.number("a"), line.number("b", least=0), line.text("c")) == (2**63 - 1, 0, "text")
    assert (line.moment("d"), line.bytes("e", 2), line.id("f")) == ("2026-01-31T12:00:00.000000Z", b"\0\xff", "id")
    line.constant("g", "x")
    assert not line.has("a")
    line.end()


@pytest.mark.parametrize(
    ("value", "take", "right"),
    [
        (2**63, "number", "a number of 1 or more"),
        (0, "number", "a number of 1 or more"),
        (1, "text", "a text"),
        ("", "id", "printable text"),
        ("\n", "id", "printable text"),
        (1, "id", "printable text"),
        ("now", "moment", "a moment such as 2026-01-31T12:00:00.000000Z"),
        (None, "moment", "a moment such as 2026-01-31T12:00:00.000000Z"),
    ],
)
def test_a_member_of_another_kind_is_refused(value: object, take: str, right: str) -> None:
    with pytest.raises(InvalidFile, match=f"it must be {right}"):
        getattr(fields(n=value), take)("n")


@pytest.mark.parametrize(
    ("value", "fits"),
    [("00ff", True), ("00FF", False), ("00f", False), ("00ff00", False), ("", False), ("0gff", False)],
)
def test_bytes_are_so_many_in_lower_case_hexadecimal(value: str, fits: bool) -> None:
    assert jsonl.is_hex(value, 2) == fits
    assert not jsonl.is_hex(None, 2)
    assert jsonl.is_hex("", 0)


@pytest.mark.parametrize("length", [76, 77, 78, 79, 200])
def test_a_long_value_is_cut_in_a_sentence(length: int) -> None:
    with pytest.raises(InvalidFile) as caught:
        fields(n="x" * length).number("n")
    shown = f'"{"x" * length}"' if length <= 78 else f'"{"x" * 79}…'
    assert str(caught.value) == f"file, line 1, has 'n' = {shown}; it must be a number of 1 or more."


def test_the_first_of_the_members_that_do_not_belong_is_named_and_cut() -> None:
    with pytest.raises(InvalidFile) as caught:
        fields(b=1, **{"a" * 90: 1}).end()
    assert str(caught.value) == f"file, line 1, has '{'a' * 80}', which does not belong there."


@pytest.mark.parametrize("depth", range(47, 53))
def test_lines_may_be_nested_to_a_depth(depth: int) -> None:
    for content in (b'{"n":' + b"[" * depth + b"]" * depth + b"}\n", b'{"a":' * depth + b"1" + b"}" * depth + b"\n"):
        inside = content.count(b"{") + content.count(b"[") - 1
        if inside < jsonl.MAX_DEPTH:
            assert len(list(lines_in(BytesIO(content), "file"))) == 1
        else:
            with pytest.raises(InvalidFile, match="nested more than 50 deep"):
                list(lines_in(BytesIO(content), "file"))


# Files


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
@pytest.mark.parametrize(("private", "mode"), [(False, 0o666), (True, 0o600)])
def test_a_file_is_for_those_whom_it_is_for_and_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, private: bool, mode: int
) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def sync(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_size)
        assert not (tmp_path / "file").exists() or len(synced) > 1
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    with written(tmp_path / "file", private=private) as file:
        file.write(b"content")
    assert synced[0] == 7
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


def test_what_may_not_be_read_or_written_is_the_systems_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("pokersvc.system.files.opened", refuse)
    with pytest.raises(PermissionError), opened(tmp_path / "file"):
        pass
    with pytest.raises(InvalidFile) as caught:
        check_new(tmp_path / "nowhere" / "file")
    assert str(caught.value) == (f"{tmp_path}/nowhere/file cannot be written: there is no folder {tmp_path}/nowhere.")
    check_new(tmp_path / "file")
    asked: list[int] = []

    def access(path: Path, mode: int) -> bool:
        asked.append(mode)
        return False

    monkeypatch.setattr(os, "access", access)
    with pytest.raises(FileNotWritten, match="Permission denied"):
        check_new(tmp_path / "file")
    assert asked == [os.W_OK | os.X_OK]


def test_a_head_is_said_in_sixteen_letters() -> None:
    assert spoken(bytes(32)) == "0000 0000 0000 0000"
    assert spoken(b"\xff" * 32) == "ZZZZ ZZZZ ZZZZ ZZZZ"
    assert (
        spoken(bytes([0x00, 0x44, 0x32, 0x14, 0xC7, 0x42, 0x54, 0xB6, 0x35, 0xCF]) + b"\xff") == "0123 4567 89AB CDEF"
    )


# Proofs


@pytest.mark.parametrize(("hashes", "error"), [(64, CheckpointForged), (65, InvalidFile)])
def test_a_path_has_at_most_as_many_hashes_as_a_number_has_bits(
    log: EventLog, tmp_path: Path, hashes: int, error: type[Exception]
) -> None:
    record(log, "a")
    checkpointed(log, tmp_path / "file")
    line = fields(**json.loads(proof_line(prove(tmp_path / "file", "a"))))
    members = {name: line.get(name) for name in ("checkpoint", "count", "format", "game", "head", "index")}
    (tmp_path / "proof").write_bytes(line_of({**members, "path": ["00" * 32] * hashes}))
    with pytest.raises(error):
        read_proof(tmp_path / "proof")


# Exports


@pytest.mark.parametrize(
    ("opened_", "said"),
    [
        ([0], "Game finished has no event 0; its events are 1 to {count}."),
        ([-1, 99_999], "Game finished has no event -1; its events are 1 to {count}."),
        ([1, 99_999], "Game finished has no event 99999; its events are 1 to {count}."),
        ([2], "Event 2 of game finished (RoundStarted) has no secret to open."),
    ],
)
def test_an_event_that_cannot_be_opened_is_named(played: EventLog, opened_: list[int], said: str) -> None:
    head = played.head("finished")
    assert head is not None
    with pytest.raises(InvalidValue) as caught:
        export.write(BytesIO(), played, "finished", opened=opened_)
    assert str(caught.value) == said.format(count=head.count)


def test_the_last_event_with_a_secret_may_be_opened(played: EventLog) -> None:
    secrets = [one.seq for one in played.read("finished") if one.secret is not None]
    for seq in (secrets[0], secrets[-1]):
        assert export.write(BytesIO(), played, "finished", opened=[seq]).opened == (seq,)
    assert export.write(BytesIO(), played, "finished", "auditor", opened=secrets).opened == ()
    own = export.write(BytesIO(), played, "finished", 1, opened=secrets).opened
    assert set(own) < set(secrets)


def test_secrets_of_a_game_that_goes_on_are_opened_by_force_alone(played: EventLog) -> None:
    secret = next(one.seq for one in played.read("running") if one.secret is not None)
    for viewer, more, said in (
        ("auditor", {}, "Game running is not over, but an auditor's export opens every secret; wait for its end, or add"
                        " --force."),
        ("everyone", {"opened": [secret]}, f"Game running is not over, but the secret of event {secret} is not the"
                                           " reader's; wait for its end, or add --force."),
    ):  # fmt: skip
        arguments: dict[str, Any] = {"viewer": viewer, **more}
        with pytest.raises(NotOver) as caught:
            export.write(BytesIO(), played, "running", **arguments)
        assert str(caught.value) == said
        assert export.write(BytesIO(), played, "running", **arguments, force=True).viewer == viewer
    assert export.write(BytesIO(), played, "running").opened == ()
    assert export.write(BytesIO(), played, "running", 1).opened == ()


# Findings


def finding(check: Check) -> Finding:
    return Finding("g", 1, "Bet", check, "this", "that")


@pytest.mark.parametrize(
    ("found", "said", "without_secrets"),
    [
        (Finding("g", 1, "Bet", "deal", "this\n", "that"), "Game g, event 1 (Bet): found this\\n where there should be"
         " that (deal)", "Event 1: the deal is not the one that follows from the seed."),
        (Finding("g", 0, None, "money", "a", "b"), "Game g, event 0: found a where there should be b (money)",
         "Event 0: the chips or the points do not add up."),
        (Finding("g", None, "Bet", "chain", "a", "b"), "Game g: found a where there should be b (chain)",
         "The game: the chain of hashes is broken, or the event is not where or when it should be."),
        (Finding(None, None, None, "storage", "a", "b"), "The database: found a where there should be b (storage)",
         "The game: the database itself is damaged."),
    ],
)  # fmt: skip
def test_a_finding_is_a_sentence(found: Finding, said: str, without_secrets: str) -> None:
    assert (str(found), found.without_secrets) == (said, without_secrets)


@pytest.mark.parametrize("debug", [None, "", "0", "1", "no"])
def test_an_exception_is_a_fault_or_follows_from_what_was_found(
    monkeypatch: pytest.MonkeyPatch, debug: str | None
) -> None:
    monkeypatch.delenv(DEBUG, raising=False)
    if debug is not None:
        monkeypatch.setenv(DEBUG, debug)
    error = KeyError("secret")
    if debug in ("1", "no"):
        with pytest.raises(KeyError):
            failure(error, "g", 3, "Bet", found=False)
        return
    fault = failure(error, "g", 3, "Bet", found=False)
    assert fault == Fault("g", 3, "Bet", "KeyError", "an unknown place")
    assert str(fault) == (
        "Game g, event 3 (Bet): not checked from here on, because of a bug in pokersvc, KeyError at an unknown place;"
        f" {DEBUG}=1 shows its traceback"
    )
    assert failure(error, "g", 3, "Bet", found=True) == lost("g", 3, "Bet", "KeyError at an unknown place; ")


def test_a_thousand_findings_of_a_check_are_shown_and_others_counted() -> None:
    audited = Audited("g")
    assert (audited.passed, audited.intact, audited.count) == (True, True, 0)
    for _ in range(MOST_FINDINGS + 2):
        audited.add(finding("read_models"))
    audited.add(finding("money"))
    assert len(audited.findings) == MOST_FINDINGS + 1
    assert audited.not_shown == Counter(read_models=2)
    assert audited.shown == Counter(read_models=MOST_FINDINGS, money=1)
    assert audited.count == MOST_FINDINGS + 3
    assert not audited.passed


@pytest.mark.parametrize(
    ("check", "intact"),
    [("chain", False), ("schema", False), ("rules", False), ("deal", False), ("money", False), ("clock", False),
     ("read_models", True), ("checkpoint", True), ("export", True), ("storage", True)],
)  # fmt: skip
def test_what_contradicts_events_is_told_apart(check: Check, intact: bool) -> None:
    audited = Audited("g")
    audited.add(finding(check))
    assert audited.intact == intact


@pytest.mark.parametrize(
    ("fields_", "checked"),
    [
        ({}, True),
        ({"known": False}, False),
        ({"known": False, "only_chain": True}, True),
        ({"fault": Fault(None, None, None, "E", "p")}, False),
        ({"unchecked": {UNCOUNTED: 1}}, False),
        ({"unchecked": {UNKNOWN: 1}}, True),
    ],
)
def test_what_was_not_checked_does_not_pass(fields_: dict[str, Any], checked: bool) -> None:
    audited = Audited("g", **fields_)
    assert (audited.checked, audited.passed) == (checked, checked)
    audited.add(finding("money"))
    assert not audited.passed


def test_the_first_bug_is_told_and_after_a_finding_none() -> None:
    for game_id, found in (("g", False), ("g", True), (None, True)):
        audited = Audited(game_id)
        if found:
            audited.add(finding("money"))
        audited.fail(KeyError(), 1, "Bet")
        audited.fail(ValueError(), 2, "Bet")
        if found and game_id:
            assert audited.fault is None
            assert audited.count == 3
        else:
            assert audited.fault == Fault(game_id, 1, "Bet", "KeyError", "an unknown place")
            assert audited.count == int(found)


# Moments

FIRST, SECOND = "2026-01-31T12:00:00.000000Z", "2026-01-31T12:00:01.000000Z"


@pytest.mark.parametrize(
    ("moments", "wrong"),
    [
        ([(FIRST, "a"), (FIRST, "a"), (SECOND, "b")], [None, None, None]),
        ([(FIRST, "a"), (SECOND, "a")], [None, f"the moment {SECOND}"]),
        ([(FIRST, "a"), (FIRST, "b"), (SECOND, "b")], [None, None, f"the moment {SECOND}"]),
        ([(FIRST, "a"), (FIRST, "b"), (SECOND, "a")], [None, None, None]),
        ([("now", "a"), ("now", "b"), (FIRST, "b")], ["the moment 'now'", None, f"the moment {FIRST}"]),
        ([(FIRST, "a"), ("now", "a")], [None, "the moment 'now'"]),
        ([(SECOND, "a"), (FIRST, "b")], [None, None]),
    ],
)
def test_events_of_a_command_have_one_moment(moments: list[tuple[str, str]], wrong: list[str | None]) -> None:
    check = Moments()
    found = [
        check.check(Record("g", seq, "T", 1, at, command, 1, "{}", None, None, b""))
        for seq, (at, command) in enumerate(moments, 1)
    ]
    assert [one and one.found for one in found] == wrong


@pytest.mark.parametrize("named", [True, False])
def test_a_checkpoint_has_games_or_lacks_them(log: EventLog, tmp_path: Path, named: bool) -> None:
    for game_id in ("b", "d"):
        record(log, game_id, 1)
    checkpointed(log, tmp_path / "file")
    ids = ["a", "b", "c", "d", "e", None]
    results = list(with_coverage(map(Audited, ids), tmp_path / "file", ids if named else None))
    assert [one.in_checkpoint for one in results] == [False, True, False, True, False, False if named else None]
    assert [one.in_checkpoint for one in with_coverage(map(Audited, ids), None, None)] == [None] * 6
