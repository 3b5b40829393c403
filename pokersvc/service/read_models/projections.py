"""The read models: the game list and the histories, made from the events and always rebuildable from them.

They hold only public facts, and no words; words are made when facts are shown. `Projector` makes the read models from a
game's events, for a command that is being recorded, for `pokersvc db rebuild`, and for the audit, which compares them
with what is stored. They are stored in the same transaction as the events they come from.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

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
    select,
    text,
    update,
)

from pokersvc.core.counting import PlayedRounds, RoundPlayed
from pokersvc.core.event import EVERYONE, Event, redact
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat, taken
from pokersvc.core.state import Entry, Outcome, State
from pokersvc.core.tables.table_events import TABLE_EVENTS
from pokersvc.eventlog.tables import KEY, metadata
from pokersvc.service.read_models.played_rounds import played_rounds, rows_of, store_played

_T = TypeVar("_T")

game_summaries = Table(
    "game_summaries",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("facts", Text, nullable=False),  # JSON; null after a migration, until they are rebuilt
    # When the start was recorded, or when the hand was played elsewhere, if its text says so.
    Column("started_at", KEY, nullable=False),
    Column("seats", Text, nullable=False),  # JSON
    Column("rounds", Integer, nullable=False),
    Column("outcome", Text),  # JSON; NULL while the game is played
    Column("counted", Integer, nullable=False, server_default="0"),  # rounds that are in the tallies
    Column("house", Text),  # from the facts; NULL for a game without one
)

_STARTED: Final = (game_summaries.c.started_at, game_summaries.c.game_id)
Index("games_by_start", *_STARTED)
Index("games_by_kind", game_summaries.c.kind, *_STARTED)
Index("games_by_house", game_summaries.c.house, *_STARTED)
OPEN: Final = game_summaries.c.outcome.is_(None)
Index("open_games", *_STARTED, sqlite_where=OPEN)
"""With these indexes the list is read in its order, the newest first, for every search (`game_search`)."""

UNCOUNTED: Final = text("counted < rounds")
Index("uncounted_games", game_summaries.c.game_id, sqlite_where=UNCOUNTED)
"""Finds the games with hands that are not in the tallies (`pokersvc.service.read_models.tallies`).

`pokersvc.eventlog.postgres` adds the condition for PostgreSQL, as it does for `first_events` and `open_games`.
"""

game_players = Table(
    "game_players",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("player", KEY, primary_key=True),  # the result of `folded`, as used to compare names
    Column("started_at", KEY, nullable=False),  # the game's, for the index
    sqlite_with_rowid=False,
)
"""The players of each game: an index by which a player's games are found."""
Index("games_by_player", game_players.c.player, game_players.c.started_at, game_players.c.game_id)

