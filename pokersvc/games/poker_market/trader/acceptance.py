"""The model of acceptance: the probable kind of a player, and the probability that it accepts a swap."""

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from pokersvc.games.poker_market import beliefs
from pokersvc.games.poker_market.beliefs import SLIP, Belief, sides
from pokersvc.games.poker_market.engine import Appraisal
from pokersvc.games.poker_market.market import Bargain
from pokersvc.games.poker_market.players import AGAIN


class LikelyKinds(NamedTuple):
    """The probabilities that a player looks ahead, or else plays in one of the styles of `kernels`; they add up to 1.

    A player who looks ahead declines much of what a `RANK` player accepts, so without a kind of its own it would be
    taken for a `RANDOM` one.
    """

    planner: float
    rank: float
    greedy: float
    random: float


PRIOR: Final = LikelyKinds(0.54, 0.06, 0.25, 0.15)
"""The prior probabilities of a player's kinds, before it has done anything."""
PLANNER_ACCEPTS: Final = {True: 0.4, False: 0.12}
"""The probabilities that players who look ahead accept a swap that a `RANK` player would accept, and one that it would
decline."""
PLANNER_PROPOSES: Final = {True: 0.7, False: 0.3}
"""The probabilities that players who look ahead propose a swap that a `RANK` player wants, and one that it does not."""


class Weights(NamedTuple):
    """The weights of a logistic regression; see `planner_accepts`."""

    constant: float
    gains_at_once: float
    prospect: float
    gains_ahead: float


WEIGHTS: Final = Weights(-1.75, 1.1, 78.0, 1.8)
"""Close to the weights fitted to 3,648 answers of `rollout` at 3, 6 and 9 seats."""


def kinds_of(bargains: Sequence[Bargain], seat: int) -> LikelyKinds:
    """Return the belief about a seat's kind after the bargains, which are given oldest first (Bayes' rule)."""
    likely = list(PRIOR)
    for bargain in bargains:
        swap = bargain.proposal
        if seat == swap.partner and bargain.answer != "forfeited":
            its, accepted = sides(bargain)[1], bargain.answer == "accepted"
            planner = PLANNER_ACCEPTS[its.rank]
            likely[0] *= planner if accepted else 1 - planner
            random = 0.5
        elif seat == swap.seat:
            its, accepted = sides(bargain)[0], True
            likely[0] *= PLANNER_PROPOSES[its.rank]
            random = 0.35 if its.greedy else 0.65  # about the fraction of swaps that improve a hand
        else:
            continue
        likely[1] *= 1 - SLIP if its.rank == accepted else SLIP
        likely[2] *= 1 - SLIP if its.greedy == accepted else SLIP
        likely[3] *= random
        total = sum(likely)
        likely = [value / total for value in likely]
    return LikelyKinds(*likely)


def as_others_believe(kinds: LikelyKinds) -> Belief:
    """Return the belief of players like `rollout`, who know of no planners: equal to that of `beliefs.believe`.

    >>> as_others_believe(PRIOR)
    (0.6, 0.25, 0.15)
    """
    rank, greedy, random = [
        before * now / prior for before, now, prior in zip(beliefs.PRIOR, kinds[1:], PRIOR[1:], strict=True)
    ]
    total = rank + greedy + random
    return rank / total, greedy / total, random / total


def planner_accepts(prospect: float, players: int, *, gains_at_once: bool) -> float:
    """Return the probability that a player who looks ahead accepts a swap.

    ``prospect`` is the player's expected gain in points by the end of the market, compared with declining; with more
    players there are more points, so the same gain means less. ``gains_at_once`` says whether a `RANK` player
    would accept it.
    """
    points = max(-1.0, min(1.0, prospect))
    logit = (
        WEIGHTS.constant
        + WEIGHTS.gains_at_once * gains_at_once
        + WEIGHTS.prospect * points / players**2
        + WEIGHTS.gains_ahead * (points > 0)
    )
    return 1 / (1 + exp(-logit))


def acceptance(swap: Appraisal, prospect: float, kinds: LikelyKinds, players: int, *, declined_before: bool) -> float:
    """Return the probability that a swap is accepted by a partner with a prospect; see `planner_accepts`."""
    better = swap.gain > 0
    at_once = better and swap.passing >= 0
    ahead = planner_accepts(prospect, players, gains_at_once=at_once)
    chance = kinds.planner * ahead + kinds.rank * at_once + kinds.greedy * better + kinds.random * 0.5
    return chance * AGAIN if declined_before else chance
