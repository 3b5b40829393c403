"""Simulations of full hands with real cards: they measure the error of the advisor's chances to win.

Every player is dealt five cards of one shuffled deck, in seat order, throws away what wins most often by
`win_values`, and is served from the rest of the deck; when that runs out, the discards of the other players that
have not been dealt again are shuffled to a new one. Nobody bets or folds. Any player may be asked what they expected
and what they got, so a deal is as many observations as there are seats; standard errors know that those of one deal
hang together.

``python -m tests.cards.full_hands [DEALS]`` prints the tables of docs/advice-validation.md, in some minutes.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import CARDS, Card, Category, parse_cards, ranking
from pokersvc.cards.arrays import strengths
from pokersvc.cards.discards import BY_PREFERENCE, DISCARDS, SIZES, Values, batch_totals, outcomes
from pokersvc.cards.equilibrium import deals
from pokersvc.cards.opponents import WIN_UNITS, win_values
from pokersvc.cards.subsets import Ints, suit_free

Hands = NDArray[np.uint8]
Floats = NDArray[np.float64]

AT_ONCE: Final = 20_000
"""The number of deals simulated together."""

HANDS: Final = (
    "AC AD JH 3S 2D",
    "KC KD 8H 5S 2D",
    "QC QS 5C 4H 2D",
    "9C 9D AH 5S 2D",
    "2C 2D 8H 5S 3D",
    "AC KD QH 7S 2D",
    "7C 5D 4H 3S 2C",
    "AC AD KC KD 2H",
    "10D 10C 9H 9C 2S",
    "AC AD AH 9S 4D",
    "2C 2D 2H AS KD",
    "10H JH QH KH 2C",
    "6C 7D 8H 9S KD",
    "KC 9C 6C 3C 2C",
    "9C 6C 4C 3C 2C",
)
"""Hands whose chances are listed individually in docs/advice-validation.md."""

_SIZES: Final = np.array(SIZES)
_OUTCOMES: Final = np.array([outcomes(mask) for mask in range(DISCARDS)])
_PREFERENCE: Final = np.array(BY_PREFERENCE)


class Played(NamedTuple):
    """What all players held, expected and won in many deals: shape ``(deals, seats)``, hands with five cards each."""

    dealt: Hands
    final: Hands
    drew: NDArray[np.int64]
    expected: Floats
    """The chance to win that the advisor states."""
    got: Floats
    """1 for the best hand, a fraction of 1 for tied hands, 0 for all others."""


class Bias(NamedTuple):
    """The excess of a group's results over its expectations."""

    group: str
    observations: int
    mean: float
    error: float
    """The standard error of the mean."""


class Faced(NamedTuple):
    """The expected and the simulated win rate of one hand."""

    expected: float
    got: float
    error: float
    """The standard error of ``got``."""
    deals: int


class Advice(NamedTuple):
    """The best discard of every deal, up to a change of suits, and the advised chance to win."""

    numbers: Ints
    """The deals as `suit_free` numbers, ascending."""
    thrown: NDArray[np.bool_]
    """Which cards are thrown away: in `ordered` order."""
    expected: Floats


def played(opponents: int, deals: int, seed: int) -> Played:
    """Simulate deals in which each player discards by the advice, knowing only their own cards."""
    random = np.random.default_rng(seed)
    advice = advice_for_all(opponents)
    parts = []
    for at in range(0, deals, AT_ONCE):
        decks = shuffled(min(AT_ONCE, deals - at), np.arange(52), random)
        dealt = decks[:, : 5 * (opponents + 1)].reshape(len(decks), opponents + 1, 5)
        masks, expected = looked_up(advice, dealt.reshape(-1, 5))
        masks = masks.reshape(dealt.shape[:2])
        final = served(decks, dealt, masks, random)
        parts.append(Played(dealt, final, _SIZES[masks], expected.reshape(masks.shape), shares(final)))
    return Played(*map(np.concatenate, zip(*parts, strict=True)))


def faced(hand: Sequence[Card], opponents: int, deals: int, seed: int) -> Faced:
    """Simulate one hand in the first seat against the given number of opponents.

    They discard by `win_values` as they stand for all: one hand in ten differently, nearly as well, in less time.
    """
    random = np.random.default_rng(seed)
    own = np.array([card.number for card in hand])
    (mask,), (expected,) = advised(own[None], win_values(opponents, (), hand))
    live = np.setdiff1d(np.arange(52), own)
    won = []
    for _ in range(0, deals, AT_ONCE):
        rest = shuffled(AT_ONCE, live, random)
        decks = np.concatenate([np.broadcast_to(own.astype(np.uint8), (AT_ONCE, 5)), rest], axis=1)
        dealt = decks[:, : 5 * (opponents + 1)].reshape(AT_ONCE, opponents + 1, 5)
        masks, _unused = advised(dealt.reshape(-1, 5), win_values(opponents))
        masks = masks.reshape(dealt.shape[:2])
        masks[:, 0] = mask
        won.append(shares(served(decks, dealt, masks, random))[:, 0])
    got = np.concatenate(won)
    return Faced(float(expected), float(got.mean()), float(got.std() / np.sqrt(len(got))), len(got))


