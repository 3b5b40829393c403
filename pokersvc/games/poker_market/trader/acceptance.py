"""The model of who accepts what: how likely a swap is accepted, by a player who may look ahead."""

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from pokersvc.games.poker_market.beliefs import SLIP, Belief, sides
from pokersvc.games.poker_market.engine import Appraisal
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK
from pokersvc.games.poker_market.market import Bargain
from pokersvc.games.poker_market.players import AGAIN

PRIOR_PLANNER: Final = 0.9
"""The probability that a player who wants points looks ahead, before it has answered a proposal."""
ACCEPTED_AT_ONCE: Final = 0.45
"""How often players who look ahead accept what a `RANK` player would accept as the table lies: as `rollout` does."""
ACCEPTED_FOR_LATER: Final = 0.07
"""How often they accept what a `RANK` player would decline."""


class Prospect(NamedTuple):
    """What a swap brings a player by the end of the market, in points, compared with passing."""

    if_all_agree: float
    """If everybody accepts what its style would accept, as `rollout` believes."""
    if_some_decline: float
    """If players who look ahead decline part of it, as they do."""


class Weights(NamedTuple):
    """The weights of a logistic regression; see `planner_accepts`."""

    constant: float
    gains_at_once: float
    if_all_agree: float
    if_some_decline: float
    gains_ahead: float


WEIGHTS: Final = Weights(-1.6, 0.3, 3.2, 1.5, 1.5)
"""Close to the fit to 421 answers of `rollout` to swaps of an earlier form of `trader`, at 3 and 6 seats."""


def planning(bargains: Sequence[Bargain], seat: int) -> float:
    """Return the probability that a seat that wants points looks ahead, learnt from its answers (Bayes' rule)."""
    planner, myopic = PRIOR_PLANNER, 1 - PRIOR_PLANNER
    for bargain in bargains:
        if bargain.proposal.partner == seat and bargain.answer != "forfeited":
            accepted, would = bargain.answer == "accepted", sides(bargain)[1].rank
            myopic *= 1 - SLIP if would == accepted else SLIP
            chance = ACCEPTED_AT_ONCE if would else ACCEPTED_FOR_LATER
            planner *= chance if accepted else 1 - chance
            total = planner + myopic
            planner, myopic = planner / total, myopic / total
    return planner


def planner_accepts(prospect: Prospect, *, gains_at_once: bool) -> float:
    """Return the probability that a player who looks ahead accepts a swap that brings it a prospect.

    ``gains_at_once`` says whether a `RANK` player would accept it.
    """
    agree, decline = (max(-1.0, min(1.0, points)) for points in prospect)
    logit = (
        WEIGHTS.constant
        + WEIGHTS.gains_at_once * gains_at_once
        + WEIGHTS.if_all_agree * agree
        + WEIGHTS.if_some_decline * decline
        + WEIGHTS.gains_ahead * (agree > 0)
    )
    return 1 / (1 + exp(-logit))


def acceptance(swap: Appraisal, prospect: Prospect, belief: Belief, planner: float, *, declined_before: bool) -> float:
    """Return the probability that a swap is accepted by a partner with a prospect.

    ``planner`` is the probability that the partner looks ahead if it wants points.
    """
    better = swap.gain > 0
    at_once = better and swap.passing >= 0
    ahead = planner_accepts(prospect, gains_at_once=at_once)
    chance = belief[RANK] * (planner * ahead + (1 - planner) * at_once) + belief[GREEDY] * better + belief[RANDOM] * 0.5
    return chance * AGAIN if declined_before else chance
