"""The bot ``equilibrium``: plays the strategy for its spot, and like ``steady`` if there is none."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokersvc.cards import Card, Hand
from pokersvc.cards.discards import BY_PREFERENCE, SIZES, totals
from pokersvc.cards.opponents import win_values
from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import drawn
from pokersvc.core.randomness.chance import StreamRandom
from pokersvc.games.draw_poker import earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import own_hand
from pokersvc.games.draw_poker.advising.players import SteadyPlayer
from pokersvc.games.draw_poker.strategy import strategy_file
from pokersvc.games.draw_poker.strategy.following import Place, followed, picked, stayed
from pokersvc.games.draw_poker.strategy.groups import DRAWS, Floats, bucket_of, group_of_hand
from pokersvc.games.draw_poker.strategy.spots import ANTES, BIG_BLIND, Limit, Spot
from pokersvc.games.draw_poker.strategy.strategy_file import Stored
from pokersvc.games.draw_poker.strategy.tree import FOLD, STAY, CallEnd, Node
from pokersvc.games.draw_poker.view import DrawPokerView

Numbers = NDArray[np.intp]

NEAR: Final = 1.5
"""The largest allowed ratio between a hand's depth and its strategy's depth, either way."""
DEEP: Final = 4
"""From this depth on, in big blinds, a strategy of a greater depth than the hand's counts as `FARTHER` times as far
away as one of a smaller depth. Measurements show that the greater depth loses more (docs/strategy.md).
"""
FARTHER: Final = 3
_DEALT: Final = (events.HandDealt, earlier_events.HandDealt)
_ASKED: Final = 32
"""How often ``steady`` is asked for a policy, each time with other randomness."""
_LIMITS: Final[Mapping[str, Limit]] = {
    "fixed_limit": "fixed_limit",
    "no_limit": "no_limit",
    "pot_limit": "pot_limit",
}


class EquilibriumPlayer:
    """Plays a near-perfect mixed strategy, for two players in card-room houses.

    Without ``file``, it plays the strategy of the nearest depth (`nearest`) among those that come with the package.
    Where there is none, it mixes 32 choices of ``steady``.
    """

    def __init__(self, file: str | Path | None = None) -> None:
        self._own = None if file is None else strategy_file.read(Path(file))

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return an action drawn from the policy."""
        return drawn(self.policy(view, legal), random).action

    def policy(self, view: DrawPokerView, legal: LegalActions) -> dict[Action, float]:
        """Return the probability of each action."""
        stored = self.strategy(view)
        if stored is None:
            return _steady(view, legal)
        places = followed(stored.played.root, view.record.round, view.rules.blinds.big if view.rules.blinds else 0)
        return _choices(stored, place_of(view, places), view, legal)

    def strategy(self, view: DrawPokerView) -> Stored | None:
        """Return the strategy for a hand; None if there is none."""
        game = betting_of(view)
        if game is None:
            return None
        limit, ante, depth = game
        if self._own is not None:
            own = self._own.played.spot
            return self._own if (own.limit, own.ante) == (limit, ante) else None
        spot = nearest(limit, ante, depth)
        return None if spot is None else _shipped(spot)


def betting_of(view: DrawPokerView) -> tuple[Limit, int, float] | None:
    """Return a hand's limit, its ante in units and its depth in big blinds; None if no strategy can fit it.

    There must be two players, blinds of 1:2 and nothing else put in but an ante of `ANTES`, the betting of the houses
    of card rooms, at least four cards to draw, and no rake.
    """
    rules, blinds, betting = view.rules, view.rules.blinds, view.rules.betting
    limit = _LIMITS.get(betting.raises)
    if blinds is None or limit is None or blinds.big != 2 * blinds.small or view.ante * BIG_BLIND % blinds.big:
        return None
    ante = view.ante * BIG_BLIND // blinds.big
    usual = (betting.opener, betting.short, betting.check, betting.fold_free, betting.minimum, rules.open_hands)
    if usual != ("button", "all_in", "always", False, blinds.big, "in_order") or rules.rake or ante not in ANTES:
        return None
    capped = betting.final_minimum == 2 * blinds.big and betting.most_bets == 4 and betting.uncapped == "never"
    if (limit == "fixed_limit" and not capped) or rules.discards < DRAWS - 1 or rules.draw != "in_turn":
        return None
    begun = view.record.round
    dealt = [seat for seat in view.seats if seat.cards]
    posted = {event.blind for event in begun if isinstance(event, events.BlindPosted)}
    if len(dealt) != 2 or posted != {"small", "big"} or any(isinstance(event, events.Posted) for event in begun):
        return None
    return limit, ante, min(seat.stack + seat.staked for seat in dealt) / blinds.big


