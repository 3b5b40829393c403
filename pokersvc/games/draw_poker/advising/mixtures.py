"""The policies of the built-in bots: the probabilities of their choices, for code that must know them.

In a game these bots are still asked for a choice, so that old games can be resumed. This module computes, hand by hand,
how often they would make each choice, so that `pokersvc.tournament.response` can play against them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations
from math import comb, floor
from typing import Final, NamedTuple, TypeAlias

from pokersvc.cards import Category, Hand
from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Policy
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import advised_discard, own_hand
from pokersvc.games.draw_poker.advising.players import FOLDS, OPENS, RAISES, TABLE, MinimumPlayer
from pokersvc.games.draw_poker.view import DrawPokerView

Mixture: TypeAlias = Callable[[DrawPokerView, LegalActions], Policy]

_UNUSED: Final = EntropySource.from_text("unused").program_random(0, 0, "unused")
"""Randomness for bots that do not use it."""
_KEPT: Final = 4096
"""The maximum number of mixtures kept; most hands of a range share a mixture with others."""


class _Table(NamedTuple):
    """The facts, besides its hand, by which a built-in bot bets."""

    legal: LegalActions
    seat: int
    stack: int
    price: int
    pot: int
    all_in: bool


def _betting(mixture: Callable[[_Table, Category], Policy]) -> Mixture:
    """Return the policy of a bot that draws as advised and bets by the category of its hand."""
    kept = lru_cache(_KEPT)(mixture)

    def mixed(view: DrawPokerView, legal: LegalActions) -> Policy:
        seat, cards = own_hand(view)
        if legal.discard is not None:
            return {Discard(seat, advised_discard(view, legal, _UNUSED)): 1.0}
        table = _Table(legal, seat, view.seat(seat).stack, view.price, view.pot, view.rules.all_in)
        return kept(table, Hand(cards).category)

    return mixed


_Raises: TypeAlias = Callable[[float, float], Sequence[tuple[int, float]]]
"""Takes a minimum and a span; returns amounts, not yet limited, with the probabilities of a uniform draw from them."""


def _steady(table: _Table, category: Category, sizes: _Raises) -> Policy:
    legal, seat = table.legal, table.seat
    least = min(category, Category.THREE_OF_A_KIND)
    if legal.call or (legal.fold and not legal.check and legal.bet is None):
        raising = RAISES[least] if legal.raise_to is not None else 0.0
        dear = legal.call / max(1, table.stack)
        folding = min(1.0, FOLDS[least] * (0.5 + dear)) if legal.fold else 0.0
        parts = _raises(table, category, raising, sizes)
        _add(parts, Fold(seat), (1 - raising) * folding)
        _add(parts, Call(seat) if legal.call else Fold(seat), (1 - raising) * (1 - folding))
        return parts
    betting = OPENS[least] if legal.check else 1.0 if not legal.fold or category > Category.HIGH_CARD else 0.7
    if legal.bet is None and legal.raise_to is None:
        betting = 0.0
    parts = _raises(table, category, betting, sizes)
    _add(parts, Check(seat) if legal.check else Fold(seat), 1 - betting)
    return parts


def _each(low: float, span: float) -> list[tuple[int, float]]:
    """Return every whole amount with its probability."""
    return [
        (amount, (min(amount + 1, low + span) - max(amount, low)) / span if span else 1.0)
        for amount in range(floor(low), floor(low + span) + 1)
    ]


def _quarters(low: float, span: float) -> list[tuple[int, float]]:
    """Return the midpoint of each quarter."""
    return [(floor(low + span * part / 8), 0.25) for part in (1, 3, 5, 7)]


def _raises(table: _Table, category: Category, whole: float, sizes: _Raises) -> dict[Action, float]:
    """Return the bets or raises of `steady`, with probabilities that add up to ``whole``."""
    limits = table.legal.bet or table.legal.raise_to
    if not whole or limits is None:
        return {}
    least, most = limits
    low, unit = (table.price + table.pot / 2, table.pot / 2) if table.all_in else (float(least), float(least))
    span = unit * min(category, Category.STRAIGHT)
    parts: dict[Action, float] = {}
    for amount, part in sizes(low, span):
        limited = max(least, min(most, amount))
        _add(parts, (Bet if table.legal.bet else Raise)(table.seat, limited), part * whole)
    return parts


def _house(table: _Table, category: Category) -> Policy:
    legal, seat = table.legal, table.seat
    if legal.call:
        return {Call(seat): 1.0}
    passing = Check(seat) if legal.check else Fold(seat)
    if legal.bet is None:
        return {passing: 1.0}
    parts: dict[Action, float] = {}
    count = max(1, table.stack)
    least, most = legal.bet
    for amount in range(count):
        bets = amount >= least or not legal.check
        _add(parts, Bet(seat, max(least, min(amount, most))) if bets else passing, 1 / count)
    return parts


def _table(table: _Table, category: Category) -> Policy:
    legal, seat = table.legal, table.seat
    odds = TABLE[category]
    parts: dict[Action, float] = {}
    if legal.check or legal.bet is not None:
        betting = (1 - odds.check / 100 if legal.check else 1.0) if legal.bet is not None else 0.0
        if legal.bet is not None:
            _add(parts, Bet(seat, legal.bet[0]), betting)
        _add(parts, Check(seat), 1 - betting)
        return parts
    folding = odds.fold / 100 if legal.fold else 0.0
    raising = 1 - (odds.fold + odds.call) / 100 if legal.raise_to is not None else 0.0
    if legal.raise_to is not None:
        _add(parts, Raise(seat, legal.raise_to[0]), raising)
    _add(parts, Fold(seat), folding)
    _add(parts, Call(seat) if legal.call else Fold(seat), 1 - folding - raising)
    return parts


def _minimum(view: DrawPokerView, legal: LegalActions) -> Policy:
    return {MinimumPlayer().choose(view, legal, _UNUSED): 1.0}


def _random(view: DrawPokerView, legal: LegalActions) -> Policy:
    seat, hand = own_hand(view)
    if legal.discard is not None:
        counts = range(min(legal.discard, len(hand)) + 1)
        return {
            Discard(seat, cards): 1 / len(counts) / comb(len(hand), count)
            for count in counts
            for cards in combinations(hand, count)
        }
    kinds: list[list[Action]] = []
    if legal.check:
        kinds.append([Check(seat)])
    if legal.fold:
        kinds.append([Fold(seat)])
    if legal.call:
        kinds.append([Call(seat)])
    if legal.bet is not None:
        kinds.append([Bet(seat, amount) for amount in range(legal.bet[0], legal.bet[1] + 1)])
    if legal.raise_to is not None:
        kinds.append([Raise(seat, to) for to in range(legal.raise_to[0], legal.raise_to[1] + 1)])
    return {action: 1 / len(kinds) / len(kind) for kind in kinds for action in kind}


def _add(parts: dict[Action, float], action: Action, part: float) -> None:
    if part > 0:
        parts[action] = parts.get(action, 0.0) + part


MIXTURES: Final[Mapping[str, Mixture]] = {
    "house": _betting(_house),
    "minimum": _minimum,
    "random": _random,
    "steady": _betting(partial(_steady, sizes=_each)),
    "table": _betting(_table),
}
"""Kind of bot → the function that returns its mixture from a seat's view and legal actions."""

STEADY_IN_QUARTERS: Final = _betting(partial(_steady, sizes=_quarters))
"""How `steady` mixes if each bet is moved to the middle of its quarter of the span, which leaves only four sizes."""
