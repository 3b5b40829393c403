"""Exports of a game other than poker: copies verify, although they hide what the dealer knows."""

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from tests.evidence.support import exported, verification

SEATS = (Seat("careful", "Ann"), Seat("careless", "Bob"), Seat("careless", "Cy"))


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2, 3, AUDITOR])
def test_every_copy_verifies(service: Service, log: EventLog, viewer: Viewer) -> None:
    service.start("nim", Setup(SEATS, EntropySource.from_text("nim"), 3), game_id="game")
    while service.status("game").outcome is None:
        service.play_round("game")
    verified = verification(exported(log, "game", viewer))
    assert list(verified.findings()) == []
    assert verified.over
