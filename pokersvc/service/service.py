"""The service: its commands, for any number of threads and processes at once."""

import re
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

from pokersvc.core.actions import Action, BetweenRounds, IllegalAction, ServiceAction
from pokersvc.core.event import EVERYONE, Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.names import like, same, unreadable
from pokersvc.core.registry import game_of
from pokersvc.core.rules import Rules
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TableSettings, agreed, settings_events
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import CommandRepeated, ConcurrentUpdate, EventLog
from pokersvc.eventlog.record import Record
from pokersvc.players import Programs
from pokersvc.service.at_table import ServiceAtTable
from pokersvc.service.command import Command
from pokersvc.service.committed import committed
from pokersvc.service.errors import CommandReused, NothingToDo
from pokersvc.service.open_game import OpenGame
from pokersvc.service.open_games import OpenGames
from pokersvc.service.questions import GameQuestions
from pokersvc.service.sharing import Make, Same, check_dealing
from pokersvc.service.shown import Recorded, StoredEvent, check_player, shown_to, stored_events
from pokersvc.service.with_secrets import WithSecrets

GAME_ID: Final = re.compile(r"(?!last$)[A-Za-z0-9_-]{1,64}")
TRIES: Final = 10
"""The maximum number of attempts at a command without ``expected``; an attempt fails if another command comes first."""


