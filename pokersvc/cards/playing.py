"""Simulates the whole draw for the chances of discards, if the deck may run out or others' draws are known.

If the deck cannot run out and nobody's draw is known, any unseen card is as likely to be drawn as any other, and
`discards` counts all draws. Otherwise cards are not equally likely: a player who draws after the deck has run out is
dealt what others threw away, and an opponent who drew two cards often keeps an ace. So the draw is simulated here with
real cards, by the rules, again and again: hands that fit what is known (`fitting`), opponents who throw away what wins
most often by the table that good players share (`win_values`), the deck, the cards that are dealt again, the showdown.
The random numbers follow from the question, so the same question has the same answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import ranking
from pokersvc.cards.arrays import Cards, ranked
from pokersvc.cards.discards import BY_PREFERENCE, SIZES, batch_best, batch_totals
from pokersvc.cards.fitting import hands_that_drew
from pokersvc.cards.opponents import MOST_OPPONENTS, win_values
from pokersvc.cards.ranking import Category
from pokersvc.cards.sampling import Sampling
from pokersvc.errors import InvalidValue
from pokersvc.text import counted

AT_ONCE: Final = 5_000
"""The number of tables simulated together."""

FIRST: Final = 3
"""The number of batches of `AT_ONCE` tables at which every discard is played."""

MORE: Final = 15
"""The number of batches after the `FIRST`, in which only discards that may be the best (`NEAR`) are played."""

NEAR: Final = 4
"""A discard may be the best if it is behind by at most this many standard errors of the difference."""

Numbers = NDArray[np.intp]
Floats = NDArray[np.float64]

_SIZES: Final = np.array(SIZES)
_BITS: Final = np.arange(5)
_DECK: Final = 128  # more than are ever dealt: 52, and 5 to each of ten
_PILE: Final = 64


@dataclass(frozen=True, slots=True)
class Draw:
    """The order in which players draw, with the numbers of cards that are known."""

    opponents: int
    """The number of opponents still in."""
    before: int
    """The number of opponents who draw before the player."""
    drew: tuple[int, ...] = ()
    """The numbers of cards that the first opponents are known to have drawn, in the order of their draws."""
    folded: int = 0
    """The number of players who folded the hand that they were dealt."""

    def __post_init__(self) -> None:
        if not 0 <= self.before <= self.opponents:
            raise InvalidValue(
                f"{self.before} of {counted(self.opponents, 'opponent')} cannot draw earlier;"
                f" give 0 to {self.opponents}."
            )
        if len(self.drew) > self.before:
            raise InvalidValue(
                f"The draws of {counted(len(self.drew), 'opponent')} are given, but only {self.before} can draw before"
                " this seat;"
                " give the draws of those, in their order, or a later seat."
            )
        if not 0 <= self.folded <= MOST_OPPONENTS - self.opponents:
            raise InvalidValue(
                f"{counted(self.folded, 'player')} cannot have folded: with {counted(self.opponents, 'opponent')}"
                f" 0 to {MOST_OPPONENTS - self.opponents} can."
            )

    def dealable(self, dead: int = 0) -> int:
        """Return how many cards can be dealt in the draw: all except dead cards and the hands still in."""
        return 52 - dead - 5 * (self.opponents + 1)

    def can_be_dealt(self, dead: int = 0) -> bool:
        """Return whether there are enough cards for all hands, folded ones included."""
        return self.dealable(dead) >= 5 * self.folded

    def may_run_out(self, dead: int = 0) -> bool:
        """Return whether the deck is too small for everybody to draw five."""
        return self.dealable(dead) - 5 * self.folded < 5 * (self.opponents + 1)


class DiscardResult(NamedTuple):
    """The simulated result of a discard."""

    value: float
    """The mean share of the pot, from 0 to 1."""
    error: float
    """The standard error of the mean."""
    counts: tuple[int, ...]
    """The number of final hands of each category."""


def play(
    hand: Sequence[int], draw: Draw, most: int = 5, dead: Sequence[int] = (), sampling: Sampling | None = None
) -> dict[int, DiscardResult]:
    """Return, by mask, the result of every discard of at most ``most`` cards for which enough cards can be dealt.

    The limit applies to all players. With ``sampling``, every discard is played as often as ``sampling`` says, with its
    random generator; otherwise as often as `FIRST` and `MORE` say. The same question then has the same result, whatever
    the order of the cards.

    Cards are numbers and not checked: they must differ. Raises `InvalidValue` if there are not enough cards for all
    hands.
    """
    if not draw.can_be_dealt(len(dead)):
        without = f" without {counted(len(dead), 'dead card')}" if dead else ""
        hands = draw.opponents + draw.folded + 1
        raise InvalidValue(f"{hands} hands of five cards cannot be dealt from a deck of 52{without}.")
    ascending = sorted(hand)
    table = _Question(tuple(ascending), draw, most, tuple(sorted(dead)))
    found = _answered(table) if sampling is None else _sampled(table, sampling)
    places = [ascending.index(card) for card in hand]
    return {sum(1 << bit for bit, place in enumerate(places) if mask >> place & 1): of for mask, of in found.items()}


class _Question(NamedTuple):
    hand: tuple[int, ...]
    draw: Draw
    most: int
    dead: tuple[int, ...]

    @property
    def masks(self) -> list[int]:
        """The masks of the possible discards."""
        most = min(self.most, self.draw.dealable(len(self.dead)))
        return [mask for mask in BY_PREFERENCE if SIZES[mask] <= most]

    def random(self) -> np.random.Generator:
        """Return a random generator seeded with the question's numbers; 52, which is no card, separates two parts."""
        draw = self.draw
        return np.random.default_rng(
            [*self.hand, draw.opponents, draw.before, draw.folded, *draw.drew, 52, self.most, *self.dead]
        )


