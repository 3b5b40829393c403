"""The tallies: the counts of all hands for statistics, and the number of rounds of each game that are in them."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001

figures = (
    "dealt", "walks", "net", "net_milli", "square_high", "square_low", "vpip", "pfr", "saw_draw", "bets", "raises",
    "calls", "folds", "showdowns", "won_showdowns", "won", "drew_0", "drew_1", "drew_2", "drew_3", "drew_4", "drew_5",
    "rake",
)  # fmt: skip


def upgrade() -> None:
    """Make the table, which has no hands yet."""
    op.add_column("game_summaries", sa.Column("counted", sa.Integer, nullable=False, server_default="0"))
    uncounted = sa.text("counted < rounds")
    op.create_index(
        "uncounted_games", "game_summaries", ["game_id"], sqlite_where=uncounted, postgresql_where=uncounted
    )
    op.create_table(
        "tallies",
        sa.Column("dimension", key, nullable=False),
        sa.Column("player", key, nullable=False),
        sa.Column("site", key, nullable=False),
        sa.Column("value", key, nullable=False),
        sa.Column("currency", key, nullable=False),
        sa.Column("exponent", sa.Integer, autoincrement=False, nullable=False),
        *[sa.Column(name, sa.BigInteger, nullable=False) for name in figures],
        sa.PrimaryKeyConstraint("dimension", "player", "site", "value", "currency", "exponent", name="tallies_key"),
        sqlite_with_rowid=False,
    )
