"""Each sentence of `verify` depends on evidence: without that evidence in the file, the sentence is missing."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pokersvc.core.tables.table_events import ComeBack
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence import export
from pokersvc.evidence.jsonl import line_of
from pokersvc.evidence.keys import Signer
from pokersvc.service import Service
from tests.cli.program import Program
from tests.evidence.rewritten import changed, closed, rechained
from tests.evidence.support import checkpointed, lines
from tests.shuffling import TOGETHER, Table, Turned

Events = list[dict[str, Any]]
Change = Callable[[bytes], bytes]


class Files(NamedTuple):
    """A game that was shuffled together, in files."""

    folder: Path
    game_id: str
    copy: bytes
    """Seat 1's, with the seeds that the table opened after the game."""
    opens: bool
    """Whether the table opens its seeds."""


@pytest.fixture(scope="module", params=[True, False], ids=["opens", "keeps"])
def files(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Files:
    """Fixture: exports of a game of three people, one of whom misses a share and rejoins with another key."""
    folder = tmp_path_factory.mktemp("files")
    clock = Turned()
    with Database.for_writing(str(folder / "games.sqlite")) as database:
        log = EventLog(database)
        service = Service(log, clock)
        settings = replace(TOGETHER, opens_seeds=request.param)
        table = Table(service, clock, people=3, bots=0, rounds=3, settings=settings)
        table.bind()
        for missing in (False, True, False):
            table.open_round()
            table.share(*([1, 2] if missing else []))
            if missing:
                table.miss()
                service.table_act(table.game_id, ComeBack(3))
            table.play_round()
            if missing:
                table.devices.pop(3)
                table.bind(3)
        path = folder / "game.jsonl"
        with path.open("wb") as file:
            export.write(file, log, table.game_id, 1, opened=() if request.param else [1])
        checkpointed(log, folder / "checkpoint.jsonl")
    return Files(folder, table.game_id, path.read_bytes(), request.param)


def says(type_: str, which: int, member: str, make: Callable[[Any], Any]) -> Change:
    """Return a change of one member of an event, with all hashes recomputed."""

    def change(events: Events) -> None:
        event = [one for one in events if one["type"] == type_][which]
        payload = json.loads(event["payload"])
        payload[member] = make(payload[member])
        event["payload"] = json.dumps(payload, sort_keys=True, separators=(",", ":"))

    return anew(change)


def anew(change: Callable[[Events], None]) -> Change:
    """Return a change of events, with all hashes recomputed."""
    return lambda content: rechained(content, change)


def shown(content: bytes, type_: str) -> int:
    """Return the first event of a type whose secret is shown."""
    events = [json.loads(line) for line in lines(content)[1:]]
    found: int = next(event["seq"] for event in events if event["type"] == type_ and "secret" in event)
    return found


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def at_once(events: Events) -> None:
    """Set all times to the first one."""
    for event in events:
        event["recorded_at"] = events[0]["recorded_at"]


def without_the_last(events: Events) -> None:
    del events[-1]


def other_hands(events: Events) -> None:
    """Replace the last round's hands by those of the first round."""
    first, *_, last = [event for event in events if event["type"] == "HandsOpened"]
    last["payload"] = first["payload"]


def cards(content: bytes, **members: object) -> bytes:
    """Change the line of the seat's first hand."""
    return changed(content, shown(content, "HandDealt"), **members)


PARTS = "Shuffled together by Ann in rounds 1 to 3; Bob in rounds 1 to 3; Cy in rounds 1 and 3."
OPEN = "The dealer's secret is open."
SENTENCES: list[tuple[str, Change]] = [
    ("events, head", lambda content: b"".join(lines(content)[:-1])),
    ("events, head", lambda content: changed(content, 0, head="0" * 64)),
    ("its short form is", lambda content: changed(content, 0, head="0" * 64)),
    ("; over;", anew(without_the_last)),
    ("seat 1's export", lambda content: changed(content, 0, **{"as": 2})),
    ("secrets opened", lambda content: cards(content, secret='{"cards":[]}')),
    ("secrets opened", lambda content: cards(content, secret=None, salt=None)),
    (PARTS, says("ShareOpened", 0, "share", flipped)),
    (PARTS, says("ShareOpened", 0, "signature", flipped)),
    ("Missed: 1 share of Cy", anew(at_once)),
    ("Missed: 1 share of Cy", says("ShareMissed", 0, "seat", lambda _: 2)),
    ("key replaced: Cy", says("SeatBound", 3, "renewal", lambda _: "0" * 128)),
    (OPEN, lambda content: closed(content, 1)),
    (OPEN, lambda content: changed(content, 1, salt="0" * 32)),
]
OPENED: list[tuple[str, Change]] = [
    (f"{OPEN} 3 rounds were checked by seed", lambda content: closed(content, shown(content, "DeckShuffled"))),
]
KEPT: list[tuple[str, Change]] = [
    (f"{OPEN} 0 rounds were checked by seed and commitment, 3 only by what was shown,", anew(other_hands)),
]


def verified(program: Program, content: bytes, *options: object) -> str:
    """Verify a file, and return the output, or an empty text if there is a finding."""
    path = program.home / "copy.jsonl"
    path.write_bytes(content)
    ended = program.ended("verify", path, *options)
    return " ".join(ended.out.split()) if ended.code == 0 else ""


def test_what_a_sentence_rests_on(program: Program, files: Files) -> None:
    whole = verified(program, files.copy)
    for sentence, change in [*SENTENCES, *(OPENED if files.opens else KEPT)]:
        assert sentence in whole
        said = verified(program, change(files.copy))
        assert sentence not in said, f"{sentence!r} is said of what it does not hold of: {said}"


def test_what_it_says_of_heads_and_checkpoints(program: Program, files: Files) -> None:
    head = json.loads(lines(files.copy)[5])["hash"]
    checkpoint = files.folder / "checkpoint.jsonl"
    told = [("it has the head", ("--head", head)), (f"as in {checkpoint}", ("--checkpoint", checkpoint))]
    for sentence, options in told:
        assert sentence in verified(program, files.copy, *options)
        assert verified(program, anew(at_once)(files.copy), *options) == ""
        assert sentence not in verified(program, files.copy)


def test_a_signature_is_named_only_where_it_holds(program: Program, files: Files) -> None:
    key = program.home / "key"
    program.run("keygen", key)
    with Database.for_reading(str(files.folder / "games.sqlite")) as database:
        log = EventLog(database)
        signed = program.home / "signed.jsonl"
        checkpointed(log, signed, signer=Signer.read(key))
    assert "; signed by " in verified(program, files.copy, "--checkpoint", signed)
    first, *rest = lines(signed.read_bytes())
    last = json.loads(rest[-1])
    signed.write_bytes(b"".join([first, *rest[:-1], line_of({**last, "signature": flipped(last["signature"])})]))
    assert verified(program, files.copy, "--checkpoint", signed) == ""
