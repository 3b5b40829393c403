"""Replay: the events of a game folded into its state, as one viewer may know them.

Every state that is made from stored events is made here: a game in memory, a screen, a history, an audit. So what a
viewer may not know is withheld in one place, before it reaches a state.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Generic, NamedTuple, Protocol, TypeVar

from pokersvc.core.actions import ForgoRound
from pokersvc.core.event import AUDITOR, EVERYONE, Event, ImpossibleEvent, Viewer, may_see, withhold
from pokersvc.core.game import Game
from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.randomness.share_events import SharesAwaited
from pokersvc.core.seats import Seat
from pokersvc.core.state import State
from pokersvc.core.tables.clock import Clock, ShareClock, microseconds
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_events import TABLE_EVENTS
from pokersvc.errors import InvalidValue, PokersvcError


class Stored(Protocol):
    """An event as a log holds it."""

    @property
    def game_id(self) -> str:
        """Its game."""
        ...

    @property
    def seq(self) -> int:
        """Its number in the game, from 1."""
        ...

    @property
    def recorded_at(self) -> str:
        """When, in UTC: ``2026-01-31T12:00:00.000000Z``."""
        ...

    @property
    def hash(self) -> bytes:
        """What chains it to the events before it, 32 bytes."""
        ...

    @property
    def type(self) -> str:
        """The name of its type."""
        ...

    @property
    def version(self) -> int:
        """Which version of the type it was written in."""
        ...

    @property
    def payload(self) -> str:
        """What everyone may know, as JSON."""
        ...

    @property
    def secret(self) -> str | None:
        """What not everyone may know, as JSON; None where the event has no secret."""
        ...


RecordT = TypeVar("RecordT")
StoredT = TypeVar("StoredT", bound=Stored)
WithheldT = TypeVar("WithheldT")


class CannotReplay(PokersvcError):
    """A stored event that its game cannot have at that place: a damaged or forged log."""

    code = "cannot_replay"

    def __init__(self, stored: Stored, refused: ImpossibleEvent) -> None:
        self.game_id, self.seq = stored.game_id, stored.seq
        super().__init__(f"Game {self.game_id} cannot be replayed from event {self.seq} on: {refused}")


class Step(NamedTuple, Generic[RecordT]):
    """One event of a replay: its record and the event as the viewer may know them, and the state that it made."""

    record: RecordT
    event: Event
    state: State


class Replay:
    """A game that is followed event by event: its state never knows more than ``viewer`` may know.

    ``keeps_record=False`` is for readers who ask for no views: a long log then takes no memory (see `State.record`).
    """

    __slots__ = ("_keeps_record", "_seats", "_start_hash", "_state", "_table", "clock", "game", "share_clock", "viewer")

    def __init__(self, game: Game, viewer: Viewer = AUDITOR, *, keeps_record: bool = True) -> None:
        self.game = game
        self.viewer = viewer
        self._keeps_record = keeps_record
        self._state: State | None = None
        self._seats: tuple[Seat, ...] = ()
        self._table: Table | None = None
        self.clock: Clock | None = None
        """How long people have to choose, where the table has a clock."""
        self.share_clock: ShareClock | None = None
        """How long shares are waited for, where the table shuffles together."""
        self._start_hash: bytes | None = None

    @property
    def state(self) -> State:
        """The state after the last event, the same object each time; there is none before the first event."""
        assert self._state is not None
        return self._state

    @property
    def begun(self) -> bool:
        """Whether there is a state: the first event was taken."""
        return self._state is not None

    @property
    def at_table(self) -> bool:
        """Whether there was any event at the table, which is not the game's (`pokersvc.core.tables.table`)."""
        return self._table is not None

    @property
    def table(self) -> Table:
        """What the events at the table have made."""
        return Table(self.seats) if self._table is None else self._table

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where now; nobody before the first event."""
        return self._seats if self._state is None else self._state.seats_now() or self._seats

    @property
    def dealing(self) -> Dealing | None:
        """How the table shuffles together; None where the dealer shuffles alone."""
        return None if self._table is None else self._table.dealing

    def take(self, event: Event, at: datetime | str | None = None, hash_: bytes | None = None) -> State:
        """Apply the next event, which is as the viewer may know it already; return the state that it made.

        ``at`` is its moment, of which the clock of a table makes use, and ``hash_`` the hash of its record, over which
        shares of a shuffle are signed; who records it only afterwards tells it then (`recorded`).
        """
        state = self._state
        if state is None:
            self._start_hash = hash_
            return self._start(event)
        if self._table is None and event.__class__ not in TABLE_EVENTS:
            state.apply(event)
        else:
            self._take_at_table(state, event, at)
            if hash_ is not None and event.__class__ is SharesAwaited:
                self.recorded(event, hash_)
        return state

    def recorded(self, event: Event, hash_: bytes) -> None:
        """Note the hash by which an event that was taken is recorded."""
        if isinstance(event, self.game.start_event):
            self._start_hash = hash_
        if (dealing := self.dealing) is None:
            return
        dealing.start = self._start_hash
        if event.__class__ is SharesAwaited and dealing.awaited is not None:
            dealing.awaited.head = hash_

    def read(self, stored: Stored) -> Event:
        """Decode the next event, withhold what the viewer may not know, apply it, and return it so.

        `CannotReplay` for one that the game cannot have here, from this and from the next methods.
        """
        event = self.game.codec.decode(stored.type, stored.version, stored.payload, stored.secret)
        if not may_see(event, self.viewer):
            event = withhold(event)
        try:
            self.take(event, stored.recorded_at, stored.hash)
        except ImpossibleEvent as refused:
            raise CannotReplay(stored, refused) from refused
        return event

    def follow(
        self,
        records: Iterable[StoredT],
        passed: Callable[[list[tuple[Event, str]]], object] | None = None,
        ends: Collection[type[Event]] = (),
    ) -> StoredT | None:
        """Take everything that was stored next, and return the last of it; None where there was nothing.

        ``passed`` is given the events after the start, each with when it was recorded: all up to one of the types
        ``ends`` at once, and then what is left, if only that nothing is. Without ``ends`` no event is kept for it.
        """
        records = iter(records)
        last: StoredT | None = None
        if self._state is None:
            if (last := next(records, None)) is None:
                return None
            self.read(last)
        start = last
        decode, apply, viewer = self.game.codec.decode, self.state.apply, self.viewer
        sees_all, at_table = viewer == AUDITOR, self._table is not None
        met: list[tuple[Event, str]] = []
        try:
            for last in records:
                event = decode(last.type, last.version, last.payload, last.secret)
                if not sees_all and not may_see(event, viewer):
                    event = withhold(event)
                if at_table or event.__class__ in TABLE_EVENTS:
                    self.take(event, last.recorded_at, last.hash)
                    at_table = True
                else:
                    apply(event)
                if ends:
                    met.append((event, last.recorded_at))
                    if passed is not None and event.__class__ in ends:
                        passed(met)
                        met = []
        except ImpossibleEvent as refused:
            assert last is not None
            raise CannotReplay(last, refused) from refused
        if passed is not None and last is not start:
            passed(met)
        return last

    def steps(
        self, records: Iterable[StoredT], withheld: Callable[[StoredT], WithheldT]
    ) -> Iterator[Step[StoredT | WithheldT]]:
        """Take what was stored next, and yield each step; ``withheld`` makes a record without its secret.

        `InvalidValue` for a viewer that the game does not have.
        """
        decode, viewer, state = self.game.codec.decode, self.viewer, self._state
        for stored in records:
            record: StoredT | WithheldT = stored
            event = decode(stored.type, stored.version, stored.payload, stored.secret)
            if state is None:
                check_viewer(viewer, self.game.seats(event))
            if viewer != AUDITOR and not may_see(event, viewer):
                record, event = withheld(stored), withhold(event)
            if state is None:
                state = self.take(event, stored.recorded_at, stored.hash)
            else:
                try:
                    self.take(event, stored.recorded_at, stored.hash)
                except ImpossibleEvent as refused:
                    raise CannotReplay(stored, refused) from refused
            yield Step(record, event, state)

    def _start(self, started: Event) -> State:
        state: State = self.game.new(started)
        self._state = state
        self._seats = self.game.seats(started)
        if not self._keeps_record:
            state.record.stop()
        return state

    def _take_at_table(self, state: State, event: Event, at: datetime | str | None) -> None:
        if self._table is None:
            self._table = Table(self.seats)
        table, chooser = self._table, None
        if isinstance(event, TableEvent):
            table.apply(event)
        else:
            chooser = chooser_of(self.game, event, state)
            state.apply(event)
            table.went_on(event, chooser, shuffled=event.__class__ in self.game.seeded)
            if event.__class__ in self.game.reseating:
                for seat in table.reseated(self.seats):
                    if self.clock is not None:
                        self.clock.refill(seat)
        if self.clock is None and table.timed:
            self.clock = Clock(table)
        if self.clock is not None:
            self.clock.take(at_of(at), event, chooser, state.awaited)
        if (dealing := table.dealing) is not None:
            if self.share_clock is None:
                self.share_clock = ShareClock(dealing)
                dealing.start = self._start_hash
            self.share_clock.take(at_of(at), event, paused=table.paused)


def chooser_of(game: Game, event: Event, state: State) -> int | None:
    """Return whose choice an event is that comes in a state; None for one that no seat chose."""
    action = game.action_of(event)
    if action is None or action.seat not in state.awaited or isinstance(action, ForgoRound):
        return None
    return action.seat


def at_of(at: datetime | str | None) -> int | None:
    """Return a moment as a clock takes it; None for a text that is none."""
    if isinstance(at, str):
        with suppress(ValueError, TypeError):
            return microseconds(datetime.fromisoformat(at))
        return None
    return None if at is None else microseconds(at)


def check_viewer(viewer: Viewer, seats: tuple[Seat, ...]) -> None:
    """Raise `InvalidValue` for a seat that is not there, or what is no viewer at all."""
    if viewer not in (EVERYONE, AUDITOR) and (type(viewer) is not int or not 1 <= viewer <= len(seats)):
        raise InvalidValue(
            f"There is no seat {viewer!r} in this game; its seats are 1 to {len(seats)},"
            f" and others look as {EVERYONE!r} or {AUDITOR!r}."
        )
