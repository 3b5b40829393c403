"""The read models beside what the events say: every row and every text in it has to be the same."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, select
from sqlalchemy.exc import OperationalError

from pokersvc.eventlog.errors import undecodable
from pokersvc.games.game import Entry, Game, Outcome, Seat
from pokersvc.readmodels import facts_text, game_summaries, history_entries, outcome_text, seats_text

Told = Callable[[int | None, str, str], None]
"""Takes an event's number (None: the whole game), what was found, and what should have been."""

STREAMED: Final = {"yield_per": 100}
MOST_SHOWN: Final = 300


class Lists:
    """What lists and histories say of one game, read along with its events."""

    def __init__(self, connection: Connection, game_id: str, told: Told) -> None:
        self._told = told
        self._readable = True
        summaries = self._guarded(lambda: _summaries(connection, game_id)) or [None]
        self._summary: Row[Any] | None = summaries[0]
        if len(summaries) > 1:
            told(None, "two lines in the list of games", "one")
        self._rows = _lines(connection, game_id)
        self._next = self._guarded(lambda: next(self._rows, None))
        self._rounds = 0

    @property
    def over(self) -> bool:
        """Whether the lists say that the game is over."""
        return self._summary is not None and self._summary.outcome is not None

    def line(self, seq: int, entry: Entry) -> None:
        """Compare a line of the history that event ``seq`` completed."""
        self._rounds = entry.number
        while self._next is not None and _before(self._next.number, entry.number):
            self._extra()
        row = self._next
        if row is None or row.number != entry.number:
            if self._readable:
                self._told(seq, f"no line {entry.number} of the history", _shown(facts_text(entry)))
            return
        if row.seq != seq:
            self._told(seq, f"line {entry.number} of the history at event {row.seq}", f"at event {seq}")
        if row.facts != (facts := facts_text(entry)):
            self._told(seq, f"{_shown(row.facts)} in the history", _shown(facts))
        self._advance()

    def end(self, game: Game, started: Any, started_at: str, seats: tuple[Seat, ...], outcome: Outcome | None) -> None:
        """Compare what the game's row says, once all its events are read."""
        while self._next is not None:
            self._extra()
        if self._summary is None:
            if self._readable:
                self._told(None, "no line in the list of games", "one")
            return
        expected = {
            "kind": game.kind,
            "title": game.words.title(started),
            "started_at": started_at,
            "seats": seats_text(seats),
            "rounds": self._rounds,
            "outcome": None if outcome is None else outcome_text(outcome),
        }
        for column, value in expected.items():
            found = getattr(self._summary, column)
            if found != value:
                self._told(None, f"{column} {_shown(found)} in the list of games", _shown(value))

    def close(self) -> None:
        """Let go of the rows that were not read."""
        self._rows.close()

    def _extra(self) -> None:
        assert self._next is not None
        self._told(None, f"line {self._next.number} of the history", "no such line")
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
            self._told(None, "a text that is not UTF-8 in the lists", "the text that follows from the events")
            return None


def _summaries(connection: Connection, game_id: str) -> Sequence[Row[Any]]:
    """Return a game's line in the list: one, none, or two where the key of the table is gone."""
    return connection.execute(game_summaries.select().where(game_summaries.c.game_id == game_id).limit(2)).all()


def _lines(connection: Connection, game_id: str) -> Generator[Row[Any], None, None]:
    of_game = select(history_entries).where(history_entries.c.game_id == game_id).order_by(history_entries.c.number)
    with connection.execute(of_game, execution_options=STREAMED) as rows:
        yield from rows


def _before(found: Any, number: int) -> bool:
    return type(found) is not int or found < number


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
