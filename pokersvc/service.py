"""The service: start, act, view, replay. The only door to games for a terminal, a web page or a bot.

A *command* is one accepted action with the dealer's events after it, in one transaction. What is returned is
recorded; what is refused has left no trace.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from sqlalchemy import Connection

from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.log import CommandRepeated, ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import NewEvent, Record
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.games.entropy import Entropy, EntropySource
from pokersvc.games.event import AUDITOR, EVERYONE, Event, Viewer, redact
from pokersvc.games.game import HUMAN, Action, Entry, Game, IllegalAction, Leave, Seat, Setup, State, game_of
from pokersvc.players import Programs, choice_of
from pokersvc.readmodels import project_entries, project_outcome, project_start

GAME_ID: Final = re.compile(r"(?!last$)[A-Za-z0-9_-]{1,64}")


class CommandReused(PokersvcError):
    """A command's id that stands for another command already."""

    code = "command_reused"


class NotOver(PokersvcError):
    """What is asked for would open secrets of a game that is still being played."""

    code = "not_over"


class NothingToDo(PokersvcError):
    """The game is over, or waits for somebody else."""

    code = "nothing_to_do"


class Recorded(NamedTuple):
    """One event as it happened and as it is stored."""

    record: Record
    event: Event


class Step(NamedTuple):
    """One event of a replay: as it is stored, as the viewer may know it, and the state it made."""

    record: Record
    event: Event
    state: State


@dataclass(slots=True)
class Table:
    """A game in memory: what its recorded events have made."""

    game_id: str
    game: Game
    seats: tuple[Seat, ...]
    source: EntropySource
    entropy: Entropy
    state: State
    count: int

    @property
    def kind_to_act(self) -> str | None:
        """The kind of the seat that must choose, or None."""
        seat = self.state.to_act
        return None if seat is None else self.seats[seat - 1].kind


@dataclass(slots=True)
class _Command:
    """Events on their way into the log: already applied to the table, not yet recorded."""

    table: Table
    programs: Programs
    events: list[Event] = field(default_factory=list)
    entries: list[tuple[int, Entry]] = field(default_factory=list)
    recorded: list[Recorded] = field(default_factory=list)

    def take(self, event: Event) -> None:
        state = self.table.state
        state.apply(event)
        self.events.append(event)
        if (entry := state.entry(event, EVERYONE)) is not None:
            self.entries.append((self.table.count + len(self.events), entry))

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

    def choose(self) -> None:
        """Take the choice of the program whose turn it is; one that gives no legal answer forfeits it."""
        table, state = self.table, self.table.state
        seat, kind = state.to_act, table.kind_to_act
        if seat is None or kind is None or kind == HUMAN:
            raise NothingToDo(f"No program is to act in game {table.game_id}.")
        if (player := self.programs.find(table.game, kind)) is None:
            raise NothingToDo(
                f"{table.seats[seat - 1].name} in game {table.game_id} is played by {kind!r}, which this pokersvc"
                " does not have; go on with the one that started the game."
            )
        random = table.source.program_random(seat, table.count + len(self.events) + 1)
        self.take(choice_of(player, state, seat, random).event)


def _with_a_seat(action: Action) -> Action:
    """Return the action; refuse what is none, and one whose seat is no number, which the log would store as it is."""
    if not isinstance(action, Action):
        raise IllegalAction("unknown_action", f"{action!r} is no action.")
    if type(action.seat) is not int:
        raise IllegalAction("no_seat", f"{action.seat!r} is no seat; seats are numbers from 1.")
    return action


def _anybody_leaves(table: Table, event: Event) -> bool:
    """Tell whether the event is that of a person who leaves."""
    for seat in range(1, len(table.seats) + 1):
        with suppress(IllegalAction):
            if table.state.decide(Leave(seat)) == event:
                return True
    return False


