"""The tables of ladders: each ladder, its members, and the result of each deal that two members played.

They belong neither to the log nor to its read models: no game of a ladder is recorded, and nothing can rebuild them.
"""

from typing import Final

from sqlalchemy import CheckConstraint, Column, Float, ForeignKey, ForeignKeyConstraint, Integer, Table, Text

from pokersvc.eventlog.tables import KEY, metadata

ladders = Table(
    "ladders",
    metadata,
    Column("ladder", KEY, primary_key=True),  # its name
    Column("kind", Text, nullable=False),  # of game
    Column("options", Text, nullable=False),  # JSON, as they were given
    Column("started", Text, nullable=False),  # JSON: the start of a game by these rules, as the log would store it
    Column("rounds", Integer),
    Column("opening", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("seed", Text, nullable=False),
    Column("deals", Integer, nullable=False),  # how many deals each two members play
    Column("seconds", Float, nullable=False),  # the time limit of a custom player for one choice
    Column("anchor", KEY),  # the member whose rating is fixed; NULL if the mean of all is
    Column("created_at", Text, nullable=False),
    CheckConstraint("deals >= 1", name="deals_from_one"),
    sqlite_with_rowid=False,
)

ladder_members = Table(
    "ladder_members",
    metadata,
    Column("ladder", KEY, ForeignKey("ladders.ladder"), primary_key=True),
    Column("member", KEY, primary_key=True),  # its name
    Column("kind", Text, nullable=False),  # of player
    Column("content", Text),  # what identifies the version of a custom player; NULL for a built-in one
    Column("added_at", Text, nullable=False),
    sqlite_with_rowid=False,
)

ladder_deals = Table(
    "ladder_deals",
    metadata,
    Column("ladder", KEY, primary_key=True),
    Column("one", KEY, primary_key=True),  # of two members, the one whose name comes first
    Column("other", KEY, primary_key=True),
    Column("deal", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("result", Text, nullable=False),  # JSON, see `DealPlayed`
    ForeignKeyConstraint(["ladder", "one"], ["ladder_members.ladder", "ladder_members.member"]),
    ForeignKeyConstraint(
        ["ladder", "other"],
        ["ladder_members.ladder", "ladder_members.member"],
        name="ladder_deals_other_is_known",
    ),
    CheckConstraint("one < other", name="one_before_other"),
    CheckConstraint("deal >= 1", name="deal_from_one"),
    sqlite_with_rowid=False,
)

LADDER_TABLES: Final = (ladder_deals, ladder_members, ladders)
"""The tables of ladders, each before those that it refers to."""
