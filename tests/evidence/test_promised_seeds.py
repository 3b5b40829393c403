"""Seeds that a table promises to open after the game, where its dealer shuffles alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TableSettings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.remote.copy import CheckedCopy
from pokersvc.remote.heads import Heads
from pokersvc.service import Service
from tests.cli.program import Program
from tests.shuffling import DEALT_TOGETHER
from tests.web.played import opened, repeatable, streamed

from .rewritten import closed, events_in, rechained
from .support import checks, exported, findings, lines, verification
from .test_closed_seeds import three

VIEWERS: list[Viewer] = [EVERYONE, 1]


def played(kind: str, *, opens: bool) -> tuple[EventLog, str]:
    """Play three rounds or markets between bots, or fewer if one of them wins all chips."""
    log = EventLog(Database.for_writing(":memory:"))
    service, few = Service(log), three(kind)
    seats = (Seat("random", "Ann"), Seat("random", "Bob"))
    with repeatable(3):
        setup = Setup(seats, EntropySource.fresh(), few["rounds"], few.get("options", {}))
        game_id, _ = service.start(kind, setup, table=TableSettings(opens_seeds=opens))
        while (status := service.status(game_id)).outcome is None:
            if status.awaited:
                service.step(game_id, seat=status.awaited[0])
            else:
                service.go_on(game_id)
    return log, game_id


def seeds(content: bytes) -> list[int]:
    return [line["seq"] for line in events_in(content) if line["type"] in ("GameStarted", "DeckShuffled")]


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_export_of_a_finished_game_has_the_seeds_that_were_promised(kind: str, viewer: Viewer) -> None:
    content = exported(*played(kind, opens=True), viewer)
    assert json.loads(lines(content)[0])["opened"] == seeds(content)
    assert {line["seq"] for line in events_in(content) if "secret" in line} >= set(seeds(content))
    verified = verification(content)
    assert list(verified.findings()) == []
    assert verified.unopened is None


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_seeds_are_compared_with_what_was_dealt(kind: str, viewer: Viewer) -> None:
    content = exported(*played(kind, opens=True), viewer)
    first, second = [seq for seq in seeds(content) if seq > 1][:2]

    def exchange(told: list[dict[str, Any]]) -> None:
        one, other = told[first - 1], told[second - 1]
        for name in ("digest", "salt", "secret"):
            one[name], other[name] = other[name], one[name]

    assert findings(rechained(content, lambda told: None)) == []
    assert checks(findings(rechained(content, exchange)))[:1] in (["deal"], ["rules"])


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_it_is_said_which_promised_seeds_a_file_lacks(kind: str) -> None:
    content = exported(*played(kind, opens=True))
    secret, first, *rest = seeds(content)
    for gone, said in {
        (first,): "1 seed is",
        (secret,): "the dealer's secret is",
        (secret, first): "1 seed and the dealer's secret are",
        (first, *rest): f"{1 + len(rest)} seeds are",
    }.items():
        verified = verification(closed(content, *gone))
        assert list(verified.findings()) == []
        assert verified.unopened == (f"The table promised to open its seeds after the game; {said} not in this copy.")


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_nothing_is_missed_where_nothing_was_promised(kind: str) -> None:
    log, game_id = played(kind, opens=False)
    for viewer in (EVERYONE, 1, AUDITOR):
        content = exported(log, game_id, viewer)
        assert json.loads(lines(content)[0])["opened"] == []
        verified = verification(content)
        assert list(verified.findings()) == []
        assert verified.unopened is None


def test_verify_says_so(tmp_path: Path) -> None:
    program = Program(tmp_path)
    content = exported(*played("draw", opens=True))
    file = tmp_path / "closed.jsonl"
    file.write_bytes(closed(content, *seeds(content)))
    assert "seeds and the dealer's secret are not in this copy" in " ".join(program.run("verify", file).split())
    assert json.loads(program.run("verify", file, "--json"))["unopened"].startswith("The table promised")
    file.write_bytes(content)
    assert "promised" not in program.run("verify", file)


@pytest.mark.parametrize("tells", [True, False])
def test_join_says_so(tells: bool, tmp_path: Path) -> None:
    log, game_id = played("draw", opens=True)
    records = list(log.read(game_id))
    followed = CheckedCopy(game_id, "draw", 1, Heads(tmp_path / "heads"))
    for record in streamed(records, "draw", 1):
        followed.take(record)
    if tells:
        followed.open_seeds(opened(records, "draw"))
    followed.settle()
    assert ("The table promised to open its seeds after the game; " in followed.verdict()) is not tells
