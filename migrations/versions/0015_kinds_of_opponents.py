"""The tallies by the kind of opponents: the hands are counted again, because earlier counts lack the kind."""

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Empty the tallies; the next command that writes fills them, and until then readers count the hands."""
    op.execute("DELETE FROM tallies")
    op.execute("UPDATE game_summaries SET counted = 0")


def downgrade() -> None:
    """Delete the rows by the kind of opponents; the others stay true."""
    op.execute("DELETE FROM tallies WHERE dimension = 'kind'")
