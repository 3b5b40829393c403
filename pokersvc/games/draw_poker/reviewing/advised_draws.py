"""The discards of a bot that discards as advised, for many hands at once."""

import numpy as np

from pokersvc.cards.discards import batch_best
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.advising.advice import objective_of
from pokersvc.games.draw_poker.reviewing.mixtures_of_hands import Numbers, Thrown
from pokersvc.games.draw_poker.view import DrawPokerView


def advised_draws(view: DrawPokerView, legal: LegalActions, hands: Numbers) -> Thrown:
    """Return the advised discards."""
    best = batch_best(hands, objective_of(view, drew=False).values, legal.discard or 0)
    return Thrown(best[:, None], np.ones((len(hands), 1)))
