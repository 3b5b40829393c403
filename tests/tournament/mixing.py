"""Players of draw poker that mix by the strength of their hands; one is looser, and one lies about how it mixes."""

from time import monotonic
from typing import Any

from pokersvc.cards import discards, strength
from pokersvc.cards.opponents import win_values
from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Policy
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise


class Mixed:
    def looseness(self) -> float:
        """Return how much more often than `Mixed` it goes on."""
        return 0.0

    def policy(self, view: Any, legal: Any) -> Policy:
        me = view.seat(view.to_act)
        seat = me.seat
        if legal.discard is not None:
            mask = discards.best(me.cards, win_values(1), legal.discard)
            return {Discard(seat, tuple(card for at, card in enumerate(me.cards) if mask >> at & 1)): 1.0}
        goes_on = min(max((strength(me.cards) - 1500) / 4500 + self.looseness(), 0.02), 0.98)
        more: list[Action] = [Bet(seat, legal.bet[0])] if legal.bet else []
        more += [Raise(seat, legal.raise_to[0])] if legal.raise_to else []
        if legal.check or not legal.call:
            passes = Check(seat) if legal.check else Fold(seat)
            return {more[0]: goes_on, passes: 1 - goes_on} if more else {passes: 1.0}
        if not more:
            return {Call(seat): goes_on, Fold(seat): 1 - goes_on}
        return {Call(seat): goes_on * (1 - goes_on), Fold(seat): 1 - goes_on, more[0]: goes_on**2}


class Loose(Mixed):
    def looseness(self) -> float:
        return 0.15


class Lies(Mixed):
    def looseness(self) -> float:
        return monotonic() % 0.2
