"""Statements in an order that no hand has: what comes after a cancellation, or after a pot was paid."""

from collections.abc import Iterator
from typing import Final

from pokersvc.histories import told
from pokersvc.histories.following.finding import Contradiction
from pokersvc.histories.hand import ToldHand

_SHOWDOWNS_IN_ORDER: Final = ("pokerstars", "full-tilt")
"""The dialects that tell shows, mucks and payments as they come."""


def after_cancelling(hand: ToldHand) -> Iterator[Contradiction]:
    """Yield what is said to happen after a hand was cancelled: nothing does but its summary."""
    cancelled = False
    for one in hand.told:
        if cancelled and not isinstance(one, told.Summed | told.Totals | told.Away):
            yield Contradiction(one.line, "something of a hand that was cancelled", "its summary alone")
        cancelled = cancelled or isinstance(one, told.Cancelled)


def endings_out_of_order(hand: ToldHand) -> Iterator[Contradiction]:
    """Yield a hand mucked before anybody has shown one, and one told after a pot was paid that it might have won."""
    if hand.dialect not in _SHOWDOWNS_IN_ORDER:
        return
    one_pot = all(not one.pot for one in hand.told if isinstance(one, told.Won))
    contested, shown, paid = _contested(hand), False, False
    for one in hand.told:
        if isinstance(one, told.Showed | told.Mucked):
            if isinstance(one, told.Mucked) and not shown:
                yield Contradiction(one.line, f"that {one.name} mucks", "that somebody shows a hand first")
            shown = True
            if paid and one_pot and contested:  # of several, some are paid before others have shown
                yield Contradiction(one.line, f"the hand of {one.name}", "that the pot is paid already")
        elif isinstance(one, told.Won):
            paid = True


def _contested(hand: ToldHand) -> bool:
    folded = {one.name for one in hand.told if isinstance(one, told.Folded)}
    return len({player.name for player in hand.dealt_in()} - folded) > 1