history_entries = Table(
    "history_entries",
    metadata,
    Column("game_id", KEY, ForeignKey("games.game_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("facts", Text, nullable=False),  # JSON
)


READ_MODELS: Final = (played_rounds, history_entries, game_players, game_summaries)


class Listing(NamedTuple):
    """A game's entry in the list of games, as it is at the game's start."""

    kind: str
    facts: str
    """The facts of what is played, as JSON."""
    seats: str
    """The seats, as JSON."""
    house: str | None = None
    """The game's house, if it has one."""
    players: tuple[str, ...] = ()
    """The players' names, in the form in which names are compared (`folded`)."""


class Line(NamedTuple):
    """A line of history that an event completed."""

    number: int
    """Its number in the game, from 1."""
    seq: int
    """The number of the event."""
    facts: str
    """Its facts, as JSON."""
    again: bool
    """Whether it replaces an earlier line of the same number."""


class Reseating(NamedTuple):
    """The seats after an event that may have changed them."""

    seats: str
    """The seats, as JSON."""
    players: tuple[str, ...]
    """The names (`folded`) of the players at the seats now; players who left still count as players of the game."""


class Projector:
    """Makes the read models of one game from its events, given in order, each with the state after it."""

    __slots__ = ("_game", "_rounds", "_taken", "_waiting", "began_at")

    def __init__(self, game: Game) -> None:
        self._game = game
        self.began_at: str | None = None
        """The start of a game played elsewhere, known after its second event; None if it began when it was recorded."""
        self._taken = 0
        """The number of events taken so far, counted only up to 2."""
        self._rounds: PlayedRounds | None = None
        """Makes the rounds that sessions consist of; None for a game without sessions, or after an impossible event."""
        self._waiting: list[tuple[Event, str]] = []
        """The events of the round in progress."""

    def take(self, event: Event, at: str) -> RoundPlayed | None:
        """Take the next event, from the first on, and its moment; return the round that the event completed, if any."""
        if not self._taken:
            self._taken = 1
            if self._game.round_ends:
                self._rounds = _asked(lambda: self._game.played_rounds(redact(event, EVERYONE)))
            return None
        if self._taken == 1:
            self._taken = 2
            self.began_at = self._game.began_at(event)
        if (rounds := self._rounds) is not None:
            self._waiting.append((event, at))
            if event.__class__ in self._game.round_ends:
                waiting, self._waiting = self._waiting, []
                told = _asked(lambda: [rounds.take(*one) for one in waiting])
                if told is not None:
                    return told[-1]
                self._rounds = None
        return None

    @property
    def ends(self) -> frozenset[type[Event]]:
        """The types of events that end a round, at which `pass_over` must stop; empty for a game without sessions."""
        return self._game.round_ends if self._rounds is not None else frozenset()

    def pass_over(self, events: list[tuple[Event, str]]) -> None:
        """Take events after the start without making their rows again; only the last may be of a type in `ends`.

        A game that is read may have thousands of rounds whose results are not needed again.
        """
        self._taken = 2
        self._waiting += events
        if (rounds := self._rounds) is not None and events and events[-1][0].__class__ in self._game.round_ends:
            waiting, self._waiting = self._waiting, []
            self._rounds = _asked(lambda: _passed_over(rounds, waiting))

    def start(self, started: Event) -> Listing:
        """Return the list entry of a game from its start event."""
        game, public = self._game, redact(started, EVERYONE)  # redacted, so that a game's facts cannot hold a secret
        facts, seats = game.facts(public), game.seats(public)
        house = facts.get("house")
        players = _players(seats)
        house = house if isinstance(house, str) else None
        return Listing(game.kind, _json(facts), seats_text(seats), house, players)

    def line(self, seq: int, event: Event, state: State) -> Line | None:
        """Return the public line of history that an event completed, if any."""
        if event.__class__ in TABLE_EVENTS:
            return None
        entry = state.entry(event, EVERYONE)
        return None if entry is None else Line(entry.number, seq, facts_text(entry), entry.again)

    def reseating(self, event: Event, state: State) -> Reseating | None:
        """Return the seats after an event that may have seated another player; None for any other event."""
        if event.__class__ not in self._game.reseating or (seats := state.seats_now()) is None:
            return None
        return Reseating(seats_text(seats), _players(seats))

    def outcome(self, state: State) -> str | None:
        """Return the game's outcome as JSON; None while the game is in progress."""
        outcome = state.outcome
        return None if outcome is None else outcome_text(outcome)


def _players(seats: Sequence[Seat]) -> tuple[str, ...]:
    return tuple(sorted({folded(seat.name) for seat in taken(seats)}))


def after(listing: Listing, reseating: Reseating) -> Listing:
    """Return a game's list entry with its new seats; its players are all who ever played, even if they left."""
    return listing._replace(seats=reseating.seats, players=_both(listing.players, reseating.players))


def followed_by(before: Reseating, reseating: Reseating) -> Reseating:
    """Combine two reseatings: the seats of the second, and the players of both."""
    return Reseating(reseating.seats, _both(before.players, reseating.players))


def _both(some: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*some, *others}))


