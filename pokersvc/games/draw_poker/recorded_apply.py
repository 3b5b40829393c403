"""What the events of a hand that was dealt elsewhere change, where that differs from a hand with a deck."""

from collections.abc import Mapping
from typing import Final

from pokersvc.betting.seats import has
from pokersvc.betting.state import exists, not_in_turn, not_one_of
from pokersvc.cards.unknown import UNKNOWN, all_known, known_among, unknown
from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.games.draw_poker import decisions, events
from pokersvc.games.draw_poker.actions import Discard, DiscardUnknown
from pokersvc.games.draw_poker.apply import Handler
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.games.draw_poker.recorded_situation import RecordedSituation
from pokersvc.streets.draws import check_served, put_aside, serve
from pokersvc.streets.phases import Phase
from pokersvc.streets.showdown import pot_awarded, show
from pokersvc.streets.state import Cards, hidden
from pokersvc.streets.walk import begin_street, give_cards
from pokersvc.text import counted


def _hand_quoted(state: RecordedSituation, event: HandQuoted) -> None:
    if state.round and state.ended is None:
        raise ImpossibleEvent(event, "a hand is quoted before its round, or after the end")
    if event.hero is not None:
        exists(state, event, event.hero)
    state.quoted.append(event)


def _deal_recorded(state: RecordedSituation, event: DealRecorded) -> None:
    state.deal = event
    begin_street(state)


def _hand_dealt(state: RecordedSituation, event: RecordedHandDealt) -> None:
    seat = event.seat
    if not has(state.pending, seat):
        not_one_of(event, "to be dealt a hand")
    cards = hidden(HAND) if event.cards is None else event.cards
    if event.count != HAND or not all_differ(cards, HAND):
        raise ImpossibleEvent(event, f"a hand has {counted(HAND, 'card')}, and no known one of them twice")
    state.dealt[seat] = cards
    give_cards(state, seat, cards)


def _cards_discarded(state: RecordedSituation, event: RecordedCardsDiscarded) -> None:
    if event.seat != state.actor:
        not_in_turn(state, event)
    seat, count, hand = event.seat, event.count, state.hands[event.seat]
    gone = hidden(count) if event.cards is None else event.cards
    left = without(hand, gone)
    if left is None or len(gone) != count:
        raise ImpossibleEvent(event, f"seat {seat} cannot have held these cards")
    put_aside(state, seat, left, gone)


def without(hand: Cards, discarded: Cards) -> Cards | None:
    """Return what is left of a hand; None if the hand cannot have had these discards.

    Where some discards are unknown or hidden, so is what is left of a hand that is not wholly discarded.

    >>> from pokersvc.cards import CARDS
    >>> king, ace = CARDS[47], CARDS[51]
    >>> without((ace, king, UNKNOWN), (king,))
    (Card('As'), UNKNOWN)
    >>> without((ace, king, UNKNOWN), (UNKNOWN,))
    (UNKNOWN, UNKNOWN)
    >>> without((ace, king), (CARDS[0],)) is None
    True
    """
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


_DISCARDS: Final = (Discard, DiscardUnknown)


def decide(state: RecordedSituation, action: Action) -> Event:
    """Return the event of an action as `decisions.decide` does; a discard may be of cards that are unknown."""
    if not isinstance(action, _DISCARDS):
        return decisions.decide(state, action)
    choices = decisions.legal(state, action.seat)
    cards, hand = action.cards, state.hands[action.seat]
    if choices.discard is None:
        return decisions.decide(state, Discard(action.seat, known_among(cards)))
    why = None
    if len(cards) > choices.discard:
        why = "too_many_cards"
    elif not all_differ(cards, len(cards)):
        why = "repeated_card"
    elif without(hand, cards) is None:
        why = "not_your_card"
    if why is not None:
        said = " ".join(map(str, cards)) if known_among(cards) else counted(len(cards), "card")
        raise IllegalAction(why, f"{state.names[action.seat]} cannot discard {said} now; {choices.in_words()}.")
    return RecordedCardsDiscarded(cards, len(cards), action.seat)


def _cards_drawn(state: RecordedSituation, event: RecordedCardsDrawn) -> None:
    check_served(state, event)
    seat, count = event.seat, event.count
    cards = hidden(count) if event.cards is None else event.cards
    if not all_differ(cards, count):
        raise ImpossibleEvent(event, f"seat {seat} cannot be dealt these cards")
    state.drawn[seat] += cards
    serve(state, seat, state.hands[seat] + cards, count)


def _pot_awarded(state: RecordedSituation, event: events.PotAwarded) -> None:
    eligible = state.pots[-1].eligible
    pot_awarded(state, event)
    state.awarded.append((eligible, event))


def _hands_revealed(state: RecordedSituation, event: events.HandsRevealed) -> None:
    if event.round != state.round or state.revealed:
        raise ImpossibleEvent(event, f"no hands of round {event.round} are due")
    for hand in event.hands:
        exists(state, event, hand.seat)
        if has(state.shown, hand.seat) or not state.hands[hand.seat] or not all_differ(hand.cards, HAND):
            raise ImpossibleEvent(event, f"seat {hand.seat} has no hand to be revealed")
    for hand in event.hands:
        show(state, hand.seat, hand.cards)
    state.revealed = 1


def _cards_learned(state: RecordedSituation, event: CardsLearned) -> None:
    seat = event.seat
    exists(state, event, seat)
    if not state.hands[seat]:
        raise ImpossibleEvent(event, f"seat {seat} was dealt no hand")
    state.learned.append(event)
    state.dealt[seat] = joined(state.dealt[seat], event.dealt)
    state.drawn[seat] = joined(state.drawn[seat], event.drawn)
    state.discarded[seat] = joined(state.discarded[seat], event.discarded)
    left = without(state.dealt[seat], state.discarded[seat])
    if event.held:
        state.hands[seat] = event.held
    elif left is not None and not all_known(state.hands[seat]):
        state.hands[seat] = (*left, *state.drawn[seat])


def joined(known: Cards, learned: Cards | None) -> Cards:
    """Return cards with what was learned of them later, place by place.

    >>> from pokersvc.cards import CARDS
    >>> joined((UNKNOWN, CARDS[51]), (CARDS[0], UNKNOWN))
    (Card('2c'), Card('As'))
    """
    if learned is None or len(known) != len(learned):
        return known
    return tuple([before if new is UNKNOWN else new for before, new in zip(known, learned, strict=True)])


def all_differ(cards: Cards, count: int) -> bool:
    """Tell whether cards are so many, and no known one is there twice."""
    known = known_among(cards)
    return len(cards) == count and len(set(known)) == len(known)


OF_A_DECK: Final = frozenset({events.DeckShuffled, events.HandDealt, events.CardsDiscarded, events.CardsDrawn})
"""Events that a hand without a deck cannot have."""
OTHER_HANDLERS: Final[Mapping[Phase, Mapping[type[Event], Handler]]] = {
    Phase.BETWEEN: {HandQuoted: _hand_quoted, events.HandsRevealed: _hands_revealed},
    Phase.SHUFFLE: {DealRecorded: _deal_recorded},
    Phase.DEAL: {RecordedHandDealt: _hand_dealt},
    Phase.DRAW: {RecordedCardsDiscarded: _cards_discarded},
    Phase.SERVE: {RecordedCardsDrawn: _cards_drawn},
    Phase.AWARD: {events.PotAwarded: _pot_awarded},
    Phase.OVER: {HandQuoted: _hand_quoted, CardsLearned: _cards_learned},
}
"""Which events each phase takes otherwise than with a deck, or besides."""
