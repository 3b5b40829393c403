"""Predicts what an import would store and find, without storing anything; also audits files on their own.

A hand is compared with the log, if there is one, and with the earlier hands of the same run. The text of those is on
disk: SQLite keeps it in an unnamed temporary file, which disappears however the run ends. An earlier hand is checked
again only if the same hand comes with another text.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from pokersvc.core.event import Event
from pokersvc.eventlog.errors import StorageFailed
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.recorded_hands.recorded import is_same_hand
from pokersvc.histories.checking import CheckedHand, HandSource, told_again
from pokersvc.histories.dialect import Block
from pokersvc.histories.differences import AS_STORED, AS_TOLD_BEFORE
from pokersvc.histories.importing import HANDS_IN_A_TRANSACTION, Became, Imported, batches, compared, is_good
from pokersvc.histories.reading import Unread
from pokersvc.service.service import Service

_CACHE: Final = 32 * 1024
"""Memory in KiB that SQLite may use for the hands read earlier."""
_NOWHERE: Final = Path()


def foreseen(log: EventLog | None, hands: Iterable[CheckedHand | Unread], *, keep: bool = False) -> Iterator[Imported]:
    """Yield what `pokersvc.histories.importing.store` would yield for these hands, without storing anything.

    The hands must have their events. ``log`` is None if there is no database yet.
    """
    with closing(_Before()) as before:
        for batch in batches(hands, HANDS_IN_A_TRANSACTION):
            stored = _Stored(log, batch)
            for one in batch:
                if isinstance(one, Unread):
                    yield Imported(Became.UNREAD, one)
                elif not is_good(one) and not (keep and one.events):
                    yield Imported(Became.REFUSED, one, one.contradictions)
                else:
                    yield _foreseen(before, one, one.game_id, stored.events(one), AS_STORED)


def audited(hands: Iterable[CheckedHand | Unread]) -> Iterator[Imported]:
    """Yield the result for each hand, also checked against the hands before it; the hands have no events.

    `Became.STORED` means that a hand has no findings.
    """
    with closing(_Before()) as before:
        for one in hands:
            if isinstance(one, Unread):
                yield Imported(Became.UNREAD, one)
            elif one.contradictions:
                yield Imported(Became.REFUSED, one, one.contradictions)
            else:
                yield _foreseen(before, one, f"{one.site}/{one.number}", [], AS_TOLD_BEFORE)


class _Stored:
    """The games that the log already has for the hands of a batch."""

    def __init__(self, log: EventLog | None, batch: Sequence[CheckedHand | Unread]) -> None:
        self._service, self._known = None, set[str]()
        if log is not None:
            self._service = Service(log)
            with log.snapshot() as snapshot:
                self._known = snapshot.known([one.game_id for one in batch if isinstance(one, CheckedHand)])

    def events(self, one: CheckedHand) -> list[Event]:
        """Return the events of the stored game of a hand; empty if it is not stored."""
        if self._service is None or one.game_id not in self._known:
            return []
        return self._service.with_secrets.kept(one.game_id)


def _foreseen(before: "_Before", one: CheckedHand, id_: str, stored: list[Event], against: str) -> Imported:
    assert one.telling is not None
    if not stored and before.add(id_, one.telling):
        return Imported(Became.KEPT if one.contradictions else Became.STORED, one, one.contradictions)
    tellings = before.of(id_)
    if not stored and _is_same_text(tellings[0], one.telling):
        return Imported(Became.KNOWN, one, one.contradictions)
    hand = one if one.events else _followed(one.telling)
    kept = stored or list(_followed(tellings.pop(0)).events)
    if is_same_hand(kept, hand.events):
        return Imported(Became.KNOWN, one, one.contradictions)
    for telling in tellings:
        kept += compared(kept, _followed(telling))[1]
    imported, news = compared(kept, hand, against)
    if news:
        before.add_more(id_, one.telling)
    return imported._replace(told=one)


def _is_same_text(one: "HandSource", other: "HandSource") -> bool:
    return (one.dialect, one.block.text, one.block.context) == (other.dialect, other.block.text, other.block.context)


def _followed(telling: HandSource) -> CheckedHand:
    hand = told_again(telling)
    assert isinstance(hand, CheckedHand)  # the hand was readable the first time
    return hand


class _Before:
    """The earlier hands of a run: for each, its first telling and the later tellings that added cards."""

    def __init__(self) -> None:
        with _on_disk():
            self._rows = sqlite3.connect("", isolation_level=None)
            for statement in (
                "PRAGMA journal_mode = OFF",
                "PRAGMA synchronous = OFF",
                f"PRAGMA cache_size = -{_CACHE}",
                "CREATE TABLE first (id TEXT PRIMARY KEY, dialect TEXT, line INTEGER, text TEXT, context TEXT)",
                "CREATE TABLE more (id TEXT, dialect TEXT, line INTEGER, text TEXT, context TEXT)",
                "CREATE INDEX more_by_id ON more (id)",
                "BEGIN",
            ):
                self._rows.execute(statement)

    def close(self) -> None:
        """Discard the hands."""
        self._rows.close()

    def add(self, id_: str, telling: HandSource) -> bool:
        """Keep a hand unless its ID is known, and return whether it was new."""
        try:  # a context manager would take as long as the statement itself
            return self._rows.execute(_ADD, _row(id_, telling)).rowcount > 0
        except sqlite3.Error as error:
            raise _no_room(error) from error

    def add_more(self, id_: str, telling: HandSource) -> None:
        """Keep a further telling of a known hand: another file's text, which adds cards to the earlier ones."""
        with _on_disk():
            self._rows.execute("INSERT INTO more VALUES (?, ?, ?, ?, ?)", _row(id_, telling))

    def of(self, id_: str) -> list[HandSource]:
        """Return the tellings of a hand, earliest first."""
        with _on_disk():
            found = self._rows.execute(_OF, (id_, id_)).fetchall()
        return [HandSource(_NOWHERE, dialect, Block(line, text, context), "") for dialect, line, text, context in found]


_ADD: Final = "INSERT OR IGNORE INTO first VALUES (?, ?, ?, ?, ?)"
_OF: Final = (
    "SELECT dialect, line, text, context FROM first WHERE id = ?"
    " UNION ALL SELECT dialect, line, text, context FROM (SELECT * FROM more WHERE id = ? ORDER BY rowid)"
)


def _row(id_: str, telling: HandSource) -> tuple[str, str, int, str, str]:
    block = telling.block
    return id_, telling.dialect, block.first_line, block.text, block.context


@contextmanager
def _on_disk() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _no_room(error) from error


def _no_room(error: sqlite3.Error) -> StorageFailed:
    return StorageFailed(f"The hands read so far cannot be kept on disk for comparison: {error}.")
