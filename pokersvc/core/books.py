"""The books of a game: double-entry accounts of what its events move, computed only from the events.

An auditor compares the books with the state at every event: two records of the same game, made in different ways.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from typing_extensions import TypeVar

from pokersvc.core.event import Event

StateT_contra = TypeVar("StateT_contra", contravariant=True, default=Any)


class Mismatch(NamedTuple):
    """A contradiction in a game's events: ``found`` where ``expected`` should be; both are parts of a sentence."""

    found: str
    expected: str


class LedgerPage(NamedTuple):
    """A ledger page: rows of whole numbers by column, None where a row has no number."""

    title: str
    """The subject of the page: a round, or the whole game."""
    columns: tuple[str, ...]
    """The column headings."""
    rows: tuple[tuple[str, tuple[int | None, ...]], ...]
    """The rows: each has a label, such as a player's name, and one number per column."""
    notes: tuple[str, ...] = ()
    """Sentences below the rows."""


class Books(Protocol[StateT_contra]):
    """Accounts of the things that a game counts (chips, stones, beans): where they are, and how they got there."""

    def post(self, event: Event) -> Iterable[Mismatch]:
        """Book the next recorded event; return a mismatch for everything in the event that does not add up."""
        ...

    def compare(self, state: StateT_contra) -> Iterable[Mismatch]:
        """Return the differences between the books and the state after the same events."""
        ...

    def ledger_page(self) -> LedgerPage | None:
        """Return the ledger page of the round or game that the last posted event completed; None if none ended."""
        ...

    def open_ledger_page(self) -> LedgerPage | None:
        """Return the ledger page of the round in progress, as far as it is known; None between rounds."""
        ...


class NoBooks:
    """Empty accounts, for a game without anything to count (chips, beans): an audit of them finds nothing."""

    def post(self, event: Event) -> Iterable[Mismatch]:
        """Return no mismatch: nothing is booked."""
        return ()

    def compare(self, state: object) -> Iterable[Mismatch]:
        """Return no mismatch: nothing is compared."""
        return ()

    def ledger_page(self) -> LedgerPage | None:
        """Return no page."""
        return None

    def open_ledger_page(self) -> LedgerPage | None:
        """Return no page."""
        return None
