"""The tables of the server's data outside the log: tables, games, people, tokens, chat, and which server runs the bots.

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
    UniqueConstraint,
    false,
    true,
)

from pokersvc.eventlog.tables import KEY, metadata

tables = Table(
    "tables",
    metadata,
    Column("table_id", KEY, primary_key=True),
    Column("name", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("host", LargeBinary, nullable=False),  # the digest of the host's token
    Column("closed_at", Text),  # NULL while another game may begin at it
    Column("invitation", LargeBinary),  # the digest of the token of the link to sit down; NULL if there is none
    Column("access", Text, nullable=False, server_default="{}"),  # JSON, see `Access`
    Column("host_came_at", Text),  # when the host's rights moved to their present device; NULL if they never moved
    CheckConstraint("length(host) = 32", name="host_is_32_bytes"),
)

table_games = Table(
    "table_games",
    metadata,
    Column("game_id", KEY, primary_key=True),
    Column("table_id", KEY, ForeignKey("tables.table_id"), nullable=False),
    Column("number", Integer, nullable=False),  # of the table's games, from 1
    Column("kind", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON, as they were requested
    Column("rounds", Integer),
    Column("settings", Text, nullable=False),  # JSON
    Column("status", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("changes", Integer, nullable=False),  # incremented on each change, and when somebody is there
    Column("runner", KEY),
    CheckConstraint("number >= 1", name="number_from_one"),
    CheckConstraint("status IN ('waiting', 'playing', 'over')", name="status_is_known"),
    UniqueConstraint("table_id", "number"),
    Index("table_games_by_status", "status"),
)

table_seats = Table(
    "table_seats",
    metadata,
    Column("game_id", KEY, ForeignKey("table_games.game_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # empty, human, or the kind of a bot
    Column("name", Text),
    Column("token", LargeBinary),  # the digest of the token of whoever sits here; NULL if nobody has one
    Column("since", Integer, nullable=False),  # the token opens no secret of an event up to and including this one
    Column("came", Boolean, nullable=False, server_default=false()),  # whether somebody has opened the link
    Column("taken_at", Text),  # when somebody who is yet to be dealt in took it in a running game; otherwise NULL
    Column("carried", Integer),  # what its player brings from the game before, such as chips; otherwise NULL
    Column("link", LargeBinary),  # the digest of the link's token, which is exchanged once; NULL if there is no link
    Column("came_at", Text),  # when the link was exchanged
    Column("admitted", Boolean, nullable=False, server_default=true()),  # whether the host has let them in
    # Whether they are to be removed once the round is over.
    Column("removed", Boolean, nullable=False, server_default=false()),
    Column("person", Integer),  # the person who took it, if they sat at another seat in the game before; otherwise NULL
    CheckConstraint("token IS NULL OR length(token) = 32", name="token_is_32_bytes"),
)

move_codes = Table(
    "move_codes",
    metadata,
    Column("table_id", KEY, ForeignKey("tables.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),  # 0 for the host's rights
    Column("salt", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),  # of the code, keyed with the salt
    Column("holder", LargeBinary, nullable=False),  # the digest of the token of the device that made it
    Column("expires_at", Text, nullable=False),
    Column("wrong", Integer, nullable=False),  # wrong codes tried while this one was valid
    sqlite_with_rowid=False,
)

chat_lines = Table(
    "chat_lines",
    metadata,
    Column("table_id", KEY, ForeignKey("tables.table_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the table's lines, from 1
    Column("game_id", KEY, nullable=False),  # the table's game at that time
    Column("seat", Integer, nullable=False),  # 0 for a host who has no seat
    Column("name", Text, nullable=False),
    Column("said_at", Text, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

shared_hands = Table(
    "shared_hands",
    metadata,
    Column("token", LargeBinary, primary_key=True),  # the digest of the token in the hand's link
    Column("table_id", KEY, ForeignKey("tables.table_id"), nullable=False),
    Column("game_id", KEY, nullable=False),
    Column("seat", Integer, nullable=False),  # the hand's seat
    Column("holder", LargeBinary, nullable=False),  # the digest of the token of that seat
    Column("first", Integer, nullable=False),  # the number of the hand's first event
    Column("last", Integer, nullable=False),  # the number of the hand's last event
    Column("cards", Boolean, nullable=False),  # whether the link shows the seat's own cards
    Column("created_at", Text, nullable=False),
    sqlite_with_rowid=False,
)

servers = Table(
    "servers",
    metadata,
    Column("server_id", KEY, primary_key=True),
    Column("beat", BigInteger, nullable=False),  # incremented every second by a live server
)

SERVER_TABLES: Final = (shared_hands, chat_lines, move_codes, table_seats, table_games, tables, servers)
