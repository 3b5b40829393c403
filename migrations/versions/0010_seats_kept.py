"""A column for the moment when somebody took a seat of a running game: it is kept for them for a while."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column; seats that were taken before are kept until the host frees them."""
    op.add_column("table_seats", sa.Column("taken_at", sa.Text))


def downgrade() -> None:
    """Drop the column again."""
    op.drop_column("table_seats", "taken_at")
