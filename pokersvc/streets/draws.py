"""The draw of a street: discards, replacement cards, folds during the draw, and a new deck."""

from typing import Final

from pokersvc.betting import turns
from pokersvc.betting.events import OfSeat
from pokersvc.betting.seats import next_seat
from pokersvc.betting.state import not_in_turn
from pokersvc.cards import FRESH_DECK
from pokersvc.cards.unknown import UNKNOWN, known_among, unknown
from pokersvc.core.event import ImpossibleEvent
from pokersvc.streets.events import OfCards, OfCount, OfNewDeck
from pokersvc.streets.phases import DRAW, SERVE
from pokersvc.streets.state import (
    Cards,
    Commitment,
    StreetsState,
    Unsure,
    hidden,
    out_of_play,
    out_of_play_seats,
    repeats,
)
from pokersvc.streets.walk import after_draw, to_award
from pokersvc.text import counted


def most_to_discard(state: StreetsState) -> int:
    """Return the maximum number of cards that the seat to act may discard: at most as many as can be dealt to it."""
    draw = state.streets[state.street - 1].draw
    assert draw is not None
    most, together = draw
    if state.card_terms.reshuffle == "all":
        return most  # even what this seat discards can be dealt again
    if together:  # the deck must serve everybody: others also draw as many as they discard
        return min(most, len(FRESH_DECK) - len(state.board) - state.hand_size * state.live.bit_count())
    if most > state.deck_left:
        return min(most, state.deck_left + len(out_of_play(state)))
    return most


def cards_discarded(state: StreetsState, event: OfCards) -> None:
    """Put aside the cards that a seat discards, if any."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    seat, cards, count = event.seat, event.cards, event.count
    hand = state.hands[seat]
    kept: Cards | None
    gone: Cards = hidden(count) if cards is None else cards
    if state.card_terms.partly_known:
        kept = without(hand, gone)
        if kept is None or len(gone) != count:
            raise ImpossibleEvent(event, f"seat {seat} cannot have held these cards")
    elif cards is not None and all(hand):
        different = set(cards)
        kept = tuple([card for card in hand if card not in different])
        if len(kept) + count != len(hand) or len(cards) != count:
            raise ImpossibleEvent(event, f"seat {seat} does not hold these cards")
    else:  # the cards are hidden from this copy
        if count > len(hand):
            raise ImpossibleEvent(event, f"seat {seat} has {counted(len(hand), 'card')}, not {count}")
        kept, gone = hand[count:], hand[:count]
        if gone:
            state.unsure.pop(seat, None)  # after a second draw, this copy does not know how much of the first is left
        if kept and gone and any(hand):  # this copy knows the deck, for example because it opens the seeds
            kept, gone = hidden(len(kept)), hidden(count)
            if all(hand):
                state.unsure[seat] = Unsure(hand, count)
    state.hands[seat], state.discarded[seat] = kept, gone
    if count and (before := state.committed.get(seat)) is not None:
        state.committed[seat] = (_held_of(before, len(kept)),)
    draw = state.streets[state.street - 1].draw
    assert draw is not None
    if count and draw.together:
        state.unserved |= 1 << seat
        _drawn(state, seat)
    elif count:
        state.need, state.cursor, state.actor, state.phase = count, seat, 0, SERVE
    else:
        _drawn(state, seat)


def _held_of(dealt: tuple[Commitment, ...], held: int) -> Commitment:
    """Merge all commitments from before a discard into one, since a copy may not know which cards are gone."""
    return Commitment(
        tuple([digest for one in dealt for digest in one.digests]),
        held,
        tuple([card for one in dealt for card in one.cards]),
        tuple([salt for one in dealt for salt in one.salts]),
    )


def without(hand: Cards, discarded: Cards) -> Cards | None:
    """Return the cards that are left of a hand after a discard; None if the hand cannot have held the discards.

    If some discards are unknown or hidden, so are all cards that are left.

    >>> from pokersvc.cards import CARDS
    >>> king, ace = CARDS[47], CARDS[51]
    >>> without((ace, king, UNKNOWN), (king,))
    (Card('As'), UNKNOWN)
    >>> without((ace, king, UNKNOWN), (UNKNOWN,))
    (UNKNOWN, UNKNOWN)
    >>> without((ace, king), (CARDS[0],)) is None
    True
    """
    if not discarded:
        return hand
    different = set(discarded)
    rest = [card for card in hand if card not in different]
    if len(rest) + len(discarded) == len(hand) == len(set(hand)) and different.isdisjoint(_NOT_KNOWN):
        return tuple(rest)  # as in most hands
    left = list(hand)
    named = known_among(discarded)
    for card in named:
        of = card if card in left else UNKNOWN if UNKNOWN in left else None
        if of not in left:
            return None
        left.remove(of)
    more = len(discarded) - len(named)
    if more > len(left) or len(set(named)) != len(named):
        return None
    if not more:
        return tuple(left)
    return hidden(len(left) - more) if None in (*left, *discarded) else unknown(len(left) - more)


_NOT_KNOWN: Final = (UNKNOWN, None)


def stood_pat(state: StreetsState, event: OfSeat) -> None:
    """Have a bot that forfeited its draw keep all its cards."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    _drawn(state, event.seat)


