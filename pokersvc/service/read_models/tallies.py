"""The tallies: counts of all finished hands, added up by player and by position, house, opponents, their kinds and day.

They are a read model over all games together. The list of games says how many rounds of each game are in the tallies.
So readers add the other hands themselves (`pokersvc.service.read_models.statistics`), and no command waits for the
tallies. `tally` puts hands into them; `pokersvc db rebuild` rebuilds them with all other read models.

They hold only hands of built-in games. One row counts hands of many games, so if hands of a package's game were among
them, no audit could check that row where the package is not installed.
"""

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    Table,
    bindparam,
    delete,
    select,
    update,
)

from pokersvc.core.codec import UnreadableEvent
from pokersvc.core.counting import Figures, RoundCount, RoundCounter, SeatCount
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.registry import BUILT_IN, game_of, usable
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.record import ChainBroken
from pokersvc.eventlog.snapshot import Snapshot
from pokersvc.eventlog.tables import KEY, metadata
from pokersvc.service.read_models.projections import UNCOUNTED, game_summaries

DIMENSIONS: Final = ("all", "position", "opponents", "house", "opponent", "kind", "day")
"""The dimensions by which hands are added up; ``all`` has one value, the empty text."""

tallies = Table(
    "tallies",
    metadata,
    Column("dimension", KEY, primary_key=True),
    Column("player", KEY, primary_key=True),
    Column("site", KEY, primary_key=True),
    Column("value", KEY, primary_key=True),
    Column("currency", KEY, primary_key=True),
    Column("exponent", Integer, primary_key=True, autoincrement=False),
    *[Column(name, BigInteger, nullable=False) for name in Figures._fields],
    sqlite_with_rowid=False,
)

GAMES_AT_ONCE: Final = 500
"""The number of games that are put into the tallies in one transaction."""


class Key(NamedTuple):
    """The key of a row of counts: a dimension and its value, a player at a site, and a currency."""

    dimension: str
    player: str
    site: str
    value: str
    currency: str
    exponent: int


Sums = dict[Key, Figures]
"""The counts and amounts of hands, by key."""


class CountedHand(NamedTuple):
    """A finished hand, and where and when it was played."""

    game_id: str
    day: str
    """The day in UTC, such as ``2026-01-31``."""
    hand: RoundCount
    moment: str
    """The time when it was played or, if that is unknown, recorded, in UTC, as text that sorts by time."""

    @classmethod
    def of(cls, game_id: str, hand: RoundCount, recorded_at: str) -> "CountedHand":
        """Return a hand whose last event was recorded at ``recorded_at``."""
        return cls(game_id, hand.day or recorded_at[:10], hand, hand.played_at or recorded_at)


class Uncounted(NamedTuple):
    """A game some of whose hands are not in the tallies yet."""

    game_id: str
    kind: str
    counted: int
    """The number of its rounds that are in the tallies."""
    rounds: int


def add_hand(
    sums: Sums, played: CountedHand, dimensions: Iterable[str] = DIMENSIONS, players: Collection[str] = ()
) -> None:
    """Add a hand to the sums of its players, or only of the players named."""
    hand = played.hand
    for seat in seats_counted(hand):
        if players and seat.player not in players:
            continue
        for dimension in dimensions:
            for value in values_of(dimension, played, seat):
                add(sums, Key(dimension, seat.player, hand.site, value, hand.currency, hand.exponent), seat.figures)


def seats_counted(hand: RoundCount) -> Iterator[SeatCount]:
    """Yield the seats of a hand with a figure other than 0, so that no row of the tallies has only zeros."""
    return (seat for seat in hand.seats if any(seat.figures))


def add(sums: Sums, key: Key, figures: Figures) -> None:
    """Add figures to the sum of a key."""
    found = sums.get(key)
    sums[key] = figures if found is None else Figures(*map(operator.add, found, figures))


def values_of(dimension: str, played: CountedHand, seat: SeatCount) -> tuple[str, ...]:
    """Return the values of a dimension under which a seat's part in a hand counts: one, or one per opponent."""
    match dimension:
        case "position":
            return (seat.position,)
        case "opponents":
            return (str(len(seat.opponents)),)
        case "house":
            return (played.hand.house,)
        case "day":
            return (played.day,)
        case "kind":
            return (seat.against,)
        case "opponent":
            return tuple(dict.fromkeys(seat.opponents))
    return ("",)


def counts_rounds(kind: str) -> bool:
    """Return whether games of a kind have hands that are counted."""
    return usable(kind) and game_of(kind).counts_rounds


def may_be_tallied(kind: str) -> bool:
    """Return whether games of a kind can be marked as counted: the tallies store their hands, or they have no hands."""
    return kind in BUILT_IN or (usable(kind) and not game_of(kind).counts_rounds)


MISCOUNTED: Final = (ChainBroken, UnreadableEvent, LookupError)
"""The errors of counting the hands of a damaged or forged log; an audit says what is wrong with the log."""


