"""Works out a choice of the bot `trader` with up to four players."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from struct import unpack
from typing import Final

from pokersvc.games.poker_market.beliefs import Belief, style_at
from pokersvc.games.poker_market.engine import Appraisal, Futures
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK, WORTH
from pokersvc.games.poker_market.players import HORIZON, SeenByPlayer
from pokersvc.games.poker_market.trader.acceptance import LikelyKinds, acceptance, as_others_believe, kinds_of
from pokersvc.games.poker_market.trader.kernels import ALWAYS

HEED: Final = ALWAYS // 2
"""How many times out of 32,768 players who look ahead accept, in playouts, a swap that a `RANK` player would accept."""
SEARCHED: Final = 3
"""The number of last turns that are searched at the end of each future."""
EXAMINED: Final = 12
"""The maximum number of swaps that the bot examines."""
LAST_SEARCHED: Final = 12
"""The maximum number of swaps that are searched in the last round."""
MOST_FORETELLING, MOST_EXAMINING, MOST_ANSWERING = 24, 20, 20
"""The maximum number of futures of each kind."""
FORETELLING, EXAMINING, ANSWERING = 0.4, 0.4, 0.4
"""The shares of the work: predicting which swaps are accepted, valuing swaps, and answering a proposal."""
LEAST_CHANCE: Final = 0.06
"""A swap that is less likely than this to be accepted is not examined further."""


class Deliberation:
    """Works out one choice of a `TraderPlayer` among up to four players."""

    def __init__(self, seen: SeenByPlayer, work: int, random: Random) -> None:
        self.seen, self.work, self.random = seen, work, random
        self.market, self.me, self.size = seen.market, seen.me, 5 * len(seen.order)
        self.kinds: list[LikelyKinds] = []
        self.beliefs: list[Belief] = []
        self._learn()
        self.again = seen.declined()
        self.turns = min(seen.turns_after, HORIZON * len(seen.order))
        self.now = [seen.engine.worth(seen.market, place) for place in range(len(seen.order))]

    def _learn(self) -> None:
        self.kinds = [kinds_of(self.seen.bargains, seat) for seat in self.seen.order]
        self.beliefs = [as_others_believe(kinds) for kinds in self.kinds]

    def answers(self, mover: int, swap: int) -> tuple[float, float]:
        """Return what the bot's hand is worth in the end if it declines the swap, and if it accepts it."""
        if self.seen.last_round:
            ends = self._searched(mover, [-1, swap])
        else:
            ends = self._ahead(
                mover, [-1, swap], self._shares(MOST_ANSWERING, len(self.kinds) + 1), int(self.work * ANSWERING)
            )
        return ends[0][self.me], ends[1][self.me]

    def best(self) -> int:
        """Return the swap to propose, or -1 to pass."""
        swaps = self.seen.engine.appraise(self.market, self.me)
        if len(self.seen.order) == 2:
            swaps = [swap for swap in swaps if not self.seen.lets_go(swap.mine)]
        swaps.sort(key=self._promise, reverse=True)
        return self._best_of_last(swaps) if self.seen.last_round else self._best_of(swaps)

    def _promise(self, swap: Appraisal) -> int:
        """Return the sum of both players' gains now, the smaller one counted twice."""
        mine, its = swap.mine - self.now[self.me], swap.its - self.now[self._partner(swap)]
        return mine + its + min(mine, its)

    def _partner(self, swap: Appraisal) -> int:
        return swap.swap % self.size // 5

    def _best_of(self, swaps: Sequence[Appraisal]) -> int:
        chances = self._foretold(swaps[:EXAMINED])
        likely = [(swap, chance) for swap, chance in chances if chance >= LEAST_CHANCE]
        numbers = [-1, *(swap.swap for swap, _ in likely)]
        passing, *ends = self._ahead(
            self.me, numbers, self._shares(MOST_EXAMINING, len(self.kinds) + 1), int(self.work * EXAMINING)
        )
        best, best_gain = -1, 0.0
        for (swap, chance), end in zip(likely, ends, strict=True):
            gain = (end[self.me] - passing[self.me]) * chance
            if gain > best_gain:
                best, best_gain = swap.swap, gain
        return best

    def _foretold(self, swaps: Sequence[Appraisal]) -> list[tuple[Appraisal, float]]:
        """Return swaps with the probability that each is accepted: the partner is expected to think as `rollout` does.

        So the market is played on from the view of the partner, who knows its own style and has beliefs about the
        others.
        """
        found, shares = [], self._shares(MOST_FORETELLING, len(self.kinds) + 1)
        for partner in sorted({self._partner(swap) for swap in swaps}):
            asked = [swap for swap in swaps if self._partner(swap) == partner]
            numbers = [-1, *(swap.swap for swap in asked)]
            work = int(self.work * FORETELLING * len(asked) / len(swaps))
            passing, *ends = self._ahead(self.me, numbers, shares, work, partner)
            for swap, end in zip(asked, ends, strict=True):
                found.append((swap, self._chance(swap, end[partner] - passing[partner])))
        return found

    def _best_of_last(self, swaps: Sequence[Appraisal]) -> int:
        points = [worth // WORTH for worth in self.now]
        swaps = [
            swap
            for swap in swaps
            if (swap.mine // WORTH, swap.its // WORTH) != (points[self.me], points[self._partner(swap)])
        ][:LAST_SEARCHED]
        passing, *ends = self._searched(self.me, [-1, *(swap.swap for swap in swaps)])
        best, best_gain = -1, 0.0
        for swap, end in zip(swaps, ends, strict=True):
            # The partner's search finds the same, so it almost certainly accepts exactly the swaps by which it gains.
            its = 1.0 if end[self._partner(swap)] > passing[self._partner(swap)] else -1.0
            gain = self._chance(swap, its) * (end[self.me] - passing[self.me])
            if gain > best_gain:
                best, best_gain = swap.swap, gain
        return best

    def _chance(self, swap: Appraisal, prospect: float) -> float:
        partner = self._partner(swap)
        again = swap.swap in self.again
        return acceptance(swap, prospect, self.kinds[partner], len(self.kinds), declined_before=again)

    def _searched(self, mover: int, swaps: Sequence[int]) -> list[list[float]]:
        seen, players = self.seen, len(self.seen.order)
        styles = self._likeliest_styles()
        styles[self.me] = RANK
        turn = seen.turn_number + 1
        flat = seen.engine.search(self.market, mover, swaps, styles, turn, seen.turns_after, self.work)
        return [[float(worth) for worth in flat[at : at + players]] for at in range(0, len(flat), players)]

    def _likeliest_styles(self) -> list[int]:
        return [max(range(3), key=(of.planner + of.rank, of.greedy, of.random).__getitem__) for of in self.kinds]

    def _ahead(
        self, mover: int, swaps: Sequence[int], shares: Sequence[Sequence[float]], work: int, viewer: int | None = None
    ) -> list[list[float]]:
        """Return, for each swap, each player's mean worth at the end, in points, as ``viewer`` expects it.

        Without a viewer, players who look ahead decline part of what they are offered, and the last turns are searched.
        ``shares`` has a row for each future, with a number for each player and one for chance; futures that cannot
        differ are played once.
        """
        players, turn = len(self.kinds), self.seen.turn_number + 1
        drawn: Counter[tuple[tuple[int, ...], tuple[int, ...], int]] = Counter()
        for row in shares[: 1 + work // (2 * len(swaps))]:
            if viewer is None:
                played = [self._plays(place, row[place]) for place in range(players)]
                styles, heeds = tuple([style for style, _ in played]), tuple([heed for _, heed in played])
            else:
                styles = tuple(
                    [RANK if place == viewer else style_at(self.beliefs[place], row[place]) for place in range(players)]
                )
                heeds = (ALWAYS,) * players
            settled = RANDOM not in styles and HEED not in heeds
            drawn[styles, heeds, 0 if settled else int(row[-1] * 2**31)] += 1
        futures = Futures(*zip(*[(*future, weight) for future, weight in drawn.most_common()], strict=True))
        searched = SEARCHED if viewer is None else 0
        return self.seen.engine.look_ahead(self.market, mover, swaps, futures, turn, self.turns, searched, work)

    def _shares(self, rows: int, width: int) -> list[tuple[float, ...]]:
        """Return rows of random numbers from 0 to below 1; they are drawn all at once, which is much faster."""
        count = rows * width
        drawn = unpack(f">{count}I", self.random.getrandbits(32 * count).to_bytes(4 * count, "big"))
        return [tuple([one / 2**32 for one in drawn[at : at + width]]) for at in range(0, count, width)]

    def _plays(self, place: int, share: float) -> tuple[int, int]:
        """Return a player's style and rate of acceptance, chosen among its kinds by a random number from 0 to 1."""
        kinds = self.kinds[place]
        if place == self.me:
            return RANK, ALWAYS
        if share < kinds.planner:
            return RANK, HEED
        if share < kinds.planner + kinds.rank:
            return RANK, ALWAYS
        return (GREEDY if share < 1 - kinds.random else RANDOM), ALWAYS
