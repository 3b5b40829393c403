"""What another player's file of the same hand adds: that player's cards."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pokersvc.cards.unknown import AnyCard, known_among
from pokersvc.core.event import Event
from pokersvc.games.draw_poker.recorded import Recording
from pokersvc.games.draw_poker.recorded_events import (
    CardsLearned,
    DealRecorded,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)

_EventT = TypeVar("_EventT", bound=Event)


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
