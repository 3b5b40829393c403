"""Five-card draw in PokerKit, the other side of the benchmark `hands`: its single draw with high hands."""

from collections.abc import Iterator
from typing import Final

from pokerkit import Automation, NoLimitDeuceToSevenLowballSingleDraw, StandardHighHand, State

from benchmarks.long_game import SEATS


class NoLimitFiveCardSingleDraw(NoLimitDeuceToSevenLowballSingleDraw):
    """No-limit five-card draw: PokerKit's two-seven single draw, but the high hand wins."""

    hand_types = (StandardHighHand,)


AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def play(hands: int, draws: Iterator[tuple[int, ...]]) -> int:
    """Play hands in which everybody checks or calls and discards the next positions of ``draws``.

    Return the number of decisions.
    """
    game = NoLimitFiveCardSingleDraw(AUTOMATIONS, True, 0, (1, 2), 2)
    decisions = 0
    for _ in range(hands):
        state = game(200, SEATS)
        decisions += finish(state, draws)
    return decisions


def finish(state: State, draws: Iterator[tuple[int, ...]]) -> int:
    """Play a hand to its end, and return the number of decisions."""
    decisions = 0
    while state.status:
        if state.actor_index is not None:
            state.check_or_call()
        else:
            seat = state.stand_patter_or_discarder_index
            assert seat is not None
            hand = state.hole_cards[seat]
            state.stand_pat_or_discard([hand[position] for position in next(draws)])
        decisions += 1
    return decisions
