"""The ranking of a tournament, and its prizes: who went out when, which places follow, and what each place is paid.

Lists of places and prizes are by seat, from seat 1. Prices and prizes are whole units, and never chips.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pokersvc.betting.seats import has

PERCENT: Final = 100


class Exit(NamedTuple):
    """How a seat went out. Of two exits, the larger one ranks higher.

    If several go out in one hand, the one who began it with more chips ranks higher (Robert's Rules of Poker, version
    11, "Tournaments"), and equal stacks tie, as at PokerStars. A player who still has chips after the hand, such as a
    person who leaves, ranks above those who have fewer.
    """

    round: int
    """The last round before the seat was out."""
    left_with: int
    """The chips that the seat then had."""
    began_with: int
    """The chips with which the seat began that round."""


def places_of(stacks: Sequence[int], seated: int, exits: Mapping[int, Exit]) -> tuple[int, ...]:
    """Return the place of each seat if the tournament ends now: 1 is the best, and seats that tie share the higher one.

    ``stacks`` has an unused place 0. Players who are still in rank by their chips, above all who are out.

    >>> places_of([0, 50, 0, 0, 30], 0b10010, {2: Exit(3, 0, 40), 3: Exit(3, 0, 10)})
    (1, 3, 4, 2)
    >>> places_of([0, 80, 0, 0], 0b0010, {2: Exit(3, 0, 40), 3: Exit(3, 0, 40)})
    (1, 2, 2)
    """
    out = Exit(0, 0, 0)
    order = [
        (has(seated, seat), stack) if has(seated, seat) else (False, *exits.get(seat, out))
        for seat, stack in enumerate(stacks)
    ][1:]
    return tuple([1 + sum(other > own for other in order) for own in order])


def prizes_of(pool: int, shares: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Return the prize of each seat; ``shares`` has each place's share of the pool in percent, from the first place.

    The remainder of the division goes to the first place. Seats that tie share the prizes of the places that they take
    up equally; a remainder goes to the first place, too. Seats that tie for the first place get a remainder one unit
    each, from the lowest seat. So the prizes add up to the whole pool, and no place wins more than a better one.

    >>> prizes_of(101, (50, 30, 20), (2, 1, 3))
    (30, 51, 20)
    >>> prizes_of(65, (50, 30, 20), (1, 2, 2))
    (33, 16, 16)
    """
    amounts = [pool * share // PERCENT for share in shares] + [0] * (len(places) - len(shares))
    amounts[0] += pool - sum(amounts)
    prizes = [0] * len(places)
    for place in sorted(set(places), reverse=True):
        tied = [at for at, own in enumerate(places) if own == place]
        paid = sum(amounts[place - 1 : place - 1 + len(tied)])
        each, odd = divmod(paid, len(tied))
        for at in tied:
            prizes[at] = each
        if place > 1:
            amounts[0] += odd
        else:
            for at in tied[:odd]:
                prizes[at] += 1
    return tuple(prizes)
