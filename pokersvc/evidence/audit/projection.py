"""The comparison of the stored read models with those that the events make: all rows and texts must be equal."""

from collections.abc import Callable, Generator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, select
from sqlalchemy.exc import OperationalError

from pokersvc.core.counting import RoundPlayed
from pokersvc.eventlog.errors import undecodable
from pokersvc.service.read_models.played_rounds import played_rounds, rows_of
from pokersvc.service.read_models.projections import Line, Listing, game_players, game_summaries, history_entries

Differs = Callable[[int | None, str, str], None]
"""Called with an event's number (None: the whole game) and descriptions of what was found and what should be there."""

STREAMED: Final = {"yield_per": 100}
MOST_SHOWN: Final = 300


class ProjectionCheck:
    """The comparison of one game's read models, which are read along with its events."""

    def __init__(self, connection: Connection, game_id: str, differs: Differs) -> None:
        self._connection, self._game_id = connection, game_id
        self._differs = differs
        self._readable = True
        summaries = self._guarded(lambda: _summaries(connection, game_id)) or [None]
        self._summary: Row[Any] | None = summaries[0]
        if len(summaries) > 1:
            differs(None, "two lines in the list of games", "one")
        self._rows = _lines(connection, game_id)
        self._next = self._guarded(lambda: next(self._rows, None))
        self._rounds = 0
        self._later: dict[int, _Later] = {}
        self._met, self._unread = 0, False
        self._played = _rounds(connection, game_id)
        self._next_played = self._guarded(lambda: next(self._played, None))

    @property
    def over(self) -> bool:
        """Whether the game is over according to the list of games."""
        return self._summary is not None and self._summary.outcome is not None

    @property
    def counted(self) -> int:
        """The number of the game's rounds that the tallies count, according to the list of games."""
        found = 0 if self._summary is None else self._summary.counted
        return found if type(found) is int else 0

    def line(self, line: Line) -> None:
        """Compare a line of history with the stored line; if a later event replaces the line, compare only then."""
        seq = line.seq
        if line.again:
            self._line_again(line)
            return
        self._rounds = line.number
        while self._next is not None and _before(self._next.number, line.number):
            self._extra()
        row = self._next
        if row is None or row.number != line.number:
            if self._readable:
                self._differs(seq, f"no line {line.number} of the history", _shown(line.facts))
            return
        if type(row.seq) is int and row.seq > seq:  # row.seq is the event that completed the line last
            self._later[line.number] = _Later(row.seq, _digest(row.facts), seq)
            self._advance()
            return
        if row.seq != seq:
            self._differs(seq, f"line {line.number} of the history at event {row.seq}", f"at event {seq}")
        if row.facts != line.facts:
            self._differs(seq, f"{_shown(row.facts)} in the history", _shown(line.facts))
        self._advance()

    def _line_again(self, line: Line) -> None:
        seq = line.seq
        row = self._later.pop(line.number, None)
        if row is None:
            self._differs(seq, f"line {line.number} of the history as it was before", _shown(line.facts))
            return
        if row.seq != seq:
            self._differs(seq, f"line {line.number} of the history at event {row.seq}", f"at event {seq}")
        if row.facts != _digest(line.facts):
            of_line = (history_entries.c.game_id == self._game_id) & (history_entries.c.number == line.number)
            found = self._connection.scalar(select(history_entries.c.facts).where(of_line))
            self._differs(seq, f"{_shown(found)} in the history", _shown(line.facts))

    def end(self, listing: Listing, started_at: str, outcome: str | None) -> None:
        """Compare the game's row in the list of games; call it when all events are read."""
        while self._next is not None:
            self._extra()
        for number, row in self._later.items():
            self._differs(row.first, f"line {number} of the history at event {row.seq}", f"at event {row.first}")
        if self._summary is None:
            if self._readable:
                self._differs(None, "no line in the list of games", "one")
            return
        expected = {
            "kind": listing.kind,
            "facts": listing.facts,
            "started_at": started_at,
            "seats": listing.seats,
            "rounds": self._rounds,
            "outcome": outcome,
            "house": listing.house,
        }
        for column, value in expected.items():
            found = getattr(self._summary, column)
            if found != value:
                self._differs(None, f"{column} {_shown(found)} in the list of games", _shown(value))

        counted = self._summary.counted
        if type(counted) is not int or not 0 <= counted <= self._rounds:
            self._differs(None, f"counted {_shown(counted)} in the list of games", f"0 to {self._rounds}")
        self._compare_players([(player, started_at) for player in listing.players])
        self._compare_rest()

    def _compare_players(self, expected: list[tuple[str, str]]) -> None:
        of = game_players.c
        asked = select(of.player, of.started_at).where(of.game_id == self._game_id).order_by(of.player)
        found = self._guarded(lambda: [tuple(row) for row in self._connection.execute(asked)])
        if found is not None and found != expected:
            self._differs(None, f"players {_shown(_people(found))} in the list of players", _shown(_people(expected)))

    def met(self, seq: int | None, played: RoundPlayed | None) -> None:
        """Compare the round that event ``seq`` completed, if any, with the round's stored rows.

        After an event that could not be read, the results of rounds are unknown.
        """
        self._met += 1
        self._unread = self._unread or seq != self._met
        if played is None or self._unread:
            return
        found = []
        while self._next_played is not None and not _before(played.round, self._next_played["round"]):
            found.append(self._next_played)
            self._next_played = self._guarded(lambda: next(self._played, None))
        expected = sorted(rows_of(self._game_id, [played]), key=_by_player)
        if found != expected and self._readable:
            wrong = [row for row in found if row not in expected]
            missing = [row for row in expected if row not in found]
            if not wrong and not missing:
                wrong, missing = found, expected
            self._differs(seq, f"{_shown(_hands(wrong))} in the sessions", _shown(_hands(missing)))

    def _compare_rest(self) -> None:
        if self._next_played is not None and not self._unread:
            self._differs(None, f"{_shown(_hands([self._next_played]))} in the sessions", "no such round")

    def close(self) -> None:
        """Close the queries, whose rows need not all have been read."""
        self._rows.close()
        self._played.close()

    def _extra(self) -> None:
        assert self._next is not None
        self._differs(None, f"line {self._next.number} of the history", "no such line")
        self._advance()

    def _advance(self) -> None:
        self._next = self._guarded(lambda: next(self._rows, None))

    def _guarded(self, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except OperationalError as error:
            if not undecodable(error.orig):
                raise
            self._readable = False
            self._differs(None, "a text that is not UTF-8 in the lists", "the text that follows from the events")
            return None


class _Later(NamedTuple):
    """The stored row of a repeated line: its event, a digest of its facts, and the event that first completed it."""

    seq: int
    facts: bytes
    first: int


def _people(rows: Sequence[tuple[object, ...]]) -> str:
    return ", ".join(f"{player} from {started_at}" for player, started_at in rows) or "nobody"


def _digest(facts: object) -> bytes:
    """Return a digest of facts that are compared later, so that memory stays small."""
    return sha256(repr(facts).encode(errors="surrogateescape")).digest()[:16]


def _summaries(connection: Connection, game_id: str) -> Sequence[Row[Any]]:
    """Return a game's rows in the list of games: one, none, or two if the table's primary key is gone."""
    return connection.execute(game_summaries.select().where(game_summaries.c.game_id == game_id).limit(2)).all()


def _lines(connection: Connection, game_id: str) -> Generator[Row[Any], None, None]:
    of_game = select(history_entries).where(history_entries.c.game_id == game_id).order_by(history_entries.c.number)
    with connection.execute(of_game, execution_options=STREAMED) as rows:
        yield from rows


def _rounds(connection: Connection, game_id: str) -> Generator[dict[str, object], None, None]:
    of = played_rounds.c
    of_game = select(played_rounds).where(of.game_id == game_id).order_by(of.round, of.player)
    with connection.execute(of_game, execution_options=STREAMED) as rows:
        yield from map(dict, rows.mappings())


def _by_player(row: Mapping[str, object]) -> bytes:
    return str(row["player"]).encode(errors="surrogatepass")


def _hands(rows: Sequence[Mapping[str, object]]) -> str:
    """Describe rows of sessions for a finding: each value after its name."""
    return "; ".join(map(_hand, rows)) or "nothing"


_NAMED: Final = {
    "player": "of player", "site": "site", "at": "moment", "net": "net", "own": "own", "table_name": "table",
    "tournament": "tournament", "currency": "currency", "exponent": "exponent",
}  # fmt: skip


def _hand(row: Mapping[str, object]) -> str:
    if row["player"] == row["site"] == "":
        return "rounds that an interrupted migration has not made (`pokersvc db upgrade` makes them)"
    named = [f"{name} {row[column]!r}" for column, name in _NAMED.items() if row[column] is not None]
    return f"round {row['round']} {', '.join(named)}"


def _before(found: object, number: object) -> bool:
    return type(found) is not int or (type(number) is int and found < number)


def _shown(value: object) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
