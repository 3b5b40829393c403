"""The loss of a strategy to a player who knows it and sees all its own cards, not only their group.

In the game of the strategy's abstraction, but with every deal and every final hand told apart, the best answer is found
exactly; it discards as the strategy does. Then that answer plays with real cards of one deck. What it wins there is a
lower bound of what can be won from the strategy with the bets of its tree.
"""

from dataclasses import dataclass, field
from functools import cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.strategies import HAND, Numbers, PlayedDeals, Value, shuffled, value_of
from pokersvc.cards.discards import DISCARDS, SIZES
from pokersvc.cards.equilibrium import deals
from pokersvc.cards.ranking import STRENGTHS
from pokersvc.cards.subsets import subsets_of_the_deck, suit_free
from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, bucket_of, groups, kept_alike
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw
from pokersvc.games.draw_poker.strategy.strategy_file import Stored
from pokersvc.games.draw_poker.strategy.tree import BLIND, BUTTON, CallEnd, FoldEnd, Next, Node

_SCALE: Final = 1e6
"""A unit has this many parts; values are summed over hands in whole parts."""

Choices = NDArray[np.intp]


@dataclass
class Answer:
    """The number of one seat's action in each of its choices, with each possible hand."""

    seat: int
    first: dict[Node, Choices] = field(default_factory=dict)
    """In the first betting, by number of the deal in `pokersvc.cards.equilibrium.deals`."""
    draws: dict[CallEnd, Choices] = field(default_factory=dict)
    """The number of cards drawn, by number of the deal; for the button first by what the big blind drew."""
    final: dict[Node, Choices] = field(default_factory=dict)
    """In the final betting: shape ``(drawn by the blind, drawn by the button, strength)``."""
    value: float = 0.0
    """What the answer wins in the abstraction, in thousandths of a big blind a hand."""


def answer(stored: Stored, seat: int) -> Answer:
    """Return the best answer to a strategy at a seat."""
    return _Answering(stored, seat).made


class _Answering:
    """Finds a best response; values are in units, weighted by the opponent's chance to get there."""

    def __init__(self, stored: Stored, seat: int) -> None:
        self._strategy, self._seat = stored.strategy, seat
        self.made = Answer(seat)
        values = self._first(stored.strategy.root, groups().shares)
        weights = deals().weights
        self.made.value = float(values @ weights / weights.sum()) * 1000 / BIG_BLIND

    def _first(self, node: Next, against: Floats) -> Floats:
        if isinstance(node, FoldEnd):
            return np.full(len(deals().hands), self._folded(node) * against.sum())
        if isinstance(node, CallEnd):
            return self._drawn(self._strategy.after[node], against)
        if node.seat == self._seat:
            values = np.stack([self._first(child, against) for child in node.children])
            self.made.first[node] = values.argmax(axis=0)
            found: Floats = values.max(axis=0)
            return found
        parts = zip(node.children, self._strategy.first[node], strict=True)
        return np.asarray(np.sum([self._first(child, against * chance) for child, chance in parts], axis=0))

    def _drawn(self, after: AfterDraw, against: Floats) -> Floats:
        ends = groups().ends
        if self._seat == BLIND:
            theirs = np.einsum("bdg,bgx->dbx", against * after.button, ends)  # (by blind, by button, bucket)
            by_strength = self._final(after, after.end.final or after.end, theirs, 1).sum(axis=1)
            values = np.stack([_expected(drew, by_strength[drew][None])[0] for drew in range(DRAWS)])
            self.made.draws[after.end] = values.argmax(axis=0)
            return np.asarray(values.max(axis=0))
        theirs = np.einsum("dg,dgx->dx", against * after.blind, ends)[:, None].repeat(DRAWS, axis=1)
        by_strength = self._final(after, after.end.final or after.end, theirs, 0)
        values = np.stack([_expected(drew, by_strength[:, drew]) for drew in range(DRAWS)])  # (own, theirs, deal)
        self.made.draws[after.end] = values.argmax(axis=0)
        return np.asarray(values.max(axis=0).sum(axis=0))

    def _final(self, after: AfterDraw, node: Next, against: Floats, theirs: int) -> Floats:
        """Return values by both numbers of cards drawn and by strength; ``theirs`` is the opponent's axis."""
        if isinstance(node, FoldEnd):
            won = self._folded(node) * against.sum(axis=-1, keepdims=True)
            return np.broadcast_to(won, (DRAWS, DRAWS, STRENGTHS + 1))
        if isinstance(node, CallEnd):
            return _shown(node.put, against, theirs)
        if node.seat == self._seat:
            values = np.stack([self._final(after, child, against, theirs) for child in node.children])
            self.made.final[node] = values.argmax(axis=0)
            found: Floats = values.max(axis=0)
            return found
        parts = zip(node.children, after.nodes[node], strict=True)
        by_action = [self._final(after, child, against * chance, theirs) for child, chance in parts]
        return np.asarray(np.sum(by_action, axis=0))

    def _folded(self, end: FoldEnd) -> int:
        return -end.lost if end.seat == self._seat else end.lost


