"""The pots of a round: how they are made, raked, divided and paid out.

The rake follows the house's terms, or is what a record states. Chips left behind by a player who leaves the game are in
the pot too.
"""

from typing import NamedTuple

from pokersvc.betting.events import OfChips, OfPot, OfShares
from pokersvc.betting.seats import clockwise, seats_in
from pokersvc.betting.state import BettingState, Pot, exists, pots_of
from pokersvc.core.event import ImpossibleEvent
from pokersvc.text import counted


def make_pots(state: BettingState) -> None:
    """Divide the chips of the round into the pots that are to be awarded."""
    state.pots = pots_of(state.pot, state.staked, state.live) if state.terms.all_in else [Pot(state.pot, state.live)]


# Rake


class RakeDue(NamedTuple):
    """Rake due from one pot."""

    amount: int
    pot: int
    """The number of the pot; 1 is the main pot."""


def rake_due(state: BettingState, dealt_in: int, *, spared: bool = False) -> int:
    """Return the rake of a round whose betting is over and whose uncalled bet, if any, has been returned.

    ``dealt_in`` is the number of seats dealt in. The terms take a share of all pots together, unless the round is
    ``spared``, such as one that ended before a card was drawn. A rake that a record states takes precedence.
    """
    if state.stated.rake is not None and state.round == 1:
        return min(sum(state.stated.rake), state.pot)
    rake = state.terms.rake
    return 0 if rake is None or spared else rake.of(state.pot, players=dealt_in)


def next_rake(state: BettingState) -> RakeDue:
    """Return the next part of the rake that is due, to be taken from the first pot with chips, main pot first.

    A stated rake is taken from the pots for which it is stated.
    """
    stated = state.stated.rake if state.round == 1 else None
    below = 0
    for number, (amount, pot) in enumerate(zip(stated or (), state.pots, strict=False), 1):
        below += amount
        if below > state.raked and pot.amount:
            return RakeDue(min(below - state.raked, state.rake_due, pot.amount), number)
    number, pot = next((number, pot) for number, pot in enumerate(state.pots, 1) if pot.amount)
    return RakeDue(min(state.rake_due, pot.amount), number)


def rake_taken(state: BettingState, event: OfPot) -> None:
    """Take rake out of a pot; refuse more than the pot has."""
    if event.pot > len(state.pots):
        raise ImpossibleEvent(event, f"there are {counted(len(state.pots), 'pot')}")
    amount, eligible = state.pots[event.pot - 1]
    if event.amount > amount:
        raise ImpossibleEvent(event, f"pot {event.pot} has {counted(amount, 'chip')}, not {event.amount}")
    state.pots[event.pot - 1] = Pot(amount - event.amount, eligible)
    state.pot -= event.amount
    state.raked += event.amount
    state.rake_due = max(0, state.rake_due - event.amount)


# Paying out


def shares_of(amount: int, winners: int, *, odd_chips: bool, button: int) -> dict[int, int]:
    """Return seat → share of a pot for its winners, in the order of seats.

    Shares are equal. The remainder stays out or, with ``odd_chips``, goes one chip each to winners clockwise from the
    seat left of the button.

    >>> shares_of(23, 0b110, odd_chips=False, button=0)
    {1: 11, 2: 11}
    >>> shares_of(23, 0b110, odd_chips=True, button=1)
    {1: 11, 2: 12}
    """
    share, odd = divmod(amount, winners.bit_count())
    shares = dict.fromkeys(seats_in(winners), share)
    if odd_chips and odd:
        for seat in clockwise(winners, button)[:odd]:
            shares[seat] += 1
    return shares


def pot_awarded(state: BettingState, event: OfShares) -> bool:
    """Pay out the last pot of the list, and return whether no pot is left."""
    pay_out(state, event)
    for share in event.shares:
        state.won[share.seat] += share.amount
    state.pots.pop()
    return not state.pots


def pay_out(state: BettingState, event: OfShares) -> None:
    """Move chips from the pot to stacks; refuse more than the pot has."""
    paid = 0
    for share in event.shares:
        exists(state, event, share.seat)
        paid += share.amount
    if paid > state.pot:
        raise ImpossibleEvent(event, f"the pot has {counted(state.pot, 'chip')}, not {paid}")
    state.pot -= paid
    for share in event.shares:
        state.stacks[share.seat] += share.amount


def left(state: BettingState, event: OfChips) -> None:
    """Take a seat out of the game and put the chips that it leaves behind into the pot; refuse more than its stack."""
    seat, amount = event.seat, event.amount
    if amount > state.stacks[seat]:
        raise ImpossibleEvent(event, f"seat {seat} has {counted(state.stacks[seat], 'chip')}, not {amount}")
    state.seated &= ~(1 << seat)
    state.stacks[seat] -= amount
    state.pot += amount
