"""A player that bets all it has with a full house or four of a kind, and else nothing."""

from collections import Counter
from random import Random
from typing import Any

from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise


class Rare:
    def choose(self, view: Any, legal: Any, random: Random) -> Action:
        me = view.seat(view.to_act)
        faces = Counter(card.face for card in me.cards)
        if legal.discard is not None:
            return Discard(me.seat, tuple(sorted(card for card in me.cards if faces[card.face] == 1)[: legal.discard]))
        if sum(count - 1 for count in faces.values()) >= 3:
            if legal.bet is not None:
                return Bet(me.seat, legal.bet[1])
            if legal.raise_to is not None:
                return Raise(me.seat, legal.raise_to[1])
            if legal.call:
                return Call(me.seat)
        return Check(me.seat) if legal.check else Fold(me.seat)
