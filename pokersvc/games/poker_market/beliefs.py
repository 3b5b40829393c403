"""A player's beliefs about the others: the style of each, learnt from what it accepted, declined and proposed.

Every player is assumed to have one of the styles that `kernels` knows; every answer makes some of them likelier
(Bayes' rule). An answer that does not fit a style counts as a slip, so no style is ever ruled out.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from pokersvc.cards import strength
from pokersvc.games.poker_market.kernels import GREEDY, RANDOM, RANK, WORTH
from pokersvc.games.poker_market.market import Bargain

PRIOR: Final = (0.6, 0.25, 0.15)
"""The probabilities that a player is `RANK`, `GREEDY` or `RANDOM` before it has done anything."""
SLIP: Final = 0.1
"""The probability that a player does what its style would not do."""

Belief = tuple[float, float, float]
"""The probability of each style; they add up to 1."""


class Side(NamedTuple):
    """A bargain as one of its two players sees it: whether each style would agree to it."""

    rank: bool
    greedy: bool


def believe(bargains: Sequence[Bargain], seat: int) -> Belief:
    """Return the belief about a seat that follows from the bargains so far, the oldest first."""
    likely = list(PRIOR)
    for bargain in bargains:
        swap = bargain.proposal
        if seat == swap.partner and bargain.answer != "forfeited":
            its, accepted = sides(bargain)[1], bargain.answer == "accepted"
            likely[RANK] *= _odds(its.rank == accepted)
            likely[GREEDY] *= _odds(its.greedy == accepted)
            likely[RANDOM] *= 0.5
        elif seat == swap.seat:
            mine = sides(bargain)[0]
            likely[RANK] *= _odds(mine.rank)
            likely[GREEDY] *= _odds(mine.greedy)
            likely[RANDOM] *= 0.35 if mine.greedy else 0.65  # about the fraction of swaps that improve a hand
        else:
            continue
        total = sum(likely)
        likely = [value / total for value in likely]
    return (likely[0], likely[1], likely[2])


def _odds(expected: bool) -> float:
    return 1 - SLIP if expected else SLIP


@lru_cache(maxsize=4096)
def sides(bargain: Bargain) -> tuple[Side, Side]:
    """Return how the proposer and the partner judge a bargain: whether each would agree, for each style of play."""
    swap, hands, order = bargain.proposal, bargain.before, bargain.order
    turns = {seat: turn for turn, seat in enumerate(order)}
    # A seat that is out of the market ranks below everybody, before and after.
    before = [strength(hand) * 16 + turns[seat] if seat in turns else -1 for seat, hand in enumerate(hands, 1)]
    after = list(before)
    for seat, out, in_ in ((swap.seat, swap.gives, swap.gets), (swap.partner, swap.gets, swap.gives)):
        hand = [in_ if card is out else card for card in hands[seat - 1]]
        after[seat - 1] = strength(hand) * 16 + turns[seat]
    return _side(before, after, swap.seat, swap.partner), _side(before, after, swap.partner, swap.seat)


def _side(before: list[int], after: list[int], seat: int, other: int) -> Side:
    mine, its = seat - 1, other - 1
    helped_past = before[mine] > before[its] and after[mine] < after[its]
    wanted = _worth(after, mine) > _worth(before, mine)
    return Side(wanted and not helped_past, after[mine] // 16 > before[mine] // 16)


def _worth(keys: list[int], place: int) -> int:
    return sum(key <= keys[place] for key in keys) * WORTH + keys[place] // 16


def sample(belief: Belief, random: Random) -> int:
    """Return a style, drawn at random with the probabilities of a belief."""
    return style_at(belief, random.random())


def style_at(belief: Belief, share: float) -> int:
    """Return the style at a point from 0 to 1, where each style has a range as long as its probability."""
    if share < belief[RANK]:
        return RANK
    return GREEDY if share < belief[RANK] + belief[GREEDY] else RANDOM
