"""Ladders: bots that all play each other on the same deals, and the results of the deals."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "ladders",
        sa.Column("ladder", key, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("started", sa.Text, nullable=False),
        sa.Column("rounds", sa.Integer),
        sa.Column("opening", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("anchor", key),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("ladder", name="ladders_key"),
        sa.CheckConstraint("deals >= 1", name="ladders_deals_from_one"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ladder_members",
        sa.Column("ladder", key, nullable=False),
        sa.Column("member", key, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("content", sa.Text),
        sa.Column("added_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("ladder", "member", name="ladder_members_key"),
        sa.ForeignKeyConstraint(["ladder"], ["ladders.ladder"], name="ladder_members_ladder_is_known"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ladder_deals",
        sa.Column("ladder", key, nullable=False),
        sa.Column("one", key, nullable=False),
        sa.Column("other", key, nullable=False),
        sa.Column("deal", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("ladder", "one", "other", "deal", name="ladder_deals_key"),
        *[
            sa.ForeignKeyConstraint(
                ["ladder", member], ["ladder_members.ladder", "ladder_members.member"], name=f"ladder_deals_{name}"
            )
            for member, name in (("one", "ladder_is_known"), ("other", "other_is_known"))
        ],
        sa.CheckConstraint("one < other", name="ladder_deals_one_before_other"),
        sa.CheckConstraint("deal >= 1", name="ladder_deals_deal_from_one"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop them again, with all results."""
    for table in ("ladder_deals", "ladder_members", "ladders"):
        op.drop_table(table)
