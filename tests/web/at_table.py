"""A game at a table with people who are slow, sit out, leave, are removed and close it: every event that there is."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.table_events import ComeBack, PauseTable, ReplaceSeat, ResumeTable, TableSettings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.players import Programs
from pokersvc.service import NothingToDo, Service, Status
from tests.web.played import Streamed, streamed

_SETTINGS: Final = TableSettings(seconds=10, opens_seeds=True)
_PEOPLE: Final = 2


class _Evening:
    """One game: seats 1 and 2 are people who play at random, and do what people do at tables."""

    def __init__(self, service: Service, game_id: str, kind: str, random: Random) -> None:
        self.service, self.game_id, self.random = service, game_id, random
        make = Programs().find(game_of(kind), "random")
        assert make is not None
        self.player = make()
        self.now = datetime(2026, 1, 31, 12, tzinfo=UTC)
        self.closes = random.choice([20, 60, 1000])

    def play(self) -> None:
        step = 0
        while (status := self.service.status(self.game_id)).outcome is None:
            step += 1
            self.now += timedelta(seconds=1)
            if step > self.closes:
                with suppress(IllegalAction):  # in the middle of a round
                    self.service.close(self.game_id)
                    continue
            if status.pausing:
                self._between_rounds()
            elif status.awaited and status.awaited[0] <= _PEOPLE:
                self._choose(status)
            else:
                self.service.play_round(self.game_id)

    def _between_rounds(self) -> None:
        service, game_id = self.service, self.game_id
        with suppress(IllegalAction):  # of one who left, or is back
            for seat in service.table(game_id).sitting_out:
                service.table_act(game_id, ComeBack(seat))
            match self.random.randrange(10):
                case 0:
                    service.act(game_id, Leave(1))
                case 1:
                    service.remove(game_id, 2)
                case 2:
                    service.table_act(game_id, PauseTable())
                    service.table_act(game_id, ResumeTable())
                case 3:
                    service.table_act(game_id, ReplaceSeat(1))
        with suppress(NothingToDo):  # too few are left, and the game is over
            service.go_on(game_id)

    def _choose(self, status: Status) -> None:
        seat = status.awaited[0]
        if self.random.random() < 0.2:
            self.now += timedelta(seconds=60)
            self.service.time_out(self.game_id, seat)
        else:
            turn = self.service.turn(self.game_id, seat)
            self.service.act(self.game_id, self.player.choose(turn.view, turn.legal, self.random))


def games_at_tables(folder: Path, random: Random, number: int) -> Iterator[Streamed]:
    """Play games at tables; yield each as its vector."""
    for index in range(number):
        kind = random.choice(["draw", *game_kinds()])  # poker has most rules
        yield _played(folder / f"{index}.sqlite", f"table-{index}", kind, random)


def _played(path: Path, game_id: str, kind: str, random: Random) -> dict[str, Any]:
    count = _PEOPLE if kind == "kalah" else random.randint(_PEOPLE, 6)
    seats = tuple(Seat(HUMAN if seat <= _PEOPLE else "random", f"P{seat}") for seat in range(1, count + 1))
    rules = random.choice(["rising-ante", "buy-the-pot", "capped-raise", "no-limit", "fixed-limit"])
    options: dict[str, object] = {"rules": rules} if kind == "draw" else {}
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        service = Service(log, clock=lambda: evening.now)
        evening = _Evening(service, game_id, kind, random)
        setup = Setup(seats, EntropySource.fresh(), None if kind == "kalah" else 5, options)
        service.start(kind, setup, game_id=game_id, table=_SETTINGS)
        evening.play()
        with log.snapshot() as snapshot:
            records: list[Record] = list(snapshot.read(game_id))
        opened = [{"seq": seq, "secret": secret, "salt": salt.hex()} for seq, secret, salt in service.opened(game_id)]
    return {
        "name": f"{game_id} {rules if kind == 'draw' else kind}",
        "game": game_id,
        "seat": 1,
        "records": streamed(records, kind, 1),
        "opened": opened,
        "head": records[-1].hash.hex(),
    }
