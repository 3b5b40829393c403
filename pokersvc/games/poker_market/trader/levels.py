"""The levels below `trader` that a person may choose as opponents, by the faults that make them weaker."""

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from pokersvc.core.actions import Action
from pokersvc.games.poker_market.actions import Accept, Decline, LegalActions
from pokersvc.games.poker_market.engine import engine
from pokersvc.games.poker_market.kernels import WORTH
from pokersvc.games.poker_market.players import SHORT, SeenByPlayer, likely
from pokersvc.games.poker_market.view import PokerMarketView


class Habits(NamedTuple):
    """The faults of a casual player."""

    notices: float
    """The share of the possible swaps that it notices."""
    sees_places: bool
    """Whether it wants a better place before a better hand; otherwise it looks at its own hand only."""
    keeps_others_down: bool
    """Whether it refuses swaps that put the other ahead of it."""
    thinks_of_partner: bool
    """Whether it considers how likely a swap is to be accepted; otherwise it proposes the best swap for itself."""
    slips: float
    """The probability that it answers a proposal without thinking."""


HABITS: Final[Mapping[str, Habits]] = {
    "beginner": Habits(0.1, sees_places=False, keeps_others_down=False, thinks_of_partner=False, slips=0.45),
    "club": Habits(0.4, sees_places=False, keeps_others_down=False, thinks_of_partner=True, slips=0.08),
    "regular": Habits(0.8, sees_places=True, keeps_others_down=True, thinks_of_partner=True, slips=0.02),
}
"""Level → its habits, the weakest first; `trader` is the level above them."""


class CasualPlayer:
    """Judges the table as it lies, with a person's faults: it overlooks swaps, and sometimes answers on a whim."""

    def __init__(self, habits: Habits) -> None:
        self._habits = habits

    def choose(self, view: PokerMarketView, legal: LegalActions, random: Random) -> Action:
        """Return the action that seems best among those that the player notices."""
        assert view.to_act is not None
        seat, habits = view.to_act, self._habits
        seen = SeenByPlayer(view, engine(SHORT))
        if legal.answer is not None:
            if random.random() < habits.slips:
                return random.choice((Accept, Decline))(seat)
            return Accept(seat) if self._wants(seen, legal) else Decline(seat)
        beliefs, again = seen.beliefs(), seen.declined()
        best, best_gain = -1, 0.0
        for swap in seen.engine.appraise(seen.market, seen.me):
            if random.random() >= habits.notices or (habits.keeps_others_down and swap.passing > 0):
                continue
            gain = float(self._worth(swap.mine) - self._worth(seen.engine.worth(seen.market, seen.me)))
            if habits.thinks_of_partner:
                gain *= likely(swap, beliefs[seen.partner(swap.swap)], swap.swap in again)
            if gain > best_gain:
                best, best_gain = swap.swap, gain
        return seen.proposal(best)

    def _worth(self, worth: int) -> int:
        return worth if self._habits.sees_places else worth % WORTH

    def _wants(self, seen: SeenByPlayer, legal: LegalActions) -> bool:
        """Return whether the player believes that a proposal to it makes it better off."""
        assert legal.answer is not None
        if self._habits.keeps_others_down and seen.helps_past(legal.answer):
            return False
        after, now = (seen.engine.worth(one, seen.me) for one in (seen.accepted(legal.answer), seen.market))
        return self._worth(after) > self._worth(now)
