"""Reading the log: several questions, answered from one consistent snapshot."""

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    Text,
    bindparam,
    case,
    cast,
    func,
    literal,
    select,
    text,
)
from sqlalchemy.exc import OperationalError

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.errors import DatabaseDamaged, undecodable
from pokersvc.eventlog.record import GENESIS, ROW_BYTES, ChainBroken, Record, Report, shown, verify
from pokersvc.eventlog.tables import events, games
from pokersvc.text import counted

PARTITION = 1000  # events fetched at once
ASKED_AT_ONCE = 500  # games asked for in one statement
# Set for single statements: on a connection the option would stay, and a server opens cursors only for SELECT.
STREAMED = {"yield_per": PARTITION}

_COLUMNS = [events.c[name] for name in Record._fields]
_AS_BYTES = [cast(column, LargeBinary) if isinstance(column.type, Text) else column for column in _COLUMNS]
# Games, the latest first, by their first events. They are sorted by time and only then by position, because times are
# hashed and positions are not.
LAST_FIRST = (events.c.recorded_at.desc(), events.c.position.desc())
_CANDIDATES = 3
_HEADS = select(games.c.kind, games.c.count, games.c.head).where(games.c.game_id == bindparam("of")).limit(2)
_SEQ = Record._fields.index("seq")
# Record._make would count the columns of each row again.
_AS_RECORD = partial(tuple.__new__, Record)
_NO_ID = object()


class UnknownGame(PokersvcError):
    """No game has that ID, or an ID that begins with that text."""

    code = "unknown_game"


class AmbiguousGame(PokersvcError):
    """The text is a prefix of several game IDs."""

    code = "ambiguous_game"


@dataclass(frozen=True, slots=True)
class Head:
    """A game's row in the games table."""

    kind: str
    """The kind of the game."""
    count: int
    """The number of its events."""
    hash: bytes
    """The hash of its last event, 32 bytes."""


