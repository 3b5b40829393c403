"""Hands that opponents may hold: many deals with their draws, and the classes by which habits are counted."""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import ranking
from pokersvc.cards.arrays import ranked
from pokersvc.cards.discards import batch_best
from pokersvc.cards.opponents import win_values
from pokersvc.cards.ranking import Category

CLASSES: Final = 9
"""The number of classes of hands, both of deals and of final hands, from the weakest to the strongest."""
PAT: Final = CLASSES - 1
"""The class of straights and better."""
DRAW_GROUPS: Final = 5
"""The number of groups of draws: 0 to 4 cards, where 4 stands for 5 as well."""
_HAND: Final = 5
_DEALS: Final = 12_000
_BLIND: Final = 1_500
"""The number of deals, for each number of cards drawn, of players who draw regardless of their hand."""
_SEED: Final = 20261129

Numbers = NDArray[np.intp]
Floats = NDArray[np.float64]


class Population(NamedTuple):
    """Deals with their draws; all arrays have a row for each."""

    cards: NDArray[np.uint64]
    """The cards that were dealt, as bits."""
    deal_class: Numbers
    drew: Numbers
    final: Numbers
    """The strength of the final hand."""
    final_class: Numbers
    sensible: NDArray[np.bool_]
    """Whether the discard is the advised one; in other rows, the number of discards has nothing to do with the hand."""
    key: Numbers
    """The key of the row's hand if it is shown: see `shown_key`."""


def draw_group(drew: int) -> int:
    """Return the group of a number of cards drawn."""
    return min(drew, DRAW_GROUPS - 1)


def shown_key(drew: int, final_class: int) -> int:
    """Return the key of a shown hand whose number of cards drawn is known."""
    return 1 + DRAW_GROUPS + draw_group(drew) * CLASSES + final_class


def hidden_key(drew: int | None) -> int:
    """Return the key of a hand that was not shown; ``drew`` is None if the player never drew."""
    return 0 if drew is None else 1 + draw_group(drew)


KEYS: Final = 1 + DRAW_GROUPS * (1 + CLASSES)
"""The number of keys that `shown_key` and `hidden_key` return."""


@cache
def final_classes() -> Numbers:
    """Return the class of each strength, shape ``(7463,)``: high cards, pairs, two pairs, three of a kind, the rest."""
    codes = np.array(ranking.by_strength().codes, np.int64)
    category, first = codes >> 20, codes >> 16 & 15
    pairs = 2 + (first >= 7) + (first >= 10)
    found = np.select(
        [category == Category.HIGH_CARD, category == Category.ONE_PAIR, category == Category.TWO_PAIR],
        [first == 12, pairs, 5 + (first >= 9)],
        np.where(category == Category.THREE_OF_A_KIND, 7, PAT),
    )
    return np.asarray(found, np.intp)


def deal_classes(hands: Numbers, strengths: Numbers) -> Numbers:
    """Return the class of each deal: nothing, four to a flush or an open straight, pairs in four classes, the rest."""
    codes = np.array(ranking.by_strength().codes, np.int64)[strengths]
    category, first = codes >> 20, codes >> 16 & 15
    suited = (hands[:, :, None] % 4 == np.arange(4)).sum(axis=1).max(axis=1) == 4
    faces = np.bitwise_or.reduce(1 << hands // 4, axis=1)
    open_straight = np.zeros(len(hands), bool)
    for low in range(1, 9):
        open_straight |= faces >> low & 0b1111 == 0b1111
    pairs = 2 + (first >= 6) + (first >= 9) + (first >= 11)
    found = np.select(
        [category == Category.HIGH_CARD, category == Category.ONE_PAIR, category == Category.TWO_PAIR],
        [suited | open_straight, pairs, 6],
        np.where(category == Category.THREE_OF_A_KIND, 7, PAT),
    )
    return np.asarray(found, np.intp)


@cache
def population(opponents: int, most: int) -> Population:
    """Return deals of good players against ``opponents`` opponents who draw at most ``most`` cards; always the same."""
    random = np.random.default_rng(_SEED)
    rows = _DEALS + (most + 1) * _BLIND
    decks = random.random((rows, 52)).argpartition(2 * _HAND, axis=1)[:, : 2 * _HAND]
    random.permuted(decks, axis=1, out=decks)
    dealt, new = decks[:, :_HAND], decks[:, _HAND:]
    thrown = np.zeros((rows, _HAND), bool)
    masks = batch_best(dealt[:_DEALS], win_values(opponents), most)
    thrown[:_DEALS] = masks[:, None] >> np.arange(_HAND) & 1 == 1
    count = np.repeat(np.arange(most + 1), _BLIND)
    thrown[_DEALS:] = np.arange(_HAND) < count[:, None]
    final = np.where(thrown, new, dealt)
    strengths = np.asarray(ranked(*dealt.T), np.intp)
    ends = np.asarray(ranked(*final.T), np.intp)
    drew, final_class = thrown.sum(axis=1), final_classes()[ends]
    return Population(
        cards=np.bitwise_or.reduce(np.uint64(1) << dealt.astype(np.uint64), axis=1),
        deal_class=deal_classes(dealt, strengths),
        drew=drew,
        final=ends,
        final_class=final_class,
        sensible=np.arange(rows) < _DEALS,
        key=1 + DRAW_GROUPS + np.minimum(drew, DRAW_GROUPS - 1) * CLASSES + final_class,
    )


class ClassChances(NamedTuple):
    """The probability of each class given a hand's key, shape ``(KEYS, CLASSES)``, before and after the draw."""

    deal: Floats
    final: Floats


@cache
def class_chances(opponents: int, most: int) -> ClassChances:
    """Return the probabilities of the classes in the part of a `population` that draws by the hand."""
    of = population(opponents, most)
    return counted_classes(of, of.sensible)


def counted_classes(of: Population, rows: NDArray[np.bool_]) -> ClassChances:
    """Return the probabilities of the classes among rows of a population."""
    deal, final = np.full((KEYS, CLASSES), 1e-3), np.full((KEYS, CLASSES), 1e-3)
    hidden = 1 + np.minimum(of.drew, DRAW_GROUPS - 1)
    for keys in (np.zeros_like(of.key), hidden, of.key):
        np.add.at(deal, (keys[rows], of.deal_class[rows]), 1)
        np.add.at(final, (keys[rows], of.final_class[rows]), 1)
    shown = np.arange(1 + DRAW_GROUPS, KEYS)
    final[shown] = np.eye(CLASSES)[(shown - 1 - DRAW_GROUPS) % CLASSES]
    return ClassChances(deal / deal.sum(axis=1, keepdims=True), final / final.sum(axis=1, keepdims=True))


@cache
def percentiles() -> tuple[Floats, Floats]:
    """Return each class's share of weaker hands, half its own included: of deals, and of final hands."""
    found = []
    of = population(1, _HAND)
    for classes in (of.deal_class, of.final_class):
        shares = np.bincount(classes[of.sensible], minlength=CLASSES) / of.sensible.sum()
        found.append(np.cumsum(shares) - shares / 2)
    return found[0], found[1]
