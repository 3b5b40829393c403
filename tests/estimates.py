"""Estimates of Kuhn poker and Leduc, which list all that chance may bring."""

from kuhn import DECK as KUHN_DECK
from kuhn import CardDealt as KuhnCardDealt
from kuhn import KuhnState
from leduc import DECK, Card, CardDealt, CardTurned, LeducState

from pokersvc.betting.seats import clockwise, seats_in
from pokersvc.core.bots.estimates import EnumeratedEstimate
from pokersvc.core.event import Event


class KuhnEstimate(EnumeratedEstimate[KuhnState]):
    """The result if nobody folds from here on; with a card still unknown, its mean."""

    def outcomes(self, state: KuhnState) -> list[tuple[Event, float]]:
        if not state.chips.live or len(state.cards) == 2:
            return []
        seat = clockwise(state.chips.live, state.chips.button)[len(state.cards)]
        left = [card for card in KUHN_DECK if card not in state.cards.values()]
        return [(KuhnCardDealt(card, seat), 1 / len(left)) for card in left]

    def value(self, state: KuhnState) -> tuple[float, float]:
        if state.chips.only_one_left:
            (winner,) = seats_in(state.chips.live)
            won = float(min(state.chips.staked[1:])) * (3 - 2 * winner)
            return won, -won
        one, two = (KUHN_DECK.index(card) if (card := state.cards.get(seat)) else 1 for seat in (1, 2))
        won = float(max(state.chips.staked)) * ((one > two) - (one < two))
        return won, -won


class LeducEstimate(EnumeratedEstimate[LeducState]):
    """The result if nobody folds from here on and no better hand is made."""

    def outcomes(self, state: LeducState) -> list[tuple[Event, float]]:
        left: list[Card] = [card for card in DECK if card not in (*state.cards.values(), state.public)]
        if not state.on or state.bets.actor or state.bets.only_one_left or state.public is not None:
            return []
        seat = len(state.cards) + 1
        return [(CardDealt(card, seat) if seat < 3 else CardTurned(card), 1 / len(left)) for card in left]

    def value(self, state: LeducState) -> tuple[float, float]:
        bets = state.bets
        if bets.only_one_left:
            won = float(min(bets.staked[1:]))
            return (won, -won) if bets.live == 0b10 else (-won, won)
        one, two = (state.cards.get(seat) for seat in (1, 2))
        if one is None or two is None:
            return 0.0, 0.0
        ranks = [(card[0] == str(state.public)[0], DECK.index(card) // 2) for card in (one, two)]
        won = float(max(bets.staked) * ((ranks[0] > ranks[1]) - (ranks[0] < ranks[1])))
        return won, -won
