"""The read models: the game list and the histories, made from the events and always rebuildable from them.

They hold public facts only, and no words; the words are made when they are shown. `Projector` makes them from a game's
events, for whoever asks: a command that is being recorded, `pokersvc db rebuild`, and the audit, which compares them
with what is stored. They are stored in the same transaction as the events they come from.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    bindparam,
    delete,
    insert,
    text,
    update,
)

from pokersvc.core.event import EVERYONE, Event, redact
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.core.table_events import TABLE_EVENTS
from pokersvc.eventlog.tables import KEY, metadata

game_summaries = Table(
    "game_summaries",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("facts", Text, nullable=False),  # JSON; null after a migration, until they are rebuilt
    Column("started_at", KEY, nullable=False),
    Column("seats", Text, nullable=False),  # JSON
    Column("rounds", Integer, nullable=False),
    Column("outcome", Text),  # JSON; NULL while the game is played
    Column("counted", Integer, nullable=False, server_default="0"),  # rounds that are in the tallies
    Column("house", Text),  # as the facts say it; NULL for a game without
)

_STARTED: Final = (game_summaries.c.started_at, game_summaries.c.game_id)
Index("games_by_start", *_STARTED)
Index("games_by_kind", game_summaries.c.kind, *_STARTED)
Index("games_by_house", game_summaries.c.house, *_STARTED)
OPEN: Final = game_summaries.c.outcome.is_(None)
Index("open_games", *_STARTED, sqlite_where=OPEN)
"""By these the list is read in its order, the newest first, whatever is asked of games (`pokersvc.service.sought`)."""

UNCOUNTED: Final = text("counted < rounds")
Index("uncounted_games", game_summaries.c.game_id, sqlite_where=UNCOUNTED)
"""Finds the games with hands that are not in the tallies (`pokersvc.service.tallies`).

What it is for PostgreSQL too, `pokersvc.eventlog.postgres` adds, as to `first_events` and to `open_games`.
"""

game_players = Table(
    "game_players",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("player", KEY, primary_key=True),  # as names are compared: `folded`
    Column("started_at", KEY, nullable=False),  # of the game
    sqlite_with_rowid=False,
)
"""Who plays in which games, so that somebody's games are found without reading all others."""
Index("games_by_player", game_players.c.player, game_players.c.started_at, game_players.c.game_id)

history_entries = Table(
    "history_entries",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("facts", Text, nullable=False),  # JSON
)


READ_MODELS: Final = (history_entries, game_players, game_summaries)


class Listing(NamedTuple):
    """What the list of games says of a game from its start."""

    kind: str
    facts: str
    """What is played: JSON."""
    seats: str
    """JSON."""
    house: str | None = None
    """Of which house the game is, where it has one."""
    players: tuple[str, ...] = ()
    """Who plays, as names are compared."""


class Line(NamedTuple):
    """A line of history that an event completed."""

    number: int
    """In the game, from 1."""
    seq: int
    """Of the event."""
    facts: str
    """JSON."""
    again: bool
    """Whether it stands in the place of the line that has its number already."""


class Projector:
    """Makes the read models of one game; fed with the events in order, each with the state that it made."""

    __slots__ = ("_game",)

    def __init__(self, game: Game) -> None:
        self._game = game

    def start(self, started: Event) -> Listing:
        """Return what the list says of a game that an event starts."""
        game, public = self._game, redact(started, EVERYONE)  # whatever a game says of its start, it says no secret
        facts, seats = game.facts(public), game.seats(public)
        house = facts.get("house")
        players = tuple(sorted({folded(seat.name) for seat in seats}))
        house = house if isinstance(house, str) else None
        return Listing(game.kind, _json(facts), seats_text(seats), house, players)

    def line(self, seq: int, event: Event, state: State) -> Line | None:
        """Return the line of history that an event completed, as everyone may know it."""
        if event.__class__ in TABLE_EVENTS:
            return None
        entry = state.entry(event, EVERYONE)
        return None if entry is None else Line(entry.number, seq, facts_text(entry), entry.again)

    def outcome(self, state: State) -> str | None:
        """Return how the game ended, as JSON; None while it is on."""
        outcome = state.outcome
        return None if outcome is None else outcome_text(outcome)


