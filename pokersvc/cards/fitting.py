"""Samples opponents' hands at thousands of tables at once, given how many cards some of them drew.

Hands are dealt one player at a time. Tables at which that player would have drawn a different number of cards are
dropped and replaced by copies of the remaining tables, in which the cards not yet dealt are shuffled again. So all
tables that fit are equally likely.
Source: N. J. Gordon, D. J. Salmond and A. F. M. Smith, Novel approach to nonlinear/non-Gaussian Bayesian state
estimation, 1993.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import ceil, comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards.arrays import Cards
from pokersvc.cards.discards import SIZES, batch_best
from pokersvc.cards.equilibrium import deals
from pokersvc.cards.opponents import win_values

MOST_TRIES: Final = 4
"""The maximum number of attempts per table to deal a hand that fits, so that few tables are copies of others."""

FEWEST: Final = 100
"""If fewer than one fitting hand is found per this many tables, the known number of drawn cards is ignored."""

_SIZES: Final = np.array(SIZES)
_SUIT_ORDERS: Final = np.array(list(permutations(range(4))))


def hands_that_drew(
    live: Cards, opponents: int, drew: Sequence[int], most: int, count: int, random: np.random.Generator
) -> tuple[Cards, Cards]:
    """Return the opponents' hands at ``count`` random tables, and the other live cards of each table, shuffled.

    Hands have the shape ``(count, opponents, 5)``. With the hands of the first opponents, good players draw as many
    cards as ``drew`` says, by `win_values` and at most ``most``. If no good player draws that number, any hand is
    possible.
    """
    cards = random.permuted(np.broadcast_to(live, (count, len(live))), axis=1)
    drawn = _drawn(opponents, most)
    rarest_first = sorted(range(len(drew)), key=lambda player: drawn.shares[drew[player]])
    for number, player in enumerate(rarest_first):
        cards = _fitting(cards, 5 * number, drew[player], drawn, random)
    known = 5 * len(drew)
    cards[:, known:] = random.permuted(cards[:, known:], axis=1)
    order = [*rarest_first, *range(len(drew), opponents)]
    hands = np.empty((count, opponents, 5), np.uint8)
    hands[:, order] = cards[:, : 5 * opponents].reshape(count, -1, 5)
    return hands, cards[:, 5 * opponents :]


class _Drawn(NamedTuple):
    """The deals of `equilibrium.deals`, grouped by the number of cards that a good player draws to them."""

    opponents: int
    most: int
    rows: tuple[NDArray[np.intp], ...]
    """For each number of cards drawn, the indices of the deals."""
    chances: tuple[NDArray[np.float64], ...]
    """For each number of cards drawn, the probability of each of its deals."""
    shares: tuple[float, ...]
    """For each number of cards drawn, its share of all deals."""


@cache
def _drawn(opponents: int, most: int) -> _Drawn:
    of = deals()
    sizes = _SIZES[batch_best(of.hands, win_values(opponents), most)]
    rows = tuple(np.flatnonzero(sizes == size) for size in range(6))
    weights = [of.weights[of_size] for of_size in rows]
    chances = tuple(weight / max(1, weight.sum()) for weight in weights)
    return _Drawn(opponents, most, rows, chances, tuple(float(weight.sum() / comb(52, 5)) for weight in weights))


def _fitting(cards: Cards, at: int, drew: int, drawn: _Drawn, random: np.random.Generator) -> Cards:
    """Sample tables at which a good player with the five cards from position ``at`` draws ``drew``, all equally likely.

    Hands are tried from the deck, or from the list of all that fit, whichever succeeds more often.
    """
    if not drawn.shares[drew]:
        return cards
    count, width = cards.shape
    from_deck, from_list = drawn.shares[drew], comb(width - at, 5) / comb(52, 5)
    tries = count * min(MOST_TRIES, ceil(1.5 / max(from_deck, from_list)))
    tables = cards[np.arange(tries) % count]
    tables[:, at:] = random.permuted(tables[:, at:], axis=1)
    if from_deck >= from_list:
        fits = _SIZES[batch_best(tables[:, at : at + 5], win_values(drawn.opponents), drawn.most)] == drew
    else:
        hands = _listed(drawn, drew, tries, random)
        free = np.zeros((tries, 52), bool)
        np.put_along_axis(free, tables[:, at:].astype(np.intp), True, axis=1)
        fits = np.take_along_axis(free, hands, axis=1).all(axis=1)
        tables[fits, at:] = _first(tables[fits, at:], hands[fits])
    found = random.permuted(np.flatnonzero(fits))
    if len(found) * FEWEST < count:
        return cards
    fitting: Cards = tables[found[np.arange(count) % len(found)]]
    return fitting


def _listed(drawn: _Drawn, drew: int, count: int, random: np.random.Generator) -> NDArray[np.intp]:
    """Sample ``count`` hands uniformly from those to which good players draw ``drew`` cards."""
    hands = deals().hands[random.choice(drawn.rows[drew], count, p=drawn.chances[drew])]
    suits = _SUIT_ORDERS[random.integers(len(_SUIT_ORDERS), size=count)]
    named: NDArray[np.intp] = hands // 4 * 4 + np.take_along_axis(suits, hands % 4, axis=1)
    return named


def _first(cards: Cards, hands: NDArray[np.intp]) -> Cards:
    """Return rows of cards, each with the cards of its hand moved to the front; the other cards keep their order."""
    in_hand = (cards[:, :, None] == hands[:, None]).any(axis=2)
    return np.take_along_axis(cards, np.argsort(~in_hand, axis=1, kind="stable"), axis=1)