@lru_cache(64)
def _answered(of: _Question) -> dict[int, DiscardResult]:
    random, tally = of.random(), _Tally()
    for _ in range(FIRST):
        tally.add(of.masks, _round(of, of.masks, AT_ONCE, random))
    near = tally.near_the_best()
    for _ in range(MORE):
        tally.add(near, _round(of, near, AT_ONCE, random))
    return tally.outcomes()


def _sampled(of: _Question, sampling: Sampling) -> dict[int, DiscardResult]:
    tally = _Tally()
    for at in range(0, sampling.samples, AT_ONCE):
        tally.add(of.masks, _round(of, of.masks, min(AT_ONCE, sampling.samples - at), sampling.random))
    return tally.outcomes()


class _Tally:
    """The results of discards so far: shares of the pot at each batch of tables, and counts of categories."""

    def __init__(self) -> None:
        self._won: dict[int, list[Floats]] = {}
        self._counts: dict[int, Numbers] = {}

    def add(self, masks: Sequence[int], played: "Sequence[tuple[Floats, Numbers]]") -> None:
        for mask, (won, counts) in zip(masks, played, strict=True):
            self._won.setdefault(mask, []).append(won)
            self._counts[mask] = self._counts.get(mask, np.zeros_like(counts)) + counts

    def near_the_best(self) -> list[int]:
        """Return the discards that may be the best, judged by the tables at which all were played."""
        won = {mask: np.concatenate(parts) for mask, parts in self._won.items()}
        best = self._best_of(min(map(len, self._won.values())))
        behind = {mask: won[best] - of for mask, of in won.items()}
        return [mask for mask, of in behind.items() if of.mean() <= NEAR * of.std() / np.sqrt(len(of))]

    def _best_of(self, batches: int) -> int:
        """Return the discard that won most at the first tables."""
        return max(self._won, key=lambda mask: float(np.concatenate(self._won[mask][:batches]).mean()))

    def outcomes(self) -> dict[int, DiscardResult]:
        """Return each discard's result.

        A discard that was played less often keeps its distance from the discard that was best at the first tables.
        Otherwise it could come before discards that only had less luck at later tables.
        """
        first, most = min(map(len, self._won.values())), max(map(len, self._won.values()))
        best = self._won[self._best_of(first)]
        whole, wide = _mean(best)
        found = {}
        for mask, parts in self._won.items():
            counts = tuple(self._counts[mask].tolist())
            if len(parts) == most:
                found[mask] = DiscardResult(*_mean(parts), counts)
            else:
                behind, error = _mean([ahead - of for ahead, of in zip(best, parts, strict=False)])
                found[mask] = DiscardResult(max(0.0, whole - behind), hypot(wide, error), counts)
        return found


def _mean(parts: Sequence[Floats]) -> tuple[float, float]:
    """Return the mean over all tables, and its error: the larger of the errors computed from tables and from batches.

    Tables at which draws are known have ancestors in common, but only within a batch.
    """
    each = np.concatenate(parts)
    apart = each.std() / np.sqrt(len(each))
    means = np.array([of.mean() for of in parts])
    together = means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 2 else 0.0
    return float(each.mean()), max(float(apart), float(together))


