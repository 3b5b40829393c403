"""The tables that the server keeps apart from the log: who sits where, with which token, and who runs the bots.

This module imports no web framework, so migrations and grants know the tables without the extra ``serve``.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    false,
)

from pokersvc.eventlog.tables import KEY, metadata

tables = Table(
    "tables",
    metadata,
    Column("table_id", KEY, primary_key=True),  # of its game too
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON, as they were requested
    Column("rounds", Integer),
    Column("settings", Text, nullable=False),  # JSON
    Column("public", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("host", LargeBinary, nullable=False),  # the digest of the host's token
    Column("changes", Integer, nullable=False),  # incremented on each change, and when somebody is there
    Column("runner", KEY),
    CheckConstraint("status IN ('waiting', 'playing', 'over')", name="status_is_known"),
    CheckConstraint("length(host) = 32", name="host_is_32_bytes"),
    Index("tables_by_status", "status"),
)

table_seats = Table(
    "table_seats",
    metadata,
    Column("table_id", KEY, ForeignKey("tables.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # empty, human, or the kind of a bot
    Column("name", Text),
    Column("token", LargeBinary),  # the digest of the token; NULL if nobody has one
    Column("since", Integer, nullable=False),  # the token opens no secret of an event up to this one
    Column("came", Boolean, nullable=False, server_default=false()),  # whether somebody has opened the link
    Column("taken_at", Text),  # when somebody took it at a public table who has yet to sit down; otherwise NULL
    CheckConstraint("token IS NULL OR length(token) = 32", name="token_is_32_bytes"),
)

servers = Table(
    "servers",
    metadata,
    Column("server_id", KEY, primary_key=True),
    Column("beat", BigInteger, nullable=False),  # incremented every second by a live server
)

SERVER_TABLES: Final = (table_seats, tables, servers)
