"""The deck of a round: its next cards, and what can be dealt again when it runs out."""

from pokersvc.cards import FRESH_DECK, Card, shuffle
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.draw_poker.phases import SERVE
from pokersvc.games.draw_poker.seats import has, seats_in
from pokersvc.games.draw_poker.situation import Cards, Situation


def next_cards(state: Situation, count: int) -> tuple[Card, ...]:
    """Return the next cards of the deck, in the order that follows from the round's seed."""
    deck = state.cached_deck
    if deck is None:
        if state.deck_seed is None:
            raise WithheldSecrets
        cards = FRESH_DECK if state.deck_cards is FRESH_DECK else known(state.deck_cards)
        deck = state.cached_deck = shuffle(cards, state.deck_seed, state.deck_label)
    at = len(deck) - state.deck_left
    return deck[at : at + count]


def known(cards: Cards) -> tuple[Card, ...]:
    """Return cards that must be known; `WithheldSecrets` if one is not."""
    if not all(cards):  # no card is false
        raise WithheldSecrets
    return cards  # type: ignore[return-value]  # to call `cast` would take as long as the rest


def out_of_play_seats(state: Situation) -> int:
    """Return the seats whose folded hands or discards may be dealt again to the seat being served."""
    found = 0
    for seat in range(1, len(state.hands)):
        if state.discarded[seat] or (state.hands[seat] and not has(state.live, seat)):
            found |= 1 << seat
    if state.phase is SERVE and state.rules.reshuffle == "others":
        found &= ~(1 << state.cursor)  # nobody is ever dealt their own discard
    return found & ~state.reused


def out_of_play(state: Situation) -> Cards:
    """Return the cards that a new deck would be made of, lowest first; None for each that is hidden."""
    cards: list[AnyCard | None] = []
    for seat in seats_in(out_of_play_seats(state)):
        cards += state.discarded[seat] or state.hands[seat]
    return tuple(sorted(cards, key=lambda card: -1 if card is None else card.number))
