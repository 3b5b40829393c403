"""Finds statements in an impossible order: after a cancellation, or after a pot was paid."""

from collections.abc import Iterator
from typing import Final

from pokersvc.betting.seats import has
from pokersvc.histories import statements
from pokersvc.histories.following.engine_actions import HandDone
from pokersvc.histories.following.finding import Contradiction
from pokersvc.histories.following.seating import DealtIn
from pokersvc.histories.hand import HandHistory

_SHOWDOWNS_IN_ORDER: Final = ("pokerstars", "full-tilt")
"""The dialects that tell shows, mucks and payments in the order in which they happen."""


def after_cancelling(hand: HandHistory) -> Iterator[Contradiction]:
    """Yield statements after a cancellation that are not of the summary, and a cancellation after the end."""
    cancelled = over = False
    for one in hand.told:
        over = over or isinstance(one, statements.Summed | statements.Totals | statements.Won)
        if isinstance(one, statements.Cancelled) and over:
            yield Contradiction(one.line, "that the hand was cancelled", "that it was over")
        if cancelled and not isinstance(one, statements.Summed | statements.Totals | statements.Away):
            yield Contradiction(one.line, "something of a hand that was cancelled", "its summary alone")
        cancelled = cancelled or isinstance(one, statements.Cancelled)


def endings_out_of_order(hand: HandHistory, seating: DealtIn, done: HandDone) -> Iterator[Contradiction]:
    """Yield a muck before any show, and a show or muck of a player whose pot was already paid."""
    if hand.dialect not in _SHOWDOWNS_IN_ORDER:
        return
    shown, paid = False, 0
    """Whether anybody has shown a hand; and the seats, as bits of an int, that might have won a pot already paid."""
    for one in hand.told:
        if isinstance(one, statements.Showed | statements.Mucked):
            if isinstance(one, statements.Mucked) and not shown:
                yield Contradiction(one.line, f"that {one.name} mucks", "that somebody shows a hand first")
            shown = True
            if done.contested and has(paid, seating.seats.get(one.name, 0)):
                yield Contradiction(one.line, f"the hand of {one.name}", "that its pot is paid already")
        elif isinstance(one, statements.Won):
            paid |= done.eligible.get((one.pot or 0) + 1, 0)