class Snapshot:
    """The log as one transaction of an open connection sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def head(self, game_id: str) -> Head | None:
        """Return a game's head (its kind, number of events and last hash), or None for an unknown game."""
        heads = self.heads(game_id)
        if len(heads) > 1:
            raise DatabaseDamaged(f"The table of games is damaged: it has two rows for the game {game_id!r}.")
        return heads[0] if heads else None

    def heads(self, game_id: str) -> list[Head]:
        """Return a game's head in a list: empty for an unknown game, two if the table's primary key is gone."""
        return [Head(*row) for row in self._connection.execute(_HEADS, {"of": game_id})]

    def known(self, game_ids: Sequence[str]) -> set[str]:
        """Return which of the given IDs are IDs of games in the log; each query asks for many of them."""
        found: set[str] = set()
        for at in range(0, len(game_ids), ASKED_AT_ONCE):
            some = games.c.game_id.in_(game_ids[at : at + ASKED_AT_ONCE])
            found.update(self._connection.scalars(select(games.c.game_id).where(some)))
        return found

    def ids(self) -> Iterator[object]:
        """Yield every game's id, each once, in order of id.

        For auditors: the value in place of an id may be no text at all; a text that is not UTF-8 is
        yielded as bytes.
        """
        id_: ColumnElement[object] = games.c.game_id
        if self._connection.dialect.name == "sqlite":  # which stores any type in any column
            id_ = case((func.typeof(id_) == "text", cast(id_, LargeBinary)), else_=id_)
            kind: ColumnElement[object] = func.typeof(games.c.game_id)
        else:
            kind = literal("text")
        before: object = _NO_ID
        with self._connection.execute(select(id_, kind).order_by(games.c.game_id), execution_options=STREAMED) as rows:
            for given, type_ in rows:
                found = given
                if type_ == "text" and isinstance(found, bytes):
                    with suppress(UnicodeDecodeError):
                        found = found.decode()
                if found != before:
                    yield found
                before = found

    def games(self) -> Iterator[tuple[str, Head]]:
        """Yield every game with its head, in order of id (by code points)."""
        statement = select(games.c.game_id, games.c.kind, games.c.count, games.c.head).order_by(games.c.game_id)
        with self._connection.execute(statement, execution_options=STREAMED) as rows:
            for game_id, *head in rows:
                yield game_id, Head(*head)

    def stored_hash(self, game_id: str, seq: int) -> tuple[str, object] | None:
        """Return the stored type and hash of one event, unverified; None if there is no such event."""
        statement = select(events.c.type, events.c.hash).where(events.c.game_id == game_id, events.c.seq == seq)
        row = self._connection.execute(statement).first()
        return None if row is None else (row[0], row[1])

    def last_seq(self, game_id: str) -> int:
        """Return the highest number of the game's events, unverified; 0 if it has none."""
        return self._connection.scalar(select(func.max(events.c.seq)).where(events.c.game_id == game_id)) or 0

    def stored_bytes(self, game_id: str) -> int:
        """Return the approximate size of a game's events in bytes, as `record.stored_bytes` counts it."""
        texts = func.sum(func.length(events.c.payload) + func.coalesce(func.length(events.c.secret), 0))
        statement = select(func.count(), texts).where(events.c.game_id == game_id)
        count, length = self._connection.execute(statement).one()
        return int(count * ROW_BYTES + (length or 0))

    def find(self, text: str) -> str:
        """Return the ID of the game that a text names: an ID, a unique prefix of one, or ``last``.

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
                f"{text!r} could be any of {count} games ({', '.join(found)}{more}): write more of the ID."
            )
        return str(found[0])

    def command(self, game_id: str, command_id: str) -> list[Record]:
        """Return a command's records, verified from the previous event's hash on; empty for an unknown command."""
        statement = _of(game_id, events.c.command_id == command_id).order_by(events.c.n)
        rows = [Record._make(row) for row in self._connection.execute(statement)]
        if not rows:
            return []
        count = rows[0].seq - 1
        head = self._connection.scalar(select(events.c.hash).where(events.c.game_id == game_id, events.c.seq == count))
        return list(verify(rows, game_id=game_id, count=count, head=head or GENESIS))

    def read(self, game_id: str, *, upto: int | None = None, verified: bool = True) -> Generator[Record, None, None]:
        """Yield a game's records in order, at most the first ``upto``, in constant memory.

        If ``verified``, the chain is checked up to each record before the record is yielded, and at the end the
        games table's count and head are checked. Raises UnknownGame and ChainBroken when the iteration gets there.
        """
        head = self.head(game_id)
        if head is None:
            raise UnknownGame(f"There is no game {game_id!r}: `pokersvc games` lists them.")
        rows = self._rows(game_id, upto)
        if not verified:
            yield from rows
            return
        with closing(rows):  # before the connection is closed, if the chain is broken
            seq, last = yield from verify(rows, game_id=game_id)
        if upto is not None and seq == upto < head.count:
            return
        for broken in _at_the_end(game_id, head, seq, last):
            raise broken

    def read_after(self, game_id: str, head: Head, *, count: int, last: bytes) -> Generator[Record, None, None]:
        """Yield a game's records after event ``count``, whose hash is ``last``, up to the game's head.

        ``count`` is the end of a command. From there the chain is verified as in `read`.
        """
        with closing(self._rows(game_id, None, after=count)) as rows:
            seq, last = yield from verify(rows, game_id=game_id, count=count, head=last)
        for broken in _at_the_end(game_id, head, seq, last):
            raise broken

    def part(self, game_id: str, *, after: int, upto: int) -> list[Record]:
        """Return a game's records with numbers above ``after`` up to ``upto``.

        The chain is verified from the beginning of the command that event ``after`` belongs to.
        """
        begin = after
        if after > 0:
            in_command = select(events.c.n).where(events.c.game_id == game_id, events.c.seq == after)
            if (n := self._connection.scalar(in_command)) is None:
                return []
            begin = after - n
        stored = self.stored_hash(game_id, begin)
        last = GENESIS if stored is None else stored[1]
        if not isinstance(last, bytes):
            raise ChainBroken(game_id, begin, f"the hash {shown(last)}", "a hash of 32 bytes")
        with closing(self._rows(game_id, upto, after=begin)) as rows:
            checked = verify(rows, game_id=game_id, count=begin, head=last)
            return [record for record in checked if record.seq > after]

    def read_on(self, game_id: str, head: Head, report: Report) -> Generator[Record, None, None]:
        """Yield all of a game's records in order, including bad ones; call ``report`` with each fault.

        For auditors: a reported record may hold anything in any column.
        """
        with closing(self._rows(game_id, None)) as rows:
            seq, last = yield from verify(rows, game_id=game_id, report=report)
        for broken in _at_the_end(game_id, head, seq, last):
            report(broken, None)

    def displaced(self, game_id: str) -> tuple[int | None] | None:
        """Return a tuple with the number of the first event stored before its predecessor; None if all are in order.

        The number is None if the database does not hold a whole number there.
        """
        step = (events.c.position - func.lag(events.c.position).over(order_by=events.c.seq)).label("step")
        steps = select(events.c.seq, step).where(events.c.game_id == game_id).subquery()
        found = self._connection.execute(select(steps.c.seq).where(steps.c.step <= 0).order_by(steps.c.seq).limit(1))
        seqs = [row.seq if type(row.seq) is int else None for row in found]
        return (seqs[0],) if seqs else None

    def unlisted(self) -> Iterator[tuple[str, int]]:
        """Yield each game id in the events that is not in the games table, with its number of events."""
        known = select(games.c.game_id).where(games.c.game_id.is_not(None))  # NOT IN a list with NULL is never true
        strays = events.c.game_id.not_in(known) | events.c.game_id.is_(None)
        found = select(events.c.game_id, func.count()).where(strays).group_by(events.c.game_id)
        yield from ((game_id, count) for game_id, count in self._connection.execute(found))

    def _last(self) -> str:
        # The condition is written as in the partial index, or SQLite would not use it.
        statement = select(events.c.game_id).where(text("seq = 1")).order_by(*LAST_FIRST).limit(1)
        found = self._connection.scalar(statement)
        if found is None:
            raise UnknownGame("There is no game yet: `pokersvc play` starts one.")
        return str(found)

    def _rows(self, game_id: str, upto: int | None, *, after: int | None = None) -> Generator[Record, None, None]:
        # Callers may pass any number, even one that is too large for the column.
        conditions = [] if upto is None else [events.c.seq <= literal(upto, BigInteger)]
        if after is not None:
            conditions.append(events.c.seq > after)
        place = _Place()
        while True:
            statement = place.behind(_of(game_id, *conditions))
            try:
                for partition in self._partitions(statement):
                    yield from map(_AS_RECORD, partition)
                    place.move(partition)
                return
            except (OperationalError, sqlite3.OperationalError) as error:
                if not undecodable(error.orig if isinstance(error, OperationalError) else error):
                    raise
            # One text that is not UTF-8 makes the whole partition fail: read its records one by one.
            for record in self._up_to_undecodable(_of(game_id, *conditions), place):
                yield record
                place.move([record])

    def _partitions(self, statement: Select[*tuple[object, ...]]) -> Iterator[Sequence[Sequence[object]]]:
        """Yield rows in batches; the SQLite driver is called directly, because SQLAlchemy takes 1.5 times as long."""
        if self._connection.dialect.name != "sqlite":
            with self._connection.execute(statement, execution_options=STREAMED) as result:
                yield from result.partitions()
            return
        with self._connection.execute(statement) as result:
            assert result.cursor is not None
            while rows := result.cursor.fetchmany(PARTITION):
                yield rows

    def _up_to_undecodable(self, statement: Select[*tuple[object, ...]], place: "_Place") -> Iterator[Record]:
        """Yield records up to and including the first with a text that is not UTF-8, which verification refuses.

        The caller moves the place past each record.
        """
        while True:
            next_ = place.behind(statement).limit(1)
            try:
                row = self._connection.execute(next_).first()
            except OperationalError as error:
                if not undecodable(error.orig):
                    raise
                as_bytes = self._connection.execute(next_.with_only_columns(*_AS_BYTES)).one()
                yield Record._make(map(_text, as_bytes, _COLUMNS))
                return
            if row is None:
                return
            yield Record._make(row)


class _Place:
    """The position of a reader in a game's rows, by event number; a damaged log may repeat numbers, or have NULL."""

    def __init__(self) -> None:
        self._seq: object = None
        self._rows = 0  # how many rows with this number were read; NULL sorts before all others

    def move(self, read: Sequence[Sequence[object]]) -> None:
        """Move the place past these rows."""
        last = read[-1][_SEQ]
        rows = sum(1 for _ in takewhile(lambda row: row[_SEQ] == last, reversed(read)))
        self._rows = rows + (self._rows if rows == len(read) and last == self._seq else 0)
        self._seq = last

    def behind(self, statement: Select[*tuple[object, ...]]) -> Select[*tuple[object, ...]]:
        """Return a statement restricted to the rows that were not read yet."""
        if self._seq is not None:
            statement = statement.where(events.c.seq >= self._seq)
        return statement.order_by(events.c.seq).offset(self._rows or None)


def _text(value: object, column: ColumnElement[object]) -> object:
    """Decode a text that was read as bytes; bytes that are not UTF-8 become surrogates, which cannot be encoded."""
    if isinstance(column.type, Text) and isinstance(value, bytes):
        return value.decode(errors="surrogateescape")
    return value


def _at_the_end(game_id: str, head: Head, seq: int, last: bytes) -> Iterator[ChainBroken]:
    """Yield an error if the games table disagrees with a game's events, which end at ``seq`` with the hash ``last``."""
    if seq != head.count:
        yield ChainBroken(game_id, seq + 1, f"the end after {counted(seq, 'event')}", counted(head.count, "event"))
    elif last != head.hash:
        yield ChainBroken(game_id, seq, f"the head {shown(head.hash)}", last.hex())


def _of(game_id: str, *conditions: ColumnElement[bool]) -> Select[*tuple[object, ...]]:
    return select(*_COLUMNS).where(events.c.game_id == game_id, *conditions)
