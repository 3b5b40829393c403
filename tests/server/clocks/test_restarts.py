"""How long everybody has after a restart, to the second, on a clock that the test sets.

A `Standing` server is one without its loop and its sockets: it says what it would do next and when, and does it where
the test says so. Moments are seconds since the game started.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.randomness.share_events import BindSeat, OpenShare
from pokersvc.core.tables.table_event import TableAction
from pokersvc.core.tables.table_events import PauseTable, ReplaceSeat, ResumeTable
from pokersvc.evidence.audit import audit
from pokersvc.games.draw_poker.actions import Bet, Call, Discard
from pokersvc.remote.device import Device
from pokersvc.server.app import parts_of
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.commands import Asked
from pokersvc.server.following.snapshot import snapshot_of
from pokersvc.server.models.bodies import NewTable
from pokersvc.server.models.game_models import Chosen
from pokersvc.server.running.next_step import Next, next_step
from pokersvc.server.running.runner import Leases
from pokersvc.server.running.share_waits import ShareWaits
from pokersvc.server.settings import Settings
from pokersvc.server.viewpoint import PUBLIC_VIEW
from pokersvc.service.opening import open_database
from tests.shuffling import Turned

LEASE = 3.0
SECONDS, BANK = 30, 60
FULL = SECONDS + BANK
SHARE_SECONDS = 20
MOMENT = 0.001


class Time(Turned):
    """The one clock of a test: the times of events, and the seconds by which servers watch each other."""

    def __init__(self) -> None:
        super().__init__()
        self._start = self.now

    @property
    def at(self) -> float:
        """Seconds since the start."""
        return (self.now - self._start).total_seconds()

    def seconds(self) -> float:
        return self.at

    def set(self, at: float) -> None:
        self.now = self._start + timedelta(seconds=at)


class Standing:
    """A server that does nothing by itself."""

    def __init__(self, path: Path, time: Time, opened: ExitStack) -> None:
        self.time = time
        self.database = opened.enter_context(open_database(path))
        self.parts = parts_of(self.database, Settings(lease=LEASE, pace=0.0, pause=0.0), time)
        opened.callback(self.parts.threads.close)
        opened.callback(self.parts.hub.close)
        self.leases = Leases(self.parts)
        self.parts.commands.is_alive = self.leases.lives
        self._waits: dict[str, ShareWaits] = {}

    def look(self) -> bool:
        """Take over what nobody runs, as a runner does each second, with a sign of life; tell whether it runs any."""
        for table in self.leases.renew() - self._waits.keys():
            self.parts.commands.restart_clock(table)
            self._waits[table] = ShareWaits(self.time.seconds)
        return bool(self._waits)

    def next(self, table: str) -> Next | None:
        """Return what it would do next."""
        service, parts = self.parts.service, self.parts
        status, now = service.status(table), service.now()
        return next_step(status, service.table(table), now, parts.commands, parts.settings, table, self._waits[table])

    def next_at(self, table: str) -> float:
        """Return when it would do something next."""
        found = self.next(table)
        assert found is not None
        return self.time.at + found.seconds

    def do(self, table: str) -> list[str]:
        """Do what comes next; return the types of its events."""
        found, before = self.next(table), self.parts.service.status(table).count
        assert found is not None
        found.do()
        return self.types(table)[before:]

    def types(self, table: str) -> list[str]:
        return [record.type for record in self.parts.log.read(table)]

    def act(self, table: str, seat: int, action: Chosen | BindSeat | OpenShare) -> None:
        row = self.parts.tables.get(table)
        self.parts.commands.act(SeatRequest(row, row.seat(seat)), Asked(str(uuid4()), None, action))

    def host(self, table: str, action: TableAction) -> None:
        self.parts.opening.at_table(table, action)

    def deadlines(self, table: str) -> dict[int, float]:
        start = self.time.now - timedelta(seconds=self.time.at)
        found = self.parts.service.table(table).deadlines
        return {seat: (moment - start).total_seconds() for seat, moment in found.items()}

    def banks(self, table: str) -> dict[int, float]:
        return {seat: left.total_seconds() for seat, left in self.parts.service.table(table).bank.items()}

    def clock(self, table: str) -> Any:
        """Return the clock as the page is told it."""
        row = self.parts.tables.get(table)
        with self.parts.viewer_copies.now(row.kind, table, PUBLIC_VIEW) as followed:
            return snapshot_of(row, followed, self.parts.service, 0)["clock"]


class Place:
    """A database, and servers of it."""

    def __init__(self, path: Path, opened: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = Time()
        monkeypatch.setattr("pokersvc.server.running.runner.monotonic", self.time.seconds)
        self._path, self._opened = path, opened
        self.first = self.server()

    def server(self) -> Standing:
        return Standing(self._path, self.time, self._opened)

    def table(self, **settings: Any) -> str:
        """Start a game of two people at the first server, which runs it."""
        asked = {"kind": "draw", "seats": [{"name": "Ann"}, {"name": "Bob"}], "settings": settings}
        table = self.first.parts.opening.make(NewTable.model_validate(asked)).table.game_id
        self.first.parts.opening.start(table)
        assert self.first.look()
        return table

    def timed(self) -> str:
        return self.table(seconds=SECONDS, bank=BANK)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    with ExitStack() as opened:
        place = Place(tmp_path / "games.sqlite", opened, monkeypatch)
        yield place
        assert [finding for found in audit(place.first.database) for finding in found.findings] == []


# The same server again, and another.


@pytest.mark.parametrize("away", [0, 1, LEASE])
def test_a_restart_within_a_lease_changes_no_time(place: Place, away: float) -> None:
    table = place.timed()
    place.time.set(40)
    place.first.act(table, 1, Bet(1, 50))
    place.first.leases.release()
    place.time.set(40 + away)
    again = place.server()
    assert again.look()
    assert "ClockRestarted" not in again.types(table)
    assert again.banks(table) == {1: BANK - 10, 2: BANK}
    assert again.deadlines(table) == {2: 40 + FULL}
    assert again.next_at(table) == 40 + FULL


def test_a_restart_after_more_than_a_lease_gives_a_choice_its_full_time_and_no_bank_back(place: Place) -> None:
    table = place.timed()
    place.time.set(40)
    place.first.act(table, 1, Bet(1, 50))
    place.first.leases.release()
    place.time.set(40 + LEASE + MOMENT)
    again = place.server()
    assert again.look()
    assert again.types(table)[-1] == "ClockRestarted"
    assert again.banks(table) == {1: BANK - 10, 2: BANK}
    assert again.deadlines(table) == {2: 40 + LEASE + MOMENT + FULL}


def test_another_takes_over_once_a_lease_is_over_and_choices_have_their_full_time(place: Place) -> None:
    table, other = place.timed(), place.server()
    place.time.set(1)
    place.first.look()  # its last sign of life
    other.look()
    place.time.set(1 + LEASE)
    assert not other.look()
    place.time.set(1 + LEASE + MOMENT)
    assert other.look()
    end = 1 + LEASE + MOMENT + FULL
    assert other.deadlines(table) == {1: end}
    assert other.next_at(table) == end
    assert other.clock(table) == {
        "paused": False,
        "seconds": SECONDS,
        "bank": {"1": BANK * 1000, "2": BANK * 1000},
        "deadline": {"1": "2026-01-31T12:01:34.001000Z"},
        "now": "2026-01-31T12:00:04.001000Z",
    }


def test_a_choice_is_ended_at_its_deadline_after_a_takeover_and_not_a_moment_before(place: Place) -> None:
    table, other = place.timed(), place.server()
    other.look()
    place.time.set(200)  # its time would be over long since
    assert other.look()
    place.time.set(200 + FULL - MOMENT)
    with pytest.raises(IllegalAction) as refused:
        other.do(table)
    assert refused.value.code == "not_over"
    place.time.set(200 + FULL)
    assert other.do(table)[0] == "TimedOut"
    assert other.banks(table) == {1: 0, 2: BANK}


def test_what_was_used_of_the_bank_before_and_after_an_outage_is_gone_and_the_outage_is_not(place: Place) -> None:
    table, other = place.timed(), place.server()
    place.time.set(SECONDS + 10)
    place.first.act(table, 1, Bet(1, 50))  # 10 of the bank
    other.look()
    place.time.set(500)
    assert other.look()
    place.time.set(500 + SECONDS + 7)
    other.act(table, 2, Call(2))  # 7 of the bank
    assert other.banks(table) == {1: BANK - 10, 2: BANK - 7}
    (seat,) = other.deadlines(table)
    assert other.deadlines(table) == {seat: 500 + SECONDS + 7 + SECONDS + other.banks(table)[seat]}
    other.act(table, seat, Discard(seat, ()))


def test_whoever_chooses_before_a_takeover_pays_nothing_for_the_outage(place: Place) -> None:
    table, other = place.timed(), place.server()
    other.look()
    place.time.set(85)
    other.act(table, 1, Bet(1, 50))
    assert other.types(table)[-2:] == ["ClockRestarted", "Bet"]
    assert other.banks(table) == {1: BANK, 2: BANK}
    assert other.deadlines(table) == {2: 85 + FULL}


# Pauses.


def test_a_pause_lasts_over_a_takeover_and_what_was_used_before_it_counts(place: Place) -> None:
    table, other = place.timed(), place.server()
    place.time.set(20)
    place.first.host(table, PauseTable())
    other.look()
    place.time.set(1000)
    assert other.look()
    assert other.next(table) is None
    place.time.set(1100)
    other.host(table, ResumeTable())
    assert other.deadlines(table) == {1: 1100 + FULL - 20}
    assert other.next_at(table) == 1100 + FULL - 20


def test_who_pauses_before_a_takeover_lets_nobody_pay_for_the_outage(place: Place) -> None:
    table, other = place.timed(), place.server()
    other.look()
    place.time.set(100)
    other.host(table, PauseTable())
    assert other.look()
    place.time.set(200)
    other.host(table, ResumeTable())
    assert other.deadlines(table) == {1: 200 + FULL}


def test_a_link_that_is_replaced_before_a_takeover_hides_no_outage(place: Place) -> None:
    table, other = place.timed(), place.server()
    place.first.leases.release()
    place.time.set(100)
    other.host(table, ReplaceSeat(2))
    place.time.set(101)
    assert other.look()
    assert other.deadlines(table) == {1: 100 + FULL}
    assert other.next_at(table) == 100 + FULL


# Shares.


def waiting(place: Place) -> str:
    """Start a game of two who shuffle together, and ask for their first shares at 0."""
    table = place.table(dealing="together", share_seconds=SHARE_SECONDS)
    start = next(iter(place.first.parts.log.read(table))).hash
    for seat in (1, 2):
        place.first.act(table, seat, Device.fresh(start, seat, length=40).bind(None))
    assert "SharesAwaited" in place.first.do(table)
    return table


def test_shares_are_waited_for_as_long_as_the_table_says_without_its_pauses(place: Place) -> None:
    table = waiting(place)
    assert place.first.next_at(table) == SHARE_SECONDS
    place.time.set(8)
    place.first.host(table, PauseTable())
    assert place.first.next(table) is None
    place.time.set(100)
    place.first.host(table, ResumeTable())
    assert place.first.next_at(table) == 100 + SHARE_SECONDS - 8


def test_a_takeover_gives_shares_their_full_time_and_a_pause_after_it_takes_none(place: Place) -> None:
    table, other = waiting(place), place.server()
    other.look()
    place.time.set(100)
    assert other.look()
    assert other.next_at(table) == 100 + SHARE_SECONDS
    place.time.set(108)
    other.host(table, PauseTable())
    assert other.next(table) is None
    place.time.set(300)
    assert other.next(table) is None
    other.host(table, ResumeTable())
    end = 300 + SHARE_SECONDS - 8
    assert other.next_at(table) == end
    place.time.set(end)
    assert other.next_at(table) == end
    assert other.do(table)[0] == "ShareMissed"


def test_a_pause_at_another_time_makes_no_wait_for_shares_longer(place: Place) -> None:
    table, other = waiting(place), place.server()
    place.first.host(table, PauseTable())
    other.look()
    place.time.set(100)
    assert other.look()
    assert other.next(table) is None
    place.time.set(500)
    other.host(table, ResumeTable())
    assert other.next_at(table) == 500 + SHARE_SECONDS
