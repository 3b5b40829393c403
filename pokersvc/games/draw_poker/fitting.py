"""Which events can be applied at all, whatever else they say: a forged log, or a copy of one, may say anything.

It matters where the content of an event is not known to be right: in an audit after a finding, and in a copy that lacks
the seeds, where of what chance gave only the type is known.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pokersvc.cards import FRESH_DECK
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.past import hands_of, round_of
from pokersvc.games.draw_poker.table import Cards, Table

HAND: Final = 5


def fits(table: Table, event: Event) -> bool:
    """Tell whether the event speaks of seats at this table that it can be about, and of cards that there can be."""
    parts = (event, *getattr(event, "hands", ()), *getattr(event, "shares", ()))
    seats = [getattr(part, name, None) for part in parts for name in ("seat", "button")]
    if any(seat is not None and seat > len(table.seats) for seat in seats):
        return False
    if getattr(event, "count", 0) > len(FRESH_DECK):
        return False
    fitting = _FITTING.get(type(event))
    return fitting is None or fitting(table, event)


def _is_hand(cards: Cards | None) -> bool:
    return cards is None or len(set(cards)) == len(cards) == HAND


def _hand_dealt(table: Table, event: events.HandDealt) -> bool:
    return table.pending >> event.seat & 1 == 1 and event.count == HAND and _is_hand(event.cards)


def _cards_discarded(table: Table, event: events.CardsDiscarded) -> bool:
    hand, cards = table.hands[event.seat], event.cards
    if cards is None or not all(hand):
        return event.count <= len(hand)
    return set(cards) <= set(hand) and len(set(cards)) == len(cards) == event.count


def _cards_drawn(table: Table, event: events.CardsDrawn) -> bool:
    hand, cards = table.hands[event.seat], event.cards
    if event.seat != table.cursor or not event.count <= min(table.need, table.deck_left):
        return False
    return cards is None or (len(set(cards)) == len(cards) == event.count and not set(cards) & set(hand))


def _hands_opened(table: Table, event: events.HandsOpened) -> bool:
    return all(_is_hand(hand.cards) for hand in event.hands)


def _hand_shown(table: Table, event: events.HandShown) -> bool:
    return _may_settle(table, event) and _is_hand(event.cards)


def _may_settle(table: Table, event: events.HandShown | events.HandMucked) -> bool:
    return (table.live & ~table.settled) >> event.seat & 1 == 1


def _blind_posted(table: Table, event: events.BlindPosted) -> bool:
    return table.rules.blinds is not None


def _pot_awarded(table: Table, event: events.PotAwarded) -> bool:
    return event.reason == "game_end" or bool(table.pots)


def _hands_revealed(table: Table, event: events.HandsRevealed) -> bool:
    """Tell whether these are all the hands that are due, as far as this copy knows them."""
    due = table.past[table.revealed] if table.revealed < len(table.past) else None
    if due is None or event.round != round_of(due)[0]:
        return False
    held = [hand for hand in hands_of(due) if not hand.shown]
    return [hand.seat for hand in held] == [hand.seat for hand in event.hands] and all(
        len(hand.cards) == len(opened.cards)
        and all(card in (None, other) for card, other in zip(hand.cards, opened.cards, strict=True))
        for hand, opened in zip(held, event.hands, strict=True)
    )


def _game_ended(table: Table, event: events.GameEnded) -> bool:
    """Tell whether all hands were revealed: the game cannot end before that."""
    return table.revealed >= len(table.past)


_FITTING: Final[Mapping[type[Event], Callable[[Table, Any], bool]]] = {
    events.HandDealt: _hand_dealt,
    events.BlindPosted: _blind_posted,
    events.CardsDiscarded: _cards_discarded,
    events.CardsDrawn: _cards_drawn,
    events.HandsOpened: _hands_opened,
    events.HandShown: _hand_shown,
    events.HandMucked: _may_settle,
    events.PotAwarded: _pot_awarded,
    events.HandsRevealed: _hands_revealed,
    events.GameEnded: _game_ended,
}
