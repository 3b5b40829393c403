"""The deck of a round: its next cards, and what can be dealt again when it runs out."""

from typing import cast

from pokersvc.cards import FRESH_DECK, Card, shuffle
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.draw_poker.phases import SERVE
from pokersvc.games.draw_poker.seats import has, seats_in
from pokersvc.games.draw_poker.table import Cards, Table


def next_cards(table: Table, count: int) -> tuple[Card, ...]:
    """Return the next cards of the deck, in the order that follows from the round's seed."""
    deck = table.cached_deck
    if deck is None:
        if table.deck_seed is None:
            raise WithheldSecrets
        cards = FRESH_DECK if table.deck_cards is FRESH_DECK else known(table.deck_cards)
        deck = table.cached_deck = shuffle(cards, table.deck_seed, table.deck_label)
    at = len(deck) - table.deck_left
    return deck[at : at + count]


def known(cards: Cards) -> tuple[Card, ...]:
    """Return cards that must be known; `WithheldSecrets` if one is not."""
    if not all(cards):  # no card is false
        raise WithheldSecrets
    return cast(tuple[Card, ...], cards)


def out_of_play_seats(table: Table) -> int:
    """Return the seats whose folded hands or discards may be dealt again to the seat being served."""
    found = 0
    for seat in range(1, len(table.hands)):
        if table.discarded[seat] or (table.hands[seat] and not has(table.live, seat)):
            found |= 1 << seat
    if table.phase is SERVE:
        found &= ~(1 << table.cursor)  # nobody is ever dealt their own discard
    return found & ~table.reused


def out_of_play(table: Table) -> Cards:
    """Return the cards that a new deck would be made of, lowest first; None for each that is hidden."""
    cards: list[Card | None] = []
    for seat in seats_in(out_of_play_seats(table)):
        cards += table.discarded[seat] or table.hands[seat]
    return tuple(sorted(cards, key=lambda card: -1 if card is None else card.number))