def cards_drawn(state: StreetsState, event: OfCards) -> None:
    """Deal a seat replacements for its discards; once it has as many as it discarded, the next seat draws."""
    _check_served(state, event)
    seat, count = event.seat, event.count
    cards: Cards = hidden(count) if event.cards is None else event.cards
    hand = state.hands[seat] + cards
    if len(cards) != count or (
        len(set(hand)) != len(hand) and repeats(cards if state.card_terms.partly_known else hand)
    ):
        raise ImpossibleEvent(event, f"seat {seat} cannot be dealt these cards")
    state.hands[seat] = hand
    state.deck_left -= count
    state.need -= count
    if not state.need:
        state.unserved &= ~(1 << seat)
        _drawn(state, seat)


def _check_served(state: StreetsState, event: OfCount) -> None:
    """Refuse cards for the wrong seat, and more cards than the seat still needs or the deck has."""
    seat, count = event.seat, event.count
    if seat != state.cursor:
        raise ImpossibleEvent(event, f"seat {state.cursor} is to be dealt cards, not seat {seat}")
    if count > state.need or count > state.deck_left:
        raise ImpossibleEvent(
            event, f"the deck has {counted(min(state.need, state.deck_left), 'card')} for this seat, not {count}"
        )


def _drawn(state: StreetsState, seat: int) -> None:
    """Note that a seat has drawn, and give the turn to the next seat clockwise; after the last one, end the draw.

    If all seats discard before any is dealt cards, those that discarded are dealt replacements before the draw ends.
    """
    state.pending &= ~(1 << seat)
    if state.pending:
        state.phase, state.actor = DRAW, next_seat(state.pending, seat)
    elif state.unserved:
        state.cursor, state.actor, state.phase = next_seat(state.unserved, seat), 0, SERVE
        state.need = len(state.discarded[state.cursor])
    else:
        state.actor = 0
        after_draw(state)


def forgone_in_draw(state: StreetsState, event: OfSeat) -> None:
    """Fold a seat during the draw, before or after its own turn."""
    turns.forgo(state, event)
    state.unserved &= ~(1 << event.seat)
    if state.only_one_left:
        state.actor = state.pending = 0
        to_award(state)
    elif event.seat == state.actor:
        _drawn(state, event.seat)


def deck_reshuffled(state: StreetsState, event: OfNewDeck) -> None:
    """Make a new deck of the cards out of play, because the old deck is used up."""
    if event.count > len(FRESH_DECK):
        raise ImpossibleEvent(event, f"a deck has {counted(len(FRESH_DECK), 'card')} at most, not {event.count}")
    state.deck_cards, state.put_away = out_of_play(state), ()
    state.reused |= out_of_play_seats(state)
    state.deck_label, state.deck_left, state.cached_deck = f"reshuffle/{event.number}", event.count, None
    state.cached_salts = ()
    state.reshuffles = event.number
