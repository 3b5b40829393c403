"""The habits of an opponent: how often it folds, calls and raises with each class of hand, in each situation.

They begin as a mixture of styles of play, weighted by how well each explains the choices seen. Then the choices of the
opponent itself are added: with the hand it held if the hand was shown, and otherwise with the hands it probably held.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from pokersvc.core.event import Event
from pokersvc.games.draw_poker.reading.choices_seen import (
    CHOICES,
    HUGE,
    ON_A_STREET,
    RAISE,
    SITUATIONS,
    SeenInRound,
    seen_in,
)
from pokersvc.games.draw_poker.reading.drawing import drawn
from pokersvc.games.draw_poker.reading.hand_classes import (
    CLASSES,
    KEYS,
    Floats,
    class_chances,
    final_classes,
    hidden_key,
    percentiles,
    shown_key,
)

_PRIOR: Final = 6.0
"""How many choices seen with a class of hand weigh as much as the styles."""
_ROUNDS: Final = 6
"""The number of times that an opponent's hands are estimated again from its habits."""
LOOKED_AT: Final = 300
"""The number of past rounds that are looked at."""
_KEPT: Final = 4096
"""The number of rounds whose observations are kept in memory."""
_SHARP: Final = 0.04
"""How gradually a style changes from one choice to another, as a fraction of hands."""
_FOLDS: Final = (
    *(0.0, 0.45, 0.42, 0.5, 0.6, 0.94, 0.4, 0.5, 0.6, 0.94),
    *(0.0, 0.4, 0.35, 0.42, 0.5, 0.88, 0.3, 0.4, 0.5, 0.88),
)
_RAISES: Final = (
    *(0.35, 0.25, 0.15, 0.12, 0.1, 0.03, 0.12, 0.12, 0.1, 0.03),
    *(0.4, 0.3, 0.15, 0.12, 0.1, 0.04, 0.15, 0.12, 0.1, 0.04),
)
"""Situation → the share of hands with which an average player folds, and bets or raises."""
_MOST_CALLS: Final = 4.0
"""Against a huge bet, no player continues more than this many times as often as an average player, because even a loose
player seldom risks all."""
_LOOSE: Final = ((0.04, 1.0), (0.4, 2.0), (0.9, 2.0), (1.4, 1.0))
_AGGRESSIVE: Final = ((0.1, 1.0), (0.5, 2.0), (1.0, 2.0), (2.4, 1.0))
_BY_CHANCE: Final = ((0.05, 2.0), (0.35, 2.0), (0.9, 0.7))
"""The styles, with weights: factors of these shares, and the part of choices that has nothing to do with the hand."""
_SENSIBLE_BEFORE: Final = 20.0, 0.6
"""Before any draw was seen, an opponent is assumed to have made this many draws by the hand, and this many regardless
of the hand."""
_USUAL_DRAWS: Final = (0.02, 0.12, 0.09, 0.47, 0.28, 0.02)
"""How often 0 to 5 cards are drawn."""


class OpponentsRead(NamedTuple):
    """The model of each opponent; the first axis is the seat, from 0."""

    habits: Floats
    """The probability of each choice, shape ``(seats, SITUATIONS, CLASSES, CHOICES)``."""
    blindly: Floats
    """The part of draws that has nothing to do with the hand."""
    sizes: Floats
    """The usual size of a bet, as a part of the pot after a call."""
    drew: Floats
    """How often 0 to 5 cards were drawn, with some draws of average players, shape ``(seats, 6)``."""


class Style(NamedTuple):
    """Factors on an average player's frequencies, and a share of random play."""

    loose: float
    aggressive: float
    by_chance: float


@cache
def styles() -> tuple[Floats, Floats]:
    """Return the habits of each style, shape ``(styles, SITUATIONS, CLASSES, CHOICES)``, and its weight."""
    found, weights = [], []
    for (loose, first), (aggressive, second), (by_chance, third) in product(_LOOSE, _AGGRESSIVE, _BY_CHANCE):
        found.append(habits_of(Style(loose, aggressive, by_chance)))
        weights.append(first * second * third)
    return np.array(found), np.array(weights) / sum(weights)


