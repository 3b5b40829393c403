"""`pokersvc audit` of hands dealt elsewhere: no findings, and a list of what could not be checked."""

import json
import time
from pathlib import Path

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.recorded_hands.recorded import is_same_hand
from pokersvc.service import Service
from pokersvc.service.importing import Elsewhere
from tests.cli.program import Program
from tests.games.draw_poker.test_recorded_sites import FULL_TILT
from tests.games.draw_poker.told import quote, told

from .test_audit import ended


def record(program: Program) -> None:
    program.database.parent.mkdir(parents=True)
    game = Elsewhere("elsewhere", told(FULL_TILT.hand, FULL_TILT.actions).finished(quote()))
    with Database.for_writing(str(program.database)) as database:
        Service(EventLog(database)).with_secrets.record("draw", [game], same=is_same_hand)


def test_what_was_taken_as_recorded_is_said_by_kind_and_number(program: Program) -> None:
    record(program)
    said = ended(program, "audit", "elsewhere")
    assert (said.code, said.err) == (0, "")
    told_ = " ".join(said.out.split())
    assert "41 events passed" in told_
    assert "Taken as recorded: 5 unknown hands, 4 unknown discards, 4 unknown draws, 1 stated rake." in told_


def test_json_has_it_too(program: Program) -> None:
    record(program)
    (game,) = json.loads(ended(program, "audit", "elsewhere", "--json").out)
    assert game["unchecked"] == {"unknown hand": 5, "unknown discard": 4, "unknown draw": 4, "stated rake": 1}


@pytest.mark.parametrize("command", ["audit", "import"])
def test_the_whole_file_system_is_not_read(program: Program, command: str) -> None:
    said = ended(program, command, "--json", "/")
    (file,) = json.loads(said.out)
    assert (said.code, file["file"], file["result"]) == (3, "/", "unread")
    assert file["why"] == "/ is the whole file system: name a folder of hand histories in it."


@pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="only Linux has such a file")
@pytest.mark.parametrize("command", [("audit", "--json"), ("import", "--json"), ("import", "--json", "--dry-run")])
def test_a_file_without_an_end_is_soon_told_in_one_sentence(program: Program, command: tuple[str, ...]) -> None:
    started = time.process_time()
    said = ended(program, *command, "/proc/self/pagemap")
    (file,) = json.loads(said.out)
    assert (said.code, file["file"], file["result"]) == (3, "/proc/self/pagemap", "unread")
    assert file["why"].startswith("/proc/self/pagemap is not a hand history in a known format: ")
    assert time.process_time() - started < 10
