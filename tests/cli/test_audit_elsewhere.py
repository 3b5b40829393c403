"""What `pokersvc audit` says of hands that were dealt elsewhere: that they are whole, and what could not be checked."""

import json

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.recorded import is_same_hand
from pokersvc.service import Service
from pokersvc.service.elsewhere import Elsewhere
from tests.games.draw_poker.test_recorded_sites import FULL_TILT
from tests.games.draw_poker.told import quote, told

from .program import Program
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
