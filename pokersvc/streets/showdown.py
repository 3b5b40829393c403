"""The showdown: the order in which hands are shown or mucked, the winners of pots, and pots awarded after the rake.

The game decides how strong a hand is: it passes a function of the state and a seat.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from pokersvc.betting import pots
from pokersvc.betting.events import OfPot, OfSeat, OfShares
from pokersvc.betting.seats import has, next_seat, seats_in
from pokersvc.betting.state import exists, not_one_of, pots_of
from pokersvc.cards import Card
from pokersvc.core.event import ImpossibleEvent
from pokersvc.streets.events import OfHand, OfHands
from pokersvc.streets.phases import AWARD, CARRY, ROUND_END
from pokersvc.streets.state import StreetsState
from pokersvc.streets.walk import start_betting, to_award
from pokersvc.text import counted

StateT = TypeVar("StateT", bound=StreetsState)
Worth: TypeAlias = Callable[[StateT, int], int]
"""A function that returns the strength of a seat's hand, from 1; raises `WithheldSecrets` if its cards are hidden."""

# Hands shown


def hands_opened(state: StreetsState, event: OfHands) -> None:
    """Show all hands of the event at once, then proceed to betting or to the pots."""
    for hand in event.hands:
        exists(state, event, hand.seat)
        _check_shown(state, event, hand.seat, hand.cards)
    for hand in event.hands:
        show(state, hand.seat, hand.cards)
    if state.betting_round < state.street:
        start_betting(state)
    else:
        to_award(state)


def hand_shown(state: StreetsState, event: OfHand) -> None:
    """Show the hand of a seat in the showdown; after the last seat, proceed to the pots."""
    if not has(state.live & ~state.settled, event.seat):
        not_one_of(event, "to show a hand")
    _check_shown(state, event, event.seat, event.cards)
    show(state, event.seat, event.cards)
    _settled(state, event.seat)


def _check_shown(state: StreetsState, event: object, seat: int, cards: tuple[Card, ...]) -> None:
    """Refuse a wrong number of shown cards, or a repeated card; a hand that was not dealt passes: audits report it.

    Such a hand is refused only if this copy knows what the seat was dealt and drew, but not what the seat kept:
    nothing else could then report it.
    """
    if cards != state.hands[seat] and not len(cards) == len(set(cards)) == state.hand_size:
        raise ImpossibleEvent(event, f"a hand has {counted(state.hand_size, 'card')}, all different")
    unsure = state.unsure.get(seat)
    if unsure is not None and not unsure.fits(state.hands[seat], cards):
        raise ImpossibleEvent(event, f"seat {seat} was dealt other cards")


def show(state: StreetsState, seat: int, cards: tuple[Card, ...]) -> None:
    """Note the cards of a hand that everybody now sees."""
    state.hands[seat] = cards
    state.shown |= 1 << seat


def hand_mucked(state: StreetsState, event: OfSeat) -> None:
    """Muck the hand of a seat: give it up without showing it."""
    if not has(state.live & ~state.settled, event.seat):
        not_one_of(event, "to show a hand")
    _settled(state, event.seat)


def _settled(state: StreetsState, seat: int) -> None:
    state.settled |= 1 << seat
    if state.settled == state.live:
        to_award(state)


# Who shows, and who wins


def shows_next(state: StreetsState) -> int:
    """Return the seat whose turn it is to show or muck its hand."""
    aggressor = state.aggressor if state.card_terms.shows_first == "aggressor" else 0
    first = aggressor or next_seat(state.live, state.button)
    return next_seat(state.live & ~state.settled, first - 1)


def shows_all(state: StreetsState) -> bool:
    """Return whether every hand must be shown because a seat is all in."""
    return state.all_in != 0 and not state.card_terms.muck_all_in


def unbeaten(state: StateT, seat: int, worth: int, compared: int, worth_of: Worth[StateT]) -> bool:
    """Return whether a seat's hand can still win a pot: no ``compared`` seat playing for the pot has a better one."""
    for _, eligible in pots_of(state.pot, state.staked, state.live) if state.all_in else [(0, state.live)]:
        if has(eligible, seat):
            for other in seats_in(eligible & compared):
                if worth_of(state, other) > worth:
                    break
            else:
                return True
    return False


def winners_of(state: StateT, compared: int, worth_of: Worth[StateT]) -> int:
    """Return the seats with the strongest hand among those compared; there are several if hands tie."""
    best = winners = 0
    for seat in seats_in(compared):
        worth = worth_of(state, seat)
        if worth > best:
            best, winners = worth, 1 << seat
        elif worth == best:
            winners |= 1 << seat
    return winners


# Pots


def rake_taken(state: StreetsState, event: OfPot) -> None:
    """Take rake out of a pot; once no more rake is due, proceed to awarding the pots."""
    pots.rake_taken(state, event)
    if not state.rake_due:
        state.phase = AWARD


def pot_awarded(state: StreetsState, event: OfShares) -> None:
    """Pay a pot out; after the last one, proceed to the remainder or to the end of the round."""
    if pots.pot_awarded(state, event):
        state.phase = CARRY if state.pot else ROUND_END


def remainder_carried(state: StreetsState, _event: object) -> None:
    """Carry the indivisible remainder of the pot to the next round."""
    state.phase = ROUND_END
