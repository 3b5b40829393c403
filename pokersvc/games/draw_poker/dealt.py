"""What the deck gives and takes: its next cards, hands dealt, cards discarded and drawn; what is dealt again."""

from typing import Final

from pokersvc.betting.seats import has, seats_in
from pokersvc.betting.state import not_in_turn, not_one_of
from pokersvc.cards import FRESH_DECK, Card, shuffle
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.event import ImpossibleEvent
from pokersvc.core.state import WithheldSecrets
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.past_hands import Unsure
from pokersvc.games.draw_poker.phases import (
    ANTES,
    DEAL,
    SERVE,
)
from pokersvc.games.draw_poker.recorded_events import RecordedCardsDrawn
from pokersvc.games.draw_poker.situation import Cards, Situation
from pokersvc.games.draw_poker.streets import next_to_draw, start_betting
from pokersvc.text import counted

HAND: Final = 5
"""The cards of a hand."""


def is_hand(cards: Cards) -> bool:
    """Tell whether cards are five different ones, whatever the rules are."""
    return len(cards) == len(set(cards)) == HAND


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


def deck_shuffled(state: Situation, event: events.DeckShuffled) -> None:
    """Take the deck's seed; hands are dealt next."""
    state.deck_seed = event.seed
    state.phase = DEAL
    state.pending = state.live


def hidden(count: int) -> tuple[None, ...]:
    """Return so many cards that are hidden from this copy of the game."""
    return (None,) * count


def hand_dealt(state: Situation, event: events.HandDealt) -> None:
    """Deal a seat its hand."""
    seat, cards = event.seat, event.cards
    if not has(state.pending, seat):
        not_one_of(event, "to be dealt a hand")
    if event.count != HAND or not (cards is None or is_hand(cards)):
        raise ImpossibleEvent(event, f"a hand has {counted(HAND, 'card')}, all different")
    deal_hand(state, seat, hidden(HAND) if cards is None else cards)


def deal_hand(state: Situation, seat: int, cards: Cards) -> None:
    """Give a seat its hand; after the last one comes what follows the deal."""
    state.hands[seat] = cards
    state.deck_left -= HAND
    state.pending &= ~(1 << seat)
    if not state.pending:
        if state.ante and state.rules.ante.when == "after_deal":
            state.phase, state.pending, state.cursor = ANTES, state.live, 0
        else:
            start_betting(state, 1)


def cards_discarded(state: Situation, event: events.CardsDiscarded) -> None:
    """Put a seat's cards aside, or none of them."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    seat, cards, count = event.seat, event.cards, event.count
    hand = state.hands[seat]
    kept: Cards
    gone: Cards
    if cards is None or not all(hand):  # hidden from this copy
        if count > len(hand):
            raise ImpossibleEvent(event, f"seat {seat} has {counted(len(hand), 'card')}, not {count}")
        kept, gone = hand[count:], hand[:count]
        if kept and gone and all(hand):  # its deck is known, as a copy's that opens the seeds
            kept, gone, state.unsure[seat] = hidden(len(kept)), hidden(count), Unsure(hand, count)
    else:
        different = set(cards)
        kept, gone = tuple([card for card in hand if card not in different]), cards
        if len(kept) + count != len(hand) or len(cards) != count:
            raise ImpossibleEvent(event, f"seat {seat} does not hold these cards")
    put_aside(state, seat, kept, gone)


def put_aside(state: Situation, seat: int, kept: Cards, gone: Cards) -> None:
    """Leave a seat the cards that it kept; it is served next, or has drawn if it stood pat."""
    state.hands[seat], state.discarded[seat] = kept, gone
    count = len(gone)
    if count and state.rules.draw == "together":
        state.unserved |= 1 << seat
        _drawn(state, seat)
    elif count:
        state.need, state.cursor, state.actor, state.phase = count, seat, 0, SERVE
    else:
        _drawn(state, seat)


def stood_pat(state: Situation, event: events.Forfeited) -> None:
    """Keep all cards of a bot that forfeited its draw."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    _drawn(state, event.seat)


def cards_drawn(state: Situation, event: events.CardsDrawn) -> None:
    """Deal a seat cards in the place of its discards."""
    check_served(state, event)
    seat, cards, count = event.seat, event.cards, event.count
    hand = state.hands[seat]
    if cards is None:
        cards_now: Cards = hand + hidden(count)
    else:
        cards_now = hand + cards
        if len(cards) != count or (len(set(cards_now)) != len(cards_now) and _repeats(hand, cards)):
            raise ImpossibleEvent(event, f"seat {seat} cannot be dealt these cards")
    serve(state, seat, cards_now, count)


def check_served(state: Situation, event: events.CardsDrawn | RecordedCardsDrawn) -> None:
    """Refuse a draw of another seat than the one that is served, or of more cards than there are for it."""
    seat, count = event.seat, event.count
    if seat != state.cursor:
        raise ImpossibleEvent(event, f"seat {state.cursor} is to be dealt cards, not seat {seat}")
    if count > state.need or count > state.deck_left:
        raise ImpossibleEvent(
            event, f"the deck has {counted(min(state.need, state.deck_left), 'card')} for this seat, not {count}"
        )


def serve(state: Situation, seat: int, cards_now: Cards, count: int) -> None:
    """Give a seat its hand with the cards it drew; once it has all of them, the next one draws."""
    state.hands[seat] = cards_now
    state.deck_left -= count
    state.need -= count
    if not state.need:
        state.unserved &= ~(1 << seat)
        _drawn(state, seat)


def _repeats(hand: Cards, cards: Cards) -> bool:
    """Tell whether a card is there twice; the hand may have several that are hidden."""
    known = [card for card in (*hand, *cards) if card is not None]
    return len(set(known)) != len(known)


def _drawn(state: Situation, seat: int) -> None:
    state.pending &= ~(1 << seat)
    next_to_draw(state, seat)


def deck_reshuffled(state: Situation, event: events.DeckReshuffled) -> None:
    """Make the discards the deck, as the deck is used up."""
    if event.count > len(FRESH_DECK):
        raise ImpossibleEvent(event, f"a deck has {counted(len(FRESH_DECK), 'card')} at most, not {event.count}")
    state.deck_cards = out_of_play(state)
    state.reused |= out_of_play_seats(state)
    state.deck_label, state.deck_left, state.cached_deck = f"reshuffle/{event.number}", event.count, None
    state.reshuffles = event.number
