"""A game's own action that only the service sends: for an absent person, at a choice or between two rounds."""

from dataclasses import dataclass

import pytest

from pokersvc.core.actions import Action, IllegalAction, ServiceAction
from pokersvc.core.common_events import Number
from pokersvc.core.event import EVERYONE, Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.service import Service
from tests.evidence.support import exported, verification
from tests.sending import send

from .game import EVENT_TYPES, NOTHING, GameStarted, Pick, Sealed, SealedState


@dataclass(frozen=True, slots=True)
class Absent(ServiceAction):
    """The action for a person who is away."""


@dataclass(frozen=True, slots=True)
class SatOut(Event):
    seat: Number


class AbsentState(SealedState):
    __slots__ = ()

    def choice(self, action: Action) -> Event:
        if not isinstance(action, Absent):
            return SealedState.choice(self, action)
        if action.seat not in (self.seated if self.pausing else self.awaited):
            raise IllegalAction("cannot_sit_out", f"Seat {action.seat} is not asked for anything now.")
        return SatOut(action.seat)

    def change(self, event: Event) -> None:
        if not isinstance(event, SatOut):
            SealedState.change(self, event)
        elif self.on:
            self.picked[event.seat] = NOTHING
        else:
            self.seated.remove(event.seat)


class SealedWithAbsence(Sealed):
    kind = "sealed"
    event_types = {**EVENT_TYPES, ("SatOut", 1): SatOut}  # noqa: RUF012 - as the contract declares it

    def begin(self, started: GameStarted) -> SealedState:
        return AbsentState(started)

    def action_of(self, event: Event) -> Action | None:
        return Absent(event.seat) if isinstance(event, SatOut) else super().action_of(event)


@pytest.fixture(scope="module")
def game() -> Game:
    return SealedWithAbsence()


@pytest.fixture
def service(service: Service) -> Service:
    seats = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"), Seat(HUMAN, "Cy"))
    service.start("sealed", Setup(seats, EntropySource.from_text("x"), 2), game_id="game")
    return service


def test_no_caller_sends_it(service: Service) -> None:
    with pytest.raises(IllegalAction) as refused:
        service.act("game", Absent(1))
    assert refused.value.code == "service_only"


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 3])
def test_it_is_audited_at_a_choice_and_between_two_rounds(service: Service, database: Database, viewer: Viewer) -> None:
    service.act("game", Pick(3, 1))
    send(service, "game", Absent(1))
    service.act("game", Pick(2, 2))
    assert service.status("game").pausing
    send(service, "game", Absent(2))
    service.go_on("game")
    assert service.status("game").awaited == (1, 3)
    assert [one.findings for one in audit(database)] == [[], []]
    assert list(verification(exported(EventLog(database), "game", viewer)).findings()) == []
