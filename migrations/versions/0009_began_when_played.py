"""In the list of games an imported hand starts when it was played, so that the order fits the moments shown."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

AT_ONCE = 1000
"""The number of games that are held in memory."""
UTC: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z", re.ASCII)
KEYED: Final = ("game_id", "started_at")
TABLES: Final = [sa.table(name, *map(sa.column, KEYED)) for name in ("game_summaries", "game_players")]
GAMES: Final = sa.table("games", sa.column("game_id"), sa.column("kind"))
EVENTS: Final = sa.table("events", *map(sa.column, ("game_id", "seq", "type", "recorded_at", "payload")))
QUOTED: Final = (EVENTS.c.seq == 2) & (EVENTS.c.type == "HandQuoted")
IMPORTED: Final = (
    sa.select(GAMES.c.game_id, EVENTS.c.payload)
    .join_from(GAMES, EVENTS, (EVENTS.c.game_id == GAMES.c.game_id) & QUOTED)
    .where(GAMES.c.kind == "draw")
)


def upgrade() -> None:
    """Set the start of imported hands to the moment when they were played, if their files say it."""
    connection = op.get_bind()
    for games in _imported(connection):
        played = [{"of": game_id, "at": at} for game_id, payload in games if (at := _played(payload)) is not None]
        for table in TABLES if played else ():
            change = sa.update(table).where(table.c.game_id == sa.bindparam("of", type_=sa.Text))
            connection.execute(change.values(started_at=sa.bindparam("at", type_=sa.Text)), played)


def downgrade() -> None:
    """Set the start of imported hands to the moment when they were recorded."""
    imported = IMPORTED.with_only_columns(GAMES.c.game_id)
    for table in TABLES:
        first = sa.select(EVENTS.c.recorded_at).where(EVENTS.c.seq == 1, EVENTS.c.game_id == table.c.game_id)
        change = sa.update(table).where(table.c.game_id.in_(imported))
        op.execute(change.values(started_at=first.scalar_subquery()))


def _imported(connection: sa.Connection) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the imported hands that are in the log, with their second events, in batches."""
    after = ""
    ordered = IMPORTED.order_by(GAMES.c.game_id).limit(AT_ONCE)
    while rows := [tuple(row) for row in connection.execute(ordered.where(GAMES.c.game_id > after))]:
        yield rows
        after = rows[-1][0]


def _played(payload: str) -> str | None:
    """Return when a hand was played, as the log writes moments; None if its file does not say it."""
    try:
        found = UTC.fullmatch(json.loads(payload)["played"]["utc"])
    except (ValueError, TypeError, KeyError):  # unknown, or not written by a program of ours
        return None
    return None if found is None else f"{found[1]}.{found[2] or '':0<6}Z"
