"""The bots of the Poker Market. A bot sees only a view and its legal actions.

A new bot is created for every choice: it learns about the others from the answers to proposals in the view.
"""

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Final

from pokersvc.cards import CARDS, Card
from pokersvc.core.actions import Action
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions, Pass, Propose
from pokersvc.games.poker_market.beliefs import PRIOR, Belief, believe, sample
from pokersvc.games.poker_market.engine import Appraisal, Engine, KernelMarket, engine
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK, WORTH
from pokersvc.games.poker_market.market import Bargain
from pokersvc.games.poker_market.view import PokerMarketView


class RandomPlayer:
    """Passes every other time, else proposes any swap; accepts every other proposal."""

    def choose(self, view: PokerMarketView, legal: LegalActions, random: Random) -> Action:
        """Return any legal action: the kind of action first, then its cards."""
        seat = _seat(view)
        if legal.answer is not None:
            return random.choice((Accept, Decline))(seat)
        if random.randrange(2):
            return Pass(seat)
        partner, cards = random.choice(legal.gets)
        return Propose(seat, random.choice(legal.gives), partner, random.choice(cards))


class GreedyPlayer:
    """Accepts any swap that makes its own hand better, and proposes the one that makes it best.

    It prefers swaps that make the partner's hand better too, which is the founding document's rule of thumb.
    """

    def choose(self, view: PokerMarketView, legal: LegalActions, random: Random) -> Action:
        """Return the action that makes its own hand best."""
        seat = _seat(view)
        seen = SeenByPlayer(view, engine(SHORT))
        if legal.answer is not None:
            after = seen.accepted(legal.answer)
            better = after.keys[seen.me] // 16 > seen.market.keys[seen.me] // 16
            return Accept(seat) if better else Decline(seat)
        best = seen.engine.best_swap(seen.market, seen.me, [GREEDY] * len(view.order))
        return seen.proposal(best)


class RankPlayer:
    """Improves its rank first, then its hand, and never helps a partner past itself.

    It proposes the swap with the greatest expected gain, judged by what the partner has accepted and declined so far.
    """

    def choose(self, view: PokerMarketView, legal: LegalActions, random: Random) -> Action:
        """Return the action that improves its rank, or else its hand."""
        seat = _seat(view)
        seen = SeenByPlayer(view, engine(SHORT))
        now = seen.engine.worth(seen.market, seen.me)
        if legal.answer is not None:
            gains = seen.engine.worth(seen.accepted(legal.answer), seen.me) > now
            return Accept(seat) if gains and not seen.helps_past(legal.answer) else Decline(seat)
        beliefs, again = seen.beliefs(), seen.declined()
        best, best_gain = -1, 0.0
        for swap in seen.engine.appraise(seen.market, seen.me, now + 1):
            if swap.passing <= 0:
                expected = (swap.mine - now) * likely(swap, beliefs[seen.partner(swap.swap)], swap.swap in again)
                if expected > best_gain:
                    best, best_gain = swap.swap, expected
        return seen.proposal(best)


class RolloutPlayer:
    """Plays the market to its end after each swap that is likely to be accepted; chooses the swap with the best end.

    The others are simulated as the bot believes they play. In the last round it searches instead, as if all played
    perfectly.
    ``work`` is the maximum number of turns that it simulates for a choice, or of positions that it visits in the last
    round; the default suffices for a whole last round at four seats.
    """

    def __init__(self, work: int = 5000) -> None:
        self._work = work

    def choose(self, view: PokerMarketView, legal: LegalActions, random: Random) -> Action:
        """Return the action with the best end: in points, then in the hand."""
        seat = _seat(view)
        seen = SeenByPlayer(view, engine(self._work))
        thought = _Thought(seen, self._work, random)
        if legal.answer is not None:
            if seen.lets_go(seen.engine.worth(seen.accepted(legal.answer), seen.me)):
                return Decline(seat)
            mover, swap = seen.place_of(legal.answer.seat), seen.swap(legal.answer)
            declined, accepted = thought.ends(mover, [-1, swap])
            return Accept(seat) if accepted[seen.me] > declined[seen.me] else Decline(seat)
        return seen.proposal(thought.best())


