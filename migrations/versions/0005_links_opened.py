"""Whether somebody has opened the link of a seat, for those at its table to see."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; of links that there are already nobody knows."""
    op.add_column("table_seats", sa.Column("came", sa.Boolean, nullable=False, server_default=sa.false()))
