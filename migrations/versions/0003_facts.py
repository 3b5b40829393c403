"""The list of games holds facts about what is played, and no words."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Replace titles with facts, which are unknown (null) until the migration's caller rebuilds the read models."""
    op.execute("ALTER TABLE game_summaries RENAME COLUMN title TO facts")  # the same SQL in SQLite and PostgreSQL
    op.execute("UPDATE game_summaries SET facts = 'null'")
