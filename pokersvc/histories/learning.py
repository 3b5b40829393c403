"""What another player's file of the same hand adds: that player's cards. Where public facts differ, it is a finding."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pokersvc.cards.unknown import AnyCard, known_among
from pokersvc.core.event import EVERYONE, Event, redact
from pokersvc.games.draw_poker.events import HandShown, HandsRevealed
from pokersvc.games.draw_poker.recorded import Recording
from pokersvc.games.draw_poker.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.histories.following.finding import Contradiction

_EventT = TypeVar("_EventT", bound=Event)


def differences(kept: Sequence[Event], told: Sequence[Event], lines: Sequence[int]) -> Iterator[Contradiction]:
    """Yield the first public fact in which a hand differs from the recorded one, at its line.

    ``lines`` has the line of each event of ``told`` after its quotation, 0 where it follows from those before.
    """
    ours = list(filter(_is_played, kept))
    others = [(event, line) for event, line in zip(told, (0, 0, *lines), strict=True) if _is_played(event)]
    at = 0
    for place in range(max(len(ours), len(others))):
        one = _public(ours[place]) if place < len(ours) else None
        other, line = others[place] if place < len(others) else (None, 0)
        at = line or at
        if one != (other and _public(other)):
            yield Contradiction(at, _said(other), f"{_said(one)}, as the recorded hand has it")
            return


def _said(event: Event | None) -> str:
    return "no more" if event is None else str(_public(event))


def _is_played(event: Event) -> bool:
    return not isinstance(event, HandQuoted | DealRecorded | CardsLearned | HandsRevealed)


def _public(event: Event) -> Event:
    """Return what everybody may know of an event; in which order a hand is shown says nothing."""
    if isinstance(event, HandShown):
        event = replace(event, cards=tuple(sorted(event.cards)))
    return redact(event, EVERYONE)


def learned(kept: Sequence[Event], told: Sequence[Event]) -> list[CardsLearned]:
    """Return what a second file tells of cards, by seat; nothing where all of it is known."""
    known = Recording.of(kept).state
    news: list[CardsLearned] = []
    for seat in range(1, len(known.hands)):
        cards = _cards(told, seat)
        parts = zip(cards, _cards_after(kept, seat), strict=True)
        if any(set(known_among(new)) - set(known_among(old)) for new, old in parts):
            dealt, discarded, drawn, held = cards
            news.append(CardsLearned(dealt=dealt, discarded=discarded, drawn=drawn, held=held, seat=seat))
    return news


def _cards(game: Sequence[Event], seat: int) -> tuple[tuple[AnyCard, ...], ...]:
    """Return what a game knows of a seat's cards: dealt, discarded, drawn, and those told at the end."""
    dealt = _joined(event.cards for event in _of(game, RecordedHandDealt, seat))
    discarded = _joined(event.cards for event in _of(game, RecordedCardsDiscarded, seat))
    drawn = _joined(event.cards for event in _of(game, RecordedCardsDrawn, seat))
    recorded = next((event for event in game if isinstance(event, DealRecorded)), None)
    held = next((one.held for one in (recorded.cards or () if recorded else ()) if one.seat == seat), ())
    return dealt, discarded, drawn, held


def _cards_after(game: Sequence[Event], seat: int) -> tuple[tuple[AnyCard, ...], ...]:
    """Return the same of a game with all that was learned of it so far."""
    parts = _cards(game, seat)
    for event in game:
        if isinstance(event, CardsLearned) and event.seat == seat:
            news = (event.dealt or (), event.discarded or (), event.drawn or (), event.held or ())
            parts = tuple(new or old for old, new in zip(parts, news, strict=True))
    return parts


def _of(game: Sequence[Event], type_: type[_EventT], seat: int) -> Iterator[_EventT]:
    return (event for event in game if isinstance(event, type_) and getattr(event, "seat", 0) == seat)


def _joined(parts: Iterator[tuple[AnyCard, ...] | None]) -> tuple[AnyCard, ...]:
    return tuple([card for part in parts for card in part or ()])
