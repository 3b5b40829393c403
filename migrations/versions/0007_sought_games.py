"""A table, a column and indexes for searching games: by players, by house, and in the order of the list."""

import json
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001
STARTED = ["started_at", "game_id"]
OPEN = sa.text("outcome IS NULL")
AT_ONCE = 1000
"""The number of games that are held in memory."""


def upgrade() -> None:
    """Make the table, the column and the indexes, and fill them from the list of games as it stands."""
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":  # so that moments are compared as on SQLite
        op.execute('ALTER TABLE game_summaries ALTER COLUMN started_at TYPE text COLLATE "C"')
    op.add_column("game_summaries", sa.Column("house", sa.Text))
    players = op.create_table(
        "game_players",
        sa.Column("game_id", key, nullable=False),
        sa.Column("player", key, nullable=False),
        sa.Column("started_at", key, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.game_id"], name="game_players_game_id_is_known"),
        sa.PrimaryKeyConstraint("game_id", "player", name="game_players_key"),
        sqlite_with_rowid=False,
    )
    house = sa.text("UPDATE game_summaries SET house = :house WHERE game_id = :game_id")
    for rows in _listed(connection):
        named = [
            {"game_id": game_id, "player": player, "started_at": started_at}
            for game_id, started_at, seats, _ in rows
            for player in _players(seats)
        ]
        houses = [{"game_id": row[0], "house": found} for row in rows if (found := _house(row[3])) is not None]
        if named:
            connection.execute(players.insert(), named)
        if houses:
            connection.execute(house, houses)
    op.create_index("games_by_start", "game_summaries", STARTED)
    op.create_index("games_by_kind", "game_summaries", ["kind", *STARTED])
    op.create_index("games_by_house", "game_summaries", ["house", *STARTED])
    op.create_index("open_games", "game_summaries", STARTED, sqlite_where=OPEN, postgresql_where=OPEN)
    op.create_index("games_by_player", "game_players", ["player", *STARTED])


def downgrade() -> None:
    """Drop them again; everything in them can be made again from the log."""
    for index in ("open_games", "games_by_house", "games_by_kind", "games_by_start"):
        op.drop_index(index, "game_summaries")
    op.drop_table("game_players")
    op.drop_column("game_summaries", "house")
    if op.get_bind().dialect.name == "postgresql":
        op.execute('ALTER TABLE game_summaries ALTER COLUMN started_at TYPE text COLLATE "default"')


def _listed(connection: sa.Connection) -> Iterator[list[tuple[str, str, str, str]]]:
    """Yield the games of the list that are in the log, in batches."""
    statement = sa.text(
        "SELECT game_id, started_at, seats, facts FROM game_summaries WHERE game_id > :after"
        " AND game_id IN (SELECT game_id FROM games) ORDER BY game_id LIMIT :most"
    )
    after = ""
    while rows := [tuple(row) for row in connection.execute(statement, {"after": after, "most": AT_ONCE})]:
        yield rows
        after = rows[-1][0]


def _players(seats: str) -> list[str]:
    """Return the names of seats as they are compared; none for a text that no program of ours wrote."""
    try:
        return sorted({seat["name"].casefold() for seat in json.loads(seats)})
    except (ValueError, TypeError, KeyError, AttributeError):
        return []


def _house(facts: str) -> str | None:
    try:
        house = json.loads(facts).get("house")
    except (ValueError, TypeError, AttributeError):
        return None
    return house if isinstance(house, str) else None
