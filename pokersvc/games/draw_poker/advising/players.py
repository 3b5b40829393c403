"""The bots of draw poker. Each sees only a view and its legal actions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Final, NamedTuple

from pokersvc.cards import Card, Category, Hand
from pokersvc.core.actions import Action
from pokersvc.core.bots.player import Player
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.advice import MONTE_CARLO, advised_discard, own_hand, sampled_discard
from pokersvc.games.draw_poker.view import DrawPokerView

Draw = Callable[[DrawPokerView, LegalActions, Random], tuple[Card, ...]]
"""A function by which a bot chooses its discard."""


class RandomPlayer:
    """Chooses legal actions at random: the kind of action first, then its amount or cards, each uniformly."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return a random legal action."""
        seat, hand = own_hand(view)
        if legal.discard is not None:
            count = random.randrange(min(legal.discard, len(hand)) + 1)
            return Discard(seat, tuple(random.sample(hand, count)))
        choices: list[Callable[[], Action]] = []
        if legal.check:
            choices.append(lambda: Check(seat))
        if legal.fold:
            choices.append(lambda: Fold(seat))
        if legal.call:
            choices.append(lambda: Call(seat))
        if legal.bet is not None:
            least, most = legal.bet
            choices.append(lambda: Bet(seat, random.randint(least, most)))
        if legal.raise_to is not None:
            lowest, highest = legal.raise_to
            choices.append(lambda: Raise(seat, random.randint(lowest, highest)))
        return random.choice(choices)()


class MinimumPlayer:
    """Bets the minimum, calls every bet and stands pat: two such bots show what a house's forced payments cost."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return the minimum bet, else a call, else a check."""
        seat, _ = own_hand(view)
        if legal.discard is not None:
            return Discard(seat, ())
        if legal.bet is not None:
            return Bet(seat, legal.bet[0])
        if legal.call:
            return Call(seat)
        return Check(seat) if legal.check else Fold(seat)


class _DrawsAsAdvised(ABC):
    """Discards as ``draw`` chooses, by default as advised; subclasses decide how to bet."""

    def __init__(self, draw: Draw = advised_discard) -> None:
        self._draw = draw

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return the discard in the draw, or else a choice in the betting."""
        if legal.discard is not None:
            return Discard(own_hand(view)[0], self._draw(view, legal, random))
        return self.bet(view, legal, random)

    @abstractmethod
    def bet(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return a choice in the betting."""


