"""Hands as NumPy arrays: the strengths of millions of hands by table lookups.

A card is its number (0 to 51), a hand a row of five. The tables are made at the first use, in milliseconds,
from the definition in `pokersvc.cards.ranking`. A hand takes four lookups: one for the first two cards, two for the
other three, and one for both together.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokersvc.cards.hand import InvalidHand
from pokersvc.cards.ranking import keyed_strengths

CHUNK: Final = 1 << 14
"""The number of hands processed at once, so that intermediate results stay in the processor's cache."""

Cards = NDArray[np.uint8]
Strengths = NDArray[np.uint16]


def strengths(hands: ArrayLike) -> Strengths:
    """Return the strengths (1 to 7462), shape ``(n,)``, of hands of card numbers, shape ``(n, 5)``, any integer dtype.

    >>> strengths([[48, 49, 37, 5, 0], [51, 47, 43, 39, 35]])
    array([4002, 7462], dtype=uint16)

    Raises `InvalidHand` for another shape or dtype, for numbers outside 0 to 51, and for a card that is twice in a
    hand; the message names the first such hand.
    """
    checked = checked_hands(hands)
    found = np.empty(len(checked), np.uint16)
    for start in range(0, len(checked), CHUNK):
        columns = [column.astype(np.intp) for column in checked[start : start + CHUNK].T]
        found[start : start + CHUNK] = ranked(*columns)
    return found


def checked_hands(hands: ArrayLike) -> Cards:
    """Return hands as an array of shape ``(n, 5)``; raise `InvalidHand` if they are invalid (see `strengths`)."""
    array = array_of(hands)
    if array.ndim != 2 or array.shape[1] != 5:
        raise InvalidHand(f"Hands are an array of shape (n, 5), not {array.shape}.")
    if array.dtype.kind not in "iu":
        raise InvalidHand(f"Hands are arrays of whole numbers, not of {array.dtype}.")
    cards = checked_numbers(array)
    for start in range(0, len(cards), CHUNK):
        columns = np.ascontiguousarray(cards[start : start + CHUNK].T)
        for position in range(1, 5):
            twice = columns[:position] == columns[position]
            if twice.any():
                row = start + int(twice.any(axis=0).argmax())
                raise InvalidHand(f"Hand {row} has a card twice: {cards[row].tolist()}; its five cards must differ.")
    return cards


def array_of(given: ArrayLike) -> NDArray[Any]:
    """Return the argument as an array; unequal rows give an array of objects, which every check refuses."""
    try:
        return np.asarray(given)
    except ValueError:
        return np.asarray(given, object)


def checked_numbers(array: NDArray[Any]) -> Cards:
    """Return whole numbers as bytes; raise `InvalidHand` for the first number that is not 0 to 51."""
    if array.size and not (int(array.min()) >= 0 and int(array.max()) < 52):
        wrong = array[(array < 0) | (array > 51)].flat[0]
        raise InvalidHand(f"{wrong} is not the number of a card: those are 0 to 51.")
    return array.astype(np.uint8, copy=False)


def ranked(
    a: NDArray[np.intp], b: NDArray[np.intp], c: NDArray[np.intp], d: NDArray[np.intp], e: NDArray[np.intp]
) -> Strengths:
    """Return the strengths of hands given as five arrays of card numbers, without checking that all cards differ."""
    known = tables()
    first = known.pairs[a * 52 + b]
    rest = known.triples[known.pairs[c * 52 + d] * 52 + e]
    found: Strengths = known.strengths[first * known.width + rest]
    return found


class Tables(NamedTuple):
    """Lookup tables: from cards to a state (faces, and suit if all share it), and from two states to a strength."""

    pairs: NDArray[np.intp]
    """``card * 52 + card`` → state of two cards."""
    triples: NDArray[np.intp]
    """``state of two * 52 + card`` → state of three."""
    strengths: Strengths
    """``state of two * width + state of three`` → strength."""
    width: int


_State = tuple[tuple[int, ...], int | None]
"""The state of some cards: their faces in ascending order, and the suit that all of them share, or None."""


def _states(size: int) -> Iterator[_State]:
    for faces in combinations_with_replacement(range(13), size):
        yield faces, None
        if len(set(faces)) == size:
            for suit in range(4):
                yield faces, suit


@cache
def tables() -> Tables:
    """Return the tables in which `ranked` looks hands up, for callers that look up hands themselves."""
    twos, threes = list(_states(2)), list(_states(3))
    two = {state: number for number, state in enumerate(twos)}
    three = {state: number for number, state in enumerate(threes)}
    pairs = [
        two[tuple(sorted((a // 4, b // 4))), a % 4 if a % 4 == b % 4 and a != b else None]
        for a in range(52)
        for b in range(52)
    ]
    triples = []
    for faces, suit in twos:
        for card in range(52):
            together = tuple(sorted((*faces, card // 4)))
            shared = suit if suit == card % 4 and len(set(together)) == 3 else None
            triples.append(three[together, shared])
    return Tables(
        np.array(pairs, np.intp), np.array(triples, np.intp), _strengths_of(twos, threes).ravel(), len(threes)
    )


def _strengths_of(twos: list[_State], threes: list[_State]) -> Strengths:
    """Return the strength of each state of two cards with each state of three; 0 if they cannot form a hand."""
    suited, unsuited = keyed_strengths()
    sums = [np.array([sum(5**face for face in faces) for faces, _ in states]) for states in (twos, threes)]
    (two, of_two), (three, of_three) = (np.unique(of, return_inverse=True) for of in sums)
    keys, rows = np.add.outer(two, three), of_two[:, None]  # far fewer keys than pairs of states
    suits = [np.array([-1 if suit is None else suit for _, suit in states]) for states in (twos, threes)]
    flush = (suits[0][:, None] == suits[1]) & (suits[0][:, None] >= 0)
    return np.where(flush, _looked_up(suited, keys)[rows, of_three], _looked_up(unsuited, keys)[rows, of_three])


def _looked_up(strength_of: dict[int, int], keys: NDArray[np.int64]) -> Strengths:
    known = np.array(sorted(strength_of))
    values = np.array([strength_of[key] for key in known.tolist()], np.uint16)
    where = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found: Strengths = np.where(known[where] == keys, values[where], np.uint16(0))
    return found
