"""The rules by which a told hand was dealt, as far as its text and its site say."""

from itertools import pairwise
from typing import Final, Literal

from pokersvc.games.draw_poker.rules import Ante, Betting, Blinds, DrawPokerRules, SeatCount
from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.hand import Limit, ToldHand
from pokersvc.histories.told import Discarded, Drew

MOST_SEATS: Final = 10
MOST_BETS: Final = 4
"""Bets and raises in a betting round of a fixed limit; the big blind is the first."""
RAISES: Final[dict[Limit, Literal["no_limit", "pot_limit", "fixed_limit"]]] = {
    "no-limit": "no_limit",
    "pot-limit": "pot_limit",
    "fixed-limit": "fixed_limit",
}


def _draw(hand: ToldHand) -> Literal["in_turn", "together"]:
    """Return in which order hands are drawn: as the site does, or as PHH and OHH tell it."""
    customs = CONVENTIONS[hand.dialect]
    if customs.draws != "as_told":
        return customs.draws
    changes = [one for one in hand.told if isinstance(one, Drew) or (isinstance(one, Discarded) and one.count)]
    pairs = pairwise(changes)
    return (
        "together"
        if any(isinstance(one, Discarded) == isinstance(other, Discarded) for one, other in pairs)
        else "in_turn"
    )


def rules_of(hand: ToldHand) -> DrawPokerRules:
    """Return the rules of the house in which a hand was dealt.

    Sites deal to at most ten, let five cards be changed, and give odd chips by position.
    """
    minimum = hand.big_blind or hand.min_bet or hand.small_bet or hand.ante or 1
    stacks = [player.stack for player in hand.players]
    return DrawPokerRules(
        advice="win",
        ante=Ante(amount=hand.ante, short="post"),
        betting=Betting(
            final_minimum=hand.big_bet if hand.limit == "fixed-limit" else None,
            minimum=minimum,
            most_bets=MOST_BETS if hand.limit == "fixed-limit" else None,
            opener="button",
            raises=RAISES[hand.limit],
            short="all_in",
        ),
        blinds=Blinds(big=hand.big_blind, small=min(hand.small_blind, hand.big_blind) or 1) if hand.big_blind else None,
        discards=5,
        draw=_draw(hand),
        muck_all_in=True,
        name=hand.limit,
        open_hands="in_order",
        player="steady",
        remainder="odd_chips",
        seats=SeatCount(default=2),
        stack=max([*stacks, minimum, hand.big_bet or 0, hand.ante, 1]),
        version=1,
    )
