"""What the button wins with real cards when both play a strategy, beside what it wins in the abstraction."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.table import markdown
from pokersvc.cards.arrays import ranked
from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, bucket_of, group_of, kept_alike
from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND
from pokersvc.games.draw_poker.strategy.strategy import AfterDraw
from pokersvc.games.draw_poker.strategy.strategy_file import Stored, shipped, shipped_spots
from pokersvc.games.draw_poker.strategy.tree import BUTTON, CallEnd, FoldEnd, Next

_CHUNK: Final = 20_000
HAND: Final = 5

Numbers = NDArray[np.intp]


class Value(NamedTuple):
    """What the button wins, in thousandths of a big blind a hand."""

    mean: float
    within: float
    """Half the width of the interval with 95 % confidence."""


def real_value(stored: Stored, deals: int, seed: int) -> Value:
    """Return what the button wins with cards of one deck; each deal is played with the hands in both orders.

    No action is drawn: each counts with its probability. So only the luck of the cards is left.
    """
    random = np.random.default_rng(seed)
    found = []
    for _ in range(0, deals, _CHUNK):
        decks = random.permuted(np.tile(np.arange(52), (_CHUNK, 1)), axis=1)[:, : 4 * HAND]
        swapped = decks[:, [*range(HAND, 2 * HAND), *range(HAND), *range(2 * HAND, 4 * HAND)]]
        found.append((_Deals(stored, decks).value() + _Deals(stored, swapped).value()) / 2)
    values = np.concatenate(found) * 1000 / BIG_BLIND
    return Value(float(values.mean()), float(1.96 * values.std() / np.sqrt(len(values))))


class _Deals:
    """Many deals at once: the first five cards are the button's, the next five the big blind's, the rest are drawn."""

    def __init__(self, stored: Stored, decks: Numbers) -> None:
        self._strategy = stored.strategy
        button, blind = decks[:, :HAND], decks[:, HAND : 2 * HAND]
        self._groups = [group_of(hands, stored.keys) for hands in (button, blind)]
        masks = [kept_alike(hands) for hands in (button, blind)]
        new = decks[:, 2 * HAND :]
        self._blind = [_ends(blind, masks[1][:, drew], drew, new) for drew in range(DRAWS)]
        self._button = [
            [_ends(button, masks[0][:, drew], drew, new[:, theirs:]) for drew in range(DRAWS)]
            for theirs in range(DRAWS)
        ]

    def value(self) -> Floats:
        """Return what the button wins of each deal, in units."""
        return self._first(self._strategy.root)

    def _first(self, node: Next) -> Floats:
        if isinstance(node, FoldEnd):
            return self._folded(node)
        if isinstance(node, CallEnd):
            return self._drawn(self._strategy.after[node])
        chances = self._strategy.first[node][:, self._groups[node.seat]]
        parts = [chance * self._first(child) for child, chance in zip(node.children, chances, strict=True)]
        return np.asarray(sum(parts))

    def _drawn(self, after: AfterDraw) -> Floats:
        button, blind = self._groups
        found = np.zeros(len(button))
        for theirs in range(DRAWS):
            for drew in range(DRAWS):
                chance = after.blind[theirs, blind] * after.button[drew, theirs, button]
                found += chance * self._final(after, after.end.final or after.end, theirs, drew)
        return found

    def _final(self, after: AfterDraw, node: Next, theirs: int, drew: int) -> Floats:
        if isinstance(node, FoldEnd):
            return self._folded(node)
        hands = self._button[theirs][drew], self._blind[theirs]
        if isinstance(node, CallEnd):
            return np.asarray(node.put * np.sign(hands[0] - hands[1]))
        chances = after.nodes[node][:, theirs, drew, bucket_of()[hands[node.seat]]]
        parts = [
            chance * self._final(after, child, theirs, drew)
            for child, chance in zip(node.children, chances, strict=True)
        ]
        return np.asarray(sum(parts))

    def _folded(self, end: FoldEnd) -> Floats:
        return np.full(len(self._groups[0]), float(-end.lost if end.seat == BUTTON else end.lost))


def _ends(hands: Numbers, masks: NDArray[np.uint8], drew: int, new: Numbers) -> Numbers:
    """Return the strengths after a draw of so many cards, the first of ``new``."""
    thrown = masks[:, None] >> np.arange(HAND) & 1 == 1
    cards = hands.copy()
    cards[thrown] = new[:, :drew].ravel()
    return np.asarray(ranked(*cards.T), np.intp)


def run(*, quick: bool = False) -> str:
    """Measure every strategy of the package; return a table."""
    deals = _CHUNK if quick else 10 * _CHUNK
    rows = []
    for spot in shipped_spots():
        stored = shipped(spot)
        assert stored is not None
        said, real = stored.description, real_value(stored, deals, 1)
        with_real_cards = f"{real.mean:+.1f} ± {real.within:.1f}"
        rows.append((spot.name, f"{said.exploitability:.2f}", f"{said.button:+.1f}", with_real_cards))
    return markdown(
        "Strategies of the package, in thousandths of a big blind a hand",
        ("spot", "exploitability in the abstraction", "the button wins there", "with real cards"),
        rows,
        f"{deals:,} deals, each in both orders, and every action with its probability.",
    )
