"""A database that is open, for reading or for writing, and its transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Dialect, Engine, create_engine
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from pokersvc.eventlog import schema, sqlite
from pokersvc.eventlog.address import Address, parse
from pokersvc.eventlog.errors import DatabaseMissing, InvalidDatabase, translated


class Database:
    """An open database; close it, or use it as a context manager.

    ``label`` is what to call it in a sentence, ``path`` its file where it is one, ``revision`` that of its
    schema (None: empty), and ``migrated_from`` the older revision that opening it replaced: its read models
    are then to be rebuilt.
    """

    def __init__(self, engine: Engine, address: Address, *, revision: str | None, unlocked: bool = False) -> None:
        self.label = address.label
        self.path: Path | None = address.path
        self.revision = revision
        self.migrated_from: str | None = None
        self._engine = engine
        self._writing = engine.execution_options(**{sqlite.BEGIN: "BEGIN IMMEDIATE"})
        self._unlocked = unlocked

    @classmethod
    def for_reading(cls, url: str, *, any_revision: bool = False) -> Self:
        """Open a database by URL or path to read it; never write, make or migrate it.

        Raises one of the errors of pokersvc.eventlog.errors for what is not there, not ours, or not at this
        program's schema (older ones are accepted with ``any_revision``).
        """
        address = parse(url)
        database = cls._inspected(address)
        try:
            schema.refuse_newer(database.revision, address.label)
            if not any_revision:
                schema.refuse_older(database.revision, address.label)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def for_writing(cls, url: str) -> Self:
        """Open a database by URL or path to write it; make a SQLite file that is missing, migrate an older one.

        An older file is copied beside itself first. What is not ours or is newer is refused untouched.
        Other databases are migrated only by for_upgrading.
        """
        address = parse(url)
        if address.url is not None:
            return cls.for_reading(url)
        with translated(address.label):
            return cls._in_memory(address) if address.path is None else cls._writable(address, address.path)

    @classmethod
    def for_upgrading(cls, url: str) -> Self:
        """Open a database of any kind to write it, and bring its schema to the newest."""
        address = parse(url)
        if address.url is None:
            return cls.for_writing(url)
        database = cls._inspected(address)
        try:
            schema.refuse_newer(database.revision, address.label)
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
        """Close every connection; the object is of no use afterwards."""
        self._engine.dispose()

    @property
    def dialect(self) -> Dialect:
        """How this kind of database wants its SQL."""
        return self._engine.dialect

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection on which everything read is of one moment."""
        with translated(self.label):
            if self._unlocked and self.path is not None:
                with sqlite.unlocked_reading(self.path, self.label), self._engine.begin() as connection:
                    yield connection
            else:
                with self._engine.begin() as connection:
                    yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection in a transaction that nobody else writes beside; commit, or roll back on an error."""
        with translated(self.label), self._writing.begin() as connection:
            yield connection

    @classmethod
    def _inspected(cls, address: Address) -> Self:
        with translated(address.label):
            if address.url is not None:
                return cls._by_url(address)
            if address.path is None:
                raise DatabaseMissing("A database in memory has nothing to read before something is written.")
            sqlite.refuse_no_file(address.path, address.label)
            engine, unlocked = sqlite.reading_engine(address.path)
            database = cls(engine, address, revision=None, unlocked=unlocked)
            try:
                with database.read() as connection:
                    database.revision = sqlite.revision(connection, address.label)
            except BaseException:
                database.close()
                raise
            return database

    @classmethod
    def _by_url(cls, address: Address) -> Self:
        assert address.url is not None
        try:
            engine = create_engine(address.url)
        except (NoSuchModuleError, ArgumentError) as error:
            raise InvalidDatabase(
                f"{address.label} is of an unknown kind: write sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME."
            ) from error
        except ImportError as error:
            raise InvalidDatabase(
                f"{address.label} needs the Python package {error.name}: install it, or name a SQLite file."
            ) from error
        database = cls(engine, address, revision=None)
        try:
            with database.read() as connection:
                database.revision = schema.current_revision(connection)
        except BaseException:
            database.close()
            raise
        return database

    @classmethod
    def _in_memory(cls, address: Address) -> Self:
        database = cls(sqlite.memory_engine(), address, revision=None)
        database._migrate()
        database.migrated_from = None
        return database

    @classmethod
    def _writable(cls, address: Address, path: Path) -> Self:
        if not path.exists():
            sqlite.make(path, address.label, lambda engine: cls(engine, address, revision=None)._migrate())
        with cls._inspected(address) as found:
            schema.refuse_newer(found.revision, address.label)
        sqlite.refuse_no_writing(path, address.label)
        database = cls(sqlite.writing_engine(path), address, revision=found.revision)
        try:
            if found.revision != schema.HEAD:
                database._migrate()
            sqlite.use_wal(path)
        except BaseException:
            database.close()
            raise
        return database

    def _migrate(self) -> None:
        with self.write() as connection:
            # Asked again under the lock: another process may just have done it.
            self.revision = schema.current_revision(connection)
            if self.revision == schema.HEAD:
                return
            if self.revision is not None and self.path is not None:
                sqlite.copy_beside(self.path, f"schema-{self.revision}")
            schema.upgrade(connection)
        self.migrated_from, self.revision = self.revision, schema.HEAD