class Service:
    """Plays games whose only truth is the log. ``programs`` are the caller's to close."""

    def __init__(
        self,
        log: EventLog,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        programs: Programs | None = None,
    ) -> None:
        self._log = log
        self._clock = clock
        self._programs = Programs() if programs is None else programs
        self._tables: dict[str, Table] = {}

    def start(
        self, kind: str, setup: Setup, *, game_id: str | None = None, command_id: str | None = None
    ) -> tuple[str, list[Recorded]]:
        """Start a game and return its id with its first events, up to the first choice of a seat.

        The caller may name the game, 1 to 64 letters, digits, hyphens or underscores; starting the same game again
        by the same name finds it. `InvalidValue` says what in the setup will not do, `UnusablePlayer` which player
        of one's own.
        """
        game = game_of(kind)
        started = game.start(setup)
        self._programs.check(game, setup.seats)
        game_id = str(uuid4()) if game_id is None else _check_id(game_id)
        if self._log.head(game_id) is not None:
            return game_id, self._started_before(game_id, game, started)
        table = Table(game_id, game, setup.seats, setup.source, setup.source.entropy(), game.new(started), 0)
        command = _Command(table, self._programs, [started])
        command.deal()
        try:
            self._commit(command, command_id)
        except (CommandRepeated, ConcurrentUpdate):  # somebody else has just started it
            return game_id, self._started_before(game_id, game, started)
        self._tables[game_id] = table
        return game_id, command.recorded

    def _started_before(self, game_id: str, game: Game, started: Event) -> list[Recorded]:
        first = next(self._log.read(game_id, upto=1))
        stored = self._game(game_id).codec.decode(first.type, first.version, first.payload, first.secret)
        asked = game.codec.encode(started)
        if (first.type, first.version, first.payload) != asked[:3] or _seed_text(game, stored) != _seed_text(
            game, started
        ):
            raise CommandReused(f"There is a game {game_id} already, started otherwise; a new game needs a new id.")
        return self._decode(game, self._log.command(game_id, first.command_id))

    def table(self, game_id: str) -> Table:
        """Return a game as it stands, read from the log unless this service has it in memory as it stands."""
        table = self._tables.get(game_id)
        head = self._log.head(game_id)
        if table is None or head is None or table.count != head.count:  # others may have gone on
            table = self._tables[game_id] = self._load(game_id)
        return table

    def view(self, game_id: str, viewer: Viewer) -> Any:
        """Return what the viewer may know of a game now."""
        table = self.table(game_id)
        _check_viewer(viewer, table.seats)
        return table.state.view(viewer)

    def act(
        self, game_id: str, action: Action, *, expected: int | None = None, command_id: str | None = None
    ) -> list[Recorded]:
        """Record a choice with the dealer's events after it, and return them.

        ``expected`` is the number of events that the caller knows; `ConcurrentUpdate` if there are others by now.
        The same ``command_id`` with the same action again returns what was recorded, with another action it is
        `CommandReused`. `IllegalAction` leaves no trace.
        """
        table = self.table(game_id)  # before the command is looked for: its state then does not know it either
        if command_id is not None and (recorded := self._log.command(game_id, command_id)):
            return self._acted_before(game_id, action, recorded)
        if expected is not None and expected != table.count:
            raise ConcurrentUpdate(game_id, expected, table.count)
        first = table.state.decide(_with_a_seat(action))
        try:
            with self._recorded(table, command_id) as command:
                command.take(first)
                command.deal()
        except CommandRepeated as repeated:  # by another process, since it was looked for
            return self._acted_before(game_id, action, repeated.records)
        return command.recorded

    def _acted_before(self, game_id: str, action: Action, recorded: list[Record]) -> list[Recorded]:
        before = self._before(game_id, recorded)
        again = None
        with suppress(IllegalAction):
            again = before and before.state.decide(_with_a_seat(action))
        return self._recorded_before(game_id, recorded, same=lambda first: again == first)

    def _before(self, game_id: str, recorded: list[Record]) -> Table | None:
        """Return the game as a recorded command found it, None for the command that started it."""
        return self._load(game_id, upto=recorded[0].seq - 1) if recorded[0].seq > 1 else None

    def _recorded_before(
        self, game_id: str, recorded: list[Record], *, same: Callable[[Event], bool]
    ) -> list[Recorded]:
        """Return what a command recorded, if by its first event it is the same command."""
        found = self._decode(self._game(game_id), recorded)
        if not same(found[0].event):
            raise CommandReused(
                f"The command {recorded[0].command_id} of game {game_id} recorded another action;"
                " a new action needs a new command id."
            )
        return found

    def go_on(self, game_id: str, *, command_id: str | None = None) -> list[Recorded]:
        """Record the dealer's events of the next round, where the game pauses for a person who may leave.

        The same ``command_id`` again returns what was recorded, as in `act`.
        """
        table = self.table(game_id)  # first, as in `act`
        if command_id is not None and (recorded := self._log.command(game_id, command_id)):
            return self._went_on_before(game_id, recorded)
        if not table.state.pausing:
            raise NothingToDo(f"Game {game_id} does not wait between two rounds.")
        try:
            with self._recorded(table, command_id) as command:
                command.deal(past_pause=True)
        except CommandRepeated as repeated:  # by another process, since it was looked for
            return self._went_on_before(game_id, repeated.records)
        return command.recorded

    def _went_on_before(self, game_id: str, recorded: list[Record]) -> list[Recorded]:
        before = self._before(game_id, recorded)

        def dealt(first: Event) -> bool:
            return before is not None and before.state.pausing and not _anybody_leaves(before, first)

        return self._recorded_before(game_id, recorded, same=dealt)

    def step(self, game_id: str) -> list[Recorded]:
        """Let the program whose turn it is choose, and record that with the dealer's events after it."""
        with self._recorded(self.table(game_id)) as command:
            command.choose()
            command.deal()
        return command.recorded

    def play_round(self, game_id: str) -> list[Recorded]:
        """Let programs choose until a line of the history is complete, in one transaction.

        For games without a person; it stops where a person must choose.
        """
        table = self.table(game_id)
        with self._recorded(table) as command:
            while not command.entries and table.kind_to_act not in (None, HUMAN):
                command.choose()
                command.deal()
        return command.recorded

    def keep(self, game_id: str, kind: str, played: Sequence[Event]) -> None:
        """Record a whole game that programs have played elsewhere, a line of its history at a time.

        What is recorded of it already stays as it is; `CommandReused` where that is another game.
        """
        game = game_of(kind)
        seats, source = game.seats(played[0]), game.source(played[0])
        assert source is not None
        table = Table(_check_id(game_id), game, seats, source, source.entropy(), game.new(played[0]), 0)
        known = [(record.type, record.version, record.payload, record.secret) for record in self._records(game_id)]
        if known != [tuple(game.codec.encode(event)) for event in played[: len(known)]]:
            raise CommandReused(
                f"There is a game {game_id} already, played otherwise; record this one in another database."
            )
        command = _Command(table, self._programs, [played[0]])
        for number, event in enumerate(played[1:], 2):
            command.take(event)
            if number == len(known):
                table.count, command = number, _Command(table, self._programs)
            elif number > len(known) and (command.entries or number == len(played)):
                self._commit(command, None)
                command = _Command(table, self._programs)

    def kept(self, game_id: str) -> list[Event]:
        """Return what is recorded of a game, from its start; nothing where there is no such game."""
        records = list(self._records(game_id))
        return [event for _, event in self._decode(self._game(game_id), records)] if records else []

    def _records(self, game_id: str) -> Iterator[Record]:
        if self._log.head(game_id) is not None:
            yield from self._log.read(game_id)

    def replay(
        self, game_id: str, viewer: Viewer = EVERYONE, *, upto: int | None = None, force: bool = False
    ) -> Iterator[Step]:
        """Yield a game's events, oldest first, each as the viewer may know it, with the state it made.

        The state knows no more than the viewer; it is the same object each time. Memory does not grow with the
        log. The chain is verified on the way (`ChainBroken`). An auditor sees a game that is not over only with
        ``force`` (`NotOver`).
        """
        if viewer == AUDITOR and not force and self.table(game_id).state.outcome is None:
            raise NotOver(
                f"Game {game_id} is not over, and an auditor sees every hand; wait for its end, or add --force."
            )
        game = self._game(game_id)
        state: State | None = None
        for record in self._log.read(game_id, upto=upto):
            event = game.codec.decode(record.type, record.version, record.payload, record.secret)
            if state is None:
                _check_viewer(viewer, game.seats(event))
                event = redact(event, viewer)
                state = game.new(event)
            else:
                event = redact(event, viewer)
                state.apply(event)
            yield Step(record, event, state)

    def _game(self, game_id: str) -> Game:
        head = self._log.head(game_id)
        if head is None:
            raise UnknownGame(f"There is no game {game_id}.")
        return game_of(head.kind)

    def _load(self, game_id: str, upto: int | None = None) -> Table:
        game = self._game(game_id)
        records = self._log.read(game_id, upto=upto)
        first = next(records)
        started = game.codec.decode(first.type, first.version, first.payload, first.secret)
        source = game.source(started)
        if source is None:
            raise NothingToDo(f"This copy of game {game_id} lacks the dealer's secrets; it can only be replayed.")
        state, count = game.new(started), 1
        for record in records:
            state.apply(game.codec.decode(record.type, record.version, record.payload, record.secret))
            count = record.seq
        return Table(game_id, game, game.seats(started), source, source.entropy(), state, count)

    def _decode(self, game: Game, records: list[Record]) -> list[Recorded]:
        return [Recorded(r, game.codec.decode(r.type, r.version, r.payload, r.secret)) for r in records]

    @contextmanager
    def _recorded(self, table: Table, command_id: str | None = None) -> Iterator[_Command]:
        """Record the command that is made inside; if that fails, forget the table, whose state has run ahead."""
        command = _Command(table, self._programs)
        try:
            yield command
            self._commit(command, command_id)
        except BaseException:
            self._tables.pop(table.game_id, None)
            raise

    def _commit(self, command: _Command, command_id: str | None) -> None:
        table, events = command.table, command.events
        if not events:
            return

        def also(connection: Connection, records: Sequence[Record]) -> None:
            if not table.count:
                started = events[0]
                project_start(
                    connection,
                    table.game_id,
                    kind=table.game.kind,
                    title=table.game.words.title(started),
                    started_at=records[0].recorded_at,
                    seats=table.seats,
                )
            project_entries(connection, table.game_id, command.entries)
            if (outcome := table.state.outcome) is not None:
                project_outcome(connection, table.game_id, outcome)

        records = self._log.append(
            table.game_id,
            [NewEvent(*table.game.codec.encode(event)) for event in events],
            expected=table.count,
            command_id=command_id or str(uuid4()),
            kind=table.game.kind,
            recorded_at=self._clock(),
            also=also,
        )
        table.count += len(events)
        command.recorded = list(map(Recorded, records, events))


def _check_id(game_id: str) -> str:
    if not GAME_ID.fullmatch(game_id):
        raise InvalidValue(
            f"The game id {game_id!r} will not do: an id is 1 to 64 letters, digits, hyphens or underscores,"
            " and not 'last'."
        )
    return game_id


def _check_viewer(viewer: Viewer, seats: tuple[Seat, ...]) -> None:
    if viewer not in (EVERYONE, AUDITOR) and (type(viewer) is not int or not 1 <= viewer <= len(seats)):
        raise InvalidValue(
            f"There is no seat {viewer!r} in this game; its seats are 1 to {len(seats)},"
            f" and others look as {EVERYONE!r} or {AUDITOR!r}."
        )


def _seed_text(game: Game, started: Event) -> str | None:
    source = game.source(started)
    return None if source is None else source.text
