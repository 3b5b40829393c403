"""Replay: the events of a game folded into its state, as one viewer may know them.

All states that are made from stored events are made here: for a game in memory, a screen, a history, an audit. So
secrets are withheld from a viewer in one place, before they reach a state.
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
from pokersvc.core.tables.level_clock import LevelClock
from pokersvc.core.tables.table import Table
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_events import TABLE_EVENTS
from pokersvc.errors import InvalidValue, PokersvcError


class Stored(Protocol):
    """An event as a log holds it."""

    @property
    def game_id(self) -> str:
        """The ID of the event's game."""
        ...

    @property
    def seq(self) -> int:
        """The event's number in the game, from 1."""
        ...

    @property
    def recorded_at(self) -> str:
        """The time when the event was recorded, in UTC: ``2026-01-31T12:00:00.000000Z``."""
        ...

    @property
    def hash(self) -> bytes:
        """The 32-byte hash that chains the event to those before it."""
        ...

    @property
    def type(self) -> str:
        """The stored name of the event's type."""
        ...

    @property
    def version(self) -> int:
        """The version of the type in which the event was written."""
        ...

    @property
    def payload(self) -> str:
        """The part that everyone may know, as JSON."""
        ...

    @property
    def secret(self) -> str | None:
        """The part that not everyone may know, as JSON; None if the event has no secret."""
        ...


RecordT = TypeVar("RecordT")
StoredT = TypeVar("StoredT", bound=Stored)
WithheldT = TypeVar("WithheldT")


class CannotReplay(PokersvcError):
    """A stored event that cannot happen at its place in the game: the log is damaged or forged."""

    code = "cannot_replay"

    def __init__(self, stored: Stored, refused: ImpossibleEvent) -> None:
        self.game_id, self.seq = stored.game_id, stored.seq
        super().__init__(f"Game {self.game_id} cannot be replayed from event {self.seq} on: {refused}")


class Step(NamedTuple, Generic[RecordT]):
    """One event of a replay: its record and the event as the viewer may know them, and the resulting state."""

    record: RecordT
    event: Event
    state: State


class Replay:
    """Follows a game event by event; its state never knows more than ``viewer`` may know.

    ``keeps_record=False`` is for readers who ask for no views: a long log then takes no memory (see `State.record`).
    """

    __slots__ = (
        "_keeps_record",
        "_seats",
        "_start_hash",
        "_state",
        "_table",
        "clock",
        "game",
        "level_clock",
        "share_clock",
        "viewer",
    )

    def __init__(self, game: Game, viewer: Viewer = AUDITOR, *, keeps_record: bool = True) -> None:
        self.game = game
        self.viewer = viewer
        self._keeps_record = keeps_record
        self._state: State | None = None
        self._seats: tuple[Seat, ...] = ()
        self._table: Table | None = None
        self.clock: Clock | None = None
        """The clock for people's choices; None if the table has none."""
        self.level_clock: LevelClock | None = None
        """The clock for levels that end by time; None if there are none."""
        self.share_clock: ShareClock | None = None
        """The clock for awaited shares; None if the dealer shuffles alone."""
        self._start_hash: bytes | None = None

    @property
    def state(self) -> State:
        """The state after the last event, the same object each time; there is none before the first event."""
        assert self._state is not None
        return self._state

    @property
    def begun(self) -> bool:
        """Whether the first event was taken; before that, there is no state."""
        return self._state is not None

    @property
    def at_table(self) -> bool:
        """Whether a table event was taken (`pokersvc.core.tables.table`); until then, all events are the game's own."""
        return self._table is not None

    @property
    def table(self) -> Table:
        """The state of the table after its events so far."""
        return Table(self.seats) if self._table is None else self._table

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats as they are now; empty before the first event."""
        return self._seats if self._state is None else self._state.seats_now() or self._seats

    @property
    def dealing(self) -> Dealing | None:
        """The common shuffle of the table; None if the dealer shuffles alone."""
        return None if self._table is None else self._table.dealing

    def take(self, event: Event, at: datetime | str | None = None, hash_: bytes | None = None) -> State:
        """Apply the next event, which must already be redacted for the viewer; return the resulting state.

        ``at`` is the moment of the event, which the clock of a table needs, and ``hash_`` the hash of the event's
        record, over which shares of a shuffle are signed. A caller who records the event only afterwards must then call
        `recorded`.
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
        """Note the hash under which an event was recorded, after `take` applied the event."""
        if isinstance(event, self.game.start_event):
            self._start_hash = hash_
        if (dealing := self.dealing) is None:
            return
        dealing.start = self._start_hash
        if event.__class__ is SharesAwaited and dealing.awaited is not None:
            dealing.awaited.head = hash_

    def read(self, stored: Stored) -> Event:
        """Decode the next event, withhold what the viewer may not know, apply it, and return it.

        This method, `follow` and `steps` raise `CannotReplay` for an event that cannot happen at its place.
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
        """Take further records, and return the last one; None if there are none.

        ``passed`` is called with the events after the start, each with the time when it was recorded: with all events
        up to an event of the types ``ends`` at once, and finally with the rest, which may be empty. Without ``ends``,
        no events are collected, and ``passed`` is called with an empty list.
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
        """Take further records, and yield each as a step; ``withheld`` removes the secret from a record.

        Raise `InvalidValue` if the game has no such viewer.
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
        if not table.timed:
            self.clock = None
        elif self.clock is None:
            self.clock = Clock(table)
        if self.clock is not None:
            self.clock.take(at_of(at), event, chooser, state.awaited)
        if self.level_clock is not None or state.timed_level is not None:
            if self.level_clock is None:
                self.level_clock = LevelClock(table)
            people_play = any(map(state.playing, table.people))
            self.level_clock.take(at_of(at), state.timed_level, people_play=people_play)
        if (dealing := table.dealing) is not None:
            if self.share_clock is None:
                self.share_clock = ShareClock(dealing)
                dealing.start = self._start_hash
            self.share_clock.take(at_of(at), event, paused=table.paused)


def chooser_of(game: Game, event: Event, state: State) -> int | None:
    """Return the seat whose choice an event was, given the state before the event; None if no seat chose it."""
    action = game.action_of(event)
    if action is None or action.seat not in state.awaited or isinstance(action, ForgoRound):
        return None
    return action.seat


def at_of(at: datetime | str | None) -> int | None:
    """Return a recorded time in microseconds since 1970, as clocks need it; None if the time is None or invalid."""
    if isinstance(at, str):
        with suppress(ValueError, TypeError):
            return microseconds(datetime.fromisoformat(at))
        return None
    return None if at is None else microseconds(at)


def check_viewer(viewer: Viewer, seats: tuple[Seat, ...]) -> None:
    """Raise `InvalidValue` if the viewer is neither a seat of the game, nor everyone, nor an auditor."""
    if viewer not in (EVERYONE, AUDITOR) and (type(viewer) is not int or not 1 <= viewer <= len(seats)):
        raise InvalidValue(
            f"There is no seat {viewer!r} in this game; its seats are 1 to {len(seats)},"
            f" and others look as {EVERYONE!r} or {AUDITOR!r}."
        )
