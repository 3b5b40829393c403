"""Deals of chosen cards, with digests and salts that go with them."""

from collections.abc import Sequence

from pokersvc.cards import Card
from pokersvc.cards.deck import card_digests
from pokersvc.games.draw_poker import events


def salts_of(cards: Sequence[Card]) -> tuple[bytes, ...]:
    """Return a salt for each card, which goes by the card."""
    return tuple([bytes(15) + bytes([card.number]) for card in cards])


def hand_dealt(cards: tuple[Card, ...], seat: int, count: int | None = None) -> events.HandDealt:
    """A hand that a seat is dealt, with digests of its cards; ``count`` may be said wrong."""
    many, salts = len(cards) if count is None else count, salts_of(cards)
    return events.HandDealt(cards, many, card_digests(cards, salts), salts, seat)


def cards_drawn(cards: tuple[Card, ...], seat: int, count: int | None = None) -> events.CardsDrawn:
    """Cards that a seat draws, with digests of them; ``count`` may be said wrong."""
    many, salts = len(cards) if count is None else count, salts_of(cards)
    return events.CardsDrawn(cards, many, card_digests(cards, salts), salts, seat)
