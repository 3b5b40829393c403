"""The rounds that were played, by player, site and moment, to find sessions without reading all hands."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # as in 0001
OWN = sa.text("own = 1")
AT_ONCE = 1000
"""The number of games that are held in memory."""
NO_SUCH_HAND = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""The errors of reading a text that no program of ours wrote."""


def upgrade() -> None:
    """Make the table, and fill it with the imported hands.

    The rounds of a game that was played here are only in its log. A row without a site says that they must still be
    made; pokersvc makes them once it has migrated a database.
    """
    played = op.create_table(
        "played_rounds",
        sa.Column("player", key, nullable=False),
        sa.Column("site", key, nullable=False),
        sa.Column("at", key, nullable=False),
        sa.Column("game_id", key, nullable=False),
        sa.Column("round", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("own", sa.Integer, nullable=False),
        sa.Column("table_name", sa.Text),
        sa.Column("tournament", sa.Text),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("exponent", sa.Integer, nullable=False),
        sa.Column("net", sa.BigInteger),
        sa.ForeignKeyConstraint(["game_id"], ["games.game_id"], name="played_rounds_game_id_is_known"),
        sa.PrimaryKeyConstraint("player", "site", "at", "game_id", "round", name="played_rounds_key"),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    for games in _games(connection):
        if rows := [row for game in games for row in _rows(*game)]:
            connection.execute(played.insert(), rows)
    order = ["at", "game_id", "round"]
    op.create_index("own_rounds", "played_rounds", ["player", "site", *order], sqlite_where=OWN, postgresql_where=OWN)
    op.create_index("rounds_of_games", "played_rounds", ["game_id", "round", "player"])


def downgrade() -> None:
    """Drop the table again; everything in it is also in the log."""
    op.drop_table("played_rounds")


def _games(connection: sa.Connection) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the games of draw poker that are in the log, with the second event of each, in batches."""
    statement = sa.text(
        "SELECT s.game_id, s.facts, s.seats, s.outcome, s.rounds, e.type, e.payload FROM game_summaries s"
        " JOIN games g ON g.game_id = s.game_id"
        " LEFT JOIN events e ON e.game_id = s.game_id AND e.seq = 2"
        " WHERE s.game_id > :after AND s.kind = 'draw' ORDER BY s.game_id LIMIT :most"
    )
    after = ""
    while rows := [tuple(row) for row in connection.execute(statement, {"after": after, "most": AT_ONCE})]:
        yield rows
        after = rows[-1][0]


def _rows(
    game_id: str, facts: str, seats: str, outcome: str | None, rounds: object, type_: str | None, payload: str | None
) -> list[dict[str, object]]:
    """Return the rows of an imported hand, or the single row of a game that was played here and has rounds."""
    if type_ != "HandQuoted":
        return [_row("", "", "", game_id, 0, own=0)] if rounds else []
    try:
        return list(_imported(game_id, json.loads(facts), json.loads(seats), outcome, json.loads(payload or "")))
    except NO_SUCH_HAND:
        return []


def _imported(
    game_id: str,
    facts: Mapping[str, Any],
    seats: list[Mapping[str, str]],
    outcome: str | None,
    quote: Mapping[str, Any],
) -> Iterator[dict[str, object]]:
    if quote["findings"] or outcome is None:
        return
    tournament = None if quote["tournament"] is None else quote["tournament"]["number"]
    at = "" if quote["played"] is None else quote["played"]["utc"].removesuffix("Z")
    where = {
        "table_name": quote["table"],
        "tournament": tournament,
        "currency": facts.get("currency", ""),
        "exponent": facts.get("exponent", 0),
    }
    for seat, (player, net) in enumerate(zip(seats, json.loads(outcome)["scores"], strict=True), 1):
        row = _row(player["name"], quote["site"], at, game_id, 1, own=int(seat == quote["hero"]))
        yield {**row, **where, "net": net}
    if quote["hero"] is None:
        yield {**_row("", quote["site"], at, game_id, 1, own=1), **where}


def _row(player: str, site: str, at: str, game_id: str, round_: int, *, own: int) -> dict[str, object]:
    return {
        "player": player, "site": site, "at": at, "game_id": game_id, "round": round_, "own": own,
        "table_name": None, "tournament": None, "currency": "", "exponent": 0, "net": None,
    }  # fmt: skip