def knowing(hand: Sequence[Card], opponents: int, deals: int, seed: int) -> dict[tuple[int, ...], Faced]:
    """Simulate one hand as in `faced`, but after all opponents: map the numbers of cards they drew to its results.

    That they are served first makes no difference, as long as the deck lasts.
    """
    random = np.random.default_rng(seed)
    own = np.array([card.number for card in hand])
    live = np.setdiff1d(np.arange(52), own)
    won: dict[tuple[int, ...], list[Floats]] = {}
    best: dict[tuple[int, ...], tuple[int, float]] = {}
    for _ in range(0, deals, AT_ONCE):
        rest = shuffled(AT_ONCE, live, random)
        decks = np.concatenate([np.broadcast_to(own.astype(np.uint8), (AT_ONCE, 5)), rest], axis=1)
        dealt = decks[:, : 5 * (opponents + 1)].reshape(AT_ONCE, opponents + 1, 5)
        masks, _unused = advised(dealt.reshape(-1, 5), win_values(opponents))
        masks = masks.reshape(dealt.shape[:2])
        draws, of_draw = np.unique(np.sort(_SIZES[masks[:, 1:]], axis=1), axis=0, return_inverse=True)
        for number, sizes in enumerate(draws.tolist()):
            drew = tuple(sizes)
            if drew not in best:
                (mask,), (expected,) = advised(own[None], win_values(opponents, drew, hand))
                best[drew] = int(mask), float(expected)
            masks[of_draw.ravel() == number, 0] = best[drew][0]
        got = shares(served(decks, dealt, masks, random))[:, 0]
        for number, sizes in enumerate(draws.tolist()):
            won.setdefault(tuple(sizes), []).append(got[of_draw.ravel() == number])
    found = {}
    for drew, parts in sorted(won.items()):
        of = np.concatenate(parts)
        found[drew] = Faced(best[drew][1], float(of.mean()), float(of.std() / np.sqrt(len(of))), len(of))
    return found


def mean_bias(known: Mapping[tuple[int, ...], Faced]) -> float:
    """Return the excess of the results over the expectations, over all deals of `knowing`."""
    total = sum(of.deals * (of.got - of.expected) for of in known.values())
    return total / sum(of.deals for of in known.values())


def shuffled(decks: int, cards: NDArray[np.intp], random: np.random.Generator) -> Hands:
    """Return the given number of shuffled decks of the given cards."""
    return random.permuted(np.tile(cards.astype(np.uint8), (decks, 1)), axis=1)


def served(decks: Hands, dealt: Hands, masks: NDArray[np.intp], random: np.random.Generator) -> Hands:
    """Return the final hands of all players after the discards in ``masks``."""
    seats = dealt.shape[1]
    final = dealt.copy()
    taken = np.full(len(decks), 5 * seats)
    for seat in range(seats):
        for bit in range(5):
            thrown = masks[:, seat] >> bit & 1 == 1
            final[thrown, seat, bit] = decks[thrown, np.minimum(taken[thrown], 51)]
            taken += thrown
    for row in np.flatnonzero(taken > 52).tolist():
        final[row] = served_by_hand(decks[row].tolist(), masks[row].tolist(), Random(int(random.integers(2**63))))
    return final


def advised(hands: NDArray[Any], values: Values) -> tuple[NDArray[np.intp], Floats]:
    """Return the best discard of each hand and the chance to win that it promises."""
    means = batch_totals(hands, values)[:, _PREFERENCE] / _OUTCOMES[_PREFERENCE]
    choice = means.argmax(axis=1)
    return _PREFERENCE[choice], means[np.arange(len(hands)), choice] / WIN_UNITS


@cache
def advice_for_all(opponents: int) -> Advice:
    """Return the advice for every possible hand, by a table for each strength; players know their own cards only.

    Hands of one strength have the same faces; of the suits of others than flushes, those of one stand for all, taken by
    chance.
    """
    of = deals()
    hands = of.hands
    masks, expected = np.empty(len(hands), np.intp), np.empty(len(hands))
    random = np.random.default_rng(opponents)
    _, alike = np.unique(of.strengths, return_inverse=True)
    for rows in np.split(np.argsort(alike, kind="stable"), np.cumsum(np.bincount(alike))[:-1]):
        row = random.choice(rows, p=of.weights[rows] / of.weights[rows].sum())
        own = [CARDS[card] for card in hands[row]]
        masks[rows], expected[rows] = advised(hands[rows], win_values(opponents, (), own))
    thrown = masks[:, None] >> ordered(hands) & 1 == 1
    return Advice(suit_free(hands), thrown, expected)


