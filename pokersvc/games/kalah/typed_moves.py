"""The texts that may be typed at a move of Kalah, and why another text is no move."""

import re
from typing import Final

from pokersvc.core.drawing import Shortcut
from pokersvc.games.kalah.actions import LegalActions
from pokersvc.games.kalah.board import POT, Side
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import counted

MOST_SHORT: Final = 8
"""If more holes than this have beans, only the first hole is listed as a shortcut."""
SOWING: Final = re.compile(r"(?:(?:sow|s)\s+)?(?:from\s+)?(?:hole\s+)?(?P<hole>[0-9]{1,4})", re.IGNORECASE)
"""The texts that name the hole to sow from."""
_OTHER: Final = re.compile(
    r"(?:sow\s+)?(?:from\s+)?(?:(?P<side>north|south|n|s)(?:'s)?\s*)(?:hole\s+)?(?P<hole>[0-9]{1,4})", re.IGNORECASE
)
"""The texts that name a hole with its side, such as ``north 3``."""
_POT: Final = re.compile(r"(?:sow\s+)?(?:from\s+)?(?:my\s+|the\s+)?(?:pot|store)", re.IGNORECASE)
_PASS: Final = ("p", "pass", "check", "skip")


def mover(view: KalahView) -> Side:
    """Return the side whose turn it is."""
    assert view.to_act is not None
    return Side(view.to_act)


def shortcuts(view: KalahView, legal: LegalActions) -> list[Shortcut]:
    """Return the holes with beans, each with the immediate effect of sowing from it; on a wide board only the first."""
    if len(legal.holes) > MOST_SHORT:
        return [Shortcut(str(legal.holes[0]), f"sow from hole {legal.holes[0]}, or any other of yours with beans")]
    return [Shortcut(str(hole), at_once(view, hole)) for hole in legal.holes]


def completions(legal: LegalActions) -> list[str]:
    """Return the numbers of the holes with beans."""
    return [str(hole) for hole in legal.holes]


def at_once(view: KalahView, hole: int) -> str:
    """Return the immediate effect of sowing from one of the mover's holes: an extra turn, a capture, or neither."""
    side = mover(view)
    after, where, last = view.board.sow(side, hole)
    said = f"sow {view.board.beans(side, hole)}"
    if last == POT:
        return f"{said}, extra turn"
    if captured := after.captured(side, (where, last), empty_capture=view.rules.empty_capture):
        return f"{said}, capture {captured}"
    return said


def why_not(text: str, view: KalahView, legal: LegalActions) -> str | None:
    """Return why a text that names a hole, a pot or a pass is no move now; None for any other text."""
    said = " ".join(text.split())
    side = mover(view)
    can = f"You can sow from {_named(legal.holes)}."
    if _POT.fullmatch(said):
        return f"Nobody sows from a pot: what is in it stays there. {can}"
    if said.lower() in _PASS:
        return f"Nobody may pass in Kalah: whoever has beans in a hole sows. {can}"
    if other := _OTHER.fullmatch(said):
        named = Side.SOUTH if other["side"].lower().startswith("s") else Side.NORTH
        if named is not side:
            return f"You play {side.label}, and a move takes the beans of a hole of your own side. {can}"
        said = other["hole"]
    if (found := SOWING.fullmatch(said)) is None:
        return None
    hole = int(found["hole"])
    if hole == POT:
        return f"Nobody sows from a pot: what is in it stays there. {can}"
    if hole > view.board.holes:
        return f"There is no hole {hole}: each side has {counted(view.board.holes, 'hole')}. {can}"
    if hole not in legal.holes:
        theirs = view.board.beans(side.other, hole)
        beside = f" (the {theirs} there are {side.other.label}'s)" if theirs else ""
        return f"Your hole {hole} is empty{beside}, and a move takes all beans of a hole. {can}"
    return None


def _named(holes: tuple[int, ...]) -> str:
    if len(holes) == 1:
        return f"hole {holes[0]} only"
    *others, last = map(str, holes)
    if len(holes) > MOST_SHORT:
        return f"any hole with beans, such as {holes[0]}"
    return f"hole {', '.join(others)} or {last}"
