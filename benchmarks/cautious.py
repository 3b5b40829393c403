"""A cautious player of five-card draw, which is measured built in, trusted and in a box."""

from collections import Counter
from random import Random

from pokersvc.cards import Card
from pokersvc.core.actions import Action
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions
from pokersvc.games.draw_poker.view import DrawPokerView


class Cautious:
    """Keeps what is paired; bets and calls with a pair or better."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Action:
        """Return the action for one view."""
        assert view.to_act is not None
        me = view.seat(view.to_act)
        cards = [card for card in me.cards or () if isinstance(card, Card)]
        faces = Counter(card.face for card in cards)
        if legal.discard is not None:
            single = [card for card in cards if faces[card.face] == 1]
            return Discard(me.seat, tuple(sorted(single)[: legal.discard]))
        if legal.bet is not None and len(faces) < 5:
            return Bet(me.seat, legal.bet[0])
        if legal.call and (len(faces) < 5 or random.random() < 0.1):
            return Call(me.seat)
        return Check(me.seat) if legal.check else Fold(me.seat)


class ManyAtOnce(Cautious):
    """The same for many views."""

    def choose_many(
        self, views: list[DrawPokerView], legals: list[LegalActions], randoms: list[Random]
    ) -> list[Action]:
        """Return the action for each view."""
        return [self.choose(*one) for one in zip(views, legals, randoms, strict=True)]
