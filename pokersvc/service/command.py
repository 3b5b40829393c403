"""One command: an accepted action with the dealer's events after it, on its way into the log."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection

from pokersvc.core.event import Event
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent, Record
from pokersvc.players import Programs, choice_of
from pokersvc.service.errors import NothingToDo
from pokersvc.service.open_game import OpenGame
from pokersvc.service.readmodels import Line, store_lines, store_listing, store_outcome
from pokersvc.service.shown import StoredEvent


@dataclass(slots=True)
class Command:
    """Events that are applied already, to a table that nobody else sees, and not yet recorded."""

    table: OpenGame
    programs: Programs
    events: list[Event] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    """Lines of history that they complete."""

    def take(self, event: Event) -> None:
        """Apply an event."""
        table = self.table
        self.events.append(event)  # first: from now on the table is not as it was
        state = table.replay.take(event)
        if (line := table.projector.line(table.count + len(self.events), event, state)) is not None:
            self.lines.append(line)

    def deal(self, *, past_pause: bool = False) -> None:
        """Take the dealer's events until a seat must choose, a person may leave, or the game is over."""
        state, entropy = self.table.state, self.table.entropy
        while True:
            if state.pausing:
                if not past_pause:
                    return
            else:
                past_pause = False
            event = state.dealer_event(entropy)
            if event is None:
                return
            self.take(event)

    def choose(self, seat: int | None = None) -> None:
        """Take the choice of a bot that must act; one that gives no legal answer forfeits it.

        Where several are, it is the one at ``seat``, or the first of them.
        """
        table, state = self.table, self.table.state
        programs = table.awaited_programs
        if not programs or seat not in (None, *programs):
            raise NothingToDo(f"No bot is to act in game {table.game_id}.")
        seat = programs[0] if seat is None else seat
        kind = table.seats[seat - 1].kind
        if (player := self.programs.find(table.game, kind)) is None:
            raise NothingToDo(
                f"{table.seats[seat - 1].name} in game {table.game_id} is played by {kind!r}, which this pokersvc"
                " does not have; continue with the pokersvc that started the game."
            )
        random = table.source.program_random(seat, table.count + len(self.events) + 1)
        self.take(choice_of(player, state, seat, random).event)

    def record(self, log: EventLog, command_id: str | None, at: datetime) -> list[StoredEvent]:
        """Append the events, with what the read models show of them, and return them; see `EventLog.append`."""
        table, events = self.table, self.events
        records = log.append(
            table.game_id,
            [NewEvent(*table.game.codec.encode(event)) for event in events],
            expected=table.count,
            command_id=command_id or str(uuid4()),
            kind=table.game.kind,
            recorded_at=at,
            project=self._project,
        )
        table.count, table.head = records[-1].seq, records[-1].hash
        return list(map(StoredEvent, records, events))

    def _project(self, connection: Connection, records: Sequence[Record]) -> None:
        table = self.table
        projector = table.projector
        if not table.count:
            store_listing(connection, table.game_id, projector.start(self.events[0]), records[0].recorded_at)
        store_lines(connection, table.game_id, self.lines)
        if (outcome := projector.outcome(table.state)) is not None:
            store_outcome(connection, table.game_id, outcome)
