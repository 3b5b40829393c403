"""One command: an accepted action with the dealer's events after it, on its way into the log."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection

from pokersvc.core.actions import BeginLevel, CloseGame, IllegalAction
from pokersvc.core.common_events import GameClosed
from pokersvc.core.counting import RoundPlayed
from pokersvc.core.event import Event
from pokersvc.core.randomness.share_events import SharesAwaited
from pokersvc.core.seats import HUMAN
from pokersvc.core.tables.clock import SECOND, Clock, microseconds
from pokersvc.core.tables.table_event import TableAction, TableEvent
from pokersvc.core.tables.table_events import CameBack, ClockRestarted, TableResumed
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent, Record, stored_bytes, timestamp
from pokersvc.players import Programs, choice_of
from pokersvc.service.errors import LogFull, NothingToDo
from pokersvc.service.open_game import OpenGame
from pokersvc.service.read_models.played_rounds import rows_of, store_played
from pokersvc.service.read_models.projections import (
    Line,
    Reseating,
    store_beginning,
    store_lines,
    store_listing,
    store_outcome,
    store_reseating,
)
from pokersvc.service.shown import StoredEvent
from pokersvc.text import counted


@dataclass(slots=True)
class Command:
    """A command in progress: its events are applied to a private copy of the game, and not yet recorded."""

    open_game: OpenGame
    programs: Programs
    clock: Callable[[], datetime]
    events: list[Event] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    """The lines of history that the events complete."""
    reseating: Reseating | None = None
    """The seats after the last event that may have seated another player; None without such an event."""
    played: list[RoundPlayed] = field(default_factory=list)
    """The rounds that the events complete, for the read model of sessions."""
    at: datetime | None = None
    """The moment at which all the events are recorded; None until the moment is needed."""
    _written: str | None = None
    most_bytes: int | None = None
    """The size at which the game's log is full; a game with a full log is closed once no round is in progress.

    If it is given, the size of the game's log must be known (`OpenGame.stored`).
    """
    _encoded: list[NewEvent] = field(default_factory=list)
    _size: int = 0
    """The size of the encoded events, in bytes."""

    def take(self, event: Event) -> None:
        """Apply an event."""
        open_game = self.open_game
        self.events.append(event)  # added first: from here on the game in memory differs from the log
        state = open_game.replay.take(event, self.moment())
        if (line := open_game.projector.line(open_game.count + len(self.events), event, state)) is not None:
            self.lines.append(line)
        if (reseating := open_game.projector.reseating(event, state)) is not None:
            self.reseating = reseating
        if (played := open_game.projector.take(event, self.recorded_at)) is not None:
            self.played.append(played)

    @property
    def recorded_at(self) -> str:
        """The time at which the events are recorded, as the text that is stored."""
        moment = self.moment()
        if self._written is None:
            self._written = timestamp(moment)
        return self._written

    def moment(self) -> datetime:
        """Return the time at which the command's events are recorded, the same for all of them."""
        if self.at is None:
            self.at = self.clock()
        return self.at

    def deal(self, *, past_pause: bool = False) -> None:
        """Apply the dealer's events until a seat must choose, a person may leave, or the game is over.

        With ``past_pause``, stop again if the events due before the round leave too few players for the round.
        """
        state, dealing = self.open_game.state, self.open_game.replay.dealing
        entropy = self.open_game.seeds if dealing is None else self.open_game.entropy
        before = len(self.events)
        past_pause = past_pause and state.pausing
        while True:
            if (closed := self._closed_where_full()) is not None:
                self.take(closed)
            pauses = state.pausing
            if pauses and (not past_pause or (len(self.events) > before and state.ends_next)):
                return
            if (level := self._level_due()) is not None:
                self.take(level)
                continue
            if (pauses and self._rest_left()) or (dealing is not None and dealing.holds_up(state)):
                return
            event = state.dealer_event(entropy)
            if event is None and dealing is not None:
                event = dealing.forgone_next(state)
            if event is None:
                return
            self.take(event)
            if pauses and not state.pausing:  # the round has begun
                past_pause = False

    def go_on(self) -> None:
        """Apply the dealer's events of the next round; at a table that shuffles together, begin to await shares."""
        open_game = self.open_game
        if not open_game.waits_for_a_round:
            raise NothingToDo(f"Game {open_game.game_id} is not waiting between two rounds.")
        if open_game.replay.at_table:
            open_game.replay.table.check_shares()
            open_game.replay.table.check_round(open_game.state)
        if (left := self._rest_left()) and self._closed_where_full() is None:
            raise IllegalAction("break", f"The break lasts for {counted(-(-left // SECOND), 'second')} more.")
        self.deal(past_pause=True)
        if open_game.holds_up and not self._rest_left():
            self.await_shares()

    def await_shares(self) -> None:
        """Apply the event that asks seats for shares of the next shuffle; raise `IllegalAction` if it asks no seat."""
        table, state = self.open_game.replay.table, self.open_game.state
        assert table.dealing is not None
        event = SharesAwaited(table.dealing.round + 1, table.dealing.asked(state, table.sitting_out))
        table.check(event, state)
        self.take(event)

    def take_share(self, event: TableEvent) -> None:
        """Apply the event of a seat's opened or missed share; after a round's last share, the dealer's events too."""
        replay = self.open_game.replay
        replay.table.check(event, self.open_game.state)
        self.take(event)
        assert replay.dealing is not None
        self.deal(past_pause=replay.dealing.complete)

    def take_at_table(self, action: TableAction) -> None:
        """Apply an action at a table; raise `LogFull` if the log is full, unless the current round needs the action."""
        replay = self.open_game.replay
        event = replay.table.decide(action, self.open_game.state)
        if not _is_bounded(event, replay.clock) and self._closed_where_full() is None:
            self.check_room()
        self.take(event)
        self.deal()

    def choose(self, seat: int | None = None) -> None:
        """Apply the choice of a bot that must act; a bot that gives no legal answer forfeits its choice.

        If several bots must act, the one at ``seat`` chooses, or the first of them.
        """
        open_game, state = self.open_game, self.open_game.state
        programs = open_game.awaited_programs
        if not programs or seat not in (None, *programs):
            raise NothingToDo(f"No bot is to act in game {open_game.game_id}.")
        if open_game.replay.at_table and open_game.replay.table.paused:
            raise NothingToDo(f"The table of game {open_game.game_id} is paused, so no bot is to act.")
        seat = programs[0] if seat is None else seat
        kind = open_game.seats[seat - 1].kind
        if (player := self.programs.find(open_game.game, kind)) is None:
            raise NothingToDo(
                f"{open_game.seats[seat - 1].name} in game {open_game.game_id} is played by {kind!r}, which this"
                " pokersvc does not have; continue with the pokersvc that started the game."
            )
        random = open_game.source.program_random(seat, open_game.count + len(self.events) + 1)
        self.take(choice_of(player, state, seat, random).event)

    def lapse(self) -> None:
        """Apply the game's default move for the seat whose time is over."""
        open_game, due = self.open_game, self.open_game.replay.table.due
        assert due is not None
        random = open_game.source.program_random(due.seat, open_game.count + len(self.events) + 1)
        action = open_game.state.default_action(due.seat, away=due.away, random=random)
        self.take(open_game.state.decide(action))

    def close(self) -> None:
        """Apply the early end of the game; if no person is in it, bots first play on until the rules allow the end."""
        state = self.open_game.state
        while True:
            try:
                closed = state.decide(CloseGame())
            except IllegalAction:
                if not self._play_on_alone():
                    raise
                if state.outcome is not None:
                    return
            else:
                self.take(closed)
                self.deal()
                return

    def abandon(self) -> None:
        """Apply the end of an abandoned game, after default moves for each person who must choose before."""
        open_game, state = self.open_game, self.open_game.state
        if open_game.replay.table.paused:
            self.take(TableResumed())  # no seat may choose while the table is paused
        while state.outcome is None:
            try:
                closed = state.decide(CloseGame())
            except IllegalAction:
                if not state.awaited or open_game.holds_up:
                    raise
                (seat, *_) = state.awaited
                if open_game.seats[seat - 1].kind == HUMAN:
                    random = open_game.source.program_random(seat, open_game.count + len(self.events) + 1)
                    self.take(state.decide(state.default_action(seat, away=True, random=random)))
                else:
                    self.choose(seat)
                self.deal()
            else:
                self.take(closed)
                self.deal()

    def check_room(self) -> None:
        """Raise `LogFull` if the game's log is full and the game is not over."""
        if self._full:
            raise LogFull(
                f"The log of game {self.open_game.game_id} is full, at {counted(self.most_bytes, 'byte')}: the table"
                " ends after this round, and until then it can only be played on."
            )

    @property
    def _full(self) -> bool:
        """Whether the log has reached its maximum size and the game is not over."""
        if self.most_bytes is None or not self.open_game.count or self.open_game.state.outcome is not None:
            return False
        self._encode()
        return (self.open_game.stored or 0) + self._size >= self.most_bytes

    def _level_due(self) -> Event | None:
        """Return the event that begins the next level, if its time has come and no round or shuffle is in progress."""
        replay = self.open_game.replay
        clock, dealing = replay.level_clock, replay.dealing
        if clock is None or clock.left(microseconds(self.moment())) != 0:
            return None
        if dealing is not None and dealing.awaited is not None:
            return None
        with suppress(IllegalAction):  # a round is in progress
            return self.open_game.state.decide(BeginLevel())
        return None

    def _rest_left(self) -> int:
        """Return the microseconds for which a break keeps the next round from beginning; 0 outside a break."""
        clock = self.open_game.replay.level_clock
        return 0 if clock is None else clock.rest_left(microseconds(self.moment()))

    def _closed_where_full(self) -> Event | None:
        """Return the event that closes the game if its log is full and no round is in progress, or None.

        A round whose shares are awaited is in progress: the shares that seats open decide the deal, and it is played.
        """
        if not self._full or any(isinstance(event, GameClosed) for event in self.events):
            return None
        state, dealing = self.open_game.state, self.open_game.replay.dealing
        if dealing is not None and (dealing.awaited is not None or state.awaited):
            return None
        with suppress(IllegalAction):  # a round is in progress
            return state.decide(CloseGame())
        return None

    def _play_on_alone(self) -> bool:
        """Apply one more event if no person is in the game, and return whether an event was applied."""
        open_game, state = self.open_game, self.open_game.state
        if any(seat.kind == HUMAN and state.playing(number) for number, seat in enumerate(open_game.seats, 1)):
            return False
        if open_game.holds_up:
            return False
        if (event := state.dealer_event(open_game.entropy)) is not None:
            self.take(event)
        elif state.awaited:
            self.choose()
        else:
            return False
        return True

    def _encode(self) -> list[NewEvent]:
        """Return the events as they are stored; each is encoded once."""
        for event in self.events[len(self._encoded) :]:
            encoded = NewEvent(*self.open_game.game.codec.encode(event))
            self._encoded.append(encoded)
            if self.most_bytes is not None:
                self._size += stored_bytes(encoded)
        return self._encoded

    def record(self, log: EventLog, command_id: str | None) -> list[StoredEvent]:
        """Append the events, update the read models, and return the stored events; see `EventLog.append`."""
        open_game, events = self.open_game, self.events
        records = log.append(
            open_game.game_id,
            self._encode(),
            expected=open_game.count,
            command_id=command_id or str(uuid4()),
            kind=open_game.game.kind,
            recorded_at=self.moment(),
            project=self._project,
        )
        open_game.count, open_game.head = records[-1].seq, records[-1].hash
        if open_game.stored is not None:
            open_game.stored += self._size
        open_game.round_ended = not open_game.game.round_ends.isdisjoint([event.__class__ for event in events])
        if records[0].seq == 1 or open_game.replay.dealing is not None:
            for record, event in zip(records, events, strict=True):
                open_game.replay.recorded(event, record.hash)
        return list(map(StoredEvent, records, events))

    def _project(self, connection: Connection, records: Sequence[Record]) -> None:
        open_game = self.open_game
        projector = open_game.projector
        if not open_game.count:
            started_at = projector.began_at or records[0].recorded_at
            store_listing(connection, open_game.game_id, projector.start(self.events[0]), started_at)
        elif open_game.count == 1 and projector.began_at is not None:
            store_beginning(connection, open_game.game_id, projector.began_at)
        if self.reseating is not None:
            store_reseating(connection, open_game.game_id, self.reseating)
        store_lines(connection, open_game.game_id, self.lines)
        if self.played:
            store_played(connection, rows_of(open_game.game_id, self.played))
        if (outcome := projector.outcome(open_game.state)) is not None:
            store_outcome(connection, open_game.game_id, outcome)


def _is_bounded(event: TableEvent, clock: Clock | None) -> bool:
    """Return whether an event at a table can occur only a few times per round, so that even a full log takes it.

    A pause ends once, because no other can begin. A person can come back only after choices lapsed. Clocks restart at
    most once between two other events.
    """
    if isinstance(event, ClockRestarted):
        return clock is None or not clock.restarted
    return isinstance(event, TableResumed | CameBack)