_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def folded(name: str) -> str:
    """Return a name as names of players are compared, whatever their case."""
    return name.casefold()


def seats_text(seats: Sequence[Seat]) -> str:
    """Return who plays, as it is stored."""
    return _json([{"kind": seat.kind, "name": seat.name} for seat in seats])


def facts_text(entry: Entry) -> str:
    """Return the facts of a line of history, as they are stored."""
    return _json(entry.facts)


def outcome_text(outcome: Outcome) -> str:
    """Return how a game ended, as it is stored."""
    return _json({"ranks": list(outcome.ranks), "scores": list(outcome.scores)})


def _json(value: object) -> str:
    return _CANONICAL.encode(value)


def store_listing(connection: Connection, game_id: str, listing: Listing, started_at: str) -> None:
    """Store what the list of games says of a game that has started."""
    connection.execute(insert(game_summaries), _summary(game_id, listing, started_at))
    _store_players(connection, [(game_id, listing, started_at)])


def _summary(game_id: str, listing: Listing, started_at: str, rounds: int = 0) -> dict[str, object]:
    kind, facts, seats, house, _ = listing
    return {
        "game_id": game_id, "kind": kind, "facts": facts, "seats": seats, "house": house,
        "started_at": started_at, "rounds": rounds,
    }  # fmt: skip


def _store_players(connection: Connection, started: Iterable[tuple[str, Listing, str]]) -> None:
    rows = [
        {"game_id": game_id, "player": player, "started_at": at}
        for game_id, listing, at in started
        for player in listing.players
    ]
    if rows:
        connection.execute(insert(game_players), rows)


def store_lines(connection: Connection, game_id: str, lines: Sequence[Line]) -> None:
    """Store lines of history that are complete."""
    rows = [
        {"game_id": game_id, "number": line.number, "seq": line.seq, "facts": line.facts}
        for line in lines
        if not line.again
    ]
    if rows:
        connection.execute(insert(history_entries), rows)
        connection.execute(
            update(game_summaries).where(game_summaries.c.game_id == game_id).values(rounds=rows[-1]["number"])
        )
    if again := [{"of": line.number, "at": line.seq, "says": line.facts} for line in lines if line.again]:
        connection.execute(_AGAIN.where(history_entries.c.game_id == game_id), again)


_AGAIN: Final = (
    update(history_entries)
    .where(history_entries.c.number == bindparam("of"))
    .values(seq=bindparam("at"), facts=bindparam("says"))
)


def store_outcome(connection: Connection, game_id: str, outcome: str) -> None:
    """Store how a game ended."""
    connection.execute(update(game_summaries).where(game_summaries.c.game_id == game_id).values(outcome=outcome))


class WholeGame(NamedTuple):
    """What the read models say of a game that is recorded all at once."""

    game_id: str
    listing: Listing
    started_at: str
    lines: Sequence[Line]
    outcome: str | None


def store_whole(connection: Connection, games: Sequence[WholeGame]) -> None:
    """Store what the read models say of many games, in two statements."""
    summaries, entries = [], []
    for game_id, listing, started_at, lines, outcome in games:
        last = {line.number: line for line in lines}  # a line that is shown again replaces the first
        rounds = max(last, default=0)
        summaries.append({**_summary(game_id, listing, started_at, rounds), "outcome": outcome})
        entries += [
            {"game_id": game_id, "number": line.number, "seq": line.seq, "facts": line.facts} for line in last.values()
        ]
    connection.execute(insert(game_summaries), summaries)
    _store_players(connection, [game[:3] for game in games])
    if entries:
        connection.execute(insert(history_entries), entries)


def clear(connection: Connection, game_id: str) -> None:
    """Forget the read models of a game, before they are made again."""
    for table in READ_MODELS:
        connection.execute(delete(table).where(table.c.game_id == game_id))