def habits_of(style: Style) -> Floats:
    """Return the probability of each choice, shape ``(SITUATIONS, CLASSES, CHOICES)``."""
    found = np.empty((SITUATIONS, CLASSES, CHOICES))
    for number in range(SITUATIONS):
        better = percentiles()[number // ON_A_STREET]
        folds = min(0.97, _FOLDS[number] * style.loose)
        if number % ON_A_STREET in HUGE:
            folds = 1 - (1 - _FOLDS[number]) * min(_MOST_CALLS, 1 / style.loose)
        raises = min(0.97, _RAISES[number] * style.aggressive)
        if number % ON_A_STREET == 0:
            folds = 1 - raises
        raises = min(raises, 1 - folds)
        raised = _share(better, 1 - raises, raises, style.by_chance)
        folded = 1 - _share(better, folds, 1 - folds, style.by_chance)
        folded = np.minimum(folded, 1 - raised) if number % ON_A_STREET else 1 - raised
        found[number] = np.stack([folded, 1 - raised - folded, raised], axis=1)
    found = np.clip(found, 0.004, 1.0)
    found /= found.sum(axis=2, keepdims=True)
    return found


def _share(better: Floats, above: float, share: float, by_chance: float) -> Floats:
    """Return how often each class is among the hands above a quantile, with a share of random play."""
    chance: Floats = (1 - by_chance) / (1 + np.exp((above - better) / _SHARP)) + by_chance * share
    return chance


class _Counts(NamedTuple):
    """The observations of the seats, as numbers."""

    choices: Floats
    """Shape ``(seats, SITUATIONS, KEYS, CHOICES)``."""
    hands: Floats
    """The number of hands whose draw was seen, by key; shape ``(seats, KEYS)``."""
    draws: Floats
    """Shape ``(seats, 6)``."""
    sizes: Floats
    """The sum of the sizes of bets and their number, shape ``(seats, 2)``."""


def read(
    past: Sequence[tuple[Event, ...]],
    seats: int,
    opponents: int,
    most: int,
    looked_at: int = LOOKED_AT,
    *,
    doubting: bool = False,
) -> OpponentsRead:
    """Return what the last ``looked_at`` rounds show of each of the seats; ``most`` cards may be drawn.

    With ``doubting``, the number of cards drawn says less about the hand of a player who seems to draw blindly.
    """
    if not past:
        return _reading(_counted((), seats), opponents, most, doubting=doubting)
    last = past[-1]
    key = (id(last), len(past), seats, opponents, most, looked_at, doubting)
    if (found := _read.get(key)) is not None and found[0] is last:
        return found[1]
    rounds = [_seen(one) for one in past[-looked_at:]]
    reading = _reading(_counted(rounds, seats), opponents, most, doubting=doubting)
    if len(_read) >= _KEPT // 16:
        _read.popitem(last=False)
    _read[key] = last, reading
    return reading


_read: Final[OrderedDict[tuple[int, ...], tuple[tuple[Event, ...], OpponentsRead]]] = OrderedDict()
_rounds: Final[OrderedDict[int, tuple[tuple[Event, ...], SeenInRound]]] = OrderedDict()
"""Observations in memory, the oldest first; `popitem` is safe even if a server's threads share the dictionary."""


def _seen(happened: tuple[Event, ...]) -> SeenInRound:
    """Return a round's observations, from a cache by the `id` of its events, which are kept alive."""
    if (found := _rounds.get(id(happened))) is not None and found[0] is happened:
        return found[1]
    seen = seen_in(happened)
    if len(_rounds) >= _KEPT:
        _rounds.popitem(last=False)
    _rounds[id(happened)] = happened, seen
    return seen


def _counted(rounds: Sequence[SeenInRound], seats: int) -> _Counts:
    choices, hands = np.zeros((seats, SITUATIONS, KEYS, CHOICES)), np.zeros((seats, KEYS))
    draws, sizes = np.zeros((seats, 6)), np.zeros((seats, 2))
    for seen in rounds:
        for newcomer in seen.newcomers:
            for counts in (choices, hands, draws, sizes):
                counts[newcomer - 1] = 0
        keys = {seat: hidden_key(drew) for seat, drew in seen.drew.items()}
        for seat, strength in seen.shown.items():
            keys[seat] = shown_key(seen.drew.get(seat, 0), int(final_classes()[strength]))
        for one in seen.choices:
            choices[one.seat - 1, one.situation, keys.get(one.seat, 0), one.choice] += 1
            if one.choice == RAISE:
                sizes[one.seat - 1] += (min(one.size, 4.0), 1)
        for seat, drew in seen.drew.items():
            draws[seat - 1, min(drew, 5)] += 1
            hands[seat - 1, keys[seat]] += 1
    return _Counts(choices, hands, draws, sizes)


def _reading(counts: _Counts, opponents: int, most: int, *, doubting: bool) -> OpponentsRead:
    by_sense, by_chance = _SENSIBLE_BEFORE
    usual, total = np.array(_USUAL_DRAWS), by_sense + by_chance + counts.draws.sum(axis=1)
    blindly = np.full(len(total), by_chance / (by_sense + by_chance))
    for _ in range(_ROUNDS):
        chance = blindly[:, None] / len(usual)
        likely = chance / (chance + (1 - blindly[:, None]) * usual)
        blindly = (by_chance + (counts.draws * likely).sum(axis=1)) / total
    chances: list[Floats] | None = None
    if doubting:
        found = [drawn(hands, opponents, most) for hands in counts.hands]
        blindly = np.array([one.blindly for one in found])
        chances = [np.array([one.deal for one in found]), np.array([one.final for one in found])]
    streets = [
        _habits(counts.choices, street, opponents, most, None if chances is None else chances[street])
        for street in (0, 1)
    ]
    habits = np.concatenate(streets, axis=1)
    sizes = (counts.sizes[:, 0] + 4 * 0.9) / (counts.sizes[:, 1] + 4)
    return OpponentsRead(habits, blindly, sizes, counts.draws + by_chance * usual)


@cache
def _explained(street: int, opponents: int, most: int) -> Floats:
    """Return the log-likelihood of each choice under each style.

    Shape ``(styles, ON_A_STREET, KEYS, CHOICES)``.
    """
    tables = _on_street(styles()[0], street)
    return np.asarray(np.log(np.einsum("kc,tsca->tska", class_chances(opponents, most)[street], tables)))


def _on_street(of: Floats, street: int) -> Floats:
    """Return the part of an array whose second axis is the situation."""
    return of[:, street * ON_A_STREET : (street + 1) * ON_A_STREET]


def _habits(counted: Floats, street: int, opponents: int, most: int, chances: Floats | None) -> Floats:
    """Return the habits on one street, from the counts.

    ``chances`` is the probability of each class given a hand's key, shape ``(seats, KEYS, CLASSES)``; None stands for
    the probabilities of players who draw by the hand.
    """
    choices, tables, weights = _on_street(counted, street), _on_street(styles()[0], street), styles()[1]
    cells = np.nonzero(choices)
    seat, number, key, choice = cells
    if chances is None:
        classes = class_chances(opponents, most)[street][key]
        explained = _explained(street, opponents, most)[:, number, key, choice]
    else:
        classes = chances[seat, key]
        explained = np.log(np.einsum("nc,ntc->tn", classes, tables[:, number, :, choice]))
    fits = np.tile(np.log(weights), (len(choices), 1))
    np.add.at(fits, seat, choices[cells][:, None] * explained.T)
    fits = np.exp(fits - fits.max(axis=1, keepdims=True))
    before = np.einsum("it,tsca->isca", fits / fits.sum(axis=1, keepdims=True), tables)
    habits = np.asarray(before)
    for _ in range(_ROUNDS if len(seat) else 0):
        held = classes * habits[seat, number, :, choice]
        held *= choices[cells][:, None] / held.sum(axis=1, keepdims=True)
        seen = np.zeros_like(habits)
        np.add.at(seen, (seat[:, None], number[:, None], np.arange(CLASSES), choice[:, None]), held)
        habits = seen + _PRIOR * before
        habits /= habits.sum(axis=3, keepdims=True)
    return habits
