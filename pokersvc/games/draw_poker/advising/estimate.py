"""The estimated result, without the luck of draws, of a hand between two players whose cards are all known."""

from functools import lru_cache
from typing import Final

from pokersvc.betting.seats import has
from pokersvc.cards import Card, discards
from pokersvc.cards.equity import DrawingHand, chance, chance_drawing
from pokersvc.cards.opponents import win_values
from pokersvc.cards.unknown import all_known
from pokersvc.core.bots.estimates import Gains
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.phases import Phase

_BOTH: Final = 0b110
"""The set of both seats."""
_BETS_TO_COME: Final = 1.25
"""Before the final betting, the better hand's share above one half is multiplied by this, because it wins bets too."""


class HeadsUpEstimate:
    """Estimates the chips of two players who call what they owe, draw as well as they can and show their hands.

    The luck of the deal stays in the results; it cancels out if the same deals are played in both orders of the seats.
    """

    def value(self, state: Situation) -> Gains:
        """Return the estimated chips of both seats at the end of the hand."""
        return _chips(state, _share(state))

    def mean(self, state: Situation) -> Gains | None:
        """Return the mean of `value` over the cards that the seat now drawing may be dealt; None if no seat draws."""
        if state.phase is not Phase.SERVE:
            return None
        seat = state.cursor
        share = chance_drawing(_hand(state, seat), _hand(state, 3 - seat))
        return _chips(state, share if seat == 1 else 1 - share)

    def looks_ahead(self, state: Situation) -> bool:
        """Return whether a seat has to bet, call or fold now."""
        return state.phase is Phase.BETTING


def _chips(state: Situation, share: float) -> Gains:
    """Return both seats' likely chips if the first can expect ``share`` of the pot; bets to come favour the better."""
    bets_to_come = state.betting_round < len(state.streets) or not any(state.put)
    if state.live == _BOTH and min(state.stacks[1:]) and bets_to_come:
        share = 0.5 + _BETS_TO_COME * (share - 0.5)
    return chips_of(state, share)


def chips_of(state: Situation, share: float) -> Gains:
    """Return both seats' chips if the bets are called and the first seat then gets ``share`` of the pot."""
    pot, left = state.pot, state.stacks[1:]
    if state.live == _BOTH:
        owed = [min(max(state.price - state.put[seat], 0), state.stacks[seat]) for seat in (1, 2)]
        staked = [state.staked[seat] + owed[seat - 1] for seat in (1, 2)]
        back = [amount - min(staked) for amount in staked]  # the part of a stake that nobody can match
        pot += sum(owed) - sum(back)
        left = [stack - more + less for stack, more, less in zip(left, owed, back, strict=True)]
    return left[0] + share * pot, left[1] + (1 - share) * pot


def _share(state: Situation) -> float:
    """Return the part of the pot that seat 1 can expect."""
    if state.live != _BOTH:
        return 1.0 if has(state.live, 1) else 0.0
    if any(len(state.hands[seat]) + len(state.discarded[seat]) < HAND for seat in (1, 2)):
        return 0.5  # before the deal
    first = 2 if state.button == 1 else 1  # the seat after the button
    share = chance(_hand(state, first), _hand(state, 3 - first))
    return share if first == 1 else 1 - share


def _hand(state: Situation, seat: int) -> DrawingHand:
    """Return a seat's hand and its discard: the one made, or the best one if it still has to draw."""
    cards, gone = state.hands[seat], state.discarded[seat]
    assert all_known(cards)
    assert all_known(gone)
    if len(cards) < HAND:
        return DrawingHand(cards, gone)
    if state.street < len(state.streets) or (state.phase in (Phase.DRAW, Phase.SERVE) and has(state.pending, seat)):
        return _drawing(cards, state.rules.discards)
    return DrawingHand(cards, (), gone)


@lru_cache(4096)
def _drawing(cards: tuple[Card, ...], most: int) -> DrawingHand:
    mask = discards.best(cards, win_values(1), most)
    return DrawingHand(
        tuple(card for place, card in enumerate(cards) if not mask >> place & 1),
        tuple(card for place, card in enumerate(cards) if mask >> place & 1),
    )
