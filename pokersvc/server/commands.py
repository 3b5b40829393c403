"""The one way of commands into the log: whatever a seat, the host or the runner asks for goes through here."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

from pokersvc.core.actions import IllegalAction
from pokersvc.core.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.share_events import BindSeat, OpenShare
from pokersvc.core.table_event import TableAction
from pokersvc.core.table_events import ComeBack, RestartClock, TableSettings
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.doors import SeatDoor
from pokersvc.server.errors import StaleHead, WrongToken
from pokersvc.server.hub import Hub
from pokersvc.server.metrics import Metrics
from pokersvc.server.shapes import Chosen, Close, GoOn
from pokersvc.server.store import TableRow, TableStore
from pokersvc.server.wire import closed, json_of
from pokersvc.service import Service
from pokersvc.service.shown import Recorded
from pokersvc.text import listed

_NO_COUNT = 0
"""The number of events that no game has: whoever expects it is told what it recorded before, or comes too late."""
TRIES: Final = 10
"""How often a command that names no head is decided on the game as it stands, where each time others are first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command of a seat."""

    id: str
    """Of the caller's own: sent again, it is recorded once."""
    head: bytes | None
    """The last hash that the caller has verified; None where it has verified nothing."""
    action: Chosen | BindSeat | OpenShare


