"""How far one action and one audit go through the code: few files, so that one can follow them."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import pokersvc
from pokersvc.core.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker.actions import Bet, Call
from pokersvc.service import Service

ROOT = Path(pokersvc.__file__).parent

# A tracer of its own and that of coverage do not go together.
pytestmark = pytest.mark.no_cover


def files_of(run: Callable[[], object]) -> list[str]:
    """Return the files of pokersvc in which functions are called, in order; a file again where it is come back to."""
    entered: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            name = path.relative_to(ROOT).as_posix()
            if not entered or entered[-1] != name:
                entered.append(name)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return entered


@pytest.fixture
def played(tmp_path: Path) -> tuple[Database, Service, str]:
    database = Database.for_writing(str(tmp_path / "a.sqlite"))
    service = Service(EventLog(database))
    setup = Setup(
        (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob")), EntropySource.from_text("way"), None, game_of("draw").options({})
    )
    game_id, _ = service.start("draw", setup)
    return database, service, game_id


def told(what: str) -> int:
    """Return how many files something enters at most, as the page says: fewer than before.

    What is compiled or cached when it is first used may have been used already.
    """
    page = (ROOT.parent / "docs/architecture.md").read_text("utf-8")
    found = re.search(rf"^\| files that {what} enters \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert found is not None
    assert int(found[2]) < int(found[1])
    return int(found[2])


def test_a_bet_goes_through_few_files(played: tuple[Database, Service, str]) -> None:
    database, service, game_id = played
    with database:
        seat = service.status(game_id).to_act
        assert seat is not None
        bet = files_of(lambda: service.act(game_id, Bet(seat, 50)))
        caller = service.status(game_id).to_act
        assert caller is not None
        call = files_of(lambda: service.act(game_id, Call(caller)))
    for way in (bet, call):
        assert way[0] == "service/service.py"
        assert len(set(way)) <= told("a bet"), " ".join(sorted(set(way)))


def test_an_audit_goes_through_few_files(played: tuple[Database, Service, str]) -> None:
    database, _, _ = played
    with database:
        list(audit(database))  # imports what it needs
        way = files_of(lambda: list(audit(database)))
    assert len(set(way)) <= told("an audit"), way
