"""Random commands to two services on one log: the recorded events or the refusal of each, and the state after it.

Sessions of a person, of everyone and of a spectator follow, read models and questions are read after each command, and
a walk ends with the game lists, the statistics and the read models, made again from the log.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from pokersvc.core.actions import Action, Leave
from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import (
    ChangeDevice,
    ComeBack,
    PauseTable,
    ReplaceSeat,
    RestartClock,
    ResumeTable,
    TableSettings,
)
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service, Session
from pokersvc.service.next import Choose, Over, Pause, Shown, Stopped, Waiting
from pokersvc.service.read_models import history, statistics
from pokersvc.service.read_models.game_search import Sought, games, last_open, played_by, seats_asked
from pokersvc.service.read_models.tallies import DIMENSIONS, tally
from tests.clock import FIRST
from tests.digested import Digested

from ..support import rows

_COMMANDS: Final = 36
_CASH: Final[Any] = game_of("draw").between_rounds


class _Played(NamedTuple):
    """A game that is walked through."""

    kind: str
    kinds: tuple[str, ...]
    options: dict[str, Any]
    rounds: int | None = 2
    table: TableSettings | None = None

    @property
    def setup(self) -> Setup:
        """The setup of the game."""
        seats = tuple(Seat(kind, name) for kind, name in zip(self.kinds, ("Ann", "You", "Cy", "Dee"), strict=False))
        return Setup(seats, EntropySource.from_text(repr(self.kinds)), self.rounds, self.options)


class _Walk:
    """Two services on one log, and three clients of the first."""

    def __init__(self, played: _Played, database: Database) -> None:
        self.random = Random(repr(played))
        self.played, self.database = played, database
        self.now = FIRST
        self.services = [Service(EventLog(database), lambda: self.now) for _ in range(2)]
        self.id, self.started = self.services[0].start(played.kind, played.setup, game_id="walk", table=played.table)
        self.sessions = [
            Session(self.services[0], self.id, most_alone=1),
            Session(self.services[1], self.id, seats=(), runs_programs=False),
            Session(self.services[0], self.id, viewer=EVERYONE, seen=1, runs_programs=False),
        ]

    def lines(self) -> Iterator[str]:
        """Yield the result of each command, and the state after it."""
        yield _shown(self.started)
        for number in range(_COMMANDS):
            self.now += self.random.choice((timedelta(0), timedelta(seconds=3), timedelta(seconds=40)))
            name, command = self._any()
            yield f"{number} {name} {_said(command)}"
            yield from self._known(number)
        yield from self._end()

    def _any(self) -> tuple[str, Callable[[], object]]:
        """Return a random command, usually a possible one."""
        random, id_ = self.random, self.id
        service, seat = random.choice(self.services), random.randrange(1, 5)
        status = service.status(id_)
        named: dict[str, Any] = random.choice(
            (
                {},
                {},
                {},
                {"command_id": f"c{random.randrange(4)}"},
                {"expected": status.count - random.choice((0, 0, 0, 1))},
                {"viewer": 1},
            )
        )
        table = [ComeBack(seat), PauseTable(), ResumeTable(), ResumeTable(), RestartClock(), ReplaceSeat(seat)]
        table.append(ChangeDevice(seat))
        if status.to_act is not None and random.random() < 0.6:
            if status.kind_to_act == HUMAN:
                action = self._choice(service, status.to_act)
                return f"act {action} {named}", partial(service.act, id_, action, **named)
            named.pop("command_id", None)
            return f"step {named}", partial(service.step, id_, **named)
        named.pop("viewer", None)
        between: list[Action] = [Leave(seat), _CASH[0](seat, 50), _CASH[1](seat, 9), _CASH[2](seat), _CASH[3](seat)]
        action, at_table = random.choice(between), random.choice(table)
        return random.choice(
            [
                (f"go on {named}", partial(service.go_on, id_, **named)),
                (f"go on {named}", partial(service.go_on, id_, **named)),
                ("play round", partial(service.play_round, id_)),
                (f"act {action} {named}", partial(service.act, id_, action, **named)),
                (f"{at_table} {named}", partial(service.table_act, id_, at_table, **named)),
                (f"time out {seat} {named}", partial(service.time_out, id_, seat, **named)),
                (f"remove {seat} {named}", partial(service.remove, id_, seat, **named)),
                (f"close {named}", partial(service.close, id_, **named) if random.random() < 0.1 else _nothing),
                ("room", partial(service.check_room, id_)),
                ("again", lambda: service.start(self.played.kind, self.played.setup, game_id=id_)[1]),
            ]
        )

    def _choice(self, service: Service, seat: int) -> Action:
        turn = service.turn(self.id, seat)
        player = game_of(self.played.kind).players["random"]()
        choice: Action = player.choose(turn.view, turn.legal, self.random)
        return choice

    def _known(self, number: int) -> Iterator[str]:
        one, other = self.services
        status = one.status(self.id)  # its head has a salt, so that it is another each time
        yield f"{replace(status, head=b'')} {status == other.status(self.id)} {len(status.head)}"
        yield f"{one.table(self.id)} {one.table(self.id) == other.table(self.id)}"
        yield str([(opened.seq, opened.secret) for opened in one.opened(self.id)] if number % 9 == 0 else [])
        for seat in range(4):
            yield _said(partial(self._turn, seat))
        for session in self.sessions:
            yield from _followed(session, self.random)
            yield f"{session.count} {session.people} {session.seats} {session.free_seats} {session.may_come}"
            yield f"{session.viewer} {session.all_seats} {session.rounds_alone} {session.awaited}"
            yield str(session.beforehand())
        yield f"{rows(self.database) if number % 3 == 0 else ''}"
        summary = history.summary(self.database, self.id)
        yield f"{summary} {summary.title} {summary.result} {seats_asked(one, summary)}"
        for viewer in (EVERYONE, 1, AUDITOR):
            yield _said(lambda viewer=viewer: list(history.entries(self.database, self.id, viewer)))  # type: ignore[misc]
        count = self.random.randrange(0, 12)
        yield _said(lambda: [step.event for step in one.replay(self.id, upto=count)])
        yield _said(lambda: list(history.entries(self.database, self.id, 1, force=True)) if number % 9 == 0 else [])

    def _turn(self, seat: int) -> str:
        turn = self.services[0].turn(self.id, seat)
        return f"{turn.legal} {turn.view.to_act}"

    def _end(self) -> Iterator[str]:
        database = self.database
        for sought in (
            *(Sought(), Sought(kind=self.played.kind), Sought(kind="none"), Sought(player="ANN"), Sought(player="Zoe")),
            *(Sought(house="no-limit"), Sought(finished=True), Sought(finished=False), Sought(since="2026-01-31")),
            *(Sought(since="2026-02"), Sought(player="ann", since="2027")),
        ):
            yield f"{sought} {[one.game_id for one in games(database, sought)]}"
        yield _said(lambda: last_open(database).game_id)
        yield str([one.game_id for one in history.games(database, [played_by(["cy", "Ann"])])])
        summary = history.summary(database, self.id)
        places = (1, 3, 5, 7)[: len(summary.seats)]
        for text in ("everyone", "auditor", "1", "ANN", "cy", "7", "0", ""):
            yield f"{text!r} {_said(partial(summary.viewer, text))} {_said(partial(summary.viewer, text, places))}"
        for tallied in range(2):
            for by in DIMENSIONS:
                for asked in ({}, {"players": ["Ann"]}, {"most": 1}, {"only": "BTN"}, {"most": 2, "players": ["Cy"]}):
                    yield f"{by} {asked} {_said(partial(statistics.statistics, database, by, **asked))}"
                if not tallied:
                    yield f"{list(statistics.hands(database, by, ['Ann']))}"
            yield f"{statistics.without_hands(database)} {tally(database)}"
        before = rows(database)
        yield f"{history.rebuild(database)} {before == rows(database)} {list(history.gaps(database))}"


def _followed(session: Session, random: Random) -> Iterator[str]:
    """Yield what comes next in a session, up to the choice of somebody; now and then that is made."""
    for _ in range(60):
        match session.next():
            case Shown() as shown:
                yield f"shown {shown.alone} {shown.entry} {shown.event} {shown.state!r}"
            case Choose() as choose:
                yield f"choose {choose.count} {choose.seat} {choose.legal} {choose.view.to_act}"
                player = session.game.players["random"]()
                if random.random() < 0.2:
                    yield f"acted {session.act(player.choose(choose.view, choose.legal, random))}"
                return
            case Pause() as pause:
                yield str(pause)
                if random.random() < 0.1:
                    yield f"went on {_said(session.go_on)}"
                return
            case (Waiting() | Over() | Stopped()) as other:
                yield str(other)
                return


def _nothing() -> None:
    """Do nothing."""


def _said(command: Callable[[], object]) -> str:
    try:
        found = command()
    except PokersvcError as refused:
        return f"{type(refused).__name__} {refused.code}: {refused}"
    return _shown(found) if isinstance(found, list) else str(found)


def _shown(found: Any) -> str:
    return str([one.event if hasattr(one, "event") else one for one in found])


def _walk(played: _Played) -> Iterator[str]:
    with Database.for_writing(":memory:") as database:
        yield from _Walk(played, database).lines()


_TABLE: Final = TableSettings(seconds=30, bank=20, opens_seeds=True)
_WALKS: Final = {
    "people": _Played("draw", (HUMAN, HUMAN, "random"), {"rules": "no-limit"}),
    "at a table": _Played("draw", (HUMAN, "minimum", HUMAN), {"rules": "fixed-limit"}, 3, _TABLE),
    "cash": _Played("draw", (HUMAN, HUMAN, HUMAN), {"rules": "pot-limit", "cash": True, "open_seats": 1}, 3, _TABLE),
    "bots": _Played("draw", ("random", "minimum", "random"), {"rules": "capped-raise"}, 3),
    "market": _Played("market", (HUMAN, "random", "greedy"), {}, 1, _TABLE),
    "kalah": _Played("kalah", (HUMAN, "random"), {"holes": 3, "beans": 2}, None),
}
WALKED: Final = Digested(
    Path(__file__).with_name("digests.json"), lambda: {name: partial(_walk, played) for name, played in _WALKS.items()}
)
