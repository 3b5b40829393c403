"""The programs that a person's play is compared with: near-perfect strategies, or else the best bot.

`PROGRAMS` is the one place where they are named. The first that plays a hand reviews it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple, Protocol

import numpy as np

from pokersvc.cards import CARDS
from pokersvc.cards.arrays import ranked
from pokersvc.cards.ranking import by_strength
from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.advising.advice import own_hand
from pokersvc.games.draw_poker.advising.mixtures import MIXTURES, STEADY_IN_QUARTERS, Mixture
from pokersvc.games.draw_poker.reviewing.advised_draws import advised_draws
from pokersvc.games.draw_poker.reviewing.by_reading import ReadingProgram
from pokersvc.games.draw_poker.reviewing.mixtures_of_hands import Floats, Mixed, Numbers, Thrown
from pokersvc.games.draw_poker.strategy.equilibrium_player import (
    EquilibriumPlayer,
    action_at,
    betting_at,
    draw_at,
    stay,
)
from pokersvc.games.draw_poker.strategy.following import followed
from pokersvc.games.draw_poker.strategy.groups import DRAWS, bucket_of, group_of, kept_alike
from pokersvc.games.draw_poker.strategy.strategy_file import Stored
from pokersvc.games.draw_poker.strategy.tree import Node
from pokersvc.games.draw_poker.view import DrawPokerView


class ProgramForReview(Protocol):
    """A program as a review needs it: its policy with any hands at the viewer's seat."""

    def bets(self, view: DrawPokerView, legal: LegalActions, hands: Numbers, *, sizes: int | None) -> Mixed:
        """Return its betting policy with each hand (a row of five cards), with ``sizes`` sizes of bets or all."""
        ...

    def draws(self, view: DrawPokerView, legal: LegalActions, hands: Numbers) -> Thrown:
        """Return its drawing policy with each hand."""
        ...


class _Equilibrium:
    """The bot `equilibrium` for many hands at once."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored

    def bets(self, view: DrawPokerView, legal: LegalActions, hands: Numbers, *, sizes: int | None) -> Mixed:
        """Return the strategy's betting policy, which has few sizes anyway."""
        seat, _ = own_hand(view)
        rules, drawn = view.rules, any(one.drew is not None for one in view.seats)
        assert rules.blinds is not None
        chances: dict[Action, Floats] = {}
        kinds, classes = np.unique(self._buckets(hands) if drawn else self._groups(hands), return_inverse=True)
        for place in followed(self._stored.played.root, view.record.round, rules.blinds.big):
            node = place.node
            if not isinstance(node, Node):
                _add(chances, stay(seat, legal), np.full(len(kinds), place.weight))
                continue
            parts = betting_at(self._stored, place, node, kinds)
            for action, part in zip(node.actions, parts, strict=True):
                _add(chances, action_at(action, node, view, legal), place.weight * part)
        found = Mixed(tuple(chances), np.array(list(chances.values())).T, classes)
        return found if sizes is None else found.with_few_sizes(sizes)

    def draws(self, view: DrawPokerView, legal: LegalActions, hands: Numbers) -> Thrown:
        """Return the numbers of cards that the strategy draws, each as the discard that wins most often."""
        assert view.rules.blinds is not None
        groups = self._groups(hands)
        places = followed(self._stored.played.root, view.record.round, view.rules.blinds.big)
        chances = sum(place.weight * draw_at(self._stored, place, groups).T for place in places)
        return Thrown(kept_alike(hands), np.asarray(chances)[:, :DRAWS])

    def _groups(self, hands: Numbers) -> Numbers:
        return group_of(hands, self._stored.keys)

    def _buckets(self, hands: Numbers) -> Numbers:
        found: Numbers = bucket_of()[ranked(*hands.T)]
        return found


class _ByCategory:
    """A bot that draws as advised and bets only by the category of its hand, for many hands at once."""

    def __init__(self, mixture: Mixture, in_few_sizes: Mixture) -> None:
        self._mixture, self._in_few_sizes = mixture, in_few_sizes

    def bets(self, view: DrawPokerView, legal: LegalActions, hands: Numbers, *, sizes: int | None) -> Mixed:
        """Return the bot's betting policy, by asking it with one hand of each category."""
        mixture = self._mixture if sizes is None else self._in_few_sizes
        categories = _categories()[ranked(*hands.T)]
        _, first, classes = np.unique(categories, return_index=True, return_inverse=True)
        policies = [mixture(_with_hand(view, hands[row]), legal) for row in first]
        actions = tuple(dict.fromkeys(action for policy in policies for action in policy))
        chances = np.array([[policy.get(action, 0.0) for action in actions] for policy in policies])
        found = Mixed(actions, chances, classes)
        return found if sizes is None else found.with_few_sizes(sizes)

    def draws(self, view: DrawPokerView, legal: LegalActions, hands: Numbers) -> Thrown:
        """Return the advised discards."""
        return advised_draws(view, legal, hands)


@cache
def _categories() -> Numbers:
    """Return the category of each strength; place 0 is not used."""
    found: Numbers = np.array(by_strength().codes, np.intp) >> 20
    return found


def _with_hand(view: DrawPokerView, hand: Numbers) -> DrawPokerView:
    seat, _ = own_hand(view)
    mine = replace(view.seat(seat), cards=tuple(CARDS[number] for number in hand))
    return replace(view, seats=(*view.seats[: seat - 1], mine, *view.seats[seat:]))


def _add(chances: dict[Action, Floats], action: Action, part: Floats) -> None:
    chances[action] = chances[action] + part if action in chances else part


class ReviewingProgram(NamedTuple):
    """A kind of bot, and the function that returns the bot for a hand, or None if it has no strategy for the hand."""

    kind: str
    in_hand: Callable[[DrawPokerView], ProgramForReview | ReadingProgram | None]
    samples: int
    """How often, by default, the hand is played on from a choice."""
    about: str
    """A sentence for the reader of the review."""
    plans: bool = False
    """Whether the program's mixture is valid only on its own path: elsewhere, it has not learned to play its hand."""


def _equilibrium(view: DrawPokerView) -> ProgramForReview | None:
    stored = EquilibriumPlayer().strategy(view)
    return None if stored is None else _Equilibrium(stored)


def _shark(view: DrawPokerView) -> ReadingProgram:
    return ReadingProgram()


PROGRAMS: Final = (
    ReviewingProgram(
        "equilibrium", _equilibrium, 4000, "The program equilibrium plays a strategy close to perfect play.", plans=True
    ),
    ReviewingProgram(
        "shark",
        _shark,
        4000,
        "The program shark is the best of the bots, not perfect: it watches how each opponent plays, and answers that.",
    ),
)
"""The programs that review, the best first; the last one plays every hand."""


class Chosen(NamedTuple):
    """The program that reviews a hand."""

    of: ReviewingProgram
    play: ProgramForReview | ReadingProgram
    anywhere: ProgramForReview
    """The play of the seat if the program has no plan for its hand."""


def program_for(view: DrawPokerView) -> Chosen:
    """Return the program that reviews a hand, from any seat's view after the deal."""
    found = ((one, play) for one in PROGRAMS if (play := one.in_hand(view)) is not None)
    return Chosen(*next(found), _ByCategory(MIXTURES["steady"], STEADY_IN_QUARTERS))
