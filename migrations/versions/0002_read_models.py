"""The read models: a line for each game, and the lines of histories."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001, whose ids these are


def upgrade() -> None:
    """Make the two tables; the caller rebuilds their contents."""
    op.create_table(
        "game_summaries",
        sa.Column("game_id", key, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("started_at", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("outcome", sa.Text),
        sa.PrimaryKeyConstraint("game_id", name="game_summaries_key"),
        sa.ForeignKeyConstraint(["game_id"], ["games.game_id"], name="game_summaries_game_id_is_known"),
    )
    op.create_table(
        "history_entries",
        sa.Column("game_id", key, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name="history_entries_key"),
        sa.ForeignKeyConstraint(["game_id"], ["games.game_id"], name="history_entries_game_id_is_known"),
    )
