"""A table is a row of its own, and has games one after another; before, each table was its one game.

A game keeps its ID, and with it every address and token that was given out. Its table gets an ID of its own.
"""

from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001

_SEAT = ("seat", "kind", "name", "token", "since", "came", "taken_at")
_GAME = ("kind", "options", "rounds", "settings", "status", "created_at", "changes", "runner")
_TABLE = ("name", "public", "host")
_OLD = "old_"
"""The prefix of the old tables' names, and of their constraints'; the new tables are filled from the old ones."""


def upgrade() -> None:
    """Make the tables, each with its one game so far."""
    op.drop_index("tables_by_status", "tables")
    _set_aside("table_seats", "table_seats_key", "table_seats_table_id_is_known", "table_seats_token_is_32_bytes")
    _set_aside("tables", "tables_key", "tables_status_is_known", "tables_host_is_32_bytes")
    op.create_table(
        "tables",
        sa.Column("table_id", key, nullable=False),
        *_of_table(),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("closed_at", sa.Text),
        sa.PrimaryKeyConstraint("table_id", name="tables_key"),
        sa.CheckConstraint("length(host) = 32", name="tables_host_is_32_bytes"),
    )
    op.create_table(
        "table_games",
        sa.Column("game_id", key, nullable=False),
        sa.Column("table_id", key, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        *_of_game(),
        sa.PrimaryKeyConstraint("game_id", name="table_games_key"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name="table_games_table_id_is_known"),
        sa.UniqueConstraint("table_id", "number", name="table_games_table_id_number_once"),
        sa.CheckConstraint("number >= 1", name="table_games_number_from_one"),
        sa.CheckConstraint("status IN ('waiting', 'playing', 'over')", name="table_games_status_is_known"),
    )
    op.create_index("table_games_by_status", "table_games", ["status"])
    _make_seats("game_id", "table_games", sa.Column("carried", sa.Integer))
    tables, table_games = (
        _named("tables", "table_id", "created_at", "closed_at", *_TABLE),
        _named("table_games", "game_id", "table_id", "number", *_GAME),
    )
    old = _named("old_tables", "table_id", *_TABLE, *_GAME)
    connection = op.get_bind()
    for game_id in connection.scalars(sa.select(old.c.table_id).order_by(old.c.table_id)).all():
        table_id, one = sa.literal(str(uuid4())), old.c.table_id == game_id
        of_table = sa.select(table_id, *(old.c[name] for name in ("created_at", *_TABLE))).where(one)
        connection.execute(tables.insert().from_select(["table_id", "created_at", *_TABLE], of_table))
        of_game = sa.select(old.c.table_id, table_id, sa.literal(1), *(old.c[name] for name in _GAME)).where(one)
        connection.execute(table_games.insert().from_select(["game_id", "table_id", "number", *_GAME], of_game))
    _fill_seats("game_id", "table_id")
    begun = sa.select(_named("games", "game_id").c.game_id)
    never = sa.select(table_games.c.table_id).where(
        table_games.c.status == "over", table_games.c.game_id.not_in(begun)
    )  # a table that was closed before its game began has no other
    connection.execute(tables.update().where(tables.c.table_id.in_(never)).values(closed_at=tables.c.created_at))
    op.drop_table("old_table_seats")
    op.drop_table("old_tables")


def downgrade() -> None:
    """Make each game a table of its own again."""
    op.drop_index("table_games_by_status", "table_games")
    _set_aside("table_seats", "table_seats_key", "table_seats_game_id_is_known", "table_seats_token_is_32_bytes")
    _set_aside("tables", "tables_key", "tables_host_is_32_bytes")
    op.create_table(
        "tables",
        sa.Column("table_id", key, nullable=False),
        *_of_table(),
        *_of_game(),
        sa.PrimaryKeyConstraint("table_id", name="tables_key"),
        sa.CheckConstraint("status IN ('waiting', 'playing', 'over')", name="tables_status_is_known"),
        sa.CheckConstraint("length(host) = 32", name="tables_host_is_32_bytes"),
    )
    op.create_index("tables_by_status", "tables", ["status"])
    _make_seats("table_id", "tables")
    old, games = _named("old_tables", "table_id", *_TABLE), _named("table_games", "game_id", "table_id", *_GAME)
    of_both = sa.select(games.c.game_id, *(old.c[name] for name in _TABLE), *(games.c[name] for name in _GAME))
    whole = of_both.select_from(sa.join(games, old, games.c.table_id == old.c.table_id))
    names = ["table_id", *_TABLE, *_GAME]
    op.get_bind().execute(_named("tables", *names).insert().from_select(names, whole))
    _fill_seats("table_id", "game_id")
    op.drop_table("old_table_seats")
    op.drop_table("table_games")
    op.drop_table("old_tables")


def _of_table() -> "list[sa.Column[object]]":
    """Return the columns that a table has both before and after this migration."""
    return [
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("host", sa.LargeBinary, nullable=False),
    ]


def _of_game() -> "list[sa.Column[object]]":
    """Return the columns that a game has both before and after this migration."""
    return [
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("rounds", sa.Integer),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.Column("runner", key),
    ]


def _make_seats(game: str, games: str, *more: "sa.Column[int]") -> None:
    """Make the table of seats, whose games are named by this column, and are in the table ``games``."""
    op.create_table(
        "table_seats",
        sa.Column(game, key, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("token", sa.LargeBinary),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("came", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("taken_at", sa.Text),
        *more,
        sa.PrimaryKeyConstraint(game, "seat", name="table_seats_key"),
        sa.ForeignKeyConstraint([game], [f"{games}.{game}"], name=f"table_seats_{game}_is_known"),
        sa.CheckConstraint("token IS NULL OR length(token) = 32", name="table_seats_token_is_32_bytes"),
    )


def _fill_seats(game: str, before: str) -> None:
    """Fill the table of seats; the column ``game`` was called ``before``."""
    old = _named("old_table_seats", before, *_SEAT)
    filled = _named("table_seats", game, *_SEAT).insert()
    op.get_bind().execute(filled.from_select([game, *_SEAT], sa.select(*old.c)))


def _set_aside(table: str, *constraints: str) -> None:
    """Rename a table; in PostgreSQL, also its constraints, whose names the new table needs."""
    if op.get_bind().dialect.name == "postgresql":
        for name in constraints:
            op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {name} TO {_OLD}{name}")
    op.rename_table(table, f"{_OLD}{table}")


def _named(table: str, *columns: str) -> sa.TableClause:
    return sa.table(table, *map(sa.column, columns))
