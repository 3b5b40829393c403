"""Tables at which nobody is rest between two rounds, and go on once somebody comes to any server of the database."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from sqlalchemy import URL

from pokersvc.core.tables.table_events import PauseTable, ResumeTable, TableSettings
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.server import app
from pokersvc.server.app import parts_of
from pokersvc.server.commands import Commands
from pokersvc.server.following.hub import Hub
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.running.next_step import may_rest
from pokersvc.server.running.presence import EVERY, REST, Presence
from pokersvc.server.settings import Settings
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.service import Service
from pokersvc.service.opening import open_database
from tests import postgres
from tests.server.conftest import FAST, served
from tests.server.guests import Guest, Made
from tests.service.support import act, setup
from tests.shuffling import DEALT_TOGETHER, Table, Turned

BOTS = ({"program": "minimum"},) * 3
NEVER = 3600.0
STEPS = 20
"""Choices after which a minute passes."""


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Rests:
    """Servers whose minute passes once bots have chosen so often, and who say when a table rests."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self.rested, self.steps = Clock(), Event(), 0
        step, rests = Commands.step, self

        def counted(commands: Commands, *asked: Any) -> None:
            step(commands, *asked)
            self.steps += 1
            if self.steps == STEPS:
                self.clock.now += REST

        class Observed(Presence):
            def attended(self, row: TableRow) -> bool:
                found = super().attended(row)
                if not found:
                    rests.rested.set()
                return found

        monkeypatch.setattr(Commands, "step", counted)
        monkeypatch.setattr(app, "Presence", lambda tables, hub: Observed(tables, hub, self.clock))

    def made(self, guest: Guest, **asked: Any) -> Made:
        """Make a table of bots, and return it when it rests."""
        made = guest.made(*BOTS, **asked).started()
        assert self.rested.wait(60)
        return made


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> Rests:
    return Rests(monkeypatch)


@pytest.fixture
def url(server_of_postgres: postgres.Server) -> Iterator[URL]:
    """A database that is ready for servers."""
    with server_of_postgres.empty() as found:
        Database.for_upgrading(postgres.text(found)).close()
        yield found


@contextmanager
def serving(database: Database, poll: float) -> Iterator[Guest]:
    with served(database, limits=FAST, poll=poll, pace=0.0, pause=0.0) as guest:
        yield guest


def check_wakes(rests: Rests, database: Database, made: Made, there: Made) -> None:
    """A table that rests has ended a round, records nothing, and goes on as soon as somebody opens it."""
    records, steps = list(EventLog(database).read(made.game)), rests.steps
    last = [record.type for record in records if record.command_id == records[-1].command_id]
    assert "RoundEnded" in last
    assert not rests.clock() % REST
    assert (len(list(EventLog(database).read(made.game))), rests.steps) == (len(records), steps)
    with there.watch.stream() as told:
        following = next(one for one in told if one.event == "record" and one.id == len(records) + 1)
    assert following.data["type"] in ("Checked", "Bet", "Called", "Raised", "Folded")
    (found,) = audit(database, [made.game])
    assert found.findings == []


