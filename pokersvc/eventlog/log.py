"""The event log of a database: appending a command's events, and reading them back."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection

from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.group import GroupCommit
from pokersvc.eventlog.record import GENESIS, ChainBroken, NewEvent, Record, chain, shown, timestamp
from pokersvc.eventlog.snapshot import Head, Snapshot, UnknownGame
from pokersvc.eventlog.statements import Statements
from pokersvc.text import counted

Projection = Callable[[Connection, Sequence[Record]], None]
ProjectAll = Callable[[Connection, "Sequence[list[Record] | None]"], None]


class NewGame(NamedTuple):
    """A whole game that is not in the log yet; see `EventLog.append` for its fields."""

    game_id: str
    kind: str
    events: Sequence[NewEvent]
    command_id: str
    recorded_at: datetime


class ConcurrentUpdate(PokersvcError):
    """The game does not have the number of events that the command expected: another command came first."""

    code = "concurrent_update"

    def __init__(self, game_id: str, expected: int, found: int) -> None:
        super().__init__(
            f"Game {game_id} has {counted(found, 'event')} where {expected} were expected: someone else acted;"
            " look at the game again."
        )
        self.game_id = game_id
        self.expected = expected
        self.found = found


class CommandRepeated(PokersvcError):
    """The command is recorded already; ``records`` are its events."""

    code = "command_repeated"

    def __init__(self, game_id: str, command_id: str, records: list[Record]) -> None:
        super().__init__(f"Game {game_id} has recorded the command {command_id!r} already.")
        self.game_id = game_id
        self.command_id = command_id
        self.records = records


class _Appended(NamedTuple):
    """The result of an append that has written something."""

    records: list[Record]
    position: int
    """The position of the last record in the whole log; 0 if no high-water mark is kept."""


_Refusal = CommandRepeated | ConcurrentUpdate | UnknownGame
"""The error that explains why an append wrote nothing; what the log holds decides which error it is."""


class EventLog:
    """The log in an open database; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = Statements.of(database.dialect)
        self._group = GroupCommit[_Appended | _Refusal](database.append, self._note)

    @property
    def waiting(self) -> int:
        """The number of appends by other threads that wait for the current append to end."""
        return self._group.waiting

    def append(
        self,
        game_id: str,
        events: Sequence[NewEvent],
        *,
        expected: int,
        command_id: str,
        kind: str | None = None,
        recorded_at: datetime | None = None,
        project: Projection | None = None,
    ) -> list[Record]:
        """Record one command's events in one transaction, durably, and return their records.

        ``expected`` is the number of events that the game has before; 0 starts a new game of ``kind``. ``project``
        writes whatever must change together with the log (read models) on the same connection. In a SQLite file
        concurrent appends of several threads share a transaction, each recorded completely or not at all, and
        ``project`` may be called again.

        Raises CommandRepeated, ConcurrentUpdate, UnknownGame, and the errors of the database; then nothing
        is written.
        """
        _check(game_id, events, expected, command_id, kind)
        at = timestamp(recorded_at or datetime.now(UTC))

        def run(connection: Connection) -> _Appended | _Refusal:
            head = self._guard(connection, game_id, command_id, expected)
            if not isinstance(head, bytes):
                return head
            records = chain(game_id, events, count=expected, head=head, recorded_at=at, command_id=command_id)
            if not self._statements.store(connection, records, kind):
                return self._refusal(connection, game_id, command_id, expected)
            position = self._database.last_position(connection)
            if project is not None:
                project(connection, records)
            return _Appended(records, position)

        try:
            appended = self._carry_out(run)
        except DatabaseDamaged:
            # The command may be recorded although the append did not find it: a transaction that waits for the game's
            # row has looked for the command before waiting.
            if recorded := self.command(game_id, command_id):
                raise CommandRepeated(game_id, command_id, recorded) from None
            raise
        if not isinstance(appended, _Appended):
            raise appended
        return appended.records

    def start_all(self, games: Sequence[NewGame], project: ProjectAll) -> list[list[Record] | None]:
        """Record whole new games in one transaction; return None in place of each game that exists already.

        ``project`` gets the same list, on the same connection.
        """
        for game in games:
            _check(game.game_id, game.events, 0, game.command_id, game.kind)
        found: list[list[Record] | None] = []

        def run(connection: Connection) -> _Appended | _Refusal:
            found.clear()  # this function may run again
            if self._database.on_server:
                result = self._started_each(connection, games, found)
            else:  # on SQLite, nobody else writes before this is committed
                result = self._started_all(connection, games, found)
            if isinstance(result, _Appended):
                result = result._replace(position=self._database.last_position(connection))
                project(connection, found)
            return result

        self._carry_out(run)
        return found

    def _started_each(
        self, connection: Connection, games: Sequence[NewGame], found: list[list[Record] | None]
    ) -> _Appended | _Refusal:
        result: _Appended | _Refusal = UnknownGame("There are no games to record.")
        for game in games:
            appended = self._started(connection, game)
            found.append(appended.records if isinstance(appended, _Appended) else None)
            if isinstance(appended, _Appended) or not isinstance(result, _Appended):
                result = appended
        return result

    def _started_all(
        self, connection: Connection, games: Sequence[NewGame], found: list[list[Record] | None]
    ) -> _Appended | _Refusal:
        """Start the games in three statements; no other transaction can start a game meanwhile."""
        known = Snapshot(connection).known([game.game_id for game in games])
        new: list[tuple[list[Record], str]] = []
        for game in games:
            if game.game_id in known:
                found.append(None)
                continue
            known.add(game.game_id)
            new.append((_records_of(game, GENESIS), game.kind))
            found.append(new[-1][0])
        if not new:
            return UnknownGame("All these games are recorded already.")
        self._statements.start_all(connection, new)
        return _Appended(new[-1][0], 0)

    def _started(self, connection: Connection, game: NewGame) -> _Appended | _Refusal:
        head = self._guard(connection, game.game_id, game.command_id, 0)
        if not isinstance(head, bytes):
            return head
        records = _records_of(game, head)
        if not self._statements.store(connection, records, game.kind):
            return self._refusal(connection, game.game_id, game.command_id, 0)
        return _Appended(records, 0)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Yield a snapshot: everything read from it comes from one transaction."""
        with self._database.read() as connection:
            yield Snapshot(connection)

    def command(self, game_id: str, command_id: str) -> list[Record]:
        """Return the records of one command; see Snapshot.command."""
        with self.snapshot() as snapshot:
            return snapshot.command(game_id, command_id)

    def read(self, game_id: str, *, upto: int | None = None, verified: bool = True) -> Iterator[Record]:
        """Yield a game's records in order; see Snapshot.read. The snapshot ends with the iteration."""
        with self.snapshot() as snapshot:
            yield from snapshot.read(game_id, upto=upto, verified=verified)

    def head(self, game_id: str) -> Head | None:
        """Return a game's head (its kind, number of events and last hash), or None for an unknown game."""
        with self.snapshot() as snapshot:
            return snapshot.head(game_id)

    def games(self) -> Iterator[tuple[str, Head]]:
        """Yield every game with its head, in order of id."""
        with self.snapshot() as snapshot:
            yield from snapshot.games()

    def stored_bytes(self, game_id: str) -> int:
        """Return the approximate size of a game's events in bytes; see Snapshot.stored_bytes."""
        with self.snapshot() as snapshot:
            return snapshot.stored_bytes(game_id)

    def find(self, text: str) -> str:
        """Return the ID of the game that a text names; see Snapshot.find."""
        with self.snapshot() as snapshot:
            return snapshot.find(text)

    def _carry_out(self, run: "Callable[[Connection], _Appended | _Refusal]") -> _Appended | _Refusal:
        """Write in a transaction, which several threads share if the database takes only one writer at a time.

        A server accepts many writers, which wait for each other only within a game, and groups their syncs itself.
        """
        if not self._database.on_server:
            return self._group.carry_out(run)
        with self._database.append() as connection:
            return run(connection)

    def _guard(self, connection: Connection, game_id: str, command_id: str, expected: int) -> bytes | _Refusal:
        """Return the game's last hash (GENESIS for a new game), or the error that forbids an append."""
        row = self._statements.guard(connection, game_id, command_id)
        if row is None:
            if expected:
                return UnknownGame(f"There is no game {game_id!r} to continue: `pokersvc games` lists them.")
            return GENESIS
        count, head, repeated = row
        if repeated or count != expected:
            return self._refusal(connection, game_id, command_id, expected)
        if not isinstance(head, bytes):
            raise ChainBroken(game_id, count, f"the head {shown(head)}", "a hash of 32 bytes")
        return head

    def _refusal(self, connection: Connection, game_id: str, command_id: str, expected: int) -> _Refusal:
        """Return the error for a refused append: the number of events differs, or the command is recorded already.

        Everything is read again: a database that waits for a row's lock (not SQLite) may have looked for the
        command, or for the game, before the lock's holder committed it.
        """
        snapshot = Snapshot(connection)
        if records := snapshot.command(game_id, command_id):
            return CommandRepeated(game_id, command_id, records)
        head = snapshot.head(game_id)
        return ConcurrentUpdate(game_id, expected, head.count if head is not None else 0)

    def _note(self, results: "Sequence[_Appended | _Refusal]") -> None:
        """Write the last event of a committed transaction to the high-water mark file."""
        appended = [one for one in results if isinstance(one, _Appended)]
        if appended:
            last = max(appended, key=lambda one: one.position)
            self._database.note(last.position, last.records[-1].hash)


def _records_of(game: NewGame, head: bytes) -> list[Record]:
    at = timestamp(game.recorded_at)
    return chain(game.game_id, game.events, count=0, head=head, recorded_at=at, command_id=game.command_id)


def _check(game_id: str, events: Sequence[NewEvent], expected: int, command_id: str, kind: str | None) -> None:
    for what, text in (("game's", game_id), ("command's", command_id)):
        if not text or not text.isprintable():
            raise InvalidValue(f"{text!r} cannot be a {what} ID: use printable characters.")
    if not events:
        raise InvalidValue("A command without events is not recorded: give at least one.")
    if expected < 0:
        raise InvalidValue(f"A game cannot have {expected} events: expect 0 or more.")
    if expected == 0 and not kind:
        raise InvalidValue(f"Game {game_id} is new and needs a kind.")
