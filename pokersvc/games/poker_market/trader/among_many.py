"""Works out a choice of the bot `trader` with more than four players, where futures are many and long.

It predicts answers from its own point of view: simulating the market as each partner sees it would leave too few
futures for each.
"""

from collections import Counter
from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from pokersvc.games.poker_market.beliefs import SLIP, Belief, sides, style_at
from pokersvc.games.poker_market.engine import Appraisal, Futures
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK
from pokersvc.games.poker_market.market import Bargain
from pokersvc.games.poker_market.players import AGAIN
from pokersvc.games.poker_market.trader.deliberation import HEED, Deliberation
from pokersvc.games.poker_market.trader.kernels import ALWAYS

SEARCHED: Final = 1
"""The number of last turns that are searched at the end of each future."""
EXAMINED: Final = 16
"""The maximum number of swaps that the bot examines."""
FORETELLING, EXAMINING, ANSWERING = 0.15, 0.85, 0.5
"""The shares of the work: predicting which swaps are accepted, valuing swaps, and answering a proposal."""
MOST_FORETELLING, MOST_EXAMINING, MOST_ANSWERING = 6, 20, 20
"""The maximum number of futures of each kind."""
PRIOR_PLANNER: Final = 0.9
"""The probability that a player who wants points looks ahead, before it has answered a proposal."""
ACCEPTED_AT_ONCE: Final = 0.45
"""The probability that players who look ahead, as `rollout` does, accept a swap that a `RANK` player would accept
now."""
ACCEPTED_FOR_LATER: Final = 0.07
"""The probability that players who look ahead accept a swap that a `RANK` player would decline."""


class Prospect(NamedTuple):
    """What a swap brings a player by the end of the market, in points, compared with passing."""

    if_all_agree: float
    """The points if everybody accepts what its style would accept, as `rollout` believes."""
    if_some_decline: float
    """The points if players who look ahead decline part of that, as they really do."""


class WeightsOfMany(NamedTuple):
    """The weights of a logistic regression; see `planner_accepts`."""

    constant: float
    gains_at_once: float
    if_all_agree: float
    if_some_decline: float
    gains_ahead: float


WEIGHTS: Final = WeightsOfMany(-1.6, 0.3, 3.2, 1.5, 1.5)
"""Close to the weights fitted to 421 answers of `rollout` to swaps of an earlier form of `trader`, at 3 and 6 seats."""


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


class DeliberationAmongMany(Deliberation):
    """Works out one choice of a `TraderPlayer` among more than four players."""

    planners: Sequence[float] = ()
    """For each place, the probability that its player looks ahead if that player wants points."""

    def _learn(self) -> None:
        self.beliefs = self.seen.beliefs()
        self.planners = [planning(self.seen.bargains, seat) for seat in self.seen.order]

    def answers(self, mover: int, swap: int) -> tuple[float, float]:
        """Return what the bot's hand is worth in the end if it declines the swap, and if it accepts it."""
        if self.seen.last_round:
            return super().answers(mover, swap)
        ends = self._futures(mover, [-1, swap], MOST_ANSWERING, int(self.work * ANSWERING), planners=True)
        return ends[0][self.me], ends[1][self.me]

    def _best_of(self, swaps: Sequence[Appraisal]) -> int:
        examined = swaps[:EXAMINED]
        numbers = [-1, *(swap.swap for swap in examined)]
        foretold = self._futures(self.me, numbers, MOST_FORETELLING, int(self.work * FORETELLING), planners=False)
        ends = self._futures(self.me, numbers, MOST_EXAMINING, int(self.work * EXAMINING), planners=True)
        best, best_gain = -1, 0.0
        for number, swap in enumerate(examined, 1):
            gain = ends[number][self.me] - ends[0][self.me]
            if gain > 0:
                partner = self._partner(swap)
                prospect = Prospect(*(found[number][partner] - found[0][partner] for found in (foretold, ends)))
                gain *= self._accepts(swap, prospect)
            if gain > best_gain:
                best, best_gain = swap.swap, gain
        return best

    def _chance(self, swap: Appraisal, prospect: float) -> float:
        return self._accepts(swap, Prospect(prospect, prospect))

    def _accepts(self, swap: Appraisal, prospect: Prospect) -> float:
        partner = self._partner(swap)
        again = swap.swap in self.again
        return acceptance(swap, prospect, self.beliefs[partner], self.planners[partner], declined_before=again)

    def _likeliest_styles(self) -> list[int]:
        return [max(range(3), key=belief.__getitem__) for belief in self.beliefs]

    def _futures(self, mover: int, swaps: Sequence[int], most: int, work: int, *, planners: bool) -> list[list[float]]:
        """Return, for each swap, each player's mean worth at the end, in points.

        At most ``most`` futures are played; ``planners`` says whether players who look ahead decline part of what they
        are offered, and whether the last turns are searched. Futures that cannot differ are played once.
        """
        players, turn = len(self.beliefs), self.seen.turn_number + 1
        drawn: Counter[tuple[tuple[int, ...], tuple[int, ...], int]] = Counter()
        for row in self._shares(min(most, 1 + work // (2 * len(swaps))), 2 * players + 1):
            styles = tuple([self._style(place, row[place]) for place in range(players)])
            heeds = tuple([self._heed(place, styles[place], row[players + place]) for place in range(players)])
            heeds = heeds if planners else (ALWAYS,) * players
            settled = RANDOM not in styles and HEED not in heeds
            drawn[styles, heeds, 0 if settled else int(row[-1] * 2**31)] += 1
        futures = Futures(*zip(*[(*future, weight) for future, weight in drawn.most_common()], strict=True))
        searched = SEARCHED if planners else 0
        return self.seen.engine.look_ahead(self.market, mover, swaps, futures, turn, self.turns, searched, work)

    def _style(self, place: int, share: float) -> int:
        return RANK if place == self.me else style_at(self.beliefs[place], share)

    def _heed(self, place: int, style: int, share: float) -> int:
        return HEED if place != self.me and style == RANK and share < self.planners[place] else ALWAYS