def test_a_table_of_bots_rests_and_is_woken_by_who_opens_it(rests: Rests, tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database, serving(database, NEVER) as guest:
        made = rests.made(guest)
        check_wakes(rests, database, made, made)


def test_a_table_is_woken_by_who_opens_it_at_another_server_of_a_file(rests: Rests, tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with ExitStack() as stack:
        database = stack.enter_context(open_database(path))
        made = rests.made(stack.enter_context(serving(database, 0.02)))
        other = stack.enter_context(serving(stack.enter_context(open_database(path)), 0.02))
        check_wakes(rests, database, made, Made(other, made.table, made.host, made.tokens))


def test_a_table_is_woken_by_who_opens_it_at_another_server_of_postgresql(rests: Rests, url: URL) -> None:
    with ExitStack() as stack:
        database = stack.enter_context(Database.for_writing(postgres.text(url)))
        made = rests.made(stack.enter_context(serving(database, NEVER)))
        other = stack.enter_context(Database.for_writing(postgres.text(url)))
        guest = stack.enter_context(serving(other, NEVER))
        check_wakes(rests, database, made, Made(guest, made.table, made.host, made.tokens))


def test_a_snapshot_wakes_a_table_too(rests: Rests, tmp_path: Path) -> None:
    with open_database(tmp_path / "games.sqlite") as database, serving(database, NEVER) as guest:
        made = rests.made(guest)
        count = made.watch.snapshot()["count"]
        while made.watch.snapshot()["count"] == count:
            pass


# Who is at a table.


class Told:
    """A hub that notes of which tables it was told."""

    def __init__(self) -> None:
        self.tables: list[str] = []

    def news(self, game_id: str) -> None:
        self.tables.append(game_id)

    async def call(self, function: Any, *arguments: Any) -> Any:
        return function(*arguments)


class Two:
    """A table that one server runs, and another at which people may be."""

    def __init__(self, database: Database) -> None:
        parts = parts_of(database, Settings())
        seats = [{"program": "minimum"}, {"program": "minimum"}]
        self.store: TableStore = parts.tables
        self.table = parts.opening.make(NewTable.model_validate({"kind": "draw", "seats": seats})).table.game_id
        parts.opening.start(self.table)
        self.store.claim([self.table], "here", None)
        self.clock, self.told = Clock(), Told()
        self.here, self.there = (Presence(self.store, cast(Hub, self.told), self.clock) for _ in range(2))
        self.beat()

    @property
    def attended(self) -> bool:
        return self.here.attended(self.store.get(self.table))

    def beat(self) -> None:
        for presence, name in ((self.here, "here"), (self.there, "there")):
            presence.tell(self.store.playing(), name)

    def turn(self, seconds: float) -> None:
        self.clock.now += seconds
        self.beat()


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with open_database(tmp_path / "games.sqlite") as database:
        yield Two(database)


def test_nobody_was_at_a_table_for_a_minute(two: Two) -> None:
    assert two.attended, "nobody knows who was there before"
    two.turn(REST - 1)
    assert two.attended
    two.turn(1)
    assert not two.attended


def test_who_is_at_the_server_that_runs_the_table_is_told_to_no_other(two: Two) -> None:
    changes = two.store.get(two.table).changes

    async def stay() -> None:
        async with two.here.at(two.table):
            for _ in range(10):
                two.turn(EVERY)
                assert two.attended

    asyncio.run(stay())
    two.turn(REST - 1)
    assert two.attended
    two.turn(1)
    assert not two.attended
    assert two.store.get(two.table).changes == changes


def test_who_is_at_another_server_keeps_the_table_from_resting(two: Two) -> None:
    assert two.attended
    two.turn(REST)
    assert not two.attended

    async def stay() -> None:
        async with two.there.at(two.table):
            assert two.told.tables == [two.table], "it is woken at once"
            assert two.attended
            for _ in range(10):
                two.turn(EVERY)
                assert two.attended

    asyncio.run(stay())
    two.turn(EVERY)
    assert two.attended
    changes = two.store.get(two.table).changes
    two.turn(REST - 1)
    assert two.attended
    two.turn(1)
    assert not two.attended
    assert two.store.get(two.table).changes == changes, "nothing is told of a table at which nobody is"


def test_who_looks_again_and_again_writes_now_and_then(two: Two) -> None:
    changes = two.store.get(two.table).changes
    for _ in range(int(2 * REST)):
        two.there.visit(two.table)
        two.turn(1)
        assert two.attended
    assert two.store.get(two.table).changes - changes == 1 + 2 * REST // EVERY


@pytest.mark.parametrize("over", [False, True], ids=["waits", "is over"])
def test_nothing_is_written_of_who_looks_at_a_table_that_does_not_play(tmp_path: Path, over: bool) -> None:
    with open_database(tmp_path / "games.sqlite") as database:
        parts, told = parts_of(database, Settings()), Told()
        table = parts.opening.make(NewTable(kind="kalah", seats=[None, None])).table.game_id
        if over:
            parts.tables.forget("9999")
        row = parts.tables.get(table)
        Presence(parts.tables, cast(Hub, told), Clock()).visit(table)
        assert parts.tables.get(table) == row
        assert told.tables == []


# Where a table may rest.


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    with open_database(tmp_path / "games.sqlite") as database:
        yield EventLog(database)


def rests_now(service: Service, game_id: str) -> bool:
    return may_rest(service.status(game_id), service.table(game_id))


@pytest.mark.parametrize("again", [False, True], ids=["in memory", "read again"])
def test_bots_alone_rest_after_a_round_and_not_within_one(log: EventLog, again: bool) -> None:
    service = Service(log)
    game_id, _ = service.start("draw", setup("minimum", "minimum"))
    ended = False
    for _ in range(40):
        assert rests_now(Service(log) if again else service, game_id) is ended
        ended = "RoundEnded" in [one.record.type for one in service.step(game_id)]


def test_a_table_rests_in_the_pause_and_not_while_a_person_is_to_choose(log: EventLog) -> None:
    service = Service(log)
    game_id, _ = service.start("draw", setup("human", "minimum"), table=TableSettings(seconds=30))
    while not service.status(game_id).pausing:
        assert not rests_now(service, game_id)
        if service.status(game_id).kind_to_act == "human":
            act(service, game_id)
        else:
            service.step(game_id)
    assert rests_now(service, game_id)
    assert service.table(game_id).deadlines == {}, "no clock runs that could be stopped"
    service.table_act(game_id, PauseTable())
    service.table_act(game_id, ResumeTable())
    assert rests_now(service, game_id)


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_a_table_does_not_rest_while_shares_are_awaited(log: EventLog, kind: str) -> None:
    clock = Turned()
    table = Table(Service(log, clock), clock, kind)
    table.bind()
    assert rests_now(table.service, table.game_id)
    table.open_round()
    assert not rests_now(table.service, table.game_id)


# What such tables weigh.


def test_a_table_with_bots_alone_weighs_more_in_the_limits(tmp_path: Path) -> None:
    limits = replace(FAST, tables_of_address=12, open_tables=22)
    people, bots = {"kind": "draw", "seats": [{}, {}]}, {"kind": "draw", "seats": list(BOTS)}
    with open_database(tmp_path / "games.sqlite") as database, served(database, limits=limits) as guest:
        codes = [guest.post("/api/tables", json=asked).status_code for asked in (bots, bots, people, people, people)]
        assert codes == [201, 429, 201, 201, 429]
        assert TableStore(database).open_weight() == 12


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (
            {"tables_of_address": 3},
            "Your address may have 3 tables that are not over, and one with bots alone counts as 3",
        ),
        ({"open_tables": 3}, "The server has as many tables as it can hold"),
    ],
)
def test_a_small_limit_has_room_for_one_table_with_bots_alone(
    tmp_path: Path, limits: dict[str, int], said: str
) -> None:
    people, bots = {"kind": "draw", "seats": [{}, {}]}, {"kind": "draw", "seats": list(BOTS)}
    for first, then in ((bots, people), (people, bots)):
        with (
            open_database(tmp_path / f"{first is bots}.sqlite") as database,
            served(database, limits=replace(FAST, **limits)) as guest,  # type: ignore[arg-type]  # all of them are numbers
        ):
            assert guest.post("/api/tables", json=first).status_code == 201
            refused = guest.post("/api/tables", json=then)
            assert refused.status_code == 429
            assert said in refused.json()["message"]
