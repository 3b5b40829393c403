"""An open database, for reading or for writing, and its transactions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from sqlalchemy import URL, Connection, Dialect, Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from pokersvc.eventlog import high_water_mark, postgres, schema, sqlite
from pokersvc.eventlog.address import Address, parse
from pokersvc.eventlog.errors import DatabaseBusy, DatabaseMissing, EventsLost, InvalidDatabase, opening, translated
from pokersvc.eventlog.high_water_mark import LostEvents, Mark, Marker
from pokersvc.eventlog.notices import Notices
from pokersvc.eventlog.statements import Prepared


class Database:
    """An open database; close it, or use it as a context manager."""

    label: str
    """Its name in messages; a URL's password is left out."""
    path: Path | None
    """Its file; None in memory and on a server."""
    on_server: bool
    """Whether it is on a PostgreSQL server."""
    revision: str | None
    """The revision of its schema; None if it is empty."""
    migrated_from: str | None
    """The schema revision that the database had before opening migrated it: read models must be rebuilt; else None."""

    def __init__(
        self,
        reading: Engine,
        address: Address,
        *,
        writing: Engine | None = None,
        revision: str | None = None,
        unlocked: bool = False,
    ) -> None:
        self.label = address.label
        self.path = address.path
        self.revision = revision
        self.migrated_from = None
        self._reading = reading
        self._writing = reading if writing is None else writing
        self.on_server = address.url is not None
        self._unlocked = unlocked
        self._marks: tuple[Mark, ...] = ()
        self._marker: Marker | None = None
        self._turn = Lock()

    @classmethod
    def for_reading(cls, url: str, *, any_revision: bool = False) -> Self:
        """Open a database by URL or path for reading; never write, make or migrate it.

        Raises one of the errors of pokersvc.eventlog.errors if the database is missing, not ours, or not at this
        program's schema revision (older ones are accepted with ``any_revision``).
        """
        address = parse(url)
        with opening(address.label):
            database = cls._inspected(address) if address.url is None else cls._on_a_server(address, address.url)
        return database._accepted(any_revision=any_revision)

    @classmethod
    def for_writing(cls, url: str) -> Self:
        """Open a database by URL or path for writing; make a missing SQLite file, migrate an older one.

        An older file is copied first. A database that is newer or not ours is refused and left unchanged.
        A database on a server is migrated only by for_upgrading.
        """
        address = parse(url)
        with opening(address.label):
            if address.url is not None:
                return cls._on_a_server(address, address.url, writes=True)._accepted(any_revision=False)
            return cls._in_memory(address) if address.path is None else cls._writable(address, address.path)

    @classmethod
    def for_upgrading(cls, url: str) -> Self:
        """Open a database of any kind for writing, and migrate it to the current schema."""
        address = parse(url)
        if address.url is None:
            return cls.for_writing(url)
        with opening(address.label):
            database = cls._on_a_server(address, address.url, writes=True)._accepted(any_revision=True)
            try:
                if database.revision != schema.HEAD:
                    database._migrate()
            except BaseException:
                database.close()
                raise
            return database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection; the object cannot be used afterwards.

        A connection that another thread still reads from is closed when that thread returns it.
        """
        event.listen(self._reading, "checkin", _end)
        self._reading.dispose()
        if self._marker is not None:
            self._marker.close()

    @property
    def dialect(self) -> Dialect:
        """SQLAlchemy's dialect for this kind of database."""
        return self._reading.dialect

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection in a read transaction: all its statements read the same snapshot."""
        with translated(self.label):
            if self._unlocked and self.path is not None:
                with sqlite.unlocked_reading(self.path, self.label), self._reading.begin() as connection:
                    yield connection
            else:
                with self._reading.begin() as connection:
                    yield connection

    @contextmanager
    def read_once(self) -> Iterator[Connection]:
        """Yield a connection for a single SELECT, which reads one consistent state without its own transaction.

        On a server the statement runs outside a transaction, which would cost two more statements.
        """
        if self.on_server:
            with translated(self.label), self.session() as connection:
                yield connection
        else:
            with self.read() as connection:
                yield connection

    def rows(self, question: Prepared, values: Mapping[str, object]) -> Sequence[Sequence[object]]:
        """Execute a single SELECT, and return its rows as the database driver returns them.

        It queries SQLite through the driver directly, in a tenth of the time: for queries that every request makes.
        """
        if self.on_server or self._unlocked:
            with self.read_once() as connection:
                return [tuple(row) for row in question.run(connection, values)]
        with translated(self.label), closing(self._reading.raw_connection()) as connection:
            return sqlite.rows(connection, question.text, question.values(values))

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that excludes all other writers; commit, or roll back on an error."""
        with self.append() as connection:
            if self.on_server:
                postgres.keep_others_out(connection)
            yield connection

    @contextmanager
    def append(self) -> Iterator[Connection]:
        """Yield a connection in a write transaction; on a server, others may write to other games meanwhile.

        The first transaction to read a game's row in the table of games FOR UPDATE is the first to write to that game.
        """
        with self._turn_to_write(), translated(self.label), self._writing.begin() as connection:
            yield connection

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """Wait for other threads to finish writing, if the database takes only one writer at a time.

        SQLite waits by polling with pauses, so a thread could wait for a long time while others keep writing.
        """
        if self.on_server:
            yield
            return
        if not self._turn.acquire(timeout=sqlite.BUSY_TIMEOUT):
            raise DatabaseBusy(f"{self.label} is in use by this process: finish the other reading or writing first.")
        try:
            yield
        finally:
            self._turn.release()

    def last_position(self, connection: Connection) -> int:
        """Return the position in the log of the event just written; 0 for a database without a high-water mark."""
        if self.path is None:
            return 0
        if self._marker is None:
            copy = sqlite.number(connection, "PRAGMA user_version")
            if not copy:  # another program reset the number
                return 0
            self._marker = Marker(self.path, copy)
        return sqlite.number(connection, "SELECT last_insert_rowid()")

    def note(self, position: int, hash_: bytes) -> None:
        """Record an event in the high-water mark file; see `pokersvc.eventlog.high_water_mark`."""
        if self._marker is not None:
            self._marker.note(position, hash_)

    def lost(self, connection: Connection) -> LostEvents | None:
        """Return a finding if an event that a high-water mark names is missing, else None."""
        return high_water_mark.lost(connection, self._marks, empty=self.revision is None) if self._marks else None

    def refuse_losses(self) -> None:
        """Raise EventsLost if recorded events are missing; the message says what to do."""
        with self.read() as connection:
            lost = self.lost(connection)
        if lost is not None:
            raise EventsLost(
                f"{self.label} lacks events that were recorded: found {lost.found} where there should be"
                f" {self.by_mark(lost)}."
            )

    def by_mark(self, lost: LostEvents) -> str:
        """Describe the missing event and what to do, in words that follow "where there should be"."""
        assert self.path is not None
        return (
            f"event {lost.mark.position} of all with the hash {lost.mark.hash.hex()}, as"
            f" {high_water_mark.path_of(self.path)} says; put back the {self.path.name}-wal that belongs to it,"
            " restore a backup, or accept it with `pokersvc db check --accept`"
        )

    def accept(self) -> Mark | None:
        """Accept lost events: set the high-water mark to the last remaining event, and return the mark, if any."""
        if self.path is None:
            raise InvalidDatabase(f"{self.label} is not a file and has no mark: there is nothing to accept.")
        now = None
        if self.revision is not None:
            with self.read() as connection:
                now = high_water_mark.present(connection)
        with opening(self.label):
            high_water_mark.accept(self.path, now)
        self._marks = () if now is None else (now,)
        return now

    def notices(self) -> Notices | None:
        """Return the sender and receiver of notices between servers; None if the database is not on a server."""
        return Notices(self._reading) if self.on_server else None

    @contextmanager
    def session(self) -> Iterator[Connection]:
        """Yield a connection to the server outside any transaction, for locks that last as long as the connection."""
        with self._reading.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    def _accepted(self, *, any_revision: bool) -> Self:
        """Return this database; if its schema is too new or (unless ``any_revision``) too old, close it and raise."""
        try:
            schema.refuse_newer(self.revision, self.label)
            if not any_revision:
                # The database was emptied, and an upgrade would not bring its events back.
                if self.revision is None and self._marks:
                    self.refuse_losses()
                schema.refuse_older(self.revision, self.label)
        except BaseException:
            self.close()
            raise
        return self

    @classmethod
    def _inspected(cls, address: Address) -> Self:
        if address.path is None:
            raise DatabaseMissing("A database in memory has nothing to read before something is written.")
        # Read the marks first, so that events recorded meanwhile do not count as lost.
        marks = high_water_mark.read(address.path)
        _refuse_lost_file(address.path, address.label, marks)
        sqlite.refuse_no_file(address.path, address.label)
        engine, unlocked = sqlite.reading_engine(address.path)
        database = cls(engine, address, unlocked=unlocked)._looked_at(sqlite.revision)
        database._marks = marks
        return database

    @classmethod
    def _on_a_server(cls, address: Address, url: URL, *, writes: bool = False) -> Self:
        try:
            engine = postgres.server_engine(url)
        except ImportError as error:
            raise InvalidDatabase(
                f"{address.label} needs the Python package psycopg: pip install 'pokersvc[postgres]', or name a "
                "SQLite file."
            ) from error
        writing = engine if writes else None
        return cls(postgres.reading(engine), address, writing=writing)._looked_at(postgres.revision)

    def _looked_at(self, revision: Callable[[Connection, str], str | None]) -> Self:
        """Read the schema revision and return this database; if another program made it, close it and raise."""
        try:
            with self.read() as connection:
                self.revision = revision(connection, self.label)
        except BaseException:
            self.close()
            raise
        return self

    @classmethod
    def _in_memory(cls, address: Address) -> Self:
        engine = sqlite.memory_engine()
        database = cls(engine, address, writing=sqlite.immediate(engine))
        database._migrate()
        database.migrated_from = None
        return database

    @classmethod
    def _writable(cls, address: Address, path: Path) -> Self:
        _refuse_lost_file(path, address.label, high_water_mark.read(path))
        if not path.exists():
            sqlite.make(
                path, address.label, lambda engine: cls(engine, address, writing=sqlite.immediate(engine))._migrate()
            )
        with cls._inspected(address) as found:
            schema.refuse_newer(found.revision, address.label)
            found.refuse_losses()
        sqlite.refuse_no_writing(path, address.label)
        engine = sqlite.writing_engine(path)
        database = cls(engine, address, writing=sqlite.immediate(engine), revision=found.revision)
        try:
            if found.revision != schema.HEAD:
                database._migrate()
            sqlite.adopt(path)
            sqlite.use_wal(path)
        except BaseException:
            database.close()
            raise
        return database

    def _migrate(self) -> None:
        with self.write() as connection:
            # Read again under the lock: another process may just have migrated the database.
            self.revision = schema.current_revision(connection)
            if self.revision == schema.HEAD:
                return
            if self.revision is not None and self.path is not None:
                sqlite.copy_beside(self.path, f"schema-{self.revision}")
            schema.upgrade(connection)
            if self.revision is None and self.path is not None:
                connection.exec_driver_sql(f"PRAGMA user_version = {high_water_mark.new_copy()}")
        self.migrated_from, self.revision = self.revision, schema.HEAD


def _refuse_lost_file(path: Path, label: str, marks: tuple[Mark, ...]) -> None:
    """Raise EventsLost if the database file is gone although its high-water marks name a recorded event.

    Do not raise if the file's write-ahead log is left: then `sqlite.make` refuses to put a new file beside that log.
    """
    last = high_water_mark.newest(marks)
    if last is not None and not path.exists() and sqlite.left_beside(path) is None:
        raise EventsLost(
            f"There is no database {label}, but {high_water_mark.path_of(path)} says that there was one, up"
            f" to event {last.position}: restore it or a backup there, or remove the mark to start a new one."
        )


def _end(_connection: object, entry: ConnectionPoolEntry) -> None:
    """Close a connection that is returned to the pool of a closed database, where it would stay open."""
    entry.invalidate()
