"""What people type between the rounds of a cash game."""

import re
from typing import Final

from pokersvc.core.actions import BetweenRounds
from pokersvc.games.draw_poker.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.games.draw_poker.view import DrawPokerView

_WITH_CHIPS: Final = re.compile(r"(buy|sit down)(?: with)? \$?([0-9]{1,10})")


def what_may_be_typed(view: DrawPokerView, seat: int) -> list[str]:
    """Return what a person may type now, such as ``buy 1 to 50`` and ``sit out``; nothing outside cash games."""
    if view.table is None or not view.table.cash:
        return []
    one = view.seat(seat)
    most = view.rules.stack - one.stack
    if one.standing == "out":
        return [f"sit down with 1 to {most}"]
    chips = [f"buy 1 to {most}"] if most > 0 else []
    return [*chips, "sit in" if one.sitting_out else "sit out"]


def read_between(text: str, view: DrawPokerView, seat: int) -> BetweenRounds | None:
    """Return what a person does between two rounds; None for a text that says nothing of the kind."""
    if view.table is None or not view.table.cash:
        return None
    said = " ".join(text.lower().split())
    if (found := _WITH_CHIPS.fullmatch(said)) is not None:
        kind = BuyChips if found[1] == "buy" else SitDown
        return kind(seat, int(found[2]))
    return {"sit out": SitOut(seat), "sit in": SitIn(seat)}.get(said)
