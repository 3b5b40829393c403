"""Imports hands of files into the log as games; a hand becomes one game even if it is in several files."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from pokersvc.core.event import Event
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.games.draw_poker.recorded_hands.recorded import Recording, is_same_hand
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, HandQuoted
from pokersvc.histories.checking import CheckedHand
from pokersvc.histories.differences import AS_STORED, differences
from pokersvc.histories.following.finding import Contradiction
from pokersvc.histories.learning import learned, line_of, other_cards
from pokersvc.histories.reading import Unread
from pokersvc.service.importing import Elsewhere, RecordedAs
from pokersvc.service.service import Service

HANDS_IN_A_TRANSACTION: Final = 256

_T = TypeVar("_T")


class Became(Enum):
    """The result of importing a hand."""

    STORED = "stored"
    KNOWN = "known"
    """The log has the hand already, and the file adds nothing."""
    LEARNED = "learned"
    """The log has the hand already, and another player's file added cards."""
    REFUSED = "refused"
    """The hand has findings, and is not stored."""
    KEPT = "kept"
    """The hand has findings, and is stored with them."""
    UNREAD = "unread"
    """The hand cannot be read."""


class Imported(NamedTuple):
    """A hand and the result of its import."""

    became: Became
    told: CheckedHand | Unread
    contradictions: tuple[Contradiction, ...] = ()
    """Contradictions within the hand, or with the hand in the log."""


def store(service: Service, hands: Iterable[CheckedHand | Unread], *, keep: bool = False) -> Iterator[Imported]:
    """Record hands, a batch per transaction, and yield the result of each, in order.

    A hand with findings is recorded only with ``keep``; then its quotation lists the findings.
    """
    for batch in batches(hands, HANDS_IN_A_TRANSACTION):
        games = [
            Elsewhere(one.game_id, one.events, one.followed) if is_good(one) or (keep and one.events) else None
            for one in batch
            if isinstance(one, CheckedHand)
        ]
        outcomes = iter(service.with_secrets.record("draw", [game for game in games if game], same=is_same_hand))
        for one in batch:
            if isinstance(one, Unread):
                yield Imported(Became.UNREAD, one)
            elif not is_good(one) and not (keep and one.events):
                yield Imported(Became.REFUSED, one, one.contradictions)
            else:
                yield _imported(service, one, next(outcomes))


def is_good(one: CheckedHand | Unread) -> bool:
    """Return whether a hand was read, has events and has no findings."""
    return isinstance(one, CheckedHand) and bool(one.events) and not one.contradictions


def batches(hands: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield hands in lists of at most ``size``."""
    left = iter(hands)
    while batch := list(islice(left, size)):
        yield batch


def _imported(service: Service, one: CheckedHand, outcome: RecordedAs) -> Imported:
    if outcome is RecordedAs.KNOWN:
        return Imported(Became.KNOWN, one, one.contradictions)
    if outcome is RecordedAs.NEW:
        return Imported(Became.KEPT if one.contradictions else Became.STORED, one, one.contradictions)
    while True:
        stored = service.with_secrets.kept(one.game_id)
        imported, news = compared(stored, one)
        if not news:
            return imported
        with suppress(ConcurrentUpdate):  # another import has added something meanwhile: compare again
            service.with_secrets.add(one.game_id, news, expected=len(stored))
            return imported


def compared(kept: Sequence[Event], one: CheckedHand, against: str = AS_STORED) -> tuple[Imported, tuple[Event, ...]]:
    """Compare a hand with the game that an earlier import made of it; return the result, and the events to add."""
    quote = next(event for event in one.events if isinstance(event, HandQuoted))
    if found := tuple(differences(kept, one.events, against)) or tuple(other_cards(kept, one.events, against)):
        return Imported(Became.REFUSED, one, found), ()
    if not (news := learned(kept, one.events)):
        return Imported(Became.KNOWN, one), ()
    recording = Recording.of(kept)
    before = len(recording.wrong)
    recording.learn(quote, *news)
    if wrong := recording.wrong[before:]:
        said = tuple(
            Contradiction(_line_of(one, event), found, implied, against.replace("says", "implies"))
            for event, (found, implied) in wrong
        )
        return Imported(Became.REFUSED, one, said), ()
    return Imported(Became.LEARNED, one), (quote, *news)


def _line_of(one: CheckedHand, event: Event) -> int:
    return line_of(one.events, event.seat) if isinstance(event, CardsLearned) else one.line
