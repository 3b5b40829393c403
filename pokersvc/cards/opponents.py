"""The value of a final hand: its chance to beat opponents who draw well themselves.

The distribution of such opponents' final hands, overall and by the number of cards drawn, comes with the package
(`pokersvc.cards.equilibrium` makes the file). If the player's own cards are known, the chances allow for these cards
missing from the opponents' deck, and for opponents taking cards from each other. docs/advice.md says how, and how
accurate this is.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import ranking
from pokersvc.cards.card import FACES, Card
from pokersvc.cards.discards import Values
from pokersvc.cards.ranking import STRENGTHS, Category
from pokersvc.cards.subsets import Ints
from pokersvc.errors import InvalidValue

MOST_OPPONENTS: Final = 9

WIN_UNITS: Final = 10**10
"""Chances to win are stored as whole numbers; this number stands for a chance of 1."""

_FILE: Final = "opponents.npz"
_DRAWS: Final = tuple(comb(47, size) for size in range(6))
_COMMON: Final = 5 * _DRAWS[5]  # a common multiple of all of them
_TABLES_KEPT: Final = 32  # tables kept in memory, one megabyte each

THROWN_UNITS: Final = 51
"""Mean numbers of thrown-away cards are stored as whole numbers; this number stands for one card, 255 for five."""

TOGETHER_UNITS: Final = 10**6
"""The correlation of two opponents is stored as whole numbers; this number stands for 1."""

_RAREST: Final = 1e-6  # the least factor for nearly impossible hands, so that an opponent always has some hand left

_SUITED: Final = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)

Chances = NDArray[np.float64]
"""The chance of each strength, shape ``(7463,)``; index 0 is not used."""


class Ends(NamedTuple):
    """Counts of good players' final hands over all deals and draws, in one or more rounds of `equilibrium.solve`."""

    counts: Ints
    """The number of draws of each size that end with each strength: shape ``(6, 7463)``."""
    rounds: int

    def chances(self, drew: int | None = None, seen: tuple[int, ...] = ()) -> Chances:
        """Return the chance of each final strength for a player who drew ``drew`` cards, or any number if None.

        ``seen`` are the cards that the player cannot have, in the form of `by_suit`.
        """
        if not seen:
            return self._overall() if drew is None else _shares(self.counts[drew])
        likely = self.counts * unseen(seen)
        left = max(0, 47 - sum(faces.bit_count() for faces in seen))
        draws = [[max(1, comb(left, size))] for size in range(6)]
        return _shares((likely / draws).sum(axis=0) if drew is None else likely[drew])

    def _overall(self) -> Chances:
        """Return the chances after any draw; only the last division is not in whole numbers, so all machines agree."""
        comparable = [counts * (_COMMON // draws) for counts, draws in zip(self.counts, _DRAWS, strict=True)]
        overall: Chances = np.sum(comparable, axis=0) / (self.rounds * comb(52, 5) * _COMMON)
        return overall


def _shares(counts: NDArray[Any]) -> Chances:
    shares: Chances = counts / counts.sum()
    return shares


def win_values(opponents: int, drew: tuple[int, ...] = (), seen: Iterable[Card] = ()) -> Values:
    """Return the chance that each final hand beats all opponents, a tie counting as its share, in `WIN_UNITS`.

    ``drew`` are the numbers of cards drawn by those opponents whose draws are known, in any order; ``seen`` are cards
    that no opponent can have, first of all the player's own before the draw.

    Raises `InvalidValue` unless there are 1 to 9 opponents, at least as many opponents as known draws, draws of 0 to 5
    cards, and seen cards that all differ.
    """
    if not 1 <= opponents <= MOST_OPPONENTS:
        raise InvalidValue(f"There are tables for 1 to {MOST_OPPONENTS} opponents, not for {opponents}.")
    if len(drew) > opponents:
        raise InvalidValue(f"The draws of {len(drew)} opponents are given, but there are {opponents}; give no more.")
    if wrong := [size for size in drew if not 0 <= size <= 5]:
        raise InvalidValue(f"No opponent drew {wrong[0]} cards; a player draws 0 to 5.")
    cards = list(seen)
    if twice := [card for at, card in enumerate(cards) if card in cards[:at]]:
        raise InvalidValue(f"The card {twice[0]} is seen twice; a deck has it once.")
    return _win_values(opponents, tuple(sorted(drew)), by_suit(cards))


def by_suit(cards: Iterable[Card]) -> tuple[int, ...]:
    """Return the faces of each suit as bits, sorted, so that the names of suits do not matter; () for no cards."""
    suits = [0] * 4
    for card in cards:
        suits[card.number % 4] |= 1 << card.face
    return tuple(sorted(suits)) if any(suits) else ()


@lru_cache(_TABLES_KEPT)
def _win_values(opponents: int, drew: tuple[int, ...], seen: tuple[int, ...]) -> Values:
    ends = good_players()[opponents - 1]
    known = [ends.chances(size, seen) for size in drew]
    rest = [ends.chances(None, seen)] if len(drew) < opponents else []
    together = comb(opponents, 2) * hang_together(opponents) if seen else None
    return winning(known + rest * (opponents - len(known)), together)


def winning(opponents: Sequence[Chances], together: Chances | None = None) -> Values:
    """Return the chance that each final hand wins, a tie counting as its share, in `WIN_UNITS`; see `win_values`.

    ``together`` has, for each strength, the relative increase of this chance over that against independent opponents.
    """
    # by_ties[t]: the chance that the hand loses to nobody and ties with t opponents
    by_ties = [np.ones(STRENGTHS + 1)]
    for chances in opponents:
        worse = np.cumsum(chances) - chances
        nothing = [np.zeros(STRENGTHS + 1)]
        by_ties = [
            beaten * worse + tied * chances for beaten, tied in zip(by_ties + nothing, nothing + by_ties, strict=True)
        ]
    share = np.asarray(sum(chance / (ties + 1) for ties, chance in enumerate(by_ties)))
    if together is not None:
        share = np.maximum.accumulate(np.clip(share * (1 + together), 0, 1))
    return Values(np.rint(share[1:] * WIN_UNITS).astype(np.int64))


def unseen(seen: tuple[int, ...]) -> Chances:
    """Return the factor by which seen cards reduce the chance of each final hand, by cards drawn: shape ``(6, 7463)``.

    ``seen`` has the form of `by_suit`. Thrown-away cards count by their mean number (`not_seen`), and faces are assumed
    to be independent. A final flush, however, is possible only in those of the four suits in which no card of it was
    seen. For one seen card this is exact, or nearly exact for flushes.
    """
    likely = np.ones((6, STRENGTHS + 1))
    for face, of_face in enumerate(_of_faces(seen)):
        if of_face:
            likely *= np.maximum(_RAREST, not_seen(_had_by_face()[face], of_face))
    of = _flushes()
    left = np.mean([faces & of.faces == 0 for faces in seen], axis=0)
    likely[:, of.strengths] *= np.maximum(_RAREST, left)
    return likely


def not_seen(had: NDArray[Any], of_face: int) -> NDArray[Any]:
    """Return the probability that a player's ``had`` cards of a face include none of the ``of_face`` seen ones.

    If the player has m of the four cards, none of these is among j seen ones in C(4 - m, j) of C(4, j) cases.
    """
    likely = np.ones_like(had)
    for before in range(of_face):
        likely *= np.maximum(0, 1 - had / (4 - before))
    return likely


def hang_together(opponents: int) -> Chances:
    """Return, for each strength s, how much the shared deck raises the chance that two opponents end with at most s."""
    more: Chances = _stored()["together"][opponents - 1] / TOGETHER_UNITS
    return more


@cache
def faces_had() -> NDArray[np.float32]:
    """Return the mean number of cards of each face that good players held during a hand, in the shape of `had`."""
    return had(_stored()["thrown"])


def had(thrown: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the mean number of cards of each face that players held, by draw and final hand: shape ``(13, 6, 7463)``.

    The cards are those of the final hand and those that were thrown away, which are given in `THROWN_UNITS`.
    """
    return _final_faces().astype(np.float32)[:, None] + thrown.astype(np.float32) / np.float32(THROWN_UNITS)


@cache
def _final_faces() -> NDArray[np.intp]:
    """Return the number of cards of each face in each final hand: shape ``(13, 7463)``."""
    codes = np.array(ranking.by_strength().codes)
    return np.asarray(sum((codes >> 4 * place & 15) == np.arange(len(FACES))[:, None] for place in range(5)), np.intp)


class _Flushes(NamedTuple):
    strengths: NDArray[np.intp]
    faces: NDArray[np.intp]
    """The faces of each flush, as bits."""


@cache
def _flushes() -> _Flushes:
    """Return the strengths and faces of all flushes, straight flushes included."""
    suited = [s for s in range(1, STRENGTHS + 1) if ranking.by_strength().categories[s] in _SUITED]
    return _Flushes(np.array(suited), (1 << np.arange(len(FACES))) @ _final_faces()[:, suited])


@cache
def _had_by_face() -> NDArray[np.float32]:
    """Return `faces_had` without the cards of flushes, because `unseen` treats flushes suit by suit."""
    found = faces_had().copy()
    suited = _flushes().strengths
    found[:, :, suited] -= _final_faces()[:, None, suited].astype(np.float32)
    return found


def _of_faces(seen: tuple[int, ...]) -> list[int]:
    """Return the number of seen cards of each face."""
    return [sum(suit >> face & 1 for suit in seen) for face in range(len(FACES))]


@cache
def good_players() -> list[Ends]:
    """Return the final hands of good players who face 1, 2, … 9 opponents, from the file in the package."""
    stored = _stored()
    return [Ends(of, int(number)) for of, number in zip(stored["counts"], stored["rounds"], strict=True)]


@cache
def _stored() -> dict[str, NDArray[Any]]:
    with (files("pokersvc.cards") / _FILE).open("rb") as file, np.load(file, allow_pickle=False) as stored:
        return dict(stored)


def save(path: Path, ends: Sequence[Ends], thrown: NDArray[np.uint8], together: NDArray[np.int32]) -> None:
    """Write the file from which this module reads the final hands of good players."""
    counts, rounds = np.stack([of.counts for of in ends]), np.array([of.rounds for of in ends])
    with path.open("wb") as file:
        np.savez_compressed(file, counts=counts, rounds=rounds, thrown=thrown, together=together)
