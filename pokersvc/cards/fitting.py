"""Hands that fit what is known: dealt at thousands of tables at once, with the draws of some players given.

Hands are dealt one player at a time. Tables at which the player would have drawn another number of cards are dropped,
and copies of the others take their place, with their other cards shuffled again. So all that fit are equally likely.
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
"""How often at most a hand that fits is tried at each table, so that few are copies of each other."""

FEWEST: Final = 100
"""One in this many tables must have a hand that fits."""

_SIZES: Final = np.array(SIZES)
_SUIT_ORDERS: Final = np.array(list(permutations(range(4))))


def hands_that_drew(
    live: Cards, opponents: int, drew: Sequence[int], most: int, count: int, random: np.random.Generator
) -> tuple[Cards, Cards]:
    """Return hands of opponents at so many tables, and the other live cards there, shuffled.

    Hands have the shape ``(count, opponents, 5)``. The first opponents draw as many cards as ``drew`` says, when they
    throw away at most ``most`` cards by `win_values`. Where nobody who does so draws so many, a hand may be any.
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
    """Which deals good players draw how many cards to, suits apart; see `equilibrium.deals`."""

    opponents: int
    most: int
    rows: tuple[NDArray[np.intp], ...]
    """By number of cards drawn, the deals."""
    chances: tuple[NDArray[np.float64], ...]
    """How likely each of these is among them."""
    shares: tuple[float, ...]
    """Of all deals."""


@cache
def _drawn(opponents: int, most: int) -> _Drawn:
    of = deals()
    sizes = _SIZES[batch_best(of.hands, win_values(opponents), most)]
    rows = tuple(np.flatnonzero(sizes == size) for size in range(6))
    weights = [of.weights[of_size] for of_size in rows]
    chances = tuple(weight / max(1, weight.sum()) for weight in weights)
    return _Drawn(opponents, most, rows, chances, tuple(float(weight.sum() / comb(52, 5)) for weight in weights))


def _fitting(cards: Cards, at: int, drew: int, drawn: _Drawn, random: np.random.Generator) -> Cards:
    """Return tables as likely as any at which so many are drawn to the five cards from a place on.

    Hands are tried from the deck, or from the list of all that fit: whichever is taken more often.
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
    """Return hands to which good players draw so many cards, each as likely as any."""
    hands = deals().hands[random.choice(drawn.rows[drew], count, p=drawn.chances[drew])]
    suits = _SUIT_ORDERS[random.integers(len(_SUIT_ORDERS), size=count)]
    named: NDArray[np.intp] = hands // 4 * 4 + np.take_along_axis(suits, hands % 4, axis=1)
    return named


def _first(cards: Cards, hands: NDArray[np.intp]) -> Cards:
    """Return rows of cards with those of a hand first, and the others in their order."""
    in_hand = (cards[:, :, None] == hands[:, None]).any(axis=2)
    return np.take_along_axis(cards, np.argsort(~in_hand, axis=1, kind="stable"), axis=1)
