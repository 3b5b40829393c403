"""The deck of a round: its next cards, and what can be dealt again when it runs out."""

from typing import TYPE_CHECKING, TypeAlias

from pokersvc.cards import Card, shuffle
from pokersvc.errors import PokersvcError
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.pots import seats_in

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.state import DrawPokerState

Cards: TypeAlias = tuple[Card | None, ...]
"""Cards of which some may be hidden from this copy of the game: None."""


class HiddenCards(PokersvcError):
    """The dealer's next event depends on cards or a seed that this copy of the game does not hold."""

    code = "hidden_cards"

    def __init__(self) -> None:
        super().__init__("This copy of the game lacks the dealer's secrets; it can be replayed, not gone on with.")


def next_cards(state: "DrawPokerState", count: int) -> tuple[Card, ...]:
    """Return the next cards of the deck, in the order that follows from the round's seed."""
    deck = state._deck
    if deck is None:
        if state.deck_seed is None:
            raise HiddenCards
        deck = state._deck = shuffle(known(state.deck_cards), state.deck_seed, state.deck_label)
    at = len(deck) - state.deck_left
    return deck[at : at + count]


def known(cards: Cards) -> tuple[Card, ...]:
    """Return cards that have to be known; `HiddenCards` if one is not."""
    seen = tuple(card for card in cards if card is not None)
    if len(seen) < len(cards):
        raise HiddenCards
    return seen


def out_of_play_seats(state: "DrawPokerState") -> int:
    """Return the seats whose folded hands or discards may be dealt again to the seat being served."""
    found = 0
    for seat in range(1, len(state.hands)):
        if state.discarded[seat] or (state.hands[seat] and not state.live >> seat & 1):
            found |= 1 << seat
    if state.phase == Phase.SERVE:
        found &= ~(1 << state.cursor)  # nobody is ever dealt their own discard
    return found & ~state.reused


def out_of_play(state: "DrawPokerState") -> Cards:
    """Return the cards that a new deck would be made of, lowest first; None for each that is hidden."""
    cards: list[Card | None] = []
    for seat in seats_in(out_of_play_seats(state)):
        cards += state.discarded[seat] or state.hands[seat]
    return tuple(sorted(cards, key=lambda card: -1 if card is None else card.number))
