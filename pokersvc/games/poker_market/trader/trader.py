"""The bot `trader`: proposes the swap that is worth most to it, times the chance that the partner accepts."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from struct import unpack
from typing import Final

from pokersvc.core.actions import Action
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions
from pokersvc.games.poker_market.beliefs import style_at
from pokersvc.games.poker_market.engine import Appraisal, Futures, engine
from pokersvc.games.poker_market.kernels import RANDOM, RANK, WORTH
from pokersvc.games.poker_market.players import HORIZON, SeenByPlayer
from pokersvc.games.poker_market.trader.acceptance import Prospect, acceptance, planning
from pokersvc.games.poker_market.trader.kernels import ALWAYS
from pokersvc.games.poker_market.view import PokerMarketView

HEED: Final = ALWAYS // 2
"""How often, in 32,768, players who look ahead accept in its playouts what a `RANK` player would accept."""
SEARCHED, SEARCHED_BY_MANY = 3, 1
"""The number of last turns that are searched at the end of each future: with up to four players, and with more."""
EXAMINED: Final = 16
"""The maximum number of swaps that it looks into."""
LAST_SEARCHED: Final = 12
"""The maximum number of swaps that are searched in the last round."""
FORETELLING, EXAMINING, ANSWERING = 0.15, 0.85, 0.5
"""The shares of the work: to foretell what is accepted, to find out what swaps are worth, and to answer a proposal."""
MOST_FORETELLING, MOST_EXAMINING, MOST_ANSWERING = 6, 20, 20
"""The maximum number of futures of each kind."""


class TraderPlayer:
    """Proposes the swap with the greatest gain times its chance of acceptance.

    It foretells what others accept by looking ahead as they do. What a swap is worth to itself it finds by playing on
    with others who decline part of what they are offered, and by searching the last turns. The last round is searched
    as if all played perfectly. ``work`` is about how often it looks for a player's best swap in a choice, or the
    maximum number of positions that it visits in the last round.
    """

    def __init__(self, work: int = 2000) -> None:
        self._work = work

    def choose(self, view: PokerMarketView, legal: LegalActions, random: Random) -> Action:
        """Return the action with the best end: in points, then in the hand."""
        assert view.to_act is not None
        seat = view.to_act
        seen = SeenByPlayer(view, engine(self._work))
        if legal.answer is None:
            return seen.proposal(_Deliberation(seen, self._work, random).best())
        if seen.lets_go(seen.engine.worth(seen.accepted(legal.answer), seen.me)):
            return Decline(seat)
        mover, swap = seen.place_of(legal.answer.seat), seen.swap(legal.answer)
        declined, accepted = _Deliberation(seen, self._work, random).answers(mover, swap)
        return Accept(seat) if accepted > declined else Decline(seat)


class _Deliberation:
    """Works out one choice of a `TraderPlayer`."""

    def __init__(self, seen: SeenByPlayer, work: int, random: Random) -> None:
        self.seen, self.work, self.random = seen, work, random
        self.market, self.me = seen.market, seen.me
        self.searched = SEARCHED if len(seen.order) <= 4 else SEARCHED_BY_MANY
        self.beliefs = seen.beliefs()
        self.planners = [planning(seen.bargains, seat) for seat in seen.order]
        self.again = seen.declined()
        self.turns = min(seen.turns_after, HORIZON * len(seen.order))
        self.now = [seen.engine.worth(seen.market, place) for place in range(len(seen.order))]

    def answers(self, mover: int, swap: int) -> tuple[float, float]:
        """Return the worth at the end of declining a swap, and of accepting it."""
        if self.seen.last_round:
            ends = self._searched(mover, [-1, swap])
        else:
            ends = self._ahead(mover, [-1, swap], MOST_ANSWERING, int(self.work * ANSWERING), planners=True)
        return ends[0][self.me], ends[1][self.me]

    def best(self) -> int:
        """Return the swap to propose, or -1 to pass."""
        swaps = [swap for swap in self.seen.engine.appraise(self.market, self.me) if not self.seen.lets_go(swap.mine)]
        swaps.sort(key=self._promise, reverse=True)
        return self._best_of_last(swaps) if self.seen.last_round else self._best_of(swaps)

    def _promise(self, swap: Appraisal) -> int:
        """Return how much both gain now, the one who gains less counted twice."""
        mine, its = swap.mine - self.now[self.me], swap.its - self.now[self._partner(swap)]
        return mine + its + min(mine, its)

    def _partner(self, swap: Appraisal) -> int:
        return self.seen.partner(swap.swap)

    def _best_of(self, swaps: Sequence[Appraisal]) -> int:
        examined = swaps[:EXAMINED]
        numbers = [-1, *(swap.swap for swap in examined)]
        foretold = self._ahead(self.me, numbers, MOST_FORETELLING, int(self.work * FORETELLING), planners=False)
        ends = self._ahead(self.me, numbers, MOST_EXAMINING, int(self.work * EXAMINING), planners=True)
        best, best_gain = -1, 0.0
        for number, swap in enumerate(examined, 1):
            gain = ends[number][self.me] - ends[0][self.me]
            if gain > 0:
                partner = self._partner(swap)
                prospect = Prospect(*(found[number][partner] - found[0][partner] for found in (foretold, ends)))
                gain *= self._chance(swap, prospect)
            if gain > best_gain:
                best, best_gain = swap.swap, gain
        return best

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
            # The partner's search finds the same: it is as good as certain to accept what it gains by, and only that.
            its = 1.0 if end[self._partner(swap)] > passing[self._partner(swap)] else -1.0
            gain = self._chance(swap, Prospect(its, its)) * (end[self.me] - passing[self.me])
            if gain > best_gain:
                best, best_gain = swap.swap, gain
        return best

    def _chance(self, swap: Appraisal, prospect: Prospect) -> float:
        partner = self._partner(swap)
        again = swap.swap in self.again
        return acceptance(swap, prospect, self.beliefs[partner], self.planners[partner], declined_before=again)

    def _searched(self, mover: int, swaps: Sequence[int]) -> list[list[float]]:
        seen, players = self.seen, len(self.seen.order)
        styles = [max(range(3), key=belief.__getitem__) for belief in self.beliefs]
        styles[self.me] = RANK
        turn = seen.turn_number + 1
        flat = seen.engine.search(self.market, mover, swaps, styles, turn, seen.turns_after, self.work)
        return [[float(worth) for worth in flat[at : at + players]] for at in range(0, len(flat), players)]

    def _ahead(self, mover: int, swaps: Sequence[int], most: int, work: int, *, planners: bool) -> list[list[float]]:
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
        searched = self.searched if planners else 0
        return self.seen.engine.look_ahead(self.market, mover, swaps, futures, turn, self.turns, searched, work)

    def _shares(self, rows: int, width: int) -> list[tuple[float, ...]]:
        """Return rows of random numbers from 0 to below 1; they are drawn all at once, which is much faster."""
        count = rows * width
        drawn = unpack(f">{count}I", self.random.getrandbits(32 * count).to_bytes(4 * count, "big"))
        return [tuple([one / 2**32 for one in drawn[at : at + width]]) for at in range(0, count, width)]

    def _style(self, place: int, share: float) -> int:
        return RANK if place == self.me else style_at(self.beliefs[place], share)

    def _heed(self, place: int, style: int, share: float) -> int:
        return HEED if place != self.me and style == RANK and share < self.planners[place] else ALWAYS
