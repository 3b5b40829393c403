"""Who plays for which chips, and how a pot is divided."""

from collections.abc import Sequence
from typing import NamedTuple

from pokersvc.games.draw_poker.seats import clockwise, seats_in


class Pot(NamedTuple):
    """Chips, and the set of seats that may win them."""

    amount: int
    eligible: int


def pots_of(total: int, staked: Sequence[int], live: int) -> list[Pot]:
    """Return the main pot and the side pots, one for each level that a seat still in has staked.

    ``staked`` is what each seat has put in this round, by seat; ``total`` also has chips carried from earlier
    rounds and left by players who are out, which belong to the main pot.

    >>> pots_of(60, [0, 10, 20, 20, 10], 0b01110)
    [Pot(amount=40, eligible=14), Pot(amount=20, eligible=12)]
    >>> pots_of(65, [0, 10, 20, 20, 10], 0b01110)
    [Pot(amount=45, eligible=14), Pot(amount=20, eligible=12)]
    """
    pots = []
    below, rest = 0, total - sum(staked)
    for level in sorted({staked[seat] for seat in seats_in(live)}):
        amount = rest + sum(min(stake, level) - min(stake, below) for stake in staked)
        rest = 0
        eligible = sum(1 << seat for seat in seats_in(live) if staked[seat] >= level)
        if amount:
            pots.append(Pot(amount, eligible))
        below = level
    paid = sum(pot.amount for pot in pots)
    if pots and paid < total:  # staked by a seat that has folded, above what anyone still in has
        pots[-1] = Pot(pots[-1].amount + total - paid, pots[-1].eligible)
    return pots or [Pot(total, live)]


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
