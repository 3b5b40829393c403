"""What people type to show cards of the last round, and how it is read."""

import re
from typing import Final

from pokersvc.cards import parse_cards
from pokersvc.core.drawing import Shortcut
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.situation import COMMITTING
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.streets.showing import Show

_SHOWS: Final = re.compile(r"show(?: (?:all|(\S.*)))?", re.IGNORECASE)


def may_show(view: DrawPokerView, seat: int) -> list[Shortcut]:
    """Return the command to show cards if a seat has some that not everybody sees; ``view`` is everyone's."""
    if view.engine < COMMITTING or None not in view.seat(seat).cards:
        return []
    return [Shortcut("show", "(all your cards, or name some: show KS)")]


def read_show(text: str, view: DrawPokerView, seat: int) -> Show | None:
    """Return the action that a text such as ``show`` or ``show KS QS`` names; None for any other text."""
    found = _SHOWS.fullmatch(" ".join(text.split()))
    if found is None or view.engine < COMMITTING:
        return None
    try:
        return Show(seat, () if found[1] is None else parse_cards(found[1].replace(",", " ")))
    except InvalidValue:
        return None
