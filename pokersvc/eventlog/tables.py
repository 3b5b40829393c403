"""The two tables of the log: the events, and each game's kind, count and head."""

from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

if TYPE_CHECKING:
    from sqlalchemy import Dialect


class Bytes(LargeBinary):
    """A column of bytes that are passed to and from the driver unchanged.

    SQLAlchemy's own type converts every value both ways. That costs time on each event, and it fails on a
    stored value of another type before the chain's verification can say which event holds it.
    """

    cache_ok = True

    def bind_processor(self, dialect: "Dialect") -> None:
        """Convert nothing."""

    def result_processor(self, dialect: "Dialect", coltype: object) -> None:
        """Convert nothing."""


KEY = Text().with_variant(Text(collation="C"), "postgresql")
"""A text column that is compared by code points on every database, for any language of the server."""

metadata = MetaData(
    naming_convention={
        "ck": "%(table_name)s_%(constraint_name)s",
        "fk": "%(table_name)s_%(column_0_name)s_is_known",
        "pk": "%(table_name)s_key",
        "uq": "%(table_name)s_%(column_0_N_name)s_once",
    }
)

games = Table(
    "games",
    metadata,
    Column("game_id", KEY, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("count", Integer, nullable=False),
    Column("head", Bytes, nullable=False),
    CheckConstraint("count >= 1", name="count_from_one"),
    CheckConstraint("length(head) = 32", name="head_is_32_bytes"),
)

events = Table(
    "events",
    metadata,
    # SQLite's autoincrement requires INTEGER (64 bits there); elsewhere INTEGER would end at two thousand million.
    Column("position", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    Column("game_id", KEY, ForeignKey("games.game_id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("type", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("recorded_at", Text, nullable=False),
    Column("command_id", KEY, nullable=False),
    Column("n", Integer, nullable=False),
    Column("payload", Text, nullable=False),
    Column("secret", Text),
    Column("salt", Bytes),
    Column("hash", Bytes, nullable=False),
    CheckConstraint("seq >= 1", name="seq_from_one"),
    CheckConstraint("n >= 1", name="n_from_one"),
    CheckConstraint("version >= 1", name="version_from_one"),
    CheckConstraint("length(recorded_at) = 27", name="recorded_at_is_27_characters"),
    CheckConstraint("(salt IS NULL) = (secret IS NULL)", name="salt_beside_secret"),
    CheckConstraint("salt IS NULL OR length(salt) = 16", name="salt_is_16_bytes"),
    CheckConstraint("length(hash) = 32", name="hash_is_32_bytes"),
    UniqueConstraint("game_id", "seq"),
    UniqueConstraint("game_id", "command_id", "n"),
    # Without AUTOINCREMENT, SQLite hands out the highest position again after the event at that position was removed.
    sqlite_autoincrement=True,
    comment="pokersvc: the event log, append-only",  # identifies a database on a server
)

# An index of the first events: it finds the last started game without walking back over all events of that game.
FIRST: Final = text("seq = 1")
Index("first_events", events.c.position, sqlite_where=FIRST)
"""`pokersvc.eventlog.postgres` adds the condition for PostgreSQL: to add it here would import all of that dialect."""