class Commands:
    """Carries commands out, for any number of threads, and tells the hub of their events."""

    def __init__(self, service: Service, tables: TableStore, hub: Hub, metrics: Metrics, lease: float) -> None:
        self._service, self._tables, self._hub, self._metrics = service, tables, hub, metrics
        self._lease = lease
        self.is_alive: Callable[[str | None], bool] = lambda _: True
        """Whether a table's runner lives, as far as this server knows; what runs the tables says it."""

    def start_once(self, row: TableRow) -> None:
        """Start the game of a table that is complete, unless it has started. Its seed is the system's choice."""
        seats = tuple(Seat(seat.kind, seat.name or "") for seat in row.seats)
        setup = setup_of(row, seats)
        self._service.start(row.kind, setup, game_id=row.table_id, table=TableSettings(**row.settings))
        self._hub.started(row.table_id)

    def act(self, door: SeatDoor, asked: Asked) -> list[bytes]:
        """Carry out a command of a seat, and return its events as that seat may know them, in JSON.

        `StaleHead` where the head is not that of the game, unless the command was recorded before. `WrongToken` where
        the link was replaced since the door was opened.
        """
        game_id = door.table.table_id
        expected = None if asked.head is None else self._count_at(game_id, asked.head)
        if not self.is_alive(door.table.runner) and not self.is_alive(self._tables.get(game_id).runner):
            # After an outage whoever chooses may be faster than the server that takes the table over.
            restarted = self.restart_clock(game_id)
            expected = restarted if expected == restarted - 1 else expected
        with self._metrics.seconds.time():
            try:
                recorded = self._recorded_by_holder(door, asked, expected)
            except ConcurrentUpdate:
                self._metrics.commands.labels("stale").inc()
                now = self._service.status(game_id)
                raise StaleHead(now.count, now.head) from None
            except Exception:
                self._metrics.commands.labels("refused").inc()
                raise
        self._metrics.commands.labels("recorded").inc()
        self._recorded(game_id, recorded[-1].record.seq)
        return [self._seen(door, one) for one in recorded]

    def _recorded_by_holder(self, door: SeatDoor, asked: Asked, head_at: int | None) -> list[Recorded]:
        """Record a command of whoever holds the seat's link at that event.

        A new link is told to the game before it can see or do anything. So whoever was let in holds the seat at an
        event before which the game was told of none since, and the log takes the command after that very event alone.
        """
        game_id, seat, tries = door.table.table_id, door.seat.seat, 0
        while True:
            # What is in memory will do at first: where the game has gone on, the log refuses the command.
            table = self._service.table(game_id, known=(head_at or 1) if not tries else 0)
            if table.replaced.get(seat, 0) or door.table.status == "waiting":
                self._check_holder(door)
            try:
                return self._carried_out(game_id, seat, asked, table.count if head_at is None else head_at)
            except ConcurrentUpdate:
                tries += 1
                if head_at is not None or tries == TRIES:
                    raise

    def _check_holder(self, door: SeatDoor) -> None:
        """Raise `WrongToken` where the seat has another link by now than the one that opened the door."""
        if self._tables.get(door.table.table_id).seat(door.seat.seat).token != door.seat.token:
            raise WrongToken

    def _carried_out(self, game_id: str, seat: int, asked: Asked, expected: int) -> list[Recorded]:
        service = self._service
        match asked.action:
            case GoOn():
                self._check_bound(game_id, asked.id)
                return service.go_on(game_id, viewer=seat, expected=expected, command_id=asked.id)
            case OpenShare():
                return service.open_share(game_id, asked.action, viewer=seat, expected=expected, command_id=asked.id)
            case ComeBack() | BindSeat():
                return service.table_act(game_id, asked.action, viewer=seat, expected=expected, command_id=asked.id)
            case Close():
                self._check_alone(game_id, seat)
                return service.close(game_id, viewer=seat, expected=expected, command_id=asked.id)
            case action:
                return service.act(game_id, action, viewer=seat, expected=expected, command_id=asked.id)

    def _count_at(self, game_id: str, head: bytes) -> int:
        for known in (1, 0):  # a game in memory may be behind the log, and a head that is its own is still to be said
            status = self._service.status(game_id, known=known)
            if head == status.head:
                return status.count
        return _NO_COUNT

    def _check_alone(self, game_id: str, seat: int) -> None:
        """Let a seat end the game only where every other person sits out: whoever is there decides.

        Who has left the game decides nothing, and is not waited for.
        """
        table = self._service.table(game_id)
        others = set(table.people) - {seat}
        if seat not in table.people or not others or not others <= set(table.sitting_out):
            raise IllegalAction("not_alone", "A seat can end the game only where all other people sit out.")

    # What the host does, and what nobody does.

    def restart_clock(self, game_id: str) -> int:
        """Give every choice its full time again, where nobody ran the table for as long as a lease lasts.

        Return how many events the game then has if it was so, else 0.
        """
        with suppress(UnknownGame, IllegalAction, ConcurrentUpdate):
            table = self._service.table(game_id)
            if table.deadlines:
                (last,) = self._service.with_secrets.part(game_id, after=table.count - 1, upto=table.count)
                idle = datetime.now(UTC) - datetime.fromisoformat(last.record.recorded_at)
                if idle.total_seconds() > self._lease:
                    (restarted,) = self._service.table_act(game_id, RestartClock(), expected=table.count)
                    self._recorded(game_id)
                    return restarted.record.seq
        return 0

    def at_table(self, game_id: str, action: TableAction) -> None:
        """Carry out what is done at a table."""
        self._service.table_act(game_id, action)
        self._recorded(game_id)

    def remove(self, game_id: str, seat: int) -> None:
        """Remove a person between two rounds."""
        self._service.remove(game_id, seat)
        self._recorded(game_id)

    def close(self, game_id: str) -> None:
        """End a game before its end."""
        self._service.close(game_id)
        self._recorded(game_id)

    def abandon(self, game_id: str, expected: int) -> None:
        """End a game that nobody plays any more."""
        self._service.abandon(game_id, expected=expected)
        self._recorded(game_id)

    def time_out(self, game_id: str, seat: int, expected: int) -> None:
        """End a choice whose time is over."""
        self._service.time_out(game_id, seat, expected=expected)
        self._recorded(game_id)

    def before(self, door: SeatDoor, command_id: str) -> list[bytes]:
        """Return what a command of the seat recorded before, as that seat may know it; nothing where it did not.

        What a person typed is read where the game stands, so that it is not read again after it was recorded.
        """
        game = game_of(door.table.kind)
        found = self._service.with_secrets.recorded(door.table.table_id, command_id)
        action = game.action_of(found[0].event) if found else None
        if action is None or action.seat != door.seat.seat:
            return []
        return [self._seen(door, one.to(door.seat.seat)) for one in found]

    def step(self, game_id: str, seat: int, expected: int) -> None:
        """Let a bot choose."""
        self._service.step(game_id, seat=seat, expected=expected)
        self._recorded(game_id)

    def miss_shares(self, game_id: str, expected: int) -> None:
        """Note that shares are missed, once the time for them is over."""
        self._service.miss_shares(game_id, expected=expected)
        self._recorded(game_id)

    def begin_round(self, game_id: str) -> None:
        """Begin the next round for the host, who leaves nobody out of a common shuffle."""
        self._check_bound(game_id)
        self.go_on(game_id)

    def _check_bound(self, game_id: str, command_id: str = "") -> None:
        """Refuse to begin a round while people are still to be bound: the runner alone says when that took too long."""
        shares = self._service.table(game_id).shares
        if shares is None or not shares.due or not shares.unbound or shares.waiting:
            return
        if not command_id or not self._service.with_secrets.recorded(game_id, command_id):
            seats = listed([str(seat) for seat in shares.unbound])
            raise IllegalAction(
                "not_bound",
                f"The round waits up to {shares.seconds} seconds for seat {seats} to take part in the shuffle; then it"
                " begins by itself.",
            )

    def go_on(self, game_id: str, expected: int | None = None) -> None:
        """Begin the next round."""
        self._service.go_on(game_id, expected=expected, command_id=str(uuid4()))
        self._recorded(game_id)

    def _recorded(self, game_id: str, known: int = 0) -> None:
        """Note the end of a game. Of the events themselves the service has told the hub."""
        if self._service.status(game_id, known=known).outcome is not None:
            self.note_end(game_id)

    def note_end(self, game_id: str) -> None:
        """Note in the table that its game is over."""
        with self._tables.changing(game_id) as table:
            if table.row.status == "playing":
                table.status("over")
        self._hub.news(game_id)

    def _seen(self, door: SeatDoor, recorded: Recorded) -> bytes:
        record, event = recorded
        return json_of(record if door.eyes.open(record.seq, event) else closed(record))


def setup_of(row: TableRow, seats: tuple[Seat, ...]) -> Setup:
    """Return what a table's game is started with."""
    game = game_of(row.kind)
    options = game.options(row.options)
    return Setup(game.seated(seats, options), EntropySource.fresh(), row.rounds, options)