def looked_up(advice: Advice, hands: Hands) -> tuple[NDArray[np.intp], Floats]:
    """Return the best discard of each hand and the chance to win that it promises."""
    rows = np.searchsorted(advice.numbers, suit_free(hands.astype(np.intp)))
    masks = (advice.thrown[rows] << ordered(hands.astype(np.intp))).sum(axis=1)
    return masks, advice.expected[rows]


def ordered(hands: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the order of each hand's cards, which is the same for hands that differ only in the names of suits."""
    faces, suits = hands // 4, hands % 4
    of_suit = ((suits[:, :, None] == suits[:, None]) << faces[:, None]).sum(axis=2)  # which faces its suit has
    return np.argsort((of_suit * 4 + suits) * 13 + faces, axis=1)


def served_by_hand(deck: list[int], masks: list[int], random: Random) -> list[list[int]]:
    """Return the final hands of one deal, served one card at a time by the rules for a deck that runs out."""
    hands = [deck[5 * seat : 5 * seat + 5] for seat in range(len(masks))]
    rest = deck[5 * len(masks) :]
    thrown: dict[int, int] = {}  # card → the seat that threw it away
    for seat, mask in enumerate(masks):
        places = [place for place in range(5) if mask >> place & 1]
        thrown |= {hands[seat][place]: seat for place in places}
        for place in places:
            if not rest:
                rest = [card for card, owner in thrown.items() if owner != seat]
                random.shuffle(rest)
                for card in rest:
                    del thrown[card]
            hands[seat][place] = rest.pop(0)
    return hands


def shares(final: Hands) -> Floats:
    """Return each player's share of the pot in each deal."""
    found = strengths(final.reshape(-1, 5)).reshape(final.shape[:2])
    won = found == found.max(axis=1, keepdims=True)
    share: Floats = won / won.sum(axis=1, keepdims=True)
    return share


def biases(of: Played) -> Iterator[Bias]:
    """Return the bias by number of cards drawn, by category held, and by tenth of the expected chance."""
    for size in range(6):
        yield _bias(of, f"drew {size}", of.drew == size)
    held = np.array(ranking.by_strength().categories)[strengths(of.dealt.reshape(-1, 5))].reshape(of.drew.shape)
    for category in Category:
        yield _bias(of, f"held {category.label}", held == category)
    borders = np.quantile(of.expected, np.arange(1, 10) / 10)
    tenths = np.searchsorted(borders, of.expected)
    for tenth in range(10):
        yield _bias(of, f"tenth {tenth + 1}", tenths == tenth)


def overall(of: Played) -> Bias:
    """Return the bias over all players, whose mean expected share is 1 / the number of seats."""
    return _bias(of, "all", np.ones(of.drew.shape, bool))


def _bias(of: Played, group: str, members: NDArray[np.bool_]) -> Bias:
    """Return the mean difference in a group, as a ratio of sums over deals (W. G. Cochran, Sampling Techniques, 6)."""
    counts = members.sum(axis=1)
    total = int(counts.sum())
    if not total:
        return Bias(group, 0, float("nan"), float("nan"))
    sums = np.where(members, of.got - of.expected, 0).sum(axis=1)
    mean = float(sums.sum() / total)
    return Bias(group, total, mean, float(np.sqrt(np.square(sums - mean * counts).sum()) / total))


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    numbers = (1, 3, 5)
    by_group = [[overall(of), *biases(of)] for of in (played(number, deals, seed=number) for number in numbers)]
    for row in zip(*by_group, strict=True):
        print(f"| {row[0].group} |" + "".join(f" {100 * of.mean:+.2f} ± {100 * of.error:.2f} |" for of in row))
    print()
    for text in HANDS:
        cells = (faced(parse_cards(text), number, deals, seed=number) for number in numbers)
        print(
            f"| {text} |" + "".join(f" {100 * of.expected:.1f} | {100 * (of.got - of.expected):+.2f} |" for of in cells)
        )
    print()
    for text in HANDS:
        of_one, of_three = (knowing(parse_cards(text), number, deals, seed=number) for number in (1, 3))
        shown = (f" {100 * (of.got - of.expected):+.2f} ± {100 * of.error:.2f} |" for of in of_one.values())
        print(f"| {text} |" + "".join(shown) + f" {100 * mean_bias(of_three):+.2f} |", flush=True)
    worst = []
    for number in numbers:
        random = Random(number)
        found = [faced(random.sample(CARDS, 5), number, deals // 10, seed) for seed in range(100)]
        worst.append((number, max(abs(of.got - of.expected) for of in found), max(of.error for of in found)))
    print(f"\nthe worst of 100 random hands: {worst}")


if __name__ == "__main__":
    main()
