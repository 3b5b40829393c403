"""A column that says whether somebody has opened a seat's link, for those at its table to see."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column; it is false for existing links: nobody knows whether they were opened."""
    op.add_column("table_seats", sa.Column("came", sa.Boolean, nullable=False, server_default=sa.false()))
