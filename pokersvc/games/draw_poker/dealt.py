"""What the deck gives and takes: hands dealt, cards discarded and drawn."""

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.core.event import ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.deck import out_of_play, out_of_play_seats
from pokersvc.games.draw_poker.phases import (
    ANTES,
    DEAL,
    DRAW,
    SERVE,
)
from pokersvc.games.draw_poker.refusals import HAND, is_hand, not_in_turn, not_one_of
from pokersvc.games.draw_poker.seats import has, next_seat
from pokersvc.games.draw_poker.streets import after_draw, start_betting
from pokersvc.games.draw_poker.table import Cards, Table
from pokersvc.text import counted


def deck_shuffled(table: Table, event: events.DeckShuffled) -> None:
    """Take the deck's seed; hands are dealt next."""
    table.deck_seed = event.seed
    table.phase = DEAL
    table.pending = table.live


def _hidden(count: int) -> tuple[None, ...]:
    return (None,) * count


def hand_dealt(table: Table, event: events.HandDealt) -> None:
    """Deal a seat its hand."""
    seat, cards = event.seat, event.cards
    if not has(table.pending, seat):
        not_one_of(event, "to be dealt a hand")
    if event.count != HAND or not (cards is None or is_hand(cards)):
        raise ImpossibleEvent(event, f"a hand has {counted(HAND, 'card')}, all different")
    table.hands[seat] = _hidden(HAND) if cards is None else cards
    table.deck_left -= HAND
    table.pending &= ~(1 << seat)
    if not table.pending:
        if table.ante and table.rules.ante.when == "after_deal":
            table.phase, table.pending, table.cursor = ANTES, table.live, 0
        else:
            start_betting(table, 1)


def cards_discarded(table: Table, event: events.CardsDiscarded) -> None:
    """Put a seat's cards aside, or none of them."""
    if event.seat != table.actor:
        not_in_turn(table, event)
    seat, cards, count = event.seat, event.cards, event.count
    hand = table.hands[seat]
    if cards is None or not all(hand):  # hidden from this copy
        if count > len(hand):
            raise ImpossibleEvent(event, f"seat {seat} has {counted(len(hand), 'card')}, not {count}")
        kept, gone = hand[count:], hand[:count]
    else:
        different = set(cards)
        kept, gone = tuple([card for card in hand if card not in different]), cards
        if len(kept) + count != len(hand) or len(cards) != count:
            raise ImpossibleEvent(event, f"seat {seat} does not hold these cards")
    table.hands[seat], table.discarded[seat] = kept, gone
    if count:
        table.need, table.cursor, table.actor, table.phase = count, seat, 0, SERVE
    else:
        _drawn(table, seat)


def stood_pat(table: Table, event: events.Forfeited) -> None:
    """Keep all cards of a bot that forfeited its draw."""
    if event.seat != table.actor:
        not_in_turn(table, event)
    _drawn(table, event.seat)


def cards_drawn(table: Table, event: events.CardsDrawn) -> None:
    """Deal a seat cards in the place of its discards."""
    seat, cards, count = event.seat, event.cards, event.count
    if seat != table.cursor:
        raise ImpossibleEvent(event, f"seat {table.cursor} is to be dealt cards, not seat {seat}")
    if count > table.need or count > table.deck_left:
        raise ImpossibleEvent(
            event, f"the deck has {counted(min(table.need, table.deck_left), 'card')} for this seat, not {count}"
        )
    hand = table.hands[seat]
    if cards is None:
        cards_now: Cards = hand + _hidden(count)
    else:
        cards_now = hand + cards
        if len(cards) != count or (len(set(cards_now)) != len(cards_now) and _repeats(hand, cards)):
            raise ImpossibleEvent(event, f"seat {seat} cannot be dealt these cards")
    table.hands[seat] = cards_now
    table.deck_left -= count
    table.need -= count
    if not table.need:
        _drawn(table, seat)


def _repeats(hand: Cards, cards: tuple[Card, ...]) -> bool:
    """Tell whether a card is there twice; the hand may have several that are hidden."""
    known = [card for card in (*hand, *cards) if card is not None]
    return len(set(known)) != len(known)


def _drawn(table: Table, seat: int) -> None:
    table.pending &= ~(1 << seat)
    if table.pending:
        table.phase, table.actor = DRAW, next_seat(table.pending, seat)
    else:
        table.actor = 0
        table.phase = after_draw(table)


def deck_reshuffled(table: Table, event: events.DeckReshuffled) -> None:
    """Make the discards the deck, as the deck is used up."""
    if event.count > len(FRESH_DECK):
        raise ImpossibleEvent(event, f"a deck has {counted(len(FRESH_DECK), 'card')} at most, not {event.count}")
    table.deck_cards = out_of_play(table)
    table.reused |= out_of_play_seats(table)
    table.deck_label, table.deck_left, table.cached_deck = f"reshuffle/{event.number}", event.count, None
    table.reshuffles = event.number
