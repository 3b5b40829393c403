"""When the host's rights came to the device that has them: this shows everybody at the table that they moved."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column; earlier moves are unknown."""
    op.add_column("tables", sa.Column("host_came_at", sa.Text))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("tables", "host_came_at")
