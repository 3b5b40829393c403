"""Reading the log: several questions, answered as of one moment."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Select, func, select, text
from sqlalchemy.exc import OperationalError

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.errors import undecodable
from pokersvc.eventlog.record import GENESIS, ChainBroken, Record, shown, verify
from pokersvc.eventlog.tables import events, games

PARTITION = 1000  # events fetched at once

_COLUMNS = [events.c[name] for name in Record._fields]
_CANDIDATES = 3


class UnknownGame(PokersvcError):
    """No game of that id, or of an id that starts so."""

    code = "unknown_game"


class AmbiguousGame(PokersvcError):
    """Several games' ids start with the text."""

    code = "ambiguous_game"


@dataclass(frozen=True, slots=True)
class Head:
    """What the games table says of a game: its kind, its number of events, the last one's hash."""

    kind: str
    count: int
    hash: bytes


class Snapshot:
    """The log as it stands in one transaction of an open connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def head(self, game_id: str) -> Head | None:
        """Return a game's head, or None for one that is not there."""
        statement = select(games.c.kind, games.c.count, games.c.head).where(games.c.game_id == game_id)
        row = self._connection.execute(statement).one_or_none()
        return None if row is None else Head(*row)

    def games(self) -> Iterator[tuple[str, Head]]:
        """Give every game with its head, in order of id (by code points)."""
        statement = select(games.c.game_id, games.c.kind, games.c.count, games.c.head).order_by(games.c.game_id)
        with self._connection.execution_options(yield_per=PARTITION).execute(statement) as rows:
            for game_id, *head in rows:
                yield game_id, Head(*head)

    def find(self, text: str) -> str:
        """Return the id of the game that a person means: by its id, by ``last``, or by how its id starts.

        ``last`` is the game that was started last. Raises UnknownGame and AmbiguousGame.
        """
        if not text.isprintable() or not text:
            raise UnknownGame(f"There is no game {text!r}: `pokersvc games` lists them.")
        if self.head(text) is not None:
            return text
        if text == "last":
            return self._last()
        # Not LIKE: a _ or % in the text would match anything, and SQLite's ignores case.
        starts = func.substr(games.c.game_id, 1, len(text)) == text
        found = self._connection.scalars(
            select(games.c.game_id).where(starts).order_by(games.c.game_id).limit(_CANDIDATES)
        ).all()
        if not found:
            raise UnknownGame(f"There is no game {text!r}: `pokersvc games` lists them.")
        if len(found) > 1:
            count = self._connection.scalar(select(func.count()).select_from(games).where(starts))
            more = ", …" if count and count > len(found) else ""
            raise AmbiguousGame(
                f"{text!r} could be any of {count} games ({', '.join(found)}{more}): write more of the id."
            )
        return str(found[0])

    def command(self, game_id: str, command_id: str) -> list[Record]:
        """Return what one command recorded, verified from the event before it; empty where it is not there."""
        statement = _of(game_id, events.c.command_id == command_id).order_by(events.c.n)
        rows = [Record._make(row) for row in self._connection.execute(statement)]
        if not rows:
            return []
        count = rows[0].seq - 1
        head = self._connection.scalar(select(events.c.hash).where(events.c.game_id == game_id, events.c.seq == count))
        return list(verify(rows, game_id=game_id, count=count, head=head or GENESIS))

    def read(self, game_id: str, *, upto: int | None = None, verified: bool = True) -> Iterator[Record]:
        """Give a game's records in order, at most the first ``upto``, in constant memory.

        Verified, each record's chain is checked before it is handed on, and at the end the games table's
        count and head. Raises UnknownGame and ChainBroken, when the iteration gets there.
        """
        head = self.head(game_id)
        if head is None:
            raise UnknownGame(f"There is no game {game_id!r}: `pokersvc games` lists them.")
        rows = self._rows(game_id, upto)
        if not verified:
            yield from rows
            return
        with closing(rows):  # before the connection is, where the chain is broken
            seq, last = yield from verify(rows, game_id=game_id)
        if upto is not None and seq == upto < head.count:
            return
        if seq != head.count:
            raise ChainBroken(game_id, seq + 1, f"the end after {seq} events", f"{head.count} events")
        if last != head.hash:
            raise ChainBroken(game_id, seq, f"the head {shown(head.hash)}", last.hex())

    def _last(self) -> str:
        # The condition is written as in the partial index, or SQLite would not use that.
        statement = select(events.c.game_id).where(text("seq = 1")).order_by(events.c.position.desc()).limit(1)
        found = self._connection.scalar(statement)
        if found is None:
            raise UnknownGame("There is no game yet: `pokersvc play` starts one.")
        return str(found)

    def _rows(self, game_id: str, upto: int | None) -> Generator[Record, None, None]:
        statement = _of(game_id).order_by(events.c.seq)
        if upto is not None:
            statement = statement.where(events.c.seq <= upto)
        seq = 0
        try:
            with self._connection.execution_options(yield_per=PARTITION).execute(statement) as result:
                for partition in result.partitions():
                    yield from map(Record._make, partition)
                    seq = partition[-1].seq
        except OperationalError as error:
            if not undecodable(error.orig):
                raise
            yield from self._before_undecodable(game_id, seq)

    def _before_undecodable(self, game_id: str, seq: int) -> Iterator[Record]:
        """Fetch one by one, where a partition failed for a text that is not UTF-8, and say which event it is."""
        while True:
            seq += 1
            try:
                row = self._connection.execute(_of(game_id, events.c.seq == seq)).one()
            except OperationalError as error:
                if not undecodable(error.orig):
                    raise
                raise ChainBroken(game_id, seq, "a text that is not UTF-8", "the text that was recorded") from error
            yield Record._make(row)


def _of(game_id: str, *conditions: ColumnElement[bool]) -> Select[*tuple[object, ...]]:
    return select(*_COLUMNS).where(events.c.game_id == game_id, *conditions)