class Service(ServiceAtTable, GameQuestions):
    """Starts and plays games, all of whose state comes from the log. The caller must close ``programs``.

    ``memory`` limits the bytes that games take in memory, by default to half of the machine's memory. A game whose log
    reaches ``most_bytes`` is closed after the round in progress.

    Any number of threads may use one service. It returns only what ``viewer`` may know: everyone, or a seat, never an
    auditor (`NotForAuditors`).
    """

    def __init__(
        self,
        log: EventLog,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        programs: Programs | None = None,
        *,
        memory: int | None = None,
        most_bytes: int | None = None,
    ) -> None:
        self._log = log
        self._clock = clock
        self._programs = Programs() if programs is None else programs
        self._most_bytes = most_bytes
        self._open_games = OpenGames(log, memory)
        self.with_secrets = WithSecrets(log, self._open_games, clock)
        """Access to every hand and every seed, for those who hold the database."""

    def now(self) -> datetime:
        """Return the current time by the service's clock, with which commands are recorded."""
        return self._clock()

    # Commands. Each returns its events. ``expected`` is the number of events that the caller knows; if the game has
    # more by now, `ConcurrentUpdate` is raised. Without ``expected``, a command that another one has preceded is
    # decided again on the game as it is then.

    def start(
        self,
        kind: str,
        setup: Setup,
        *,
        viewer: Viewer = EVERYONE,
        game_id: str | None = None,
        command_id: str | None = None,
        table: TableSettings | None = None,
    ) -> tuple[str, list[Recorded]]:
        """Start a game and return its id with its first events, up to the first choice of a seat.

        The caller may give the game an id of 1 to 64 letters, digits, hyphens or underscores; starting the same game
        again with the same id finds it. ``table`` has the settings of its table. Raises `InvalidValue`, which names
        what is wrong in the setup, and `UnusablePlayer` for a custom player that cannot play.
        """
        game = game_of(kind)
        started = game.start(setup)
        check_player(viewer, setup.seats)
        if table is not None:
            check_dealing(game, setup, table)
        self._programs.check(game, setup.seats)
        if game_id is not None and self._log.head(_check_id(game_id)) is not None:
            return game_id, shown_to(viewer, self._started_before(game_id, game, started, table))
        open_game = OpenGame.new(str(uuid4()) if game_id is None else game_id, game, started)
        if table is None and open_game.state.timed_level is not None:
            raise InvalidValue("Levels that end by time need a table with settings, such as that of `pokersvc serve`.")
        command = self._command(open_game, started)
        if table is not None:
            for event in settings_events(table):
                command.take(event)
        command.deal()
        with suppress(CommandRepeated, ConcurrentUpdate):  # somebody else has just started it
            recorded = self._recorded(command, command_id)
            self._open_games.put(open_game)
            return open_game.game_id, shown_to(viewer, recorded)
        return open_game.game_id, shown_to(viewer, self._started_before(open_game.game_id, game, started, table))

    def act(
        self,
        game_id: str,
        action: Action,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Record a seat's choice, or that a person leaves the game, with the dealer's events that follow.

        The same ``command_id`` again returns what was recorded if the action is the same, and raises `CommandReused`
        if it differs. `IllegalAction` leaves no trace; its code is ``service_only`` for a `ServiceAction`.
        """
        _check_sender(action)

        def make(command: Command) -> None:
            replay = command.open_game.replay
            if replay.at_table:
                replay.table.check_shares()
                if not isinstance(action, BetweenRounds):
                    replay.table.check_choice()
            event = command.open_game.state.decide(_with_a_seat(action))
            if isinstance(action, BetweenRounds):
                _check_newcomer(command.open_game, action)
            command.take(event)
            command.deal()

        def same(found: list[StoredEvent]) -> bool:
            before, again = self._before(game_id, found), None
            with suppress(IllegalAction):
                again = before and before.state.decide(_with_a_seat(action))
            return found[0].event == again

        return self._once(game_id, make, same, viewer, expected, command_id)

    def go_on(
        self,
        game_id: str,
        *,
        viewer: Viewer = EVERYONE,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> list[Recorded]:
        """Begin the next round of a game that pauses between rounds, and record the dealer's events.

        The same ``command_id`` again returns what was recorded, as in `act`. Raises `IllegalAction` if the table is
        paused (its code is ``paused``), or if all people who play sit out (``nobody_sits_in``).
        """

        def make(command: Command) -> None:
            command.go_on()

        def same(found: list[StoredEvent]) -> bool:
            before = self._before(game_id, found)
            return before is not None and before.waits_for_a_round and not _somebody_acts(before, found[0].event)

        return self._once(game_id, make, same, viewer, expected, command_id)

    def step(
        self, game_id: str, *, seat: int | None = None, viewer: Viewer = EVERYONE, expected: int | None = None
    ) -> list[Recorded]:
        """Have a bot whose turn it is make its choice; record the choice with the dealer's events after it.

        If several bots are awaited, the one at ``seat`` chooses, or the first of them.
        """

        def make(command: Command) -> None:
            command.choose(seat)
            command.deal()

        return shown_to(viewer, self._carried_out(game_id, make, viewer, expected))

    def play_round(self, game_id: str, *, viewer: Viewer = EVERYONE, expected: int | None = None) -> list[Recorded]:
        """Have bots choose until a line of the history is complete, in one transaction.

        For games without a person; it stops when only people must choose.
        """

        def make(command: Command) -> None:
            if command.open_game.nobody_is_asked:
                command.deal(past_pause=True)
            while not command.lines and command.open_game.awaited_programs:
                command.choose()
                command.deal()

        return shown_to(viewer, self._carried_out(game_id, make, viewer, expected))

    def keep(self, game_id: str, kind: str, played: Sequence[Event]) -> None:
        """Record a whole game that bots have played elsewhere, with one command for each line of its history.

        Events that are recorded already stay as they are; raises `CommandReused` if they are of another game.
        """
        game = game_of(kind)
        open_game = OpenGame.new(_check_id(game_id), game, played[0])
        with self._log.snapshot() as snapshot:
            known = list(snapshot.read(game_id)) if snapshot.head(game_id) is not None else []
        encoded = [tuple(game.codec.encode(event)) for event in played[: len(known)]]
        if [(record.type, record.version, record.payload, record.secret) for record in known] != encoded:
            raise CommandReused(
                f"The database already has another game {game_id}; record this one in another database."
            )
        command = self._command(open_game, played[0])
        for number, event in enumerate(played[1:], 2):
            command.take(event)
            if number == len(known):
                open_game.count, open_game.head = number, known[-1].hash
                command = self._command(open_game)
            elif number > len(known) and (command.lines or number == len(played)):
                self._recorded(command, None)
                command = self._command(open_game)

    def _once(
        self, game_id: str, make: Make, same: Same, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[Recorded]:
        """Carry out a command, or return the events that it recorded when it was sent before."""
        found: list[Record] = []
        try:
            recorded = self._carried_out(game_id, make, viewer, expected, command_id)
            # If there was nothing to do, the reason may be that the command was carried out before.
            if recorded or command_id is None or not (found := self._log.command(game_id, command_id)):
                return shown_to(viewer, recorded)
        except CommandRepeated as repeated:
            found = repeated.records
        except (IllegalAction, NothingToDo, ConcurrentUpdate):  # the game may have moved on since the first time
            if command_id is None or not (found := self._log.command(game_id, command_id)):
                raise
        # Outside the handlers, so that no error raised here carries the records, which have all secrets.
        return shown_to(viewer, self._recorded_before(game_id, found, same))

    def _carried_out(
        self, game_id: str, make: Make, viewer: Viewer, expected: int | None, command_id: str | None = None
    ) -> list[StoredEvent]:
        """Apply a command to a private copy of its game, append its events, and return the copy to memory.

        A game in memory usually agrees with the log, and the append detects when it does not. So only a command that is
        refused on that game, or comes too late, is decided again on the game as it is in the log.
        """
        if (open_game := self._open_games.take(game_id)) is not None:
            with suppress(IllegalAction, NothingToDo, ConcurrentUpdate):
                if recorded := self._tried(open_game, make, viewer, expected, command_id):
                    return recorded
        tries = 0
        while True:
            tries += 1
            try:
                return self._tried(self._open_games.current(game_id), make, viewer, expected, command_id)
            except ConcurrentUpdate:
                if expected is not None or tries == TRIES:
                    raise

    def _command(self, open_game: OpenGame, *events: Event) -> Command:
        if self._most_bytes is not None and open_game.stored is None:
            open_game.stored = self._log.stored_bytes(open_game.game_id)
        return Command(open_game, self._programs, self._clock, list(events), most_bytes=self._most_bytes)

    def _tried(
        self, open_game: OpenGame, make: Make, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[StoredEvent]:
        """Apply a command to a copy of a game and record it. If recording fails, the changed copy is dropped."""
        command = self._command(open_game)
        try:
            check_player(viewer, open_game.replay.seats)
            if expected is not None and expected != open_game.count:
                raise ConcurrentUpdate(open_game.game_id, expected, open_game.count)
            make(command)
        finally:
            if not command.events:
                self._open_games.put(open_game)
        if not command.events:
            return []
        recorded = self._recorded(command, command_id)
        self._open_games.put(open_game)
        return recorded

    def _recorded(self, command: Command, command_id: str | None) -> list[StoredEvent]:
        """Record a command, and call ``on_committed`` for those who follow games in this process."""
        recorded = command.record(self._log, command_id)
        if (tell := self.with_secrets.on_committed) is not None:
            tell(committed(command.open_game, recorded))
        return recorded

    # Commands that were recorded before.

    def _started_before(
        self, game_id: str, game: Game, started: Event, table: TableSettings | None
    ) -> list[StoredEvent]:
        with self._log.snapshot() as snapshot:
            with closing(snapshot.read(game_id, upto=1)) as stored_records:
                first = next(stored_records)
            records = snapshot.command(game_id, first.command_id)
            head = snapshot.head(game_id)
        assert head is not None  # it has just been read
        stored = game_of(head.kind).codec.decode(first.type, first.version, first.payload, first.secret)
        asked = game.codec.encode(started)
        same = (first.type, first.version, first.payload) == asked[:3]
        if not same or _seed_text(game, stored) != _seed_text(game, started) or _set(game, records) != table:
            raise CommandReused(
                f"The game {game_id} already exists and was started with other settings; a new game needs a new ID."
            )
        return stored_events(game, records)

    def _before(self, game_id: str, found: list[StoredEvent]) -> OpenGame | None:
        """Return the game as it was before a recorded command; None for the command that started it."""
        seq = found[0].record.seq
        return self._open_games.load(game_id, upto=seq - 1) if seq > 1 else None

    def _recorded_before(self, game_id: str, recorded: list[Record], same: Same) -> list[StoredEvent]:
        """Return the events that a repeated command recorded; raise `CommandReused` if another command had its ID."""
        head = self._log.head(game_id)
        assert head is not None  # the command's events have just been read
        found = stored_events(game_of(head.kind), recorded)
        if not same(found):
            raise CommandReused(
                f"The command {recorded[0].command_id} of game {game_id} was already used for another action;"
                " a new action needs a new command ID."
            )
        return found


def _set(game: Game, records: list[Record]) -> TableSettings | None:
    """Return the table settings agreed in the command that started a game; None if there are none."""
    return agreed(one.event for one in stored_events(game, records[1:]))


def _check_sender(action: object) -> None:
    """Raise `IllegalAction` for an action that only the service may send."""
    if isinstance(action, ServiceAction):
        raise IllegalAction("service_only", f"{type(action).__name__} is not a choice: only the service sends it.")


def _with_a_seat(action: Action) -> Action:
    """Return the action; raise `IllegalAction` for any other object, or if its seat is not a number."""
    if not isinstance(action, Action):
        raise IllegalAction("unknown_action", f"{action!r} is not an action.")
    if type(action.seat) is not int:
        raise IllegalAction("no_seat", f"{action.seat!r} is not a seat; seats are numbers from 1.")
    return action


def _check_newcomer(open_game: OpenGame, action: BetweenRounds) -> None:
    """Raise `IllegalAction` for a newcomer's name that is unreadable or looks like a name now at the table.

    This is not a rule of a game: names that were recorded before the check existed are still read, judged and shown.
    """
    name, seats = open_game.game.name_of(action), open_game.seats
    if name is None or same(name, seats[action.seat - 1].name):  # a player who comes back keeps their name
        return
    if why := unreadable(name):
        raise IllegalAction("illegal_name", f"{name!r} cannot be a name: {why}.")
    if (other := like(name, [seat.name for seat in seats])) is not None:
        raise IllegalAction(
            "name_taken", f"Somebody at the table is called {other!r}, which looks like {name!r}; take another name."
        )


def _somebody_acts(open_game: OpenGame, event: Event) -> bool:
    """Return whether the event is a person's action between two rounds, such as leaving."""
    action = open_game.game.action_of(event)
    return isinstance(action, BetweenRounds)


def _check_id(game_id: str) -> str:
    if not GAME_ID.fullmatch(game_id):
        raise InvalidValue(
            f"{game_id!r} cannot be a game ID: an ID is 1 to 64 letters, digits, hyphens or underscores,"
            " and not 'last'."
        )
    return game_id


def _seed_text(game: Rules, started: Event) -> str | None:
    source = game.source(started)
    return None if source is None else source.text
