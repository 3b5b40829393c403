"""Who took a seat of a running game after sitting at another seat in it; kept until the log says they sat down."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add the column; nobody has changed seats so far."""
    op.add_column("table_seats", sa.Column("person", sa.Integer))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("table_seats", "person")
