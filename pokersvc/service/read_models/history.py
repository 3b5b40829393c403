"""The list of games and their histories, round by round: read, checked and rebuilt."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, func, select

from pokersvc import service
from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.counting import RoundPlayed
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of, history_words_of, usable
from pokersvc.core.replay import CannotReplay, Replay
from pokersvc.core.rules import UnknownEngine
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Facts, Outcome
from pokersvc.core.tables.table_events import TABLE_EVENTS
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import ChainBroken
from pokersvc.eventlog.snapshot import STREAMED, Snapshot, UnknownGame
from pokersvc.eventlog.tables import games as logged
from pokersvc.service.read_models import tallies
from pokersvc.service.read_models.played_rounds import rows_of, store_played
from pokersvc.service.read_models.projections import (
    Line,
    Listing,
    Projector,
    clear,
    game_players,
    game_summaries,
    history_entries,
    store_beginning,
    store_lines,
    store_listing,
    store_outcome,
    store_reseating,
)
from pokersvc.text import counted, listed

UNREADABLE: Final = (CannotReplay, ChainBroken, UnreadableEvent, UnknownEngine)
"""The errors of reading a log that is damaged, or was written by a program whose events this one cannot apply."""


class ReadModelsDamaged(PokersvcError):
    """A read model with impossible contents; the log itself may be intact."""

    code = "read_models_damaged"

    def __init__(self, game_id: str) -> None:
        super().__init__(f"The list entry of game {game_id} cannot be read; run `pokersvc db rebuild` to rebuild it.")


class Unreadable(NamedTuple):
    """A game that cannot be read to its end, and the number of its first unreadable event."""

    game_id: str
    seq: int


class NotRebuilt(PokersvcError):
    """Some games cannot be read to their end; the read models of all other games were rebuilt."""

    code = "not_rebuilt"

    def __init__(self, games: Sequence[Unreadable], others: int) -> None:
        self.games, self.others = tuple(games), others
        which = listed([f"game {game.game_id} cannot be read from event {game.seq} on" for game in games])
        super().__init__(
            f"Read models of {counted(others, 'game')} were rebuilt, but {which};"
            " what came before is in the read models."
        )


_MISREAD: Final = (ValueError, TypeError, KeyError, IndexError, AttributeError)
"""The errors of putting stored facts into words if no game could have produced these facts."""
BATCH = 1000  # lines of history held at once while read models are rebuilt


class GameSummary(NamedTuple):
    """One game, as lists show it."""

    game_id: str
    kind: str
    """The kind of game."""
    facts: Facts | None
    """What is played, as `Game.facts` gives it; None until a pokersvc that knows the game has stored it."""
    started_at: str
    """The start in UTC: ``2026-01-31T12:00:00.000000Z``; for an imported hand when it was played, if known."""
    seats: tuple[Seat, ...]
    """The players, from seat 1."""
    rounds: int
    """The number of lines in its history: one per round or, in a game without rounds such as Kalah, one per move."""
    outcome: Outcome | None
    """Its outcome; None while it is in progress."""

    @property
    def title(self) -> str:
        """The title of the game, in words; for an unknown kind of game, only the kind."""
        if not usable(self.kind):
            return f"a game of the kind {self.kind!r}, which this pokersvc does not know"
        try:
            return history_words_of(self.kind).title(self.facts or {})
        except _MISREAD as error:
            if not self.seats:  # `rebuild` could not read even its start
                return "a game whose start cannot be read"
            raise ReadModelsDamaged(self.game_id) from error

    @property
    def result(self) -> str | None:
        """The result in words, once the game is over; for an unknown kind of game, only that it is over."""
        if self.outcome is None:
            return None
        if not usable(self.kind):
            return f"finished; this pokersvc does not know {self.kind!r}"
        return history_words_of(self.kind).result_of(self.facts or {}, self.seats, self.outcome)

    def viewer(self, text: str, places: Sequence[int] | None = None) -> Viewer:
        """Return the viewer that a text names: ``everyone``, ``auditor``, or a seat by number or name, in any case.

        ``places`` are the numbers of the seats as people know them (`Game.places`); by default they are counted from 1.
        """
        numbers = range(1, len(self.seats) + 1) if places is None else places
        if text == EVERYONE:
            return EVERYONE
        if text == AUDITOR:
            return AUDITOR
        for number, place in enumerate(numbers, 1):
            if text == str(place):
                return number
        for number, seat in enumerate(self.seats, 1):
            if text.casefold() == seat.name.casefold():
                return number
        seats = ", ".join(f"{place} ({seat.name})" for place, seat in zip(numbers, self.seats, strict=True))
        raise InvalidValue(f"{text!r} is not a point of view; it must be everyone, auditor, or a seat: {seats}.")


def games(
    database: Database, conditions: Sequence[ColumnElement[bool]] = (), player: str | None = None
) -> Iterator[GameSummary]:
    """Yield the games that fulfil conditions, the last started first.

    With ``player``, a name in the form of `folded`, yield only that player's games. Raises `ReadModelsDamaged` for an
    entry that no game has written.
    """
    asked, of = _SUMMARIES, game_summaries.c
    started: tuple[ColumnElement[str], ...] = (of.started_at, of.game_id)
    if player is not None:  # a separate index has a player's games in this order
        asked = asked.join(game_players, game_players.c.game_id == of.game_id).where(game_players.c.player == player)
        started = (game_players.c.started_at, game_players.c.game_id)
    asked = asked.where(*conditions).order_by(*[column.desc() for column in started])
    with database.read() as connection, connection.execute(asked, execution_options=STREAMED) as rows:
        yield from map(_summary, rows)


def summary(database: Database, game_id: str) -> GameSummary:
    """Return one game; raise `UnknownGame` if there is none with that id."""
    with database.read() as connection:
        row = connection.execute(_SUMMARIES.where(game_summaries.c.game_id == game_id)).first()
    if row is None:
        raise UnknownGame(f"There is no game {game_id}.")
    return _summary(row)


def entries(database: Database, game_id: str, viewer: Viewer = EVERYONE, *, force: bool = False) -> Iterator[Entry]:
    """Yield the lines of a game's history as the viewer may know them.

    The public history is in the read models; for other viewers the game is replayed (see `WithSecrets.replay`).
    """
    if viewer == AUDITOR or (viewer != EVERYONE and not _all_is_open(database, game_id)):
        for step in service.Service(EventLog(database)).with_secrets.replay(game_id, viewer, force=force):
            entry = None if step.event.__class__ in TABLE_EVENTS else step.state.entry(step.event, viewer)
            if entry is not None and not entry.again:  # an auditor has seen the whole entry before
                yield entry
        return
    of_game = _ENTRIES.where(history_entries.c.game_id == game_id)
    with database.read() as connection, connection.execute(of_game, execution_options=STREAMED) as rows:
        for row in rows:
            yield _entry(row)


def _all_is_open(database: Database, game_id: str) -> bool:
    """Return whether the game is over and hides nothing any more."""
    found = summary(database, game_id)
    if found.outcome is None:
        return False
    game = game_of(found.kind)
    return game.opens_all(started(database, game_id, game))


def started(database: Database, game_id: str, game: Game) -> Event:
    """Return the event that started a game, with its secret."""
    first = next(EventLog(database).read(game_id, upto=1))
    return game.codec.decode(first.type, first.version, first.payload, first.secret)


def is_listed(database: Database) -> bool:
    """Return whether the read models list every game with its facts; an interrupted migration may leave some out."""
    migrated = select(game_summaries.c.kind).where(game_summaries.c.facts == "null").distinct()
    with database.read() as connection:
        counts = [connection.scalar(select(func.count()).select_from(table)) for table in (logged, game_summaries)]
        kinds = connection.scalars(migrated).all()
    return counts[0] == counts[1] and not any(map(usable, kinds))


def gaps(database: Database) -> Iterator[tuple[str, str]]:
    """Yield a pair (found, expected) for each gap and each unreadable entry in the read models."""
    rebuilt = "one; `pokersvc db rebuild` makes it"
    of_game = func.count(history_entries.c.number), func.coalesce(func.max(history_entries.c.number), 0)
    lines = (
        select(logged.c.game_id, game_summaries.c.rounds, *of_game)
        .outerjoin(game_summaries, game_summaries.c.game_id == logged.c.game_id)
        .outerjoin(history_entries, history_entries.c.game_id == logged.c.game_id)
        .group_by(logged.c.game_id, game_summaries.c.rounds)
        .order_by(logged.c.game_id)
    )
    with database.read() as connection:
        for game_id, rounds, count, last in connection.execute(lines).all():
            if rounds is None:
                yield f"no summary of game {game_id}", rebuilt
            elif not rounds == count == last:
                yield (
                    f"{counted(count, 'line')} of history of game {game_id}, the last of round {last}",
                    f"{rounds}; {rebuilt}",
                )
        for read, rows in ((_titled, _SUMMARIES), (_entry, _ENTRIES)):
            with connection.execute(rows, execution_options=STREAMED) as found:
                for row in found:
                    try:
                        read(row)
                    except ReadModelsDamaged:
                        yield f"a read model of game {row[0]} that cannot be read", rebuilt


def rebuild(database: Database) -> int:
    """Rebuild all read models from the events, in one transaction, and return the number of games.

    Read models of unknown kinds of games are left as they are. Raises `NotRebuilt`, after the transaction, if
    games cannot be read to their end: their read models end before the first unreadable event.
    """
    broken: list[Unreadable] = []
    with database.write() as connection:
        snapshot = Snapshot(connection)
        tallies.clear(connection)
        found = [game_id for game_id, head in snapshot.games() if usable(head.kind)]
        sums: tallies.Sums = {}
        for number, game_id in enumerate(found, 1):
            if not isinstance(game_id, str):  # SQLite keeps anything in any column
                raise DatabaseDamaged(f"{database.label} is damaged: the ID of a game is {game_id!r}, not text.")
            clear(connection, game_id)
            if (stopped := _rebuild_game(connection, snapshot, game_id, sums)) is not None:
                broken.append(stopped)
            if number % tallies.GAMES_AT_ONCE == 0 or number == len(found):
                tallies.store(connection, sums)
                sums.clear()
    if broken:
        raise NotRebuilt(broken, len(found) - len(broken))
    return len(found)


def _rebuild_game(connection: Connection, snapshot: Snapshot, game_id: str, sums: tallies.Sums) -> Unreadable | None:
    """Store a game's read models up to its first unreadable event; return which event that is, or None.

    The counts of its hands are added to ``sums``.
    """
    head = snapshot.head(game_id)
    assert head is not None
    game = game_of(head.kind)
    replay, projector, hands = Replay(game, keeps_record=False), Projector(game), tallies.GameTally(game, game_id)
    waiting: list[Line] = []
    played: list[RoundPlayed] = []
    seq = 0
    stopped: Unreadable | None = None
    try:
        with closing(snapshot.read(game_id)) as records:
            for record in records:
                event = replay.read(record)
                seq = record.seq
                hands.take(event, record.recorded_at)
                if (reseating := projector.reseating(event, replay.state)) is not None:
                    store_reseating(connection, game_id, reseating)
                if (round_ := projector.take(event, record.recorded_at)) is not None:
                    played.append(round_)
                if seq == 1:
                    store_listing(connection, game_id, projector.start(event), record.recorded_at)
                    continue
                if seq == 2 and projector.began_at is not None:
                    store_beginning(connection, game_id, projector.began_at)
                if (line := projector.line(seq, event, replay.state)) is not None:
                    waiting.append(line)
                    if len(waiting) == BATCH:
                        store_lines(connection, game_id, waiting)
                        store_played(connection, rows_of(game_id, played))
                        waiting, played = [], []
    except UNREADABLE:
        stopped = Unreadable(game_id, seq + 1)
    if seq == 0:  # the list then shows only that the game exists
        store_listing(connection, game_id, Listing(head.kind, "{}", "[]"), "")
        return stopped
    store_lines(connection, game_id, waiting)
    store_played(connection, rows_of(game_id, played))
    if (outcome := projector.outcome(replay.state)) is not None:
        store_outcome(connection, game_id, outcome)
    hands.add_to(sums, connection)
    return stopped


_SUMMARIES = select(
    game_summaries.c.game_id,
    game_summaries.c.kind,
    game_summaries.c.facts,
    game_summaries.c.started_at,
    game_summaries.c.seats,
    game_summaries.c.rounds,
    game_summaries.c.outcome,
)


_Row: TypeAlias = Sequence[Any]

_ENTRIES = (
    select(history_entries.c.game_id, history_entries.c.number, history_entries.c.facts, logged.c.kind)
    .join(logged, logged.c.game_id == history_entries.c.game_id)
    .order_by(history_entries.c.game_id, history_entries.c.number)
)


def _entry(row: _Row) -> Entry:
    game_id, number, facts, kind = row
    try:
        entry = Entry(number, json.loads(facts))
        if usable(kind):  # only the game knows which facts are valid: for others its words raise errors
            words = history_words_of(kind)
            words.line(entry)
            words.details(entry)
    except _MISREAD as error:
        raise ReadModelsDamaged(game_id) from error
    return entry


def _titled(row: _Row) -> str:
    return _summary(row).title


def _summary(row: _Row) -> GameSummary:
    game_id, kind, facts, started_at, seats, rounds, outcome = row
    try:
        ended = None if outcome is None else json.loads(outcome)
        seats = json.loads(seats)
        facts = json.loads(facts)
        texts = [kind, started_at, *(seat[part] for seat in seats for part in ("kind", "name"))]
        stored_as_text = all(isinstance(text, str) for text in texts)  # SQLite keeps anything in any column
        if not stored_as_text or not isinstance(facts, dict | None):
            raise ReadModelsDamaged(game_id)
        return GameSummary(
            game_id,
            kind,
            facts,
            started_at,
            tuple(Seat(seat["kind"], seat["name"]) for seat in seats),
            int(rounds),
            None if ended is None else Outcome(tuple(ended["scores"]), tuple(ended["ranks"])),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise ReadModelsDamaged(game_id) from error
