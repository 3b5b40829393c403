"""The tables of the server: who sits where, with which token. They are separate from the log, and may change."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "tables",
        sa.Column("table_id", key, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("rounds", sa.Integer),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("host", sa.LargeBinary, nullable=False),
        sa.Column("changes", sa.Integer, nullable=False),
        sa.Column("runner", key),
        sa.PrimaryKeyConstraint("table_id", name="tables_key"),
        sa.CheckConstraint("status IN ('waiting', 'playing', 'over')", name="tables_status_is_known"),
        sa.CheckConstraint("length(host) = 32", name="tables_host_is_32_bytes"),
    )
    op.create_index("tables_by_status", "tables", ["status"])
    op.create_table(
        "table_seats",
        sa.Column("table_id", key, nullable=False),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("token", sa.LargeBinary),
        sa.Column("since", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="table_seats_key"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.table_id"], name="table_seats_table_id_is_known"),
        sa.CheckConstraint("token IS NULL OR length(token) = 32", name="table_seats_token_is_32_bytes"),
    )
    op.create_table(
        "servers",
        sa.Column("server_id", key, nullable=False),
        sa.Column("beat", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("server_id", name="servers_key"),
    )
