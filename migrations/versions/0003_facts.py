"""Lists hold what is played as facts, and no wording of it."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Put facts in the place of titles: unknown (null) until whoever migrated makes the read models again."""
    op.execute("ALTER TABLE game_summaries RENAME COLUMN title TO facts")  # as SQLite and PostgreSQL both say it
    op.execute("UPDATE game_summaries SET facts = 'null'")
