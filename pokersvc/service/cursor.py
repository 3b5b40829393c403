"""A cursor in a recorded game: it moves to any event, forward or back, and from round to round."""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pokersvc.core.event import Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.replay import Replay, check_viewer
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome
from pokersvc.core.tables.table_event import TableEvent
from pokersvc.core.tables.table_words import event_words
from pokersvc.eventlog.record import Record

BLOCK: Final = 256
"""The number of events per block: a block is made as a whole, by replaying the game up to the block's end, and kept."""
KEPT: Final = 16
"""The number of blocks that stay in memory."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A game as the viewer may know it after one of its events, with nothing from later events."""

    seq: int
    """The number of the event, from 1."""
    round: int
    """The number of its round, from 1: events between two rounds count as part of the earlier round."""
    event: Event
    recorded_at: str
    text: str
    """The event in words."""
    entry: Entry | None
    """The line of the history that the event completed, if any."""
    view: object
    """The viewer's view of the game."""
    seats: tuple[Seat, ...]
    """The seats as they were after the event."""
    awaited: tuple[int, ...]
    outcome: Outcome | None
    """How the game ended, if it has."""


class Cursor:
    """A place in a game, for one viewer; `extend` adds events if the game is in progress.

    A state cannot go back. So for an earlier block, the events are folded again from the start of the game. The
    `Moment` of each event in a block, whose view is immutable, is kept.
    """

    def __init__(self, game: Game, records: Sequence[Record], viewer: Viewer) -> None:
        self.game, self.viewer = game, viewer
        self._records = list(records)
        first = self._records[0]
        started = game.codec.decode(first.type, first.version, first.payload, first.secret)
        self.places: tuple[int, ...] = game.places(started)
        """Each seat's number at the table, in order of the seats."""
        self._at_start: tuple[Seat, ...] = game.seats(started)
        check_viewer(viewer, self._at_start)
        self._replay = Replay(game, viewer)
        self._folded = 0
        """The number of events that the replay has taken."""
        self._starts = [1]
        """The number of the first event of each round, for rounds that begin up to event `_noted`."""
        self._noted = 0
        """The highest number of an event that was folded so far."""
        self._blocks: OrderedDict[int, list[Moment]] = OrderedDict()
        self.seq = 1

    @property
    def count(self) -> int:
        """The number of events; a person who is shown this number learns when the game ends."""
        return len(self._records)

    @property
    def records(self) -> Sequence[Record]:
        """The events as they are stored, with all secrets."""
        return self._records

    @property
    def now(self) -> Moment:
        """The game after the cursor's event."""
        return self.at(self.seq)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats as they were after the cursor's event."""
        return self.now.seats

    @property
    def at_end(self) -> bool:
        """Whether the cursor is at the last event."""
        return self.seq == self.count

    def seen_by(self, viewer: Viewer) -> "Cursor":
        """Return a cursor at the same place for another viewer; raise `InvalidValue` if the game has no such viewer."""
        other = Cursor(self.game, self._records, viewer)
        other.seq = self.seq
        return other

    def extend(self, records: Sequence[Record]) -> None:
        """Add the events that were recorded since."""
        if not records:
            return
        self._blocks.pop((self.count - 1) // BLOCK, None)
        self._records.extend(records)

    def at(self, seq: int) -> Moment:
        """Return the game after event ``seq``; raise IndexError if there is no such event."""
        if not 1 <= seq <= self.count:
            raise IndexError(seq)
        number, place = divmod(seq - 1, BLOCK)
        if (block := self._blocks.get(number)) is None:
            block = self._blocks[number] = self._block(number)
            if len(self._blocks) > KEPT:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(number)
        return block[place]

    def last(self, most: int) -> list[Moment]:
        """Return up to ``most`` events of the cursor's round, ending with the cursor's event, the oldest first."""
        first = max(self._starts[self.now.round - 1], self.seq - most + 1)
        return [self.at(seq) for seq in range(first, self.seq + 1)]

    def go(self, seq: int) -> bool:
        """Move to an event, and return whether it exists; if not, the cursor stays where it was."""
        if not 1 <= seq <= self.count:
            return False
        self.seq = seq
        return True

    def forward(self) -> bool:
        """Move to the next event, and return whether there is one."""
        return self.go(self.seq + 1)

    def back(self) -> bool:
        """Move to the previous event, and return whether there is one."""
        return self.go(self.seq - 1)

    def next_round(self) -> bool:
        """Move to the first event of the next round, and return whether there is one."""
        return self.go_to_round(self.now.round + 1)

    def previous_round(self) -> bool:
        """Move to the first event of this round or, from there, of the round before; return whether it moved."""
        number = self.now.round
        start = self._starts[number - 1]
        if self.seq > start:
            return self.go(start)
        return number > 1 and self.go_to_round(number - 1)

    def go_to_round(self, number: int) -> bool:
        """Move to the first event of a round, and return whether there is one."""
        if number < 1:
            return False
        while len(self._starts) < number and self._noted < self.count:
            self._fold(self._noted + 1)
        return len(self._starts) >= number and self.go(self._starts[number - 1])

    def _block(self, number: int) -> list[Moment]:
        first = number * BLOCK
        if self._folded > first:
            self._replay, self._folded = Replay(self.game, self.viewer), 0
        while self._folded < first:
            self._fold(self._folded + 1)
        return [self._moment(seq) for seq in range(first + 1, min(first + BLOCK, self.count) + 1)]

    def _moment(self, seq: int) -> Moment:
        event, entry = self._fold(seq)
        state, record = self._replay.state, self._records[seq - 1]
        return Moment(
            seq=seq,
            round=bisect_right(self._starts, seq),
            event=event,
            recorded_at=record.recorded_at,
            text=event_words(self.game, event, state, self._at_start),
            entry=entry,
            view=state.view(self.viewer),
            seats=state.seats_now() or self._at_start,
            awaited=state.awaited,
            outcome=state.outcome,
        )

    def _fold(self, seq: int) -> tuple[Event, Entry | None]:
        """Apply the events up to ``seq``; return that event with the line of the history that it completed, if any."""
        if self._folded != seq - 1:
            self._replay, self._folded = Replay(self.game, self.viewer), 0
            while self._folded < seq - 1:
                self._fold(self._folded + 1)
        event = self._replay.read(self._records[seq - 1])
        self._folded = seq
        entry = None if isinstance(event, TableEvent) else self._replay.state.entry(event, self.viewer)
        if seq > self._noted:
            self._noted = seq
            if self._replay.state.record.round > len(self._starts):
                self._starts.append(seq)
        return event, entry
