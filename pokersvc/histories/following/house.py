"""Derives the rules by which a hand was dealt from its text and its site."""

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from pokersvc.games.draw_poker.house.rules import MAX_CHIPS, Ante, Betting, Blinds, DrawPokerRules, SeatCount
from pokersvc.histories.draw_order import draw_order
from pokersvc.histories.following.finding import Contradicted, Contradiction, say_amount
from pokersvc.histories.hand import DrawOrder, HandHistory, Limit

MOST_SEATS: Final = 10
MOST_BETS: Final = 4
"""Maximum number of bets and raises in a betting round of a fixed limit, with the big blind as the first."""
HOUSES: Final = 2048
"""The number of houses (sets of rules) that are cached; the houses of one table differ in the largest stack."""
RAISES: Final[dict[Limit, Literal["no_limit", "pot_limit", "fixed_limit"]]] = {
    "no-limit": "no_limit",
    "pot-limit": "pot_limit",
    "fixed-limit": "fixed_limit",
}


class ShownHouse(NamedTuple):
    """Rules of a house that no text states, inferred from the choices that players made in the hand."""

    fold_free: bool = False
    """Whether a player who faces no bet may fold; True if somebody in the hand did."""
    uncapped: Literal["never", "two_dealt_in", "two_left"] = "never"
    """When the cap on the number of raises does not hold for two players; inferred from raises above the cap."""


def check_stakes(hand: HandHistory) -> None:
    """Raise `Contradicted` for impossible stakes: a second amount below the first, or more than `MAX_CHIPS`."""
    what, low, high = "blinds", hand.small_blind, hand.big_blind or hand.small_blind
    if hand.limit == "fixed-limit":  # a fixed limit is named by its bets, and its small blind is the amount posted
        what, low, high = "bets", hand.small_bet or 0, hand.big_bet or 0
    if high < low:
        first, second = (say_amount(amount, hand.currency) for amount in (low, high))
        raise Contradicted(Contradiction(hand.first_line, f"{what} of {first} and {second}", "a second of no less"))
    if what == "bets" and hand.big_blind and hand.small_bet not in (None, hand.big_blind):
        first, second = (say_amount(amount, hand.currency) for amount in (low, hand.big_blind))
        raise Contradicted(Contradiction(hand.first_line, f"a smaller bet of {first}", f"the big blind, {second}"))
    for amount in (hand.ante, hand.big_blind, hand.min_bet or 0, hand.big_bet or 0):
        if amount > MAX_CHIPS:
            said, most = (say_amount(some, hand.currency) for some in (amount, MAX_CHIPS))
            raise Contradicted(Contradiction(hand.first_line, f"stakes of {said}", f"{most} at most"))


def rules_of(hand: HandHistory, shown: ShownHouse) -> DrawPokerRules:
    """Return the rules of the house in which a hand was dealt.

    Sites deal to at most ten players, let five cards be changed, and give odd chips by position.
    """
    minimum = hand.big_blind or hand.min_bet or hand.small_bet or hand.ante or 1
    stack = max([minimum, hand.big_bet or 0, hand.ante, 1, *[player.stack for player in hand.players]])
    small = min(hand.small_blind, hand.big_blind) or 1 if hand.big_blind else 0
    big_bet = hand.big_bet if hand.limit == "fixed-limit" else None
    return _house(hand.limit, hand.ante, minimum, big_bet, (small, hand.big_blind), draw_order(hand), stack, shown)


@lru_cache(HOUSES)
def _house(
    limit: Limit,
    ante: int,
    minimum: int,
    big_bet: int | None,
    blinds: tuple[int, int],
    draw: DrawOrder,
    stack: int,
    shown: ShownHouse,
) -> DrawPokerRules:
    small, big = blinds
    return DrawPokerRules(
        advice="win",
        ante=Ante(amount=ante, short="post"),
        betting=Betting(
            final_minimum=big_bet,
            fold_free=shown.fold_free,
            minimum=minimum,
            most_bets=MOST_BETS if limit == "fixed-limit" else None,
            opener="button",
            raises=RAISES[limit],
            short="all_in",
            uncapped=shown.uncapped,
        ),
        blinds=Blinds(big=big, small=small) if big else None,
        discards=5,
        draw=draw,
        muck_all_in=True,
        name=limit,
        open_hands="in_order",
        player="steady",
        remainder="odd_chips",
        seats=SeatCount(default=2),
        stack=stack,
        version=1,
    )
