"""Games whose seats shuffle together: people miss shares, come back, have new links, renew chains, pause and leave."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from pokersvc.betting.cash import BuyChips, SitIn, SitOut
from pokersvc.core.actions import IllegalAction, Leave
from pokersvc.core.registry import game_of
from pokersvc.core.tables.table_events import ChangeDevice, ComeBack, PauseTable, ReplaceSeat, ResumeTable
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import NothingToDo, Service
from tests.shuffling import DEALT_TOGETHER, Table, Turned
from tests.web.played import opened, repeatable, streamed

_MOST_COMMANDS: Final = 400


def games_together(folder: Path, random: Random, number: int) -> Iterator[dict[str, Any]]:
    """Play games that are shuffled together; yield each as its vector."""
    for index in range(number):
        kind = DEALT_TOGETHER[index % len(DEALT_TOGETHER)]
        yield _played(folder / f"{index}.sqlite", f"together-{index}", kind, random)


def cash_games_together(folder: Path, random: Random, number: int) -> Iterator[dict[str, Any]]:
    """Play cash games that are shuffled together, in which people buy chips, sit out and come back."""
    for index in range(number):
        house = random.choice(["no-limit", "fixed-limit"])
        yield _played(folder / f"cash-{index}.sqlite", f"cash-together-{index}", "draw", random, house)


def _options(kind: str, random: Random, cash_house: str | None) -> Mapping[str, object]:
    if cash_house is not None:
        return {"rules": cash_house, "cash": True}
    houses = game_of(kind).houses()
    return {"rules": random.choice(houses).name} if houses else {}


def _played(path: Path, game_id: str, kind: str, random: Random, cash_house: str | None = None) -> dict[str, Any]:
    clock = Turned()
    people = random.randint(2, 4)
    with repeatable(random.getrandbits(32)), Database.for_writing(str(path)) as database:
        log = EventLog(database)
        service = Service(log, clock)
        table = Table(
            service, clock, kind, people=people, bots=random.randint(0, 2), rounds=random.randint(2, 5),
            length=random.choice([2, 40]), named=game_id,
            options=_options(kind, random, cash_house),
        )  # fmt: skip
        for _ in range(_MOST_COMMANDS):
            if service.status(game_id).outcome is not None:
                break
            clock.turn(1)
            _go_on(table, random)
        else:
            if table.dealing.waiting:
                table.miss()
            service.abandon(game_id)
        with log.snapshot() as snapshot:
            records = list(snapshot.read(game_id))
    viewer = random.randint(1, people)
    return {
        "name": f"{game_id} {kind}",
        "game": game_id,
        "seat": viewer,
        "records": streamed(records, kind, viewer),
        "opened": opened(records, kind),
        "head": records[-1].hash.hex(),
    }


def _go_on(table: Table, random: Random) -> None:
    service, game_id = table.service, table.game_id
    if service.status(game_id).awaited:
        table.act()
    elif table.dealing.waiting:
        _shares(table, random)
    else:
        _between_rounds(table, random)
        with suppress(IllegalAction, NothingToDo):  # nobody is bound or sits in, or the game is over
            table.open_round()


def _shares(table: Table, random: Random) -> None:
    if random.random() < 0.1:
        for action in (PauseTable(), ResumeTable()):
            table.service.table_act(table.game_id, action)
            table.clock.turn(30)
    if random.random() < 0.2:
        table.miss()
    else:
        table.share(random.choice(table.dealing.waiting))


def _between_rounds(table: Table, random: Random) -> None:
    service, game_id = table.service, table.game_id
    for seat in range(1, table.people + 1):
        if "cash" in table.options and random.random() < 0.4:
            with suppress(IllegalAction):  # of one who left, has chips enough, or sits in
                service.act(
                    game_id, random.choice([BuyChips(seat, random.choice([2, 20, 100])), SitOut(seat), SitIn(seat)])
                )
        with suppress(IllegalAction):  # of one who left, or sits in
            if random.random() < 0.7:
                service.table_act(game_id, ComeBack(seat))
            if random.random() < 0.1:
                service.table_act(game_id, ReplaceSeat(seat))
                table.devices.pop(seat, None)
            if "cash" in table.options and random.random() < 0.1:
                service.table_act(game_id, ChangeDevice(seat))
                table.devices.pop(seat, None)
            if random.random() < 0.03:
                service.act(game_id, Leave(seat))
            binding = table.dealing.bindings.get(seat)
            if (binding is None or binding.last <= table.dealing.round) and random.random() < 0.8:
                table.bind(seat)
