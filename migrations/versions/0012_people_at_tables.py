"""What a table knows of its people: the link to sit down, who is let in, chat, codes for devices, and shared hands.

A seat's link is now good for one exchange for a token of the device that opens it. A link that nobody had opened before
is still to be exchanged; one that somebody had opened stays the token of that device.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001

_NEW = ("move_codes", "chat_lines", "shared_hands")


def upgrade() -> None:
    """Add the columns and tables; links that nobody has opened are still to be exchanged."""
    op.add_column("tables", sa.Column("invitation", sa.LargeBinary))
    op.add_column("tables", sa.Column("access", sa.Text, nullable=False, server_default="{}"))
    op.add_column("table_seats", sa.Column("link", sa.LargeBinary))
    op.add_column("table_seats", sa.Column("came_at", sa.Text))
    op.add_column("table_seats", sa.Column("admitted", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("table_seats", sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "move_codes",
        _table_id(),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("holder", sa.LargeBinary, nullable=False),
        sa.Column("expires_at", sa.Text, nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="move_codes_key"),
        _of_a_table("move_codes"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "chat_lines",
        _table_id(),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("game_id", key, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("said_at", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="chat_lines_key"),
        _of_a_table("chat_lines"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "shared_hands",
        sa.Column("token", sa.LargeBinary, nullable=False),
        _table_id(),
        sa.Column("game_id", key, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("holder", sa.LargeBinary, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("cards", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("token", name="shared_hands_key"),
        _of_a_table("shared_hands"),
        sqlite_with_rowid=False,
    )
    seats = sa.table("table_seats", sa.column("token"), sa.column("link"), sa.column("came"))
    unopened = sa.update(seats).where(sa.not_(seats.c.came))
    op.execute(unopened.values(link=seats.c.token, token=sa.null()))


def downgrade() -> None:
    """Drop them again; a link that nobody has opened is a token as before."""
    seats = sa.table("table_seats", sa.column("token"), sa.column("link"))
    op.execute(sa.update(seats).where(seats.c.token.is_(None)).values(token=seats.c.link))
    for table in _NEW:
        op.drop_table(table)
    for column in ("removed", "admitted", "came_at", "link"):
        op.drop_column("table_seats", column)
    for column in ("access", "invitation"):
        op.drop_column("tables", column)


def _table_id() -> "sa.Column[str]":
    return sa.Column("table_id", key, nullable=False)


def _of_a_table(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name=f"{name}_table_id_is_known")