def _shown(put: int, against: Floats, theirs: int) -> Floats:
    """Return each strength's winnings at a showdown; buckets are spread over strengths as among all hands that drew."""
    spread = _spread() if theirs == 0 else _spread().swapaxes(0, 1)
    hands = against[..., bucket_of()] * spread
    below = hands.cumsum(axis=-1)
    found: Floats = put * (2 * below - hands - below[..., -1:])
    return found


@cache
def _spread() -> Floats:
    """Return, for each number of cards drawn, each strength's share of its bucket: shape ``(draws, 1, 7463)``."""
    chances = np.stack([_ends_of_all(drew) for drew in range(DRAWS)])
    sums = np.zeros((DRAWS, int(bucket_of().max()) + 1))
    for drew in range(DRAWS):
        np.add.at(sums[drew], bucket_of()[1:], chances[drew, 1:])
    within = sums[:, bucket_of()]
    shares = np.divide(chances, within, out=np.zeros_like(chances), where=within > 0)
    return shares[:, None]


def _ends_of_all(drew: int) -> Floats:
    """Return the number of hands of each strength that all deals become after drawing this many cards; index 0 is 0."""
    of, sets = deals(), subsets_of_the_deck()
    weights, found = np.zeros(sets.classes, np.int64), np.zeros(STRENGTHS + 1)
    for sign, rows, mask in _terms(drew):
        if mask == DISCARDS - 1:
            np.add.at(found, of.strengths[rows], sign * of.weights[rows])
        else:
            np.add.at(weights, of.classes[mask][rows], sign * of.weights[rows])
    return found + sets.spread(weights)


def _expected(drew: int, values: Floats) -> Floats:
    """Return each deal's mean value after drawing this many cards: from shape ``(n, 7463)`` to ``(n, deals)``."""
    of = deals()
    whole = np.rint(values * _SCALE).astype(np.int64).T
    sums = subsets_of_the_deck().sums(whole) if drew else whole
    found = np.zeros((len(of.hands), len(values)), np.int64)
    for sign, rows, mask in _terms(drew):
        found[rows] += sign * (whole[of.strengths[rows]] if mask == DISCARDS - 1 else sums[of.classes[mask][rows]])
    return found.T / (comb(52 - HAND, drew) * _SCALE)


@cache
def _terms(drew: int) -> list[tuple[int, Numbers, int]]:
    """Return the sets of kept and thrown cards whose sums make up a draw: a sign, the deals, and the set's mask."""
    found = []
    for discard in (mask for mask in range(DISCARDS) if SIZES[mask] == drew):
        rows = np.flatnonzero(_thrown()[:, drew] == discard)
        kept = DISCARDS - 1 - discard
        masks = [mask for mask in range(DISCARDS) if mask & kept == kept]
        found += [((-1) ** (mask ^ kept).bit_count(), rows, mask) for mask in masks]
    return found


@cache
def _thrown() -> NDArray[np.uint8]:
    return kept_alike(deals().hands)


@cache
def _numbers() -> NDArray[np.int64]:
    return suit_free(deals().hands)


class AnsweredDeals(PlayedDeals):
    """Many deals at once, in which one seat plays a best response and the other the strategy."""

    def __init__(self, stored: Stored, decks: Numbers, made: Answer) -> None:
        super().__init__(stored, decks)
        self._made = made
        own = decks[:, :HAND] if made.seat == BUTTON else decks[:, HAND : 2 * HAND]
        self._deal = np.searchsorted(_numbers(), suit_free(own))

    def first(self, node: Node) -> Floats:
        """Return the chances of each action of a choice in the first betting, by action first."""
        return _sure(self._made.first[node][self._deal], node) if node.seat == self._made.seat else super().first(node)

    def draws(self, after: AfterDraw, seat: int, theirs: int) -> Floats:
        """Return the chances of each number of cards drawn."""
        if seat != self._made.seat:
            return super().draws(after, seat, theirs)
        made = self._made.draws[after.end]
        return np.asarray((made if seat == BLIND else made[theirs])[self._deal] == np.arange(DRAWS)[:, None], float)

    def final(self, after: AfterDraw, node: Node, drew: tuple[int, int], strength: Numbers) -> Floats:
        """Return the chances of each action of a choice after the draw."""
        if node.seat != self._made.seat:
            return super().final(after, node, drew, strength)
        return _sure(self._made.final[node][drew][strength], node)


def _sure(actions: Choices, node: Node) -> Floats:
    return np.asarray(actions == np.arange(len(node.actions))[:, None], float)


def won(stored: Stored, answers: tuple[Answer, Answer], count: int, seed: int) -> Value:
    """Return the mean winnings of the button's and the big blind's best responses with real cards."""
    found = []
    for pair in shuffled(count, np.random.default_rng(seed)):
        results = [[AnsweredDeals(stored, decks, one).value() for one in answers] for decks in pair]
        found.append(np.mean([(button - blind) / 2 for button, blind in results], axis=0))
    return value_of(np.concatenate(found))