class SeenByPlayer:
    """The market as a player sees it on its turn, in the numbers that the functions of `kernels` take."""

    def __init__(self, view: PokerMarketView, engine_: Engine) -> None:
        self.view, self.engine = view, engine_
        self.order = view.order
        hands = [view.seat(seat).cards for seat in self.order]
        self.market = engine_.market([card.number for hand in hands for card in hand])
        self.me = self.order.index(_seat(view))

    @cached_property
    def bargains(self) -> list[Bargain]:
        """The bargains from which players learn, the oldest first."""
        return self.view.bargains.last(MEMORY)

    def place_of(self, seat: int) -> int:
        """Return the place of a seat in the order of turns."""
        return self.order.index(seat)

    def partner(self, swap: int) -> int:
        """Return the partner's place in the order of turns, from the number of a swap."""
        return swap % len(self.market.cards) // 5

    def swap(self, proposal: Propose) -> int:
        """Return the number that stands for the swap of a proposal in `kernels`."""
        position = self.view.seat(proposal.seat).cards.index(proposal.gives)
        other = self.view.seat(proposal.partner).cards.index(proposal.gets)
        return position * len(self.market.cards) + 5 * self.place_of(proposal.partner) + other

    def proposal(self, swap: int) -> Action:
        """Return the action for the number of a swap: to propose the swap, or to pass if the number is negative."""
        seat = _seat(self.view)
        if swap < 0:
            return Pass(seat)
        size = len(self.market.cards)
        gives, other = swap // size, swap % size
        return Propose(seat, self._card(5 * self.me + gives), self.order[other // 5], self._card(other))

    def _card(self, index: int) -> Card:
        return CARDS[int(self.market.cards[index])]

    def accepted(self, proposal: Propose) -> KernelMarket:
        """Return the market after a proposal was accepted."""
        return self.engine.after(self.market, self.place_of(proposal.seat), self.swap(proposal))

    def helps_past(self, proposal: Propose) -> bool:
        """Return whether the proposer of a swap gets past the player if the swap is accepted."""
        before, after = self.market.keys, self.accepted(proposal).keys
        mine, its = self.me, self.place_of(proposal.seat)
        return bool(before[its] < before[mine] and after[its] > after[mine])

    def lets_go(self, worth: int) -> bool:
        """Return whether a swap that leads to ``worth`` loses the lead; False unless two players are in the market.

        With two players, the one who refuses such swaps stays ahead however the other plays; finding that out needs no
        rollout.
        """
        now = self.engine.worth(self.market, self.me)
        return len(self.order) == 2 and now // WORTH > worth // WORTH

    def beliefs(self) -> list[Belief]:
        """Return the belief about the player at each place."""
        me = self.view.to_act
        return [PRIOR if seat == me else believe(self.bargains, seat) for seat in self.order]

    def declined(self) -> set[int]:
        """Return the seat's own swaps that were declined when both hands were the same as now."""
        view, found = self.view, set()
        for bargain in self.bargains:
            swap = bargain.proposal
            if swap.seat == view.to_act and bargain.answer == "declined" and swap.partner in self.order:
                pair = (swap.seat, swap.partner)
                if all(bargain.before[seat - 1] == view.seat(seat).cards for seat in pair):
                    found.add(self.swap(swap))
        return found

    @property
    def turns_after(self) -> int:
        """The number of turns of the market after this one."""
        return self.view.rules.rounds * len(self.order) - self.turn_number - 1

    @property
    def last_round(self) -> bool:
        """Whether nobody has another turn after this round."""
        return self.turns_after < len(self.order)

    @property
    def turn_number(self) -> int:
        """The number of this turn in the market, from 0."""
        return (self.view.round_in_market - 1) * len(self.order) + self.view.turn


class _Thought:
    """Works out one choice of a `RolloutPlayer`."""

    def __init__(self, seen: SeenByPlayer, work: int, random: Random) -> None:
        self.seen, self.work, self.random = seen, work, random
        self.beliefs = seen.beliefs()
        self.players = len(seen.order)
        self.turns = min(seen.turns_after, HORIZON * self.players, work // 2)

    def best(self) -> int:
        """Return the swap to propose, or -1 to pass."""
        seen = self.seen
        again = seen.declined()
        now = seen.engine.worth(seen.market, seen.me)
        promising = []
        for swap in self.worth_a_thought():
            chance = likely(swap, self.beliefs[seen.partner(swap.swap)], swap.swap in again)
            if chance >= LEAST_CHANCE:
                promising.append((chance * (now - swap.mine), swap.swap, swap))
        most = max(1, self.work // (LEAST_SAMPLES * max(self.turns, 1)) - 1)
        candidates = [swap for _, _, swap in sorted(promising)[:most]]
        passing, *ends = self.ends(seen.me, [-1, *(swap.swap for swap in candidates)])
        best, best_gain = -1, 0.0
        for swap, end in zip(candidates, ends, strict=True):
            partner = seen.partner(swap.swap)
            ahead = end[partner] > passing[partner]
            chance = likely(swap, self.beliefs[partner], swap.swap in again, gains_ahead=ahead)
            gain = (end[seen.me] - passing[seen.me]) * chance
            if gain > best_gain:
                best, best_gain = swap.swap, gain
        return best

    def worth_a_thought(self) -> list[Appraisal]:
        """Return the swaps to consider: all or, in the last round, those that change points and gain something now."""
        seen = self.seen
        if not seen.last_round:
            return [swap for swap in seen.engine.appraise(seen.market, seen.me) if not seen.lets_go(swap.mine)]
        points = [seen.engine.worth(seen.market, place) // WORTH for place in range(self.players)]
        least = seen.engine.worth(seen.market, seen.me) + 1
        return [
            swap
            for swap in seen.engine.appraise(seen.market, seen.me, least)
            if (swap.mine // WORTH, swap.its // WORTH) != (points[seen.me], points[seen.partner(swap.swap)])
        ]

    def ends(self, mover: int, swaps: Sequence[int]) -> list[list[int]]:
        """Return, for each swap, the worths of all players at the end, multiplied by a factor that all swaps share."""
        seen, players, me = self.seen, self.players, self.seen.me
        turn = seen.turn_number + 1
        if seen.last_round:
            styles = [max(range(3), key=belief.__getitem__) for belief in self.beliefs]
            styles[me] = RANK
            flat = seen.engine.search(seen.market, mover, swaps, styles, turn, seen.turns_after, self.work)
        else:
            samples = max(1, min(MOST_SAMPLES, self.work // (len(swaps) * max(self.turns, 1))))
            drawn: list[int] = []
            for _ in range(samples):
                drawn += [RANK if place == me else sample(self.beliefs[place], self.random) for place in range(players)]
            chances = [self.random.getrandbits(31) for _ in range(samples)]
            flat = seen.engine.weigh(seen.market, mover, swaps, drawn, chances, turn, self.turns)
        return [flat[at : at + players] for at in range(0, len(flat), players)]


MEMORY: Final = 200
"""The maximum number of bargains from which a bot learns: the last ones, including those of earlier markets."""
SHORT: Final = 10
"""A choice without rollouts counts as this many turns played out when `engine` decides whether to use numba."""
HORIZON: Final = 10
"""The maximum number of rounds that are played out."""
LEAST_CHANCE: Final = 0.1
"""A swap that is less likely than this to be accepted is not considered."""
AGAIN: Final = 0.3
"""The factor on the chance of a swap that was declined before with the same hands."""
LEAST_SAMPLES: Final = 4
"""The minimum number of times a swap is played out; if that is too much work, the least promising are left out."""
MOST_SAMPLES: Final = 64


def likely(swap: Appraisal, belief: Belief, declined_before: bool, *, gains_ahead: bool | None = None) -> float:
    """Return the probability that a swap is accepted.

    A player who wants points may judge the table as it lies or look ahead; if the result of looking ahead is known, it
    counts for half.
    """
    better = swap.gain > 0
    ranked = float(better and swap.passing >= 0)
    if gains_ahead is not None:
        ranked = (ranked + gains_ahead) / 2
    chance = belief[RANK] * ranked + belief[GREEDY] * better + belief[RANDOM] * 0.5
    return chance * AGAIN if declined_before else chance


def _seat(view: PokerMarketView) -> int:
    assert view.to_act is not None
    return view.to_act
