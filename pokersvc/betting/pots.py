"""The pots of a round: made of what was put in, what the house keeps of them, and how they are divided and paid out.

The house takes its rake by its terms, or as a record states it. What who leaves the game leaves
behind is in the pot too.
"""

from typing import NamedTuple

from pokersvc.betting.events import OfChips, OfPot, OfShares
from pokersvc.betting.seats import clockwise, seats_in
from pokersvc.betting.state import BettingState, Pot, exists, pots_of
from pokersvc.core.event import ImpossibleEvent
from pokersvc.text import counted


def make_pots(state: BettingState) -> None:
    """Divide what was put in into pots, which are awarded next."""
    state.pots = pots_of(state.pot, state.staked, state.live) if state.terms.all_in else [Pot(state.pot, state.live)]


# What the house keeps


class RakeDue(NamedTuple):
    """What the house takes of one pot."""

    amount: int
    pot: int
    """Its number; 1 is the main pot."""


def rake_due(state: BettingState, dealt_in: int, *, spared: bool = False) -> int:
    """Return what is taken of a round whose betting is over and whose uncalled bet is returned; so many were dealt in.

    The terms take a share of all that is in the pots, unless the round is ``spared``, such as one that ended before a
    card was drawn. What a record states counts.
    """
    if state.stated.rake is not None and state.round == 1:
        return min(sum(state.stated.rake), state.pot)
    rake = state.terms.rake
    return 0 if rake is None or spared else rake.of(state.pot, players=dealt_in)


def next_rake(state: BettingState) -> RakeDue:
    """Return what the house takes next of what is due: from the first pot that has something, the main pot.

    What is stated is taken from the pots of which it is stated.
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
    """Take rake out of a pot; refuse more than is in it."""
    if event.pot > len(state.pots):
        raise ImpossibleEvent(event, f"there are {counted(len(state.pots), 'pot')}")
    amount, eligible = state.pots[event.pot - 1]
    if event.amount > amount:
        raise ImpossibleEvent(event, f"pot {event.pot} has {counted(amount, 'chip')}, not {event.amount}")
    state.pots[event.pot - 1] = Pot(amount - event.amount, eligible)
    state.pot -= event.amount
    state.raked += event.amount
    state.rake_due = max(0, state.rake_due - event.amount)


# Who is paid


def shares_of(amount: int, winners: int, *, odd_chips: bool, button: int) -> dict[int, int]:
    """Return what each winner gets of a pot, by seat in the order of seats.

    Equal shares; what does not divide stays out, or with ``odd_chips`` goes one chip each to winners clockwise from
    the seat left of the button.

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
    """Pay the last pot out, and return whether it was the last."""
    pay_out(state, event)
    for share in event.shares:
        state.won[share.seat] += share.amount
    state.pots.pop()
    return not state.pots


def pay_out(state: BettingState, event: OfShares) -> None:
    """Move chips from the pot to stacks; refuse more than there are."""
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
    """Let a seat leave the game, and the chips of the event to the pot; refuse more than it has."""
    seat, amount = event.seat, event.amount
    if amount > state.stacks[seat]:
        raise ImpossibleEvent(event, f"seat {seat} has {counted(state.stacks[seat], 'chip')}, not {amount}")
    state.seated &= ~(1 << seat)
    state.stacks[seat] -= amount
    state.pot += amount