def nearest(limit: Limit, ante: int, depth: float) -> Spot | None:
    """Return the spot whose strategy is played at a depth: the nearest by ratio; of two equally near, the smaller.

    From `DEEP` on, a greater depth counts as `FARTHER` times as far. None if there is no depth within `NEAR`. At a
    fixed limit all depths above `Spot.farthest` are the same.
    """
    found: list[tuple[float, Spot]] = []
    for spot in _spots():
        at = min(depth, spot.farthest)
        ratio = max(spot.depth, at) / min(spot.depth, at)
        if (spot.limit, spot.ante) == (limit, ante) and ratio <= NEAR:
            found.append(((ratio - 1) * (FARTHER if spot.depth > at >= DEEP else 1), spot))
    return min(found)[1] if found else None


def place_of(view: DrawPokerView, places: list[Place]) -> Place:
    """Return one of several positions in the tree for the whole hand; its weight is the share of deals that choose it.

    A strategy whose place changed during a hand would come to choices that its own play never reaches, and be easy
    to beat. So the cards that the seat was dealt decide: nothing else need be remembered, and no opponent sees them.
    """
    if len(places) == 1:
        return places[0]
    seat, cards = own_hand(view)
    for event in view.record.round:
        if isinstance(event, _DEALT) and event.seat == seat and event.cards:
            cards = event.cards
    numbers = bytes(sorted(card.number for card in cards))
    return picked(places, int.from_bytes(sha256(numbers).digest()[:6], "big") / 2**48)


def _choices(stored: Stored, place: Place, view: DrawPokerView, legal: LegalActions) -> dict[Action, float]:
    """Return the probability of each action at one position in the tree."""
    seat, cards = own_hand(view)
    if legal.discard is not None:
        return {
            Discard(seat, kept_best(cards, size)): float(chance)
            for size, chance in enumerate(draw_at(stored, place, _hand(stored, place._replace(end=None), cards)))
            if chance > 0
        }
    if not isinstance(place.node, Node):
        return {stay(seat, legal): 1.0}
    node, column = place.node, _hand(stored, place, cards)
    found: defaultdict[Action, float] = defaultdict(float)
    for action, chance in zip(node.actions, betting_at(stored, place, node, column), strict=True):
        if chance > 0:
            found[action_at(action, node, view, legal)] += float(chance)
    return dict(found)


def kept_best(cards: tuple[Card, ...], size: int) -> tuple[Card, ...]:
    """Return the discard of ``size`` cards that wins most often against one opponent."""
    values = totals(cards, win_values(1))
    best = max((mask for mask in BY_PREFERENCE if SIZES[mask] == size), key=values.__getitem__)
    return tuple(card for place, card in enumerate(cards) if best >> place & 1)


def _hand(stored: Stored, place: Place, cards: tuple[Card, ...]) -> int:
    """Return the group of the hand or, after the draw, its bucket."""
    if place.end is not None:
        return int(bucket_of()[Hand(cards).strength])
    return group_of_hand(cards, stored.keys)


def draw_at(stored: Stored, place: Place, group: int | Numbers) -> Floats:
    """Return the probability of each number of cards drawn at a position, for one group of deals or several."""
    while isinstance(place.node, Node):  # the tree has a choice where the table has none
        place = stayed(place)
    end = place.end or place.node
    assert isinstance(end, CallEnd)
    return stored.played.draw(end, place.drawn[0] if place.drawn else None, group)


def betting_at(stored: Stored, place: Place, node: Node, hand: int | Numbers) -> Floats:
    """Return the probability of each action of a choice, for one group or bucket of hands or an array of them."""
    if place.end is None:
        return stored.played.first_betting(node, hand)
    return stored.played.final_betting(place.end, node, place.drawn, hand)


def action_at(action: int, node: Node, view: DrawPokerView, legal: LegalActions) -> Action:
    """Return an action of the tree as one of the table: a raise to the same share of the pot, or all in."""
    seat = own_hand(view)[0]
    if action == FOLD and legal.fold:
        return Fold(seat)
    limits = legal.raise_to or legal.bet
    if action in (FOLD, STAY) or limits is None:
        return stay(seat, legal)
    least, most = limits
    to = view.price + (action - node.price) / node.called * (view.pot + legal.call)
    amount = most if action == node.all_in else max(least, min(most, round(to)))
    return Raise(seat, amount) if legal.raise_to else Bet(seat, amount)


def stay(seat: int, legal: LegalActions) -> Action:
    """Return a call or, if there is nothing to call, a check."""
    if legal.call:
        return Call(seat)
    return Check(seat) if legal.check else Fold(seat)


def _steady(view: DrawPokerView, legal: LegalActions) -> dict[Action, float]:
    """Return the choices of ``steady`` with their probabilities."""
    steady = SteadyPlayer()
    found = Counter(steady.choose(view, legal, StreamRandom(bytes([number]))) for number in range(_ASKED))
    return {action: count / _ASKED for action, count in found.items()}


@lru_cache(4)
def _shipped(spot: Spot) -> Stored | None:
    return strategy_file.shipped(spot)


@lru_cache(1)
def _spots() -> tuple[Spot, ...]:
    return tuple(strategy_file.shipped_spots())
