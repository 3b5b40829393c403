"""Checks of what is said and counted: the words of a game, and its books."""

import json
from typing import Any, ClassVar

from pokersvc.core.books import Page
from pokersvc.core.event import AUDITOR, EVERYONE, Event, redact
from pokersvc.core.state import Entry
from pokersvc.testing.promises import Promise
from pokersvc.testing.table import Check, Table
from pokersvc.text import counted


class Telling(Check):
    """Every event, view, line of history and end has its words, in the eyes of every viewer."""

    promise: ClassVar = Promise.WORDS

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        facts = table.game.facts(table.started)
        if json.loads(json.dumps(facts)) != facts:
            raise table.broken(Promise.WORDS, f"`facts` are not plain JSON values: {facts}")
        self._text("title", table.game.words.title(facts))
        self._tell(table.started)

    def happened(self, event: Event) -> None:
        """Tell the event, and show where the game stands."""
        self._tell(event)

    def over(self) -> None:
        """Tell who won."""
        table, words = self.table, self.table.game.words
        seats, outcome = table.game.seats(table.started), table.state.outcome
        assert outcome is not None
        if not len(outcome.scores) == len(outcome.ranks) == len(seats):
            raise table.broken(Promise.PLAYS, f"the outcome {outcome} is not that of {counted(len(seats), 'seat')}")
        self._text("result", words.result(seats, outcome))
        self._lines("standings", words.standings(seats, outcome.scores))
        gains = table.game.gains(table.started, outcome)
        if len(gains) != len(seats):
            raise table.broken(Promise.TOURNAMENT, f"the gains {gains} are not those of {counted(len(seats), 'seat')}")

    def _tell(self, event: Event) -> None:
        words = self.table.game.words
        for viewer, state in {**self.table.copies, AUDITOR: self.table.state}.items():
            self._text(f"tell {type(event).__name__}", words.tell(redact(event, viewer), state))
            self._lines("show", words.show(state.view(viewer)))
            if state.pausing:
                for seat in self.table.seats:
                    self._lines("before_round", words.before_round(state.view(EVERYONE), seat))
            if len(self.table.events) > 1 and (entry := state.entry(redact(event, viewer), viewer)) is not None:
                self._entry(entry)

    def _entry(self, entry: Entry) -> None:
        if json.loads(json.dumps(entry.facts)) != entry.facts:
            raise self.table.broken(Promise.WORDS, f"the facts of line {entry.number} are not plain JSON values")
        self._text("line", self.table.game.words.line(entry))
        self._lines("details", self.table.game.words.details(entry))

    def _text(self, of: str, said: Any) -> None:
        if not isinstance(said, str) or not said.strip():
            raise self.table.broken(Promise.WORDS, f"`{of}` says {said!r}")

    def _lines(self, of: str, said: Any) -> None:
        if not isinstance(said, list) or not all(isinstance(line, str) for line in said):
            raise self.table.broken(Promise.WORDS, f"`{of}` says {said!r}, which are no lines")


class Books(Check):
    """The books of a game and its state count the same, and pages of a ledger have rows as wide as their columns."""

    promise: ClassVar = Promise.BOOKS

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._books = table.game.books(table.started)

    def happened(self, event: Event) -> None:
        """Book the event, and compare the books with the state."""
        for mismatch in (*self._books.post(event), *self._books.compare(self.table.state)):
            raise self.table.broken(
                Promise.BOOKS, f"the books found {mismatch.found} where there should be {mismatch.expected}"
            )
        for page in (self._books.page(), self._books.open_page()):
            self._check_page(page)

    def _check_page(self, page: Page | None) -> None:
        if page is not None:
            for name, numbers in page.rows:
                if len(numbers) != len(page.columns):
                    raise self.table.broken(
                        Promise.BOOKS, f"the row {name!r} of {page.title!r} has other columns than {page.columns}"
                    )
