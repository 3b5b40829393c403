"""The course of a round: from street to street, each with its deals, its draw and its betting, to the pots.

The draw and the showdown have modules of their own.
"""

from typing import NoReturn

from pokersvc.betting import turns
from pokersvc.betting.events import OfChips, OfSeat
from pokersvc.betting.pots import make_pots, rake_due
from pokersvc.betting.seats import has, next_seat
from pokersvc.betting.state import exists, not_one_of
from pokersvc.core.event import ImpossibleEvent
from pokersvc.streets.events import OfBoard, OfCards, OfCommitted, OfHand, OfSeed
from pokersvc.streets.openers import by_cards
from pokersvc.streets.phases import (
    ANTES,
    AWARD,
    BETTING,
    DEAL,
    DRAW,
    OPEN,
    OPENER,
    RAKE,
    RETURN,
    SHOWDOWN,
)
from pokersvc.streets.state import Cards, Commitment, StreetsState, hidden, repeats
from pokersvc.text import counted

# The deals


def deck_shuffled(state: StreetsState, event: OfSeed) -> None:
    """Set the deck's seed; the first street is dealt next."""
    state.deck_seed = event.seed
    begin_street(state)


def begin_street(state: StreetsState) -> None:
    """Begin the next street with its deals or, if it has none, with its draw or betting."""
    state.deals = state.streets[state.street].deals
    state.street += 1
    if state.deals:
        begin_deal(state)
    else:
        after_deals(state)


def begin_deal(state: StreetsState) -> None:
    """Begin the first of the street's remaining deals, to all seats still in or to the board."""
    state.phase = DEAL
    state.pending = 0 if state.deals[0].where == "board" else state.live


def cards_dealt(state: StreetsState, event: OfCards) -> None:
    """Deal a seat cards face down."""
    seat, cards = event.seat, event.cards
    if not has(state.pending, seat):
        not_one_of(event, "to be dealt a hand")
    count, where = state.deals[0]
    if where != "down":
        raise ImpossibleEvent(event, f"cards are dealt {_said(where)} now")
    if event.count != count or not (cards is None or _fit(state.hands[seat], cards, count)):
        _not_a_hand(state, event)
    _give(state, seat, count, hidden(count) if cards is None else cards)


def check_commitment(event: OfCommitted) -> None:
    """Refuse a deal unless it has a digest for each card and, if salts are not hidden, a salt for each card."""
    if len(event.digests) != event.count or (event.salts is not None and len(event.salts) != event.count):
        raise ImpossibleEvent(event, f"it needs {counted(event.count, 'digest')}, and as many salts")


def commit(state: StreetsState, event: OfCommitted) -> None:
    """Note the digests of the cards that a seat was just dealt."""
    seat, cards, salts = event.seat, event.cards, event.salts
    known = ((), ()) if cards is None or salts is None else (cards, salts)
    state.committed[seat] = (*state.committed.get(seat, ()), Commitment(event.digests, event.count, *known))


def up_cards_dealt(state: StreetsState, event: OfHand) -> None:
    """Deal a seat cards face up."""
    seat, cards = event.seat, event.cards
    if not has(state.pending, seat):
        not_one_of(event, "to be dealt a hand")
    count, where = state.deals[0]
    if where != "up":
        raise ImpossibleEvent(event, f"cards are dealt {_said(where)} now")
    if not _fit(state.hands[seat], cards, count):
        _not_a_hand(state, event)
    state.up[seat] += cards
    _give(state, seat, count, cards)


def _fit(hand: Cards, cards: Cards, count: int) -> bool:
    """Return whether ``cards`` are ``count`` new cards, with no known card twice among them and the hand."""
    if len(cards) == len(set(cards)) == count and not hand:
        return True
    return len(cards) == count and not repeats((*hand, *cards))


def _not_a_hand(state: StreetsState, event: object) -> NoReturn:
    cards = counted(state.hand_size + state.deals[0].cards, "card")
    which = "and no known one of them twice" if state.card_terms.partly_known else "all different"
    raise ImpossibleEvent(event, f"a hand has {cards}, {which}")


