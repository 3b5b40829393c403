"""Finds the cards that another player's file of the same hand adds, and those that contradict known cards."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from pokersvc.cards.unknown import AnyCard, known_among, unknown
from pokersvc.core.event import Event
from pokersvc.games.draw_poker.events import GameStarted, HandMucked, HandShown
from pokersvc.games.draw_poker.recorded_hands.recorded import Recording
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.histories.following.finding import Contradiction

_EventT = TypeVar("_EventT", bound=Event)

_PARTS: Final = (
    ("is dealt", RecordedHandDealt),
    ("discards", RecordedCardsDiscarded),
    ("draws", RecordedCardsDrawn),
    ("held", HandMucked),
)
"""Verb and type of event for each group of a seat's cards: dealt, discarded, drawn, and held at the end."""


def learned(kept: Sequence[Event], told: Sequence[Event]) -> list[CardsLearned]:
    """Return an event, with all known cards of the seat, for each seat with cards that only a second file has."""
    known = Recording.of(kept).state
    news: list[CardsLearned] = []
    for seat in range(1, len(known.hands)):
        cards = _cards(told, seat)
        parts = zip(cards, cards_known(kept, seat), strict=True)
        if any(set(known_among(new)) - set(known_among(old)) for new, old in parts):
            dealt, discarded, drawn, held = cards
            news.append(CardsLearned(dealt=dealt, discarded=discarded, drawn=drawn, held=held, seat=seat))
    return news


def other_cards(kept: Sequence[Event], told: Sequence[Event], against: str) -> Iterator[Contradiction]:
    """Yield a contradiction at the first cards of a second file that do not fit the known cards of their seat.

    ``against`` introduces the known cards in the sentence.
    """
    start = told[0]
    assert isinstance(start, GameStarted)
    for seat, player in enumerate(start.seats, 1):
        parts = zip(_PARTS, _cards(told, seat), cards_known(kept, seat), strict=True)
        for (what, kind), new, old in parts:
            if len({*known_among(new), *known_among(old)}) > max(len(new), len(old)):
                says, said = (f"that {player.name} {what} {' '.join(map(str, cards))}" for cards in (new, old))
                yield Contradiction(line_of(told, seat, kind), says, said, against)
                return


def line_of(told: Sequence[Event], seat: int, *kinds: type[Event]) -> int:
    """Return the line of a seat's first event of these kinds (default: about cards); else the hand's first line."""
    quote = next(event for event in told if isinstance(event, HandQuoted))
    wanted = kinds or tuple([kind for _, kind in _PARTS])
    lines = zip(told[2:], quote.lines, strict=True)
    found = (line for event, line in lines if isinstance(event, wanted) and getattr(event, "seat", 0) == seat and line)
    return next(found, quote.first_line)


def _cards(game: Sequence[Event], seat: int) -> tuple[tuple[AnyCard, ...], ...]:
    """Return a seat's cards in a game, without those learned later: dealt, discarded, drawn, and held at the end."""
    dealt = _joined(event.cards for event in _of(game, RecordedHandDealt, seat))
    discarded = _joined(event.cards for event in _of(game, RecordedCardsDiscarded, seat))
    drawn = _joined(event.cards for event in _of(game, RecordedCardsDrawn, seat))
    recorded = next((event for event in game if isinstance(event, DealRecorded)), None)
    held = next((one.held for one in (recorded.cards or () if recorded else ()) if one.seat == seat), ())
    shown = next((event.cards for event in _of(game, HandShown, seat)), ())
    return dealt, discarded, drawn, held or shown


def cards_known(game: Sequence[Event], seat: int) -> tuple[tuple[AnyCard, ...], ...]:
    """Return a seat's cards with all that was learned so far: dealt, discarded, drawn, and held at the end."""
    parts = _cards(game, seat)
    for event in game:
        if isinstance(event, CardsLearned) and event.seat == seat:
            news = (event.dealt or (), event.discarded or (), event.drawn or (), event.held or ())
            parts = tuple(_more(old, new) for old, new in zip(parts, news, strict=True))
    return parts


def _more(old: tuple[AnyCard, ...], new: tuple[AnyCard, ...]) -> tuple[AnyCard, ...]:
    """Return a seat's known and learned cards together, followed by unknown cards up to their number."""
    before, learned_now = known_among(old), known_among(new)
    if set(learned_now) >= set(before):
        return new or old
    both = tuple(dict.fromkeys((*before, *learned_now)))
    return (*both, *unknown(max(len(old), len(new)) - len(both)))


def _of(game: Sequence[Event], type_: type[_EventT], seat: int) -> Iterator[_EventT]:
    return (event for event in game if isinstance(event, type_) and getattr(event, "seat", 0) == seat)


def _joined(parts: Iterator[tuple[AnyCard, ...] | None]) -> tuple[AnyCard, ...]:
    return tuple([card for part in parts for card in part or ()])
