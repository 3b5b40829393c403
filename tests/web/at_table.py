"""Games at a table with people who are slow, sit out, leave, are removed and close it: with every table event."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import (
    ChangeDevice,
    ComeBack,
    PauseTable,
    ReplaceSeat,
    ResumeTable,
    TableSettings,
)
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record
from pokersvc.evidence.spoken_head import spoken
from pokersvc.games.draw_poker.house.houses import load_rules, preset_names
from pokersvc.players import Programs
from pokersvc.service import NothingToDo, Service, Status
from tests.web.played import Streamed, repeatable, streamed

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
            elif status.awaited and status.seats[status.awaited[0] - 1].kind == HUMAN:
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


class _MovingEvening(_Evening):
    """A game whose first person also goes on at another device, now and then."""

    def _between_rounds(self) -> None:
        if self.random.random() < 0.2:
            with suppress(IllegalAction):  # they have left
                self.service.table_act(self.game_id, ChangeDevice(1))
        super()._between_rounds()


class Evening(NamedTuple):
    """The whole log of a game at a table, and the secrets that the table published."""

    name: str
    kind: str
    game_id: str
    records: list[Record]
    opened: list[dict[str, Any]]

    def vector(self) -> dict[str, Any]:
        """Return it as seat 1 is streamed it."""
        return {
            "name": self.name,
            "game": self.game_id,
            "seat": 1,
            "records": streamed(self.records, self.kind, 1),
            "opened": self.opened,
            "head": self.records[-1].hash.hex(),
        }


def games_at_tables(folder: Path, random: Random, number: int) -> Iterator[Streamed]:
    """Play games at tables; yield each as its vector."""
    for evening in evenings_at_tables(folder, random, number, _MovingEvening):
        yield evening.vector()


def evenings_at_tables(
    folder: Path, random: Random, number: int, evening_of: type[_Evening] = _Evening
) -> Iterator[Evening]:
    """Play them, and yield the whole of each."""
    for index in range(number):
        kind = random.choice(["draw", *game_kinds()])  # poker has most rules
        yield _played(folder / f"{index}.sqlite", f"table-{index}", kind, random, evening_of=evening_of)


class _CashEvening(_Evening):
    """A cash game: its people come and go, buy chips and sit out."""

    def _between_rounds(self) -> None:
        self.closes = 1000
        for _ in range(self.random.randrange(6)):
            seat, chips = self.random.randint(1, _PEOPLE), self.random.randint(1, 60)
            do = self.random.choice([SitDown(seat, chips), BuyChips(seat, chips), SitOut(seat), SitIn(seat)])
            with suppress(IllegalAction):
                self.service.act(self.game_id, Leave(seat) if self.random.random() < 0.1 else do)
        super()._between_rounds()


class _Comings(_CashEvening):
    """A cash game with open seats: whoever gets up makes room for others, who have names of their own."""

    def _between_rounds(self) -> None:
        seats = self.service.status(self.game_id).seats
        open_seats = range(len(seats) - _OPEN + 1, len(seats) + 1)
        for seat in self.random.sample(open_seats, self.random.randrange(_OPEN + 1)):
            name = self.random.choice([None, "Zoë", "山田", "Ben", "Cat", seats[seat - 1].name])
            with suppress(IllegalAction):
                up = self.random.random() < 0.4
                self.service.act(self.game_id, Leave(seat) if up else SitDown(seat, self.random.randint(5, 60), name))
        super()._between_rounds()


class _ChangingEvening(_CashEvening):
    """A game, for cash or not, whose host changes the stakes between rounds, also to what cannot be."""

    def _between_rounds(self) -> None:
        self.closes = 1000
        if self.random.random() < 0.7:
            unit, blinds = self.random.choice([1, 2, 3, 5, 25]), self.service.view(self.game_id, EVERYONE).rules.blinds
            named: dict[str, object] = {
                "ante": self.random.randrange(4),
                "increase": self.random.randrange(3),
                "stack": self.random.randint(100, 900),
                **({"bet": unit} if blinds is None else {"straddle": self.random.choice([0, 4 * unit])}),
                **({} if blinds is None else {"blinds": f"{unit}/{unit * self.random.choice([1, 2, 3])}"}),
            }
            given = {name: named[name] for name in self.random.sample(sorted(named), self.random.randint(1, 2))}
            with suppress(IllegalAction, InvalidValue):
                self.service.change_stakes(self.game_id, given, seat=self.random.choice([0, 1, 2]))
        super()._between_rounds()


def changing_evenings(folder: Path, random: Random, number: int, *, houses: Sequence[str] = ()) -> Iterator[Evening]:
    """Play games whose stakes change, in all houses or in some; yield the whole of each."""
    for index in range(number):
        name = f"changing-{index}"
        house = (houses or preset_names())[index % len(houses or preset_names())]
        cash = house != "buy-the-pot" and random.random() < 0.5  # which surrenders chips, as no cash game does
        options: dict[str, object] = {"rules": house, "changeable": True, "cash": cash}
        yield _played(folder / f"{name}.sqlite", name, "draw", random, options, _ChangingEvening)


_OPEN: Final = 3


def games_with_newcomers(
    folder: Path, random: Random, number: int, houses: Sequence[object] = ("no-limit", "fixed-limit")
) -> Iterator[Streamed]:
    """Play cash games of some houses in which people come and go; yield each as its vector."""
    for evening in evenings_with_newcomers(folder, random, number, houses):
        yield evening.vector()


def evenings_with_newcomers(
    folder: Path, random: Random, number: int, houses: Sequence[object] = ("no-limit", "fixed-limit")
) -> Iterator[Evening]:
    """Play them, and yield the whole of each."""
    for index in range(number):
        name = f"coming-{index}"
        options = {"rules": random.choice(houses), "cash": True, "open_seats": _OPEN}
        yield _played(folder / f"{name}.sqlite", name, "draw", random, options, _Comings)


NEWCOMERS: Final = "draw-newcomers"


def newcomers_vector(folder: Path) -> dict[str, Any]:
    """Return the vector of a cash game in which people come and go."""
    with repeatable(_COMING):
        (game,) = games_with_newcomers(folder, Random(_COMING), 1)
    return {"kind": "draw", "spoken": spoken(bytes.fromhex(game["head"]))} | game | {"name": NEWCOMERS}


_COMING: Final = 4


def cash_games(folder: Path, random: Random, number: int) -> Iterator[Streamed]:
    """Play cash games in houses that were changed; yield each as its vector."""
    for evening in cash_evenings(folder, random, number):
        yield evening.vector()


def cash_evenings(folder: Path, random: Random, number: int) -> Iterator[Evening]:
    """Play them, and yield the whole of each."""
    for index in range(number):
        house = random.choice(["no-limit", "pot-limit", "fixed-limit", "rising-ante"])
        changes: dict[str, object] = {
            "draw": random.choice(["in_turn", "together"]),
            "reshuffle": random.choice(["others", "all"]),
        }
        rules = load_rules(house)
        if rules.open_hands == "in_order":
            changes["muck_all_in"] = random.random() < 0.5
            changes["shows_first"] = random.choice(["aggressor", "left_of_button"])
        if rules.blinds is not None:
            changes["button_rule"] = random.choice(["forward", "dead"])
            changes["blinds"] = rules.blinds.model_copy(update={"straddle": index % 2 * 2 * rules.blinds.big})
        options = {
            "rules": rules.model_copy(update=changes),
            "cash": True,
            "stack": [f"P{random.randint(1, 4)}={random.choice([0, 40, 150])}"],
            "rake": random.choice(["5%", "12.5%"]),
            "rake_cap": random.choice([None, 3, 20]),
        }
        yield _played(folder / f"cash-{index}.sqlite", f"cash-{index}", "draw", random, options)


CASH: Final = "draw-cash"


def cash_vector(folder: Path) -> dict[str, Any]:
    """Return the vector of a cash game in which all happens that can between rounds."""
    with repeatable(_EVENTFUL):
        (game,) = cash_games(folder, Random(_EVENTFUL), 1)
    return {"kind": "draw", "spoken": spoken(bytes.fromhex(game["head"]))} | game | {"name": CASH}


_EVENTFUL: Final = 200
"""A game of this seed has every event that only cash games have."""


def _played(
    path: Path,
    game_id: str,
    kind: str,
    random: Random,
    cash: dict[str, object] | None = None,
    evening_of: type[_Evening] | None = None,
    *,
    people: int = _PEOPLE,
    seats_in_all: int | None = None,
) -> Evening:
    least = _PEOPLE if cash is None else _PEOPLE + 2
    most = 6 if cash is None or evening_of is _Comings else 10
    count = seats_in_all or (_PEOPLE if kind == "kalah" else random.randint(least, most))
    seats = tuple(Seat(HUMAN if seat <= people else "random", f"P{seat}") for seat in range(1, count + 1))
    rules = random.choice(["rising-ante", "buy-the-pot", "capped-raise", "no-limit", "fixed-limit"])
    options: dict[str, object] = cash or ({"rules": rules} if kind == "draw" else {})
    with Database.for_writing(str(path)) as database:
        log = EventLog(database)
        service = Service(log, clock=lambda: evening.now)
        evening_of = evening_of or (_Evening if cash is None else _CashEvening)
        evening = evening_of(service, game_id, kind, random)
        setup = Setup(seats, EntropySource.fresh(), None if kind == "kalah" else 5 if cash is None else 12, options)
        service.start(kind, setup, game_id=game_id, table=_SETTINGS)
        evening.play()
        with log.snapshot() as snapshot:
            records: list[Record] = list(snapshot.read(game_id))
        opened = [{"seq": seq, "secret": secret, "salt": salt.hex()} for seq, secret, salt in service.opened(game_id)]
    return Evening(f"{game_id} {rules if kind == 'draw' else kind}", kind, game_id, records, opened)
