"""The bot `trader`: proposes the swap that is worth most to it, times the chance that the partner accepts."""

from random import Random
from typing import Final

from pokersvc.core.actions import Action
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions
from pokersvc.games.poker_market.engine import engine
from pokersvc.games.poker_market.players import SeenByPlayer
from pokersvc.games.poker_market.trader.among_many import DeliberationAmongMany
from pokersvc.games.poker_market.trader.deliberation import Deliberation
from pokersvc.games.poker_market.view import PokerMarketView

FEW: Final = 4
"""The maximum number of players with whom the bot takes each partner's point of view."""


class TraderPlayer:
    """Proposes the swap with the greatest gain times its chance of acceptance.

    It predicts what others accept by looking ahead as each of them does, with that player's beliefs. It values a swap
    by simulating the market with others who decline some offers made to them, and by searching the last turns. The last
    round is searched as if all played perfectly. ``work`` is roughly the number of times that the bot looks for a
    player's best swap in one choice, or the maximum number of positions that it visits in the last round.
    """

    def __init__(self, work: int = 2000) -> None:
        self._work = work

    def choose(self, view: PokerMarketView, legal: LegalActions, random: Random) -> Action:
        """Return the action with the best end: in points, then in the hand."""
        assert view.to_act is not None
        seat = view.to_act
        seen = SeenByPlayer(view, engine(self._work))
        if legal.answer is None:
            return seen.proposal(_deliberation(seen, self._work, random).best())
        if seen.lets_go(seen.engine.worth(seen.accepted(legal.answer), seen.me)):
            return Decline(seat)
        mover, swap = seen.place_of(legal.answer.seat), seen.swap(legal.answer)
        declined, accepted = _deliberation(seen, self._work, random).answers(mover, swap)
        return Accept(seat) if accepted > declined else Decline(seat)


def _deliberation(seen: SeenByPlayer, work: int, random: Random) -> Deliberation:
    return (Deliberation if len(seen.order) <= FEW else DeliberationAmongMany)(seen, work, random)
