"""The only way to record commands in the log, for seats, the host and the runner."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import uuid4

from pokersvc.core.actions import BetweenRounds, IllegalAction
from pokersvc.core.names import unlike
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.share_events import BindSeat, OpenShare
from pokersvc.core.registry import game_of
from pokersvc.core.seats import HUMAN, OPEN, Seat, open_seat
from pokersvc.core.setup import Options, Setup
from pokersvc.core.tables.table_event import TableAction
from pokersvc.core.tables.table_events import ComeBack, RestartClock, TableSettings
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.players import UnusablePlayer
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.errors import NotAdmitted, StaleHead, WrongToken
from pokersvc.server.following.hub import Hub
from pokersvc.server.following.wire import closed, json_of
from pokersvc.server.metrics import Metrics
from pokersvc.server.models.game_models import Chosen, Close, GoOn
from pokersvc.server.tables.persons import TablePersons
from pokersvc.server.tables.rows import EMPTY, SeatRow, TableRow
from pokersvc.server.tables.store import TableStore
from pokersvc.service import LogFull, Service
from pokersvc.service.shown import Recorded
from pokersvc.text import listed

_NO_COUNT = 0
"""The expected number of events if the caller's head is unknown: no game has 0, so only a repeated command passes."""
TRIES: Final = 10
"""The most tries of a command without a ``head``, which is tried again if another command was recorded first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command of a seat."""

    id: str
    """An ID that the caller chooses: a command that is sent again with the same ID is recorded once."""
    head: bytes | None
    """The hash of the last event that the caller has verified; None if the caller has verified nothing."""
    action: Chosen | BindSeat | OpenShare


