"""Checks of a game's words and of its books."""

import json
import re
from typing import ClassVar, Final

from pokersvc.core.books import LedgerPage
from pokersvc.core.event import AUDITOR, EVERYONE, Event, redact
from pokersvc.core.state import Entry
from pokersvc.testing.promises import Promise
from pokersvc.testing.trial import PromiseCheck, Trial
from pokersvc.text import YOU, counted

_VERBS: Final = "is|was|has|does|goes|wins|loses|takes|gets|leaves"
"""Third-person verbs of nearly every game; not every word that ends in s is a verb, as in ``You always win``."""
_THIRD_PERSON: Final = re.compile(rf"\b({YOU}['’]s)\b|(?:^|[^\w\s])\s*({YOU} (?:{_VERBS}))\b", re.MULTILINE)
"""Matches ``You's``, and ``You`` at the start of a clause with a verb in the third person."""


def third_person(said: str) -> str | None:
    """Return the part of a text that speaks of a seat named ``You`` in the third person, or None.

    >>> third_person("You is dealt Q"), third_person("It is You's turn"), third_person("You pass, and Ann checks")
    ('You is', "You's", None)
    """
    found = _THIRD_PERSON.search(said)
    return found and (found[1] or found[2])


class WordsCheck(PromiseCheck):
    """Every event, view, line of history and end has words for every viewer."""

    promise: ClassVar = Promise.WORDS

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        facts = trial.game.facts(trial.started)
        if json.loads(json.dumps(facts)) != facts:
            raise trial.broken(Promise.WORDS, f"`facts` are not plain JSON values: {facts}")
        self._text("title", trial.game.words.title(facts))
        self._tell(trial.started)

    def happened(self, event: Event) -> None:
        """Tell the event, and show the state of the game."""
        self._tell(event)

    def over(self) -> None:
        """Say who won."""
        trial, words = self.trial, self.trial.game.words
        seats, outcome = trial.game.seats(trial.started), trial.state.outcome
        assert outcome is not None
        if not len(outcome.scores) == len(outcome.ranks) == len(seats):
            raise trial.broken(Promise.PLAYS, f"the outcome {outcome} is not that of {counted(len(seats), 'seat')}")
        self._text("result", words.result(seats, outcome))
        self._lines("standings", words.standings(seats, outcome.scores))
        gains = trial.game.gains(trial.started, outcome)
        if len(gains) != len(seats):
            raise trial.broken(Promise.TOURNAMENT, f"the gains {gains} are not those of {counted(len(seats), 'seat')}")

    def _tell(self, event: Event) -> None:
        words = self.trial.game.words
        for viewer, state in {**self.trial.copies, AUDITOR: self.trial.state}.items():
            self._text(f"tell {type(event).__name__}", words.tell(redact(event, viewer), state))
            self._lines("show", words.show(state.view(viewer)))
            if state.pausing:
                for seat in self.trial.seats:
                    self._lines("before_round", words.before_round(state.view(EVERYONE), seat))
            if len(self.trial.events) > 1 and (entry := state.entry(redact(event, viewer), viewer)) is not None:
                self._entry(entry)

    def _entry(self, entry: Entry) -> None:
        if json.loads(json.dumps(entry.facts)) != entry.facts:
            raise self.trial.broken(Promise.WORDS, f"the facts of line {entry.number} are not plain JSON values")
        self._text("line", self.trial.game.words.line(entry))
        self._lines("details", self.trial.game.words.details(entry))

    def _text(self, of: str, said: object) -> None:
        if not isinstance(said, str) or not said.strip():
            raise self.trial.broken(Promise.WORDS, f"`{of}` says {said!r}")
        if (wrong := third_person(said)) is not None:
            raise self.trial.broken(
                Promise.WORDS, f"`{of}` says {wrong!r} to a seat named {YOU!r}: make sentences with `does` and `whose`"
            )

    def _lines(self, of: str, said: object) -> None:
        if not isinstance(said, list) or not all(isinstance(line, str) for line in said):
            raise self.trial.broken(Promise.WORDS, f"`{of}` says {said!r}, which is not lines of text")
        self._text(of, "\n".join(["", *said, "."]))


class BooksCheck(PromiseCheck):
    """The books of a game and its state agree, and the rows of ledger pages are as wide as their columns."""

    promise: ClassVar = Promise.BOOKS

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._books = trial.game.books(trial.started)

    def happened(self, event: Event) -> None:
        """Book the event, and compare the books with the state."""
        for mismatch in (*self._books.post(event), *self._books.compare(self.trial.state)):
            raise self.trial.broken(
                Promise.BOOKS, f"the books found {mismatch.found} where there should be {mismatch.expected}"
            )
        for page in (self._books.ledger_page(), self._books.open_ledger_page()):
            self._check_page(page)

    def _check_page(self, page: LedgerPage | None) -> None:
        if page is not None:
            for name, numbers in page.rows:
                if len(numbers) != len(page.columns):
                    raise self.trial.broken(
                        Promise.BOOKS, f"the row {name!r} of {page.title!r} has other columns than {page.columns}"
                    )
