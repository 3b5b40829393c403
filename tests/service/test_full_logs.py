"""A game with a full log is played to the end of its round or market, and its log grows no further."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from pokersvc.betting.cash import BuyChips, SitIn, SitOut
from pokersvc.core.actions import IllegalAction
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.tables.table_event import TableAction
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
from pokersvc.eventlog.record import Record, stored_bytes
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.remote.device import Device
from pokersvc.service import LogFull, Service
from pokersvc.service.open_game import OpenGame
from tests.service.support import commands, play_out, setup, told, types
from tests.shuffling import DEALT_TOGETHER, Table, Turned

SETTINGS = {
    "alone": TableSettings(opens_seeds=True, seconds=30),
    "together": TableSettings(opens_seeds=True, seconds=30, dealing="together"),
}
CASH = {"rules": "no-limit", "cash": True}
MOST = 8_000
ONE_ROUND = 25_000
"""The maximum bytes of a round at these tables, or of a market, including table events."""
NO_MORE = {
    "RoundStarted", "SharesAwaited", "SeatBound", "TablePaused", "SeatReplaced", "DeviceChanged", "ChipsBought",
    "SatOut",
}  # fmt: skip
"""Events that are not recorded once a log is full."""


@pytest.fixture(autouse=True)
def _audits(database: Database) -> Iterator[None]:
    """An audit finds nothing wrong in whatever a service records."""
    yield
    assert [finding for audited in audit(database) for finding in audited.findings] == []


@pytest.mark.parametrize("fresh", [False, True], ids=["in memory", "read again"])
@pytest.mark.parametrize("seats", [("minimum",) * 3, ("human", "minimum", "human")], ids=["bots", "people"])
def test_a_full_game_ends_after_the_round_that_is_on(log: EventLog, seats: tuple[str, ...], fresh: bool) -> None:
    asked, settings = setup(*seats, rounds=5), TableSettings(opens_seeds=True)
    service = Service(log, Turned())
    whole = service.start("draw", asked, table=settings)[0]
    play_out(service, whole)
    records = list(log.read(whole))
    end = [record.seq for record in records if record.type == "RoundEnded"][1]
    most = sum(map(stored_bytes, records[: end - 3]))  # so that it is full shortly before its second round ends
    limited = Service(log, Turned(), most_bytes=most)
    full, last = limited.start("draw", asked, table=settings)
    while limited.status(full).outcome is None:
        last = next(commands(limited, full))
        if fresh:
            limited = Service(log, Turned(), most_bytes=most)
    assert "RoundEnded" in types(last)
    assert told(log, full)[:end] == told(log, whole)[:end]
    assert [record.type for record in log.read(full)][end:] in (
        ["GameClosed", "GameEnded"],
        ["GameClosed", "HandsRevealed", "GameEnded"],
    )
    outcome = limited.status(full).outcome
    assert outcome is not None
    with log.snapshot() as snapshot:
        then = OpenGame.of(whole, "draw", snapshot.read(whole, upto=end)).state
    assert isinstance(then, DrawPokerState)
    assert outcome.scores == tuple(then.stacks[1:])
    assert len(limited.opened(full)) == 3  # of the start and two rounds


@pytest.mark.parametrize("kind", game_kinds())
def test_every_full_game_ends(log: EventLog, kind: str) -> None:
    service = Service(log, most_bytes=1)
    bot = next(iter(game_of(kind).players))
    game_id, last = service.start(kind, setup(bot, bot))
    while service.status(game_id).outcome is None:
        last = next(commands(service, game_id))
    assert "GameClosed" in types(last)
    assert [record.type for record in log.read(game_id)].count("RoundEnded") <= 1


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_a_full_game_awaits_the_shares_of_a_round_that_was_opened(log: EventLog, kind: str) -> None:
    clock = Turned()
    table = Table(Service(log, clock), clock, kind)
    table.bind()
    table.open_round()
    table.service.table_act(table.game_id, PauseTable())
    table.service = Service(log, clock, most_bytes=1)
    table.service.table_act(table.game_id, ResumeTable())
    for seat in (1, 2):
        for refused in (PauseTable(), ReplaceSeat(1), ChangeDevice(1)):
            with pytest.raises((LogFull, IllegalAction), match=r"full|waits for shares"):
                table.service.table_act(table.game_id, refused)
        assert table.service.status(table.game_id).outcome is None
        table.share(seat)
    assert table.service.status(table.game_id).awaited
    table.play_round()
    types_ = [record.type for record in log.read(table.game_id)]
    assert types_.count("DeckShuffled") == 1
    assert types_.count("GameEnded") == 1
    assert types_.count("GameClosed") == (kind != "market")  # of which there was one alone
    assert table.service.opened(table.game_id)


def bound(table: Table, seat: int) -> TableAction:
    return Device.fresh(table.start, seat, length=4).bind()


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_who_binds_again_and_again_between_two_rounds_ends_the_game(log: EventLog, kind: str) -> None:
    clock = Turned()
    table = Table(Service(log, clock, most_bytes=5_000), clock, kind)
    for _ in range(100):
        if table.service.status(table.game_id).outcome is None:
            table.service.table_act(table.game_id, bound(table, 1))
    records = list(log.read(table.game_id))
    assert [record.type for record in records][-3:] == ["SeatBound", "GameClosed", "GameEnded"]
    assert log.stored_bytes(table.game_id) < 5_000 + 2_000
    assert [record.seq for record in records if record.n == 1][-1] == len(records) - 2  # all in one command
    assert len(table.service.opened(table.game_id)) == 1


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
@pytest.mark.parametrize("ask", ["go on", "bind", "link", "move", "pause"])
def test_a_game_that_was_full_between_two_rounds_is_dealt_no_other(log: EventLog, kind: str, ask: str) -> None:
    """As where the limit is lower than it was."""
    clock = Turned()
    table = Table(Service(log, clock), clock, kind)
    table.bind()
    table.service, before = Service(log, clock, most_bytes=1), table.service.status(table.game_id).count
    asking: dict[str, Callable[[], object]] = {
        "go on": table.open_round,
        "bind": lambda: table.service.table_act(table.game_id, bound(table, 1)),
        "link": lambda: table.service.table_act(table.game_id, ReplaceSeat(1)),
        "move": lambda: table.service.table_act(table.game_id, ChangeDevice(1)),
        "pause": lambda: table.service.table_act(table.game_id, PauseTable()),
    }
    asking[ask]()
    assert [record.type for record in log.read(table.game_id)][before:][-2:] == ["GameClosed", "GameEnded"]
    assert table.service.status(table.game_id).outcome is not None


@pytest.mark.parametrize("kind", DEALT_TOGETHER)
def test_a_full_game_for_which_no_share_came_ends(log: EventLog, kind: str) -> None:
    clock = Turned()
    table = Table(Service(log, clock), clock, kind)
    table.bind()
    table.open_round()
    table.service = Service(log, clock, most_bytes=1)
    assert [one.record.type for one in table.miss()] == ["ShareMissed", "ShareMissed", "GameClosed", "GameEnded"]


def test_clocks_of_a_full_game_restart_once_until_something_else_happens(log: EventLog) -> None:
    clock = Turned()
    table = Table(Service(log, clock), clock, bots=0, settings=SETTINGS["alone"])
    table.service = Service(log, clock, most_bytes=1)
    for _ in range(2):
        table.service.table_act(table.game_id, RestartClock())
        with pytest.raises(LogFull):
            table.service.table_act(table.game_id, RestartClock())
        table.act()


def whatever(table: Table, random: Random) -> None:
    """Ask for one thing that a host, a guest, a server or a clock may ask for, at any time."""
    service, game_id, seat = table.service, table.game_id, random.randint(1, table.people)
    status = service.status(game_id)
    asked: list[Callable[[], object]] = [
        *(
            lambda action=action: service.table_act(game_id, action)
            for action in (
                PauseTable(),
                ResumeTable(),
                RestartClock(),
                ReplaceSeat(seat),
                ChangeDevice(seat),
                ComeBack(seat),
            )
        ),
        *(
            lambda action=action: service.act(game_id, action)
            for action in (BuyChips(seat, 1), SitOut(seat), SitIn(seat))
        ),
        lambda: service.go_on(game_id),
        lambda: service.time_out(game_id, seat),
        lambda: service.remove(game_id, seat),
        table.act,
        table.miss,
        lambda: table.clock.turn(40),
        lambda: table.bind(seat),
        lambda: table.share(seat),
        lambda: service.step(game_id),
    ]
    if status.awaited and random.random() < 0.05:
        table.act()
    else:
        random.choice(asked)()


@pytest.mark.parametrize("number_of_games", [2, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("kind", "dealing", "options"),
    [
        *((kind, "alone", {}) for kind in game_kinds()),
        *((kind, "together", {}) for kind in DEALT_TOGETHER),
        *(("draw", dealing, CASH) for dealing in SETTINGS),
    ],
    ids=lambda one: one if isinstance(one, str) else "cash" if one else "",
)
def test_whatever_is_asked_for_a_full_log_grows_by_one_round(
    log: EventLog, kind: str, dealing: str, options: dict[str, object], number_of_games: int
) -> None:
    """Every second game is read again for each command, as another server would."""
    filled = 0
    for number in range(number_of_games):
        random, clock = Random(f"{kind} {dealing} {number}"), Turned()
        service = Service(log, clock, most_bytes=MOST)
        table = Table(service, clock, kind, bots=0, settings=SETTINGS[dealing], options=options)
        while service.status(table.game_id).outcome is None and random.random() > 1 / 500:
            try:
                whatever(table, random)
            except (PokersvcError, AssertionError, LookupError):
                continue
            finally:
                if number % 2:
                    table.service = Service(log, clock, most_bytes=MOST)
            if log.stored_bytes(table.game_id) >= MOST and table.service.status(table.game_id).outcome is None:
                shares = table.service.table(table.game_id).shares
                assert not table.service.status(table.game_id).pausing
                assert shares is None or not shares.due or shares.waiting
        filled += check_end(list(log.read(table.game_id)))
    assert filled >= number_of_games / 2


def check_end(records: list[Record]) -> bool:
    """Check the events after the command that filled a log, and return whether one did."""
    size, full = 0, None
    for at, record in enumerate(records):
        if full is not None and record.command_id != records[full].command_id:
            break
        size += stored_bytes(record)
        full = at if size >= MOST else None
    if full is None:
        return False
    after = [record for record in records if record.seq > records[full].seq]
    assert NO_MORE.isdisjoint(record.type for record in after)
    assert [record.type for record in after].count("TableResumed") <= 1
    assert sum(map(stored_bytes, after)) < ONE_ROUND
    return True