class Commands:
    """Carries out commands, whose events the hub then passes to the table's followers; thread-safe."""

    def __init__(self, service: Service, tables: TableStore, hub: Hub, metrics: Metrics, lease: float) -> None:
        self._service, self._tables, self._hub, self._metrics = service, tables, hub, metrics
        self._lease = lease
        self._persons = TablePersons(service, tables)
        self.is_alive: Callable[[str | None], bool] = lambda _: True
        """Returns whether the server with this ID is known to be alive; `Runner` sets this function."""
        self.on_round: Callable[[str], None] = lambda _: None
        """Called with a table's ID when a round has begun there, and regularly while too few people can play."""

    def start_once(self, row: TableRow) -> None:
        """Start the game of a complete table, unless it has started; the system chooses its seed.

        If the start is refused, the table waits again.
        """
        with suppress(UnknownGame):
            self._service.status(row.game_id, known=1)
            self._hub.started(row.game_id)
            return
        try:
            setup = self._persons.numbered(row, setup_of(row))
            self._service.start(row.kind, setup, game_id=row.game_id, table=TableSettings(**row.settings))
        except (InvalidValue, UnusablePlayer):
            self._wait_again(row.game_id)
            raise
        self._hub.started(row.game_id)

    def _wait_again(self, game_id: str) -> None:
        """Set a table whose start was refused back to waiting, so that its host can change who sits there."""
        with self._tables.changing(game_id) as table:
            if table.row.status == "playing":
                table.status("waiting")
        self._hub.news(game_id)

    def act(self, door: SeatRequest, asked: Asked) -> list[bytes]:
        """Carry out a command of a seat, and return its events as that seat may know them, in JSON.

        Raise `StaleHead` if the head is not that of the game, unless the command was recorded before. Raise
        `WrongToken` if the seat has another link or device since the request was authenticated.
        """
        game_id = door.table.game_id
        if not door.seat.admitted:
            raise NotAdmitted
        expected = None if asked.head is None else self._count_at(game_id, asked.head)
        if not self.is_alive(door.table.runner):
            expected = self._after_outage(game_id, expected)
        with self._metrics.seconds.time():
            try:
                recorded = self._recorded_by_holder(door, self._under_name(door, asked), expected)
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

    def _recorded_by_holder(self, door: SeatRequest, asked: Asked, head_at: int | None) -> list[Recorded]:
        """Record a command if its sender still holds the seat when it is recorded; else raise `WrongToken`.

        A new link is recorded in the game before anybody can use it, and a move to another device is recorded after the
        former device has lost the seat. So a sender who was let in still holds the seat at event N if no newer link and
        no move is recorded up to event N, and the log accepts the command only right after event N.
        """
        game_id, seat, tries = door.table.game_id, door.seat.seat, 0
        while True:
            # Try the game in memory first: if it is behind the log, the log refuses the command.
            table = self._service.table(game_id, known=(head_at or 1) if not tries else 0)
            if table.replaced.get(seat) or table.moved.get(seat) or door.table.status == "waiting":
                self._check_holder(door)
            try:
                return self._carried_out(game_id, seat, asked, table.count if head_at is None else head_at)
            except ConcurrentUpdate:
                tries += 1
                if head_at is not None or tries == TRIES:
                    raise

    def _check_holder(self, door: SeatRequest) -> None:
        """Raise `WrongToken` if the seat has another token since the request was authenticated."""
        if self._tables.get(door.table.game_id).seat(door.seat.seat).token != door.seat.token:
            raise WrongToken

    def _carried_out(self, game_id: str, seat: int, asked: Asked, expected: int) -> list[Recorded]:
        service = self._service
        match asked.action:
            case GoOn():
                self._check_round_comes(game_id, asked.id)
                recorded = service.go_on(game_id, viewer=seat, expected=expected, command_id=asked.id)
                self._note_departures(game_id, recorded)
                self.on_round(game_id)
                return recorded
            case OpenShare():
                return service.open_share(game_id, asked.action, viewer=seat, expected=expected, command_id=asked.id)
            case ComeBack() | BindSeat():
                return service.table_act(game_id, asked.action, viewer=seat, expected=expected, command_id=asked.id)
            case Close():
                self._check_alone(game_id, seat)
                return service.close(game_id, viewer=seat, expected=expected, command_id=asked.id)
            case action:
                recorded = service.act(game_id, action, viewer=seat, expected=expected, command_id=asked.id)
                if isinstance(action, BetweenRounds):
                    self._note_seats(game_id)
                return recorded

    def _under_name(self, door: SeatRequest, asked: Asked) -> Asked:
        """Return a command with the seat holder's name filled in, if its action takes a name, as sitting down does."""
        if not isinstance(asked.action, BetweenRounds):
            return asked
        action = game_of(door.table.kind).under_name(asked.action, door.seat.name)
        if game_of(door.table.kind).as_person(action, 0) is not action:
            person = self._persons.holder(door.table, door.seat)
            action = game_of(door.table.kind).as_person(action, person)
        name = game_of(door.table.kind).name_of(action)
        others = [seat.name for seat in door.table.seats if seat.kind != EMPTY and seat.seat != door.seat.seat]
        if isinstance(name, str):
            unlike(name, filter(None, others))
        return replace(asked, action=action)

    def _note_seats(self, game_id: str) -> None:
        """Store who sits at a table now, if people can come and go during its game; a seat that was left is empty."""
        if not joins(self._tables.get(game_id)):
            return
        with self._tables.changing(game_id) as table:
            status, at_table = self._service.status(game_id), self._service.table(game_id)
            for seat, now in zip(table.row.seats, status.seats, strict=True):
                noted = seat
                if seat.kind not in (HUMAN, EMPTY):
                    continue
                if seat.seat in at_table.people:
                    taken_at = seat.taken_at if at_table.shares is None else None
                    noted = replace(seat, kind=HUMAN, name=now.name, taken_at=taken_at)
                elif seat.kind == HUMAN and self.got_up(game_id, seat, now):
                    noted = replace(seat, kind=EMPTY)
                if noted != seat:
                    table.seat(noted)
        self._hub.news(game_id)

    def _note_departures(self, game_id: str, recorded: list[Recorded]) -> None:
        """Store who sits at a table if a person left before a round because they sat out for too long."""
        game = game_of(self._tables.get(game_id).kind)
        if any(game.left_by(one.event) is not None for one in recorded):
            self._note_seats(game_id)

    def got_up(self, game_id: str, seat: SeatRow, now: Seat) -> bool:
        """Return whether a seat's holder, who does not play, has left the seat; False if they must still sit down.

        A person who left and then took the seat again under the same name must still sit down.
        """
        if seat.name != now.name or now.kind == OPEN:
            return False
        row, service = self._tables.get(game_id), self._service.with_secrets
        since = service.part(game_id, after=seat.since, upto=self._service.status(game_id).count)
        return seat.seat in map(game_of(row.kind).left_by, (one.event for one in since))

    def _count_at(self, game_id: str, head: bytes) -> int:
        for known in (1, 0):  # a game in memory may lack events of the log, and the head may be that of such an event
            status = self._service.status(game_id, known=known)
            if head == status.head:
                return status.count
        return _NO_COUNT

    def _check_alone(self, game_id: str, seat: int) -> None:
        """Raise `IllegalAction` unless every other person in the game sits out: only then may one seat close the game.

        People who have left the game have no say, and nobody waits for them.
        """
        table = self._service.table(game_id)
        others = set(table.people) - {seat}
        if seat not in table.people or not others or not others <= set(table.sitting_out):
            raise IllegalAction("not_alone", "A seat can end the game only where all other people sit out.")

    # Actions of the host and of the server itself.

    def _after_outage(self, game_id: str, expected: int | None) -> int | None:
        """Restart the clock before a command if the server that ran the table is dead and no other runs it yet.

        Return the number of events to expect: ``expected``, or one more if the clock was restarted right after those.
        """
        if self.is_alive(self._tables.get(game_id).runner):
            return expected
        restarted = self.restart_clock(game_id)
        return restarted if expected == restarted - 1 else expected

    def restart_clock(self, game_id: str) -> int:
        """Give every choice its full time again after an outage, that is, if the last event is older than the lease.

        Return the game's number of events after a restart, or 0 if there was none.
        """
        with suppress(UnknownGame, IllegalAction, ConcurrentUpdate, LogFull):
            table = self._service.table(game_id)
            if table.deadlines:
                (last,) = self._service.with_secrets.part(game_id, after=table.count - 1, upto=table.count)
                idle = self._service.now() - datetime.fromisoformat(last.record.recorded_at)
                if idle.total_seconds() > self._lease:
                    recorded = self._service.table_act(game_id, RestartClock(), expected=table.count)
                    self._recorded(game_id)
                    return recorded[-1].record.seq
        return 0

    def at_table(self, game_id: str, action: TableAction, expected: int | None = None) -> None:
        """Carry out an action on the table itself, such as a pause."""
        expected = self._after_outage(game_id, expected)
        self._service.table_act(game_id, action, expected=expected)
        self._recorded(game_id)

    def remove(self, game_id: str, seat: int) -> None:
        """Remove a person between two rounds."""
        self._service.remove(game_id, seat)
        self._recorded(game_id)

    def change_stakes(self, game_id: str, given: Options) -> None:
        """Change the stakes between two rounds."""
        self._service.change_stakes(game_id, given)
        self._recorded(game_id)

    def answer_purchase(self, game_id: str, seat: int, *, admits: bool) -> None:
        """Admit or refuse the purchase that a seat has asked for."""
        self._service.answer_purchase(game_id, seat, admits=admits)
        self._note_seats(game_id)
        self._recorded(game_id)

    def close(self, game_id: str) -> None:
        """End a game early."""
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

    def before(self, door: SeatRequest, command_id: str) -> list[bytes]:
        """Return the events recorded when the seat first sent this command, as it may see them; none for a new command.

        Typed text is read in the game's current state, so it must not be read again after its action was recorded.
        """
        game = game_of(door.table.kind)
        found = self._service.with_secrets.recorded(door.table.game_id, command_id)
        action = game.action_of(found[0].event) if found else None
        if action is None or action.seat != door.seat.seat:
            return []
        return [self._seen(door, one.to(door.seat.seat)) for one in found]

    def step(self, game_id: str, seat: int, expected: int) -> None:
        """Have the bot at a seat choose."""
        self._service.step(game_id, seat=seat, expected=expected)
        self._recorded(game_id)

    def miss_shares(self, game_id: str, expected: int) -> None:
        """Record that seats sent no share, their part of the common shuffle, in time."""
        self._service.miss_shares(game_id, expected=expected)
        self._recorded(game_id)

    def begin_round(self, game_id: str) -> None:
        """Begin the next round for the host; raise `IllegalAction` if it must wait for a person (`_no_round`)."""
        self._check_round_comes(game_id)
        self.go_on(game_id)

    def _check_round_comes(self, game_id: str, command_id: str = "") -> None:
        """Raise `IllegalAction` if no round can begin, unless the command with this ID has begun a round before."""
        refusal = self._no_round(game_id)
        if refusal and not (command_id and self._service.with_secrets.recorded(game_id, command_id)):
            raise refusal

    def _no_round(self, game_id: str) -> IllegalAction | None:
        """Return the error if too few can play the next round, or if its shuffle still waits for a person; else None.

        A round with too few players would end the game. A shuffle that waits too long is begun only by the runner.
        """
        if self._service.status(game_id).ends_next:
            return IllegalAction(
                "too_few",
                "Fewer than two players can be dealt in: the game waits until somebody buys chips, sits down or sits"
                " in. The host can close it.",
            )
        shares = self._service.table(game_id).shares
        if shares is None or not shares.due or not shares.unbound or shares.waiting:
            return None
        seats = listed([str(seat) for seat in shares.unbound])
        return IllegalAction(
            "not_bound",
            f"The round waits up to {shares.seconds} seconds for seat {seats} to take part in the shuffle; then it"
            " begins by itself.",
        )

    def go_on(self, game_id: str, expected: int | None = None) -> None:
        """Begin the next round."""
        recorded = self._service.go_on(game_id, expected=expected, command_id=str(uuid4()))
        self._note_departures(game_id, recorded)
        self.on_round(game_id)
        self._recorded(game_id)

    def wait_on(self, game_id: str) -> None:
        """While a table waits because too few can play, free the seats whose takers did not sit down in time."""
        self.on_round(game_id)

    def _recorded(self, game_id: str, known: int = 0) -> None:
        """Mark the table as over if its game is over; the service itself tells the hub of the recorded events."""
        if self._service.status(game_id, known=known).outcome is not None:
            self.note_end(game_id)

    def note_end(self, game_id: str) -> None:
        """Mark a table as over."""
        with self._tables.changing(game_id) as table:
            if table.row.status == "playing":
                table.status("over")
        self._hub.news(game_id)

    def _seen(self, door: SeatRequest, recorded: Recorded) -> bytes:
        record, event = recorded
        return json_of(record if door.viewpoint.open(record.seq, event) else closed(record))


def setup_of(row: TableRow) -> Setup:
    """Return the setup that a game starts with: empty seats stay open, and players get what they carried over."""
    game = game_of(row.kind)
    seats = tuple(
        [open_seat(seat.seat) if seat.kind == EMPTY else Seat(seat.kind, seat.name or "") for seat in row.seats]
    )
    carried = {seat.name: seat.carried for seat in row.seats if seat.name and seat.carried is not None}
    options = game.carrying(game.options(row.options), carried)
    return Setup(game.seated(seats, options), EntropySource.fresh(), row.rounds, options)


def joins(row: TableRow) -> bool:
    """Return whether people can come and go while a table's game runs."""
    game = game_of(row.kind)
    return game.takes_open_seats(game.options(row.options))