@dataclass(slots=True)
class _Tables:
    """Some tables in the middle of the draw, one per row."""

    random: np.random.Generator
    deck: Cards
    """The cards that are dealt, from `at` up to but not including `end`."""
    at: Numbers
    end: Numbers
    pile: Cards
    """The cards that become a new deck when the deck runs out: the first `piled` of each row."""
    piled: Numbers

    @classmethod
    def of(cls, deck: Cards, pile: Cards, random: np.random.Generator) -> "_Tables":
        """Return tables before the draw; the pile has the folded hands."""
        tables, cards = deck.shape
        folded = pile.shape[1]
        wide = [np.zeros((tables, width), np.uint8) for width in (_DECK, _PILE)]
        wide[0][:, :cards], wide[1][:, :folded] = deck, pile
        return cls(random, wide[0], np.zeros(tables, np.intp), np.full(tables, cards), wide[1], np.full(tables, folded))

    def copy(self) -> "_Tables":
        """Return a copy of the tables, from which another discard can be played."""
        return _Tables(
            self.random, self.deck.copy(), self.at.copy(), self.end.copy(), self.pile.copy(), self.piled.copy()
        )

    def serve(self, hands: Cards, masks: Numbers) -> Cards:
        """Deal new cards to one player at each table, whose discards are ``masks``; return the final hands."""
        thrown = masks[:, None] >> _BITS & 1 == 1
        places = np.cumsum(thrown, axis=1)
        needed = places[:, -1]
        self._make_new_decks(np.flatnonzero(self.at + needed > self.end))
        rows, bits = np.nonzero(thrown)
        nth = places[rows, bits] - 1
        final = hands.copy()
        final[rows, bits] = self.deck[rows, self.at[rows] + nth]
        self.pile[rows, self.piled[rows] + nth] = hands[rows, bits]
        self.at += needed
        self.piled += needed
        return final

    def _make_new_decks(self, rows: Numbers) -> None:
        """Append the shuffled pile to the deck, without the cards that the next player is about to throw away."""
        if not len(rows):
            return
        width = int(self.piled[rows].max())
        keys = self.random.random((len(rows), width))
        keys[np.arange(width) >= self.piled[rows, None]] = 2  # places without a card sort last
        order = np.argsort(keys, axis=1)
        shuffled = np.take_along_axis(self.pile[rows, :width], order, axis=1)
        for column in range(width):
            self.deck[rows, self.end[rows] + column] = shuffled[:, column]
        self.end[rows] += self.piled[rows]
        self.piled[rows] = 0


def _round(
    of: _Question, masks: Sequence[int], count: int, random: np.random.Generator
) -> list[tuple[Floats, Numbers]]:
    """Play each discard at ``count`` tables; return its share of the pot at each, and counts of its categories."""
    draw, most = of.draw, min(of.most, of.draw.dealable(len(of.dead)))
    live = np.setdiff1d(np.arange(52, dtype=np.uint8), [*of.hand, *of.dead])
    hands, rest = hands_that_drew(live, draw.opponents, draw.drew, most, count, random)
    thrown = _thrown(hands, draw, most)
    tables = _Tables.of(rest[:, 5 * draw.folded :], rest[:, : 5 * draw.folded], random)
    best = _best(count, [tables.serve(hands[:, seat], thrown[:, seat]) for seat in range(draw.before)])
    own = np.broadcast_to(np.array(of.hand, np.uint8), (count, 5))
    found = []
    for mask in masks:
        on = tables.copy()
        mine = _strengths(on.serve(own, np.full(count, mask)))
        later = range(draw.before, draw.opponents)
        shares = _shares(mine, best, _best(count, [on.serve(hands[:, seat], thrown[:, seat]) for seat in later]))
        found.append((shares, np.bincount(_categories()[mine], minlength=len(Category))))
    return found


def _thrown(hands: Cards, draw: Draw, most: int) -> Numbers:
    """Return each opponent's best discard at each table; if the number of cards is known, the best of that number."""
    values = win_values(draw.opponents)
    thrown = batch_best(hands.reshape(-1, 5), values, most).reshape(hands.shape[:2]).astype(np.intp)
    for seat, drew in enumerate(draw.drew):
        other = np.flatnonzero(_SIZES[thrown[:, seat]] != drew)
        if len(other):
            masks = np.flatnonzero(drew == _SIZES)
            thrown[other, seat] = masks[batch_totals(hands[other, seat], values)[:, masks].argmax(axis=1)]
    return thrown


class _Best(NamedTuple):
    """The strength of the best hand at each table, and the number of players who hold it."""

    strengths: Numbers
    held: Numbers
    """The number of players who hold the best hand."""


def _best(count: int, hands: Sequence[Cards]) -> _Best:
    best, held = np.zeros(count, np.intp), np.zeros(count, np.intp)
    for of in hands:
        strengths = _strengths(of)
        held = np.where(strengths > best, 1, held + (strengths == best))
        best = np.maximum(best, strengths)
    return _Best(best, held)


def _shares(mine: Numbers, earlier: _Best, later: _Best) -> Floats:
    ties = earlier.held * (earlier.strengths == mine) + later.held * (later.strengths == mine)
    shares: Floats = (mine >= np.maximum(earlier.strengths, later.strengths)) / (1 + ties)
    return shares


def _strengths(hands: Cards) -> Numbers:
    return ranked(*hands.T.astype(np.intp)).astype(np.intp)


@cache
def _categories() -> Numbers:
    return np.array(ranking.by_strength().categories, np.intp)
