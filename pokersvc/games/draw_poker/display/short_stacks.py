"""Players who may be folded in the next round without being asked, in houses that fold short stacks."""

from typing import Literal

from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.view import DrawPokerView

BETTING_ROUNDS = 2


def folded_unasked(view: DrawPokerView, seat: int) -> Literal["surrenders", "surely", "maybe"] | None:
    """Return why a seat may be folded unasked in the next round, judged between two rounds or before the first.

    ``surrenders``: it cannot pay the ante, and loses its chips to the pot. ``surely``: it cannot pay both the ante and
    the minimum bet, and nobody may check, so it is folded unless all others fold first. ``maybe``: another player has
    the chips for a bet that the seat could not match, and the rules allow such a bet. None if the seat will not be
    folded, or is not dealt into that round.
    """
    rules = view.rules
    ante = view.next_ante
    one = view.seat(seat)
    if rules.ante.short == "surrender" and one.standing != "out" and max(rules.stay, 1) <= one.stack < ante:
        return "surrenders"
    if rules.all_in or not _is_dealt(view, seat, ante):
        return None
    left = one.stack - ante
    others = [other.stack - ante for other in view.seats if other.seat != seat and _is_dealt(view, other.seat, ante)]
    if not others:
        return None
    if rules.betting.check == "final" and left < rules.betting.minimum:
        return "surely"
    most = _most_bet(rules)
    reach = max(others) if most is None else min(max(others), most)
    return "maybe" if reach > left and max(others) >= rules.betting.minimum else None


def _is_dealt(view: DrawPokerView, seat: int, ante: int) -> bool:
    """Return whether a seat is in the next round and can pay its ante."""
    one = view.seat(seat)
    return one.standing != "out" and one.stack >= max(ante, view.rules.stay)


def _most_bet(rules: DrawPokerRules) -> int | None:
    """Return the most that a player may have to put into the betting of a round; None if only stacks limit it."""
    most = rules.betting.cap if rules.betting.raises == "double" else rules.betting.maximum
    return None if most is None else BETTING_ROUNDS * most
