"""Exports of another game than poker: its copies verify, though they hide what its dealer knows."""

from collections.abc import Iterator

import pytest

from pokersvc.core.chance import EntropySource
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.registry import _REGISTRY, register
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from tests.evidence.support import exported, verification

from .game import NIM

SEATS = (Seat("careful", "Ann"), Seat("careless", "Bob"), Seat("careless", "Cy"))


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pokersvc.core.registry._REGISTRY", dict(_REGISTRY))
        register(NIM)
        yield


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2, 3, AUDITOR])
def test_every_copy_verifies(viewer: Viewer) -> None:
    with Database.for_writing(":memory:") as database:
        service = Service(EventLog(database))
        service.start("nim", Setup(SEATS, EntropySource.from_text("nim"), 3), game_id="game")
        while service.status("game").outcome is None:
            service.play_round("game")
        verified = verification(exported(EventLog(database), "game", viewer))
        assert list(verified.findings()) == []
        assert verified.over