def board_dealt(state: StreetsState, event: OfBoard) -> None:
    """Deal cards to the board."""
    count, where = state.deals[0]
    if where != "board":
        raise ImpossibleEvent(event, f"cards are dealt {_said(where)} now")
    if not _fit(state.board, event.cards, count):
        raise ImpossibleEvent(event, f"the board is dealt {counted(count, 'card')} now, all different")
    state.board += event.cards
    state.deck_left -= count
    _dealt(state)


def _give(state: StreetsState, seat: int, count: int, cards: Cards) -> None:
    """Add cards to the hand of a seat; after the last seat, end the deal."""
    state.hands[seat] += cards
    state.deck_left -= count
    state.pending &= ~(1 << seat)
    if not state.pending:
        state.hand_size += count
        _dealt(state)


def _dealt(state: StreetsState) -> None:
    state.deals = state.deals[1:]
    if state.deals:
        begin_deal(state)
    elif state.street == 1 and state.ante and state.card_terms.ante_after_deal:
        state.phase, state.pending, state.cursor = ANTES, state.live, 0
    else:
        after_deals(state)


def _said(where: str) -> str:
    return "to the board" if where == "board" else f"face {where}"


# After the deals


def after_deals(state: StreetsState) -> None:
    """Proceed from the deals to the draw, to showing hands before the betting, or to the betting."""
    street = state.streets[state.street - 1]
    if street.draw is not None:
        if any(state.discarded):
            _put_away(state)
        state.phase = DRAW
        state.pending, state.cursor = state.live, state.button
        state.actor = next_seat(state.live, state.cursor)
    elif street.opens_hands:
        state.phase = OPEN
    else:
        start_betting(state)


def _put_away(state: StreetsState) -> None:
    """Move the discards of earlier draws to ``put_away``, from which any seat may be dealt cards again."""
    for seat, gone in enumerate(state.discarded):
        if gone:
            if not has(state.reused, seat):
                state.put_away += gone
            state.discarded[seat] = ()
            state.reused &= ~(1 << seat)  # if the seat has folded since, its hand may now be dealt again


def after_draw(state: StreetsState) -> None:
    """After a draw, show the hands if the street opens them before its betting; otherwise begin the betting."""
    if state.streets[state.street - 1].opens_hands:
        state.phase = OPEN
    else:
        start_betting(state)


def start_betting(state: StreetsState) -> None:
    """Begin the betting of this street."""
    street = state.streets[state.street - 1]
    state.betting_round = state.street
    state.phase = BETTING
    follows = turns.start_betting(state, street, state.dealt_in())
    if follows == "opener" and street.opener == "chance":
        state.phase = OPENER
    elif follows == "over" or (follows == "opener" and turns.opened_by(state, by_cards(state, street.opener))):
        betting_over(state)


def opener_chosen(state: StreetsState, event: OfSeat) -> bool:
    """Give the first turn to the seat that chance chose; return whether the betting round is over."""
    exists(state, event, event.seat)
    state.phase = BETTING
    return turns.opened_by(state, event.seat)


def betting_over(state: StreetsState) -> None:
    """End a betting round: proceed to the return of an uncalled bet or, without one, to the next street or showdown."""
    if state.uncalled():
        state.phase = RETURN
    else:
        _after_betting(state)


def uncalled_bet_returned(state: StreetsState, event: OfChips) -> None:
    """Give the uncalled part of a bet back to its seat, and proceed to the next street or the showdown."""
    turns.uncalled_bet_returned(state, event)
    _after_betting(state)


def _after_betting(state: StreetsState) -> None:
    if state.only_one_left:
        to_award(state)
    elif state.street < len(state.streets):
        begin_street(state)
    elif state.card_terms.shows == "in_order":
        state.phase = SHOWDOWN
    elif state.shown:
        to_award(state)
    else:
        state.phase = OPEN


def to_award(state: StreetsState) -> None:
    """Divide the chips of the round into pots, and proceed to the rake or, without rake, to the award of the pots."""
    make_pots(state)
    if state.terms.rake is not None or state.stated.rake is not None:
        spared = state.street < state.card_terms.raked_from
        state.rake_due = rake_due(state, state.dealt_in(), spared=spared)
    state.phase = RAKE if state.rake_due else AWARD