class SteadyPlayer(_DrawsAsAdvised):
    """Draws as advised, bets by the strength of its hand, and sometimes folds a weak one."""

    def bet(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return a bet by the category of the hand."""
        seat, cards = own_hand(view)
        category = Hand(cards).category
        if legal.call or (legal.fold and not legal.check and legal.bet is None):
            return self._facing(view, legal, random, seat, category)
        return self._opening(view, legal, random, seat, category)

    def _opening(
        self, view: DrawPokerView, legal: LegalActions, random: Random, seat: int, category: Category
    ) -> Action:
        if legal.check:
            bets = random.random() < OPENS[min(category, Category.THREE_OF_A_KIND)]
        else:
            bets = not legal.fold or category > Category.HIGH_CARD or random.random() < 0.7
        size = 1 + random.random() * min(category, Category.STRAIGHT)
        if bets and legal.bet is not None:
            return Bet(seat, _sized(view, legal.bet, size))
        if bets and legal.raise_to is not None:
            return Raise(seat, _sized(view, legal.raise_to, size))
        return Check(seat) if legal.check else Fold(seat)

    def _facing(
        self, view: DrawPokerView, legal: LegalActions, random: Random, seat: int, category: Category
    ) -> Action:
        if legal.raise_to is not None and random.random() < RAISES[min(category, Category.THREE_OF_A_KIND)]:
            return Raise(seat, _sized(view, legal.raise_to, 1 + random.random() * min(category, Category.STRAIGHT)))
        # The larger the share of the stack that a call takes, the more often a weak hand folds.
        dear = legal.call / max(1, view.seat(seat).stack)
        if legal.fold and random.random() < FOLDS[min(category, Category.THREE_OF_A_KIND)] * (0.5 + dear):
            return Fold(seat)
        return Call(seat) if legal.call else Fold(seat)


class HousePlayer(_DrawsAsAdvised):
    """The bot of `buy-the-pot` in its founding document: bets up to one less than its stack, and always calls."""

    def bet(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return a call or, if there is no bet, a bet drawn uniformly from 0 (a check) to one less than the stack."""
        seat, _ = own_hand(view)
        if legal.call:
            return Call(seat)
        amount = random.randrange(max(1, view.seat(seat).stack))
        if legal.bet is not None and (amount >= legal.bet[0] or not legal.check):
            least, most = legal.bet
            return Bet(seat, max(least, min(amount, most)))
        return Check(seat) if legal.check else Fold(seat)


class TablePlayer(_DrawsAsAdvised):
    """The bot of `capped-raise` in its founding document: chooses at random, by percentages per category of its hand.

    An impossible choice falls back: a bet to a check, a raise to a call, a call to a fold.
    """

    def bet(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return a random choice, with the percentages that `TABLE` has for the category of the hand."""
        seat, cards = own_hand(view)
        odds = TABLE[Hand(cards).category]
        drawn = random.randrange(100)
        if legal.check or legal.bet is not None:
            if legal.bet is not None and (drawn >= odds.check or not legal.check):
                return Bet(seat, legal.bet[0])
            return Check(seat)
        if drawn < odds.fold and legal.fold:
            return Fold(seat)
        if drawn >= odds.fold + odds.call and legal.raise_to is not None:
            return Raise(seat, legal.raise_to[0])
        return Call(seat) if legal.call else Fold(seat)


class _Odds(NamedTuple):
    """Percentages: how often a player checks (else bets) if there is no bet, and folds or calls (else raises) a bet."""

    check: int
    fold: int
    call: int


TABLE: Final = {
    Category.HIGH_CARD: _Odds(15, 15, 70),
    Category.ONE_PAIR: _Odds(10, 10, 85),
    Category.TWO_PAIR: _Odds(10, 0, 60),
    Category.THREE_OF_A_KIND: _Odds(10, 0, 50),
    Category.STRAIGHT: _Odds(5, 0, 30),
    Category.FLUSH: _Odds(3, 0, 25),
    Category.FULL_HOUSE: _Odds(2, 0, 20),
    Category.FOUR_OF_A_KIND: _Odds(1, 0, 15),
    Category.STRAIGHT_FLUSH: _Odds(0, 0, 15),
    Category.ROYAL_FLUSH: _Odds(0, 0, 15),
}
"""Category of the hand → the betting percentages of `capped-raise`."""

OPENS: Final = {
    Category.HIGH_CARD: 0.1,
    Category.ONE_PAIR: 0.4,
    Category.TWO_PAIR: 0.7,
    Category.THREE_OF_A_KIND: 0.9,
}
RAISES: Final = {
    Category.HIGH_CARD: 0.05,
    Category.ONE_PAIR: 0.25,
    Category.TWO_PAIR: 0.5,
    Category.THREE_OF_A_KIND: 0.7,
}
FOLDS: Final = {
    Category.HIGH_CARD: 0.7,
    Category.ONE_PAIR: 0.25,
    Category.TWO_PAIR: 0.08,
    Category.THREE_OF_A_KIND: 0.0,
}


def _sized(view: DrawPokerView, limits: tuple[int, int], times: float) -> int:
    """Return, within the limits, ``times`` the minimum bet or, with all-ins, the price plus ``times`` half the pot."""
    least, most = limits
    amount = view.price + view.pot * times / 2 if view.rules.all_in else least * times
    return max(least, min(most, int(amount)))


_BY_ADVICE: Final[Mapping[str, Callable[[Draw], Player]]] = {
    "house": HousePlayer,
    "steady": SteadyPlayer,
    "table": TablePlayer,
}

PLAYERS: Final[Mapping[str, Callable[[], Player[DrawPokerView, LegalActions]]]] = {
    "minimum": MinimumPlayer,
    "random": RandomPlayer,
    **{kind: partial(player, advised_discard) for kind, player in _BY_ADVICE.items()},
    **{f"{kind}/{MONTE_CARLO}": partial(player, sampled_discard) for kind, player in _BY_ADVICE.items()},
}
"""Kind of bot → a function that makes a bot of this kind."""
