"""What is said of a hand that was dealt elsewhere, and of what nobody recorded."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from pokersvc.cards.unknown import AnyCard, known_among
from pokersvc.games.draw_poker.events import HandMucked
from pokersvc.games.draw_poker.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    PlayedAt,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.text import counted, does, whose


def _quoted(event: HandQuoted, state: Situation) -> str:
    at = f" at {event.table}" if event.table is not None else ""
    when = f", played {_moment(event.played)}" if event.played is not None else ""
    hero = f", as {state.names[event.hero]} saw it" if event.hero is not None else ""
    level = event.tournament.level if event.tournament is not None else None
    in_ = f", tournament {event.tournament.number}" if event.tournament is not None else ""
    found = f"; {counted(len(event.findings), 'finding')}: {event.findings[0]}" if event.findings else ""
    return f"{event.site} hand {event.number}{at}{in_}{f' level {level}' if level else ''}{when}{hero}{found}"


def _moment(played: PlayedAt) -> str:
    """Return the site's clock as it writes it, with its zone; where it has none, what the file means by it in UTC."""
    return played.text if played.zone else f"{played.utc.removesuffix('Z').replace('T', ' ')} UTC"


def _recorded(event: DealRecorded, _state: Situation) -> str:
    if event.cards is None:
        return "There is no deck: the cards are those that were recorded"
    known = sum(bool(known_among((*of.dealt, *of.drawn, *of.held))) for of in event.cards)
    return f"There is no deck: cards of {counted(known, 'seat')} were recorded"


def _learned(event: CardsLearned, state: Situation) -> str:
    name = state.names[event.seat]
    parts = (("dealt", event.dealt), ("discarded", event.discarded), ("drew", event.drawn), ("held", event.held))
    said = [f"{verb} {' '.join(map(str, cards))}" for verb, cards in parts if cards and known_among(cards)]
    return f"More of {whose(name, 'cards')} became known" + (f": {name} {', '.join(said)}" if said else "")


def _mucked(event: HandMucked, state: Situation) -> str:
    hand = state.hands[event.seat]
    unknown = bool(hand) and None not in hand and not known_among(hand)
    return f"{does(state.names[event.seat], 'mucks')} {'a hand that is not known' if unknown else 'a beaten hand'}"


def _dealt(event: RecordedHandDealt, state: Situation) -> str:
    return f"{does(state.names[event.seat], 'is')} dealt {say_some(event.cards, event.count)}"


def _discarded(event: RecordedCardsDiscarded, state: Situation) -> str:
    name = state.names[event.seat]
    return (
        f"{does(name, 'discards')} {say_some(event.cards, event.count)}"
        if event.count
        else f"{does(name, 'stands')} pat"
    )


def _drawn(event: RecordedCardsDrawn, state: Situation) -> str:
    return f"{does(state.names[event.seat], 'draws')} {say_some(event.cards, event.count)}"


def say_some(cards: tuple[AnyCard, ...] | None, count: int) -> str:
    """Return cards, or how many they are where they are hidden, or where nobody recorded any of them."""
    if not cards or not known_among(cards):
        return counted(count, "unknown card" if cards else "card")
    return " ".join(map(str, cards))


Telling: TypeAlias = Callable[[Any, Situation], str]
"""Says an event, in the situation that it made."""

TELL_RECORDED: Final[dict[type, Telling]] = {
    HandQuoted: _quoted,
    DealRecorded: _recorded,
    RecordedHandDealt: _dealt,
    RecordedCardsDiscarded: _discarded,
    RecordedCardsDrawn: _drawn,
    CardsLearned: _learned,
    HandMucked: _mucked,
}