def hands_of(snapshot: Snapshot, game_id: str, kind: str) -> Iterator[CountedHand]:
    """Yield the finished hands of a game whose kind `counts_rounds`; raise one of `MISCOUNTED` for a damaged log."""
    game = game_of(kind)
    decode = game.codec.decode
    counter: RoundCounter | None = None
    with closing(snapshot.read(game_id)) as records:
        for record in records:
            event = decode(record.type, record.version, record.payload, None)
            if counter is None:
                counter = game.round_counter(event)
            elif (hand := counter.take(event)) is not None:
                yield CountedHand.of(game_id, hand, record.recorded_at)


def uncounted(connection: Connection, after: str = "", most: int | None = None) -> list[Uncounted]:
    """Return up to ``most`` games with hands that are not in the tallies, in order of id, with ids above ``after``."""
    of_game = game_summaries.c
    found = select(of_game.game_id, of_game.kind, of_game.counted, of_game.rounds).where(UNCOUNTED)
    found = found.where(of_game.game_id > after).order_by(of_game.game_id).limit(most)
    return [Uncounted(*row) for row in connection.execute(found)]


def new_hands(connection: Connection, game: Uncounted) -> Iterator[CountedHand]:
    """Yield the hands of a game that are not in the tallies; raise one of `MISCOUNTED` as `hands_of` does."""
    if type(game.counted) is not int or type(game.rounds) is not int:
        raise LookupError(f"the list of games has no number of rounds for game {game.game_id}")
    if counts_rounds(game.kind):
        for played in hands_of(Snapshot(connection), game.game_id, game.kind):
            if game.counted < played.hand.round <= game.rounds:
                yield played


def tally(database: Database) -> int:
    """Add the hands that the tallies lack, of all built-in games, and return the number of games that had such hands.

    Several processes may do this at once. A game whose log is damaged is left out; readers of the tallies are told so.
    """
    after, games = "", 0
    while True:
        with database.append() as connection:
            if database.on_server:  # on a server, others may write meanwhile, and must not count the same hands
                connection.exec_driver_sql(_ALONE)
            found = uncounted(connection, after, GAMES_AT_ONCE)
            games += _tally(connection, found)
        if len(found) < GAMES_AT_ONCE:
            return games
        after = found[-1].game_id


_ALONE: Final = "SELECT pg_advisory_xact_lock(hashtext('pokersvc: tallies'))"


class GameTally:
    """Counts the hands of a game while its events are read for another purpose."""

    def __init__(self, game: Game, game_id: str) -> None:
        self._game, self._game_id = game, game_id
        self._counter: RoundCounter | None = None
        self._sums: Sums = {}
        self._countable = may_be_tallied(game.kind)

    def take(self, event: Event, recorded_at: str) -> None:
        """Take the next event, beginning with the first, and count the hand that the event completes, if any."""
        if not (self._game.counts_rounds and self._countable):
            return
        try:
            if self._counter is None:
                self._counter = self._game.round_counter(event)
            elif (hand := self._counter.take(event)) is not None:
                add_hand(self._sums, CountedHand.of(self._game_id, hand, recorded_at))
        except LookupError:
            self._countable = False

    def add_to(self, sums: Sums, connection: Connection) -> None:
        """Add all hands to ``sums``, and mark the game's existing entry in the list of games as counted."""
        if self._countable:
            for key, figures in self._sums.items():
                add(sums, key, figures)
            of_game = game_summaries.c
            connection.execute(
                update(game_summaries).where(of_game.game_id == self._game_id).values(counted=of_game.rounds)
            )


def _tally(connection: Connection, games: Iterable[Uncounted]) -> int:
    sums: Sums = {}
    done = []
    for game in games:
        if not may_be_tallied(game.kind):
            continue
        try:
            hands = list(new_hands(connection, game))
        except MISCOUNTED:
            continue
        for played in hands:
            add_hand(sums, played)
        done.append({"of": game.game_id, "now": game.rounds})
    store(connection, sums)
    if done:
        connection.execute(_COUNTED, done)
    return len(done)


_COUNTED: Final = (
    update(game_summaries).where(game_summaries.c.game_id == bindparam("of")).values(counted=bindparam("now"))
)


def store(connection: Connection, sums: Mapping[Key, Figures]) -> None:
    """Add figures to those stored in the tallies."""
    if sums:
        # Executed by the driver directly: SQLAlchemy takes four times as long to prepare so many values.
        connection.exec_driver_sql(_adding(connection.dialect.name), [(*key, *sums[key]) for key in sorted(sums)])


@cache
def _adding(dialect: str) -> str:
    """Return the SQL that adds a row; for SQLite and PostgreSQL it differs only in the placeholders."""
    columns = [column.name for column in tallies.columns]
    values = ", ".join(["?" if dialect == "sqlite" else "%s"] * len(columns))
    grown = ", ".join(f"{name} = tallies.{name} + excluded.{name}" for name in Figures._fields)
    inserted = f"INSERT INTO tallies ({', '.join(columns)}) VALUES ({values})"  # noqa: S608  # names of columns alone
    return f"{inserted} ON CONFLICT ({', '.join(Key._fields)}) DO UPDATE SET {grown}"


def clear(connection: Connection) -> None:
    """Delete the tallies before they are made again."""
    connection.execute(delete(tallies))
    connection.execute(update(game_summaries).values(counted=0))
