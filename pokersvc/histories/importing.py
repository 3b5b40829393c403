"""Hands of files into the log: each becomes one game, however often it is imported and from whose file."""

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from pokersvc.games.draw_poker.recorded import Recording, is_same_hand
from pokersvc.games.draw_poker.recorded_events import HandQuoted
from pokersvc.histories.checking import CheckedHand
from pokersvc.histories.differing import differences
from pokersvc.histories.following.finding import Contradiction
from pokersvc.histories.learning import learned
from pokersvc.histories.reading import Unread
from pokersvc.service.elsewhere import Elsewhere, RecordedAs
from pokersvc.service.service import Service

HANDS_IN_A_TRANSACTION: Final = 256

_T = TypeVar("_T")


class Became(Enum):
    """What became of a hand."""

    STORED = "stored"
    KNOWN = "known"
    """The log has it already, from a file with the same text."""
    LEARNED = "learned"
    """The log has it already, and another player's file added cards."""
    REFUSED = "refused"
    """It has findings, and is not stored."""
    KEPT = "kept"
    """It has findings, and is stored with them."""
    UNREAD = "unread"
    """It cannot be read."""


class Imported(NamedTuple):
    """A hand, and what became of it."""

    became: Became
    told: CheckedHand | Unread
    contradictions: tuple[Contradiction, ...] = ()
    """What contradicts itself, or the hand that the log has."""


def store(service: Service, hands: Iterable[CheckedHand | Unread], *, keep: bool = False) -> Iterator[Imported]:
    """Record hands, some in one transaction, and yield what became of each, in their order.

    A hand with findings is not recorded, unless ``keep`` says so; then its findings stand in its quotation.
    """
    for batch in _batches(hands, HANDS_IN_A_TRANSACTION):
        games = [
            Elsewhere(one.game_id, one.events, one.followed) if _is_good(one) or (keep and one.events) else None
            for one in batch
            if isinstance(one, CheckedHand)
        ]
        outcomes = iter(service.with_secrets.record("draw", [game for game in games if game], same=is_same_hand))
        for one in batch:
            if isinstance(one, Unread):
                yield Imported(Became.UNREAD, one)
            elif not _is_good(one) and not (keep and one.events):
                yield Imported(Became.REFUSED, one, one.contradictions)
            else:
                yield _imported(service, one, next(outcomes))


def _is_good(one: CheckedHand | Unread) -> bool:
    return isinstance(one, CheckedHand) and bool(one.events) and not one.contradictions


def _batches(hands: Iterable[_T], size: int) -> Iterator[list[_T]]:
    left = iter(hands)
    while batch := list(islice(left, size)):
        yield batch


def _imported(service: Service, one: CheckedHand, outcome: RecordedAs) -> Imported:
    if outcome is RecordedAs.KNOWN:
        return Imported(Became.KNOWN, one, one.contradictions)
    if outcome is RecordedAs.NEW:
        return Imported(Became.KEPT if one.contradictions else Became.STORED, one, one.contradictions)
    stored = service.with_secrets.kept(one.game_id)
    quote = next(event for event in one.events if isinstance(event, HandQuoted))
    if found := tuple(differences(stored, one.events)):
        return Imported(Became.REFUSED, one, found)
    if not (news := learned(stored, one.events)):
        return Imported(Became.KNOWN, one)
    recording = Recording.of(stored)
    before = len(recording.wrong)
    recording.learn(quote, *news)
    if wrong := recording.wrong[before:]:
        return Imported(
            Became.REFUSED, one, tuple(Contradiction(one.line, found, implied) for _, (found, implied) in wrong)
        )
    service.with_secrets.add(one.game_id, [quote, *news], expected=len(stored))
    return Imported(Became.LEARNED, one)
