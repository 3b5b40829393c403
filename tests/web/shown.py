"""A game of people who show cards between the rounds, as its vector."""

from pathlib import Path
from typing import Any, Final

from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.spoken_head import spoken
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold
from pokersvc.service import Service
from pokersvc.streets.showing import Show
from tests.clock import ticking
from tests.web.played import fingerprint, opened, repeatable, streamed

SHOWN: Final = "draw-shown"


def _act(service: Service, *actions: Action) -> None:
    for action in actions:
        service.act(SHOWN, action)


def shown_vector(folder: Path) -> dict[str, Any]:
    """Play it: seat 2 draws two cards and wins without a call, and shows two cards; seat 1 folds and shows all."""
    with repeatable(fingerprint(SHOWN)), Database.for_writing(str(folder / f"{SHOWN}.sqlite")) as database:
        log = EventLog(database)
        service = Service(log, clock=ticking())
        seats = tuple(Seat(HUMAN, name) for name in ("Ann", "Bob", "Cy"))
        setup = Setup(seats, EntropySource.fresh(), 2, {"rules": "no-limit"})
        service.start("draw", setup, game_id=SHOWN)
        _act(service, Fold(1), Call(2), Check(3))
        gone = known_among(service.view(SHOWN, 2).seat(2).cards)[:2]
        _act(service, Discard(2, gone), Discard(3, ()), Bet(2, 2), Fold(3))
        own = known_among(service.view(SHOWN, 2).seat(2).cards)
        _act(service, Show(2, own[:1]), Show(2, own[4:]), Show(1))
        service.go_on(SHOWN)
        _act(service, Fold(2), Fold(3))
        if service.status(SHOWN).outcome is None:
            service.go_on(SHOWN)
        records = list(log.read(SHOWN))
    head = records[-1].hash
    return {
        "name": SHOWN,
        "kind": "draw",
        "game": SHOWN,
        "seat": 1,
        "records": streamed(records, "draw", 1),
        "opened": opened(records, "draw"),
        "head": head.hex(),
        "spoken": spoken(head),
    }
