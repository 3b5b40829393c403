"""The books of a game: what its events move between accounts (double-entry), kept from the events alone.

An auditor compares them with the state at every event: two records of the same game, made in different ways.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from typing_extensions import TypeVar

from pokersvc.core.event import Event

StateT_contra = TypeVar("StateT_contra", contravariant=True, default=Any)


class Mismatch(NamedTuple):
    """What was found in a game's events, and what should have been: to follow "found" and "where there should be"."""

    found: str
    expected: str


class LedgerPage(NamedTuple):
    """A ledger page: rows of whole numbers by column, None if a row has no such number."""

    title: str
    """What the page is of: a round, or the whole game."""
    columns: tuple[str, ...]
    """What the numbers of a row are."""
    rows: tuple[tuple[str, tuple[int | None, ...]], ...]
    """Who or what has the numbers, and the numbers, one for each column."""
    notes: tuple[str, ...] = ()
    """Sentences below the rows."""


class Books(Protocol[StateT_contra]):
    """What a game counts (chips, stones, beans), where it is, and how it got there."""

    def post(self, event: Event) -> Iterable[Mismatch]:
        """Book an event, the next that was recorded; return what in it does not add up."""
        ...

    def compare(self, state: StateT_contra) -> Iterable[Mismatch]:
        """Return where the books and the state after the same events differ."""
        ...

    def ledger_page(self) -> LedgerPage | None:
        """Return the ledger page that the last posted event completed: a round, or at the end the whole game."""
        ...

    def open_ledger_page(self) -> LedgerPage | None:
        """Return the ledger page of the round in progress, as far as it is known; None between rounds."""
        ...


class NoBooks:
    """The books of a game that counts nothing."""

    def post(self, event: Event) -> Iterable[Mismatch]:
        """Find nothing to book."""
        return ()

    def compare(self, state: object) -> Iterable[Mismatch]:
        """Find nothing to compare."""
        return ()

    def ledger_page(self) -> LedgerPage | None:
        """Return no page."""
        return None

    def open_ledger_page(self) -> LedgerPage | None:
        """Return no page."""
        return None