def _asked(ask: Callable[[], _T]) -> _T | None:
    """Call a game's function and return its answer; None if it fails, as for a damaged log (audits report it).

    A fault in the game itself looks the same here, and keeps the game out of sessions; `check_game` finds such a fault.
    """
    try:
        return ask()
    except (LookupError, AttributeError, TypeError):
        return None


def _passed_over(rounds: PlayedRounds, events: list[tuple[Event, str]]) -> PlayedRounds:
    rounds.pass_over(events)
    return rounds


_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def folded(name: str) -> str:
    """Return a player's name in the form in which names are compared, without regard to case."""
    return name.casefold()


def seats_text(seats: Sequence[Seat]) -> str:
    """Return the seats as they are stored."""
    return _json([{"kind": seat.kind, "name": seat.name} for seat in seats])


def facts_text(entry: Entry) -> str:
    """Return the facts of a line of history, as they are stored."""
    return _json(entry.facts)


def outcome_text(outcome: Outcome) -> str:
    """Return a game's outcome as it is stored."""
    return _json({"ranks": list(outcome.ranks), "scores": list(outcome.scores)})


def _json(value: object) -> str:
    return _CANONICAL.encode(value)


def store_listing(connection: Connection, game_id: str, listing: Listing, started_at: str) -> None:
    """Store the list entry of a game that has started."""
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


def store_beginning(connection: Connection, game_id: str, began_at: str) -> None:
    """Store the start of a game that was played elsewhere, in place of the time when it was recorded."""
    for table in (game_summaries, game_players):
        connection.execute(update(table).where(table.c.game_id == game_id).values(started_at=began_at))


def store_reseating(connection: Connection, game_id: str, reseating: Reseating) -> None:
    """Store the seats as they are now, and the players who are new."""
    of_game, of = game_summaries.c, game_players.c
    connection.execute(update(game_summaries).where(of_game.game_id == game_id).values(seats=reseating.seats))
    known = set(connection.scalars(select(of.player).where(of.game_id == game_id)))
    new = [player for player in reseating.players if player not in known]
    if new:
        started_at = connection.scalar(select(of_game.started_at).where(of_game.game_id == game_id))
        rows = [{"game_id": game_id, "player": player, "started_at": started_at} for player in new]
        connection.execute(insert(game_players), rows)


def store_lines(connection: Connection, game_id: str, lines: Sequence[Line]) -> None:
    """Store complete lines of history."""
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
    """Store a game's outcome."""
    connection.execute(update(game_summaries).where(game_summaries.c.game_id == game_id).values(outcome=outcome))


class WholeGame(NamedTuple):
    """The read models of a game whose events are recorded all at once."""

    game_id: str
    listing: Listing
    started_at: str
    lines: Sequence[Line]
    outcome: str | None
    played: Sequence[RoundPlayed]


def store_whole(connection: Connection, games: Sequence[WholeGame]) -> None:
    """Store the read models of many games in few statements."""
    summaries, entries = [], []
    for game_id, listing, started_at, lines, outcome, _ in games:
        last = {line.number: line for line in lines}  # a line that is shown again replaces the first
        rounds = max(last, default=0)
        summaries.append({**_summary(game_id, listing, started_at, rounds), "outcome": outcome})
        entries += [
            {"game_id": game_id, "number": line.number, "seq": line.seq, "facts": line.facts} for line in last.values()
        ]
    connection.execute(insert(game_summaries), summaries)
    _store_players(connection, [game[:3] for game in games])
    store_played(connection, [row for game in games for row in rows_of(game.game_id, game.played)])
    if entries:
        connection.execute(insert(history_entries), entries)


def clear(connection: Connection, game_id: str) -> None:
    """Delete the read models of a game before they are made again."""
    for table in READ_MODELS:
        connection.execute(delete(table).where(table.c.game_id == game_id))
