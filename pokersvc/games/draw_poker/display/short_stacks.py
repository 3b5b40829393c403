"""Which players may be folded in the next round without being asked, in houses that fold short stacks."""

from typing import Literal

from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.view import DrawPokerView

BETTING_ROUNDS = 2


def folded_unasked(view: DrawPokerView, seat: int) -> Literal["surrenders", "surely", "maybe"] | None:
    """Tell, between two rounds or before the first, whether a seat may be folded in the next one without being asked.

    ``surrenders``: it cannot pay the ante, and loses to the pot what it has. ``surely``: it cannot pay the ante and the
    minimum bet where nobody may check, so it is folded unless all others fold before. ``maybe``: another has chips
    enough, and the house lets them bet so many, that it could not match them. None too for who is not dealt that round.
    """
    rules = view.rules
    ante = rules.ante_of(view.round + 1)
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
    """Tell whether a seat is in the next round and pays its ante."""
    one = view.seat(seat)
    return one.standing != "out" and one.stack >= max(ante, view.rules.stay)


def _most_bet(rules: DrawPokerRules) -> int | None:
    """Return the most that a player may have to put into the betting of a round, None where only stacks limit it."""
    most = rules.betting.cap if rules.betting.raises == "double" else rules.betting.maximum
    return None if most is None else BETTING_ROUNDS * most
