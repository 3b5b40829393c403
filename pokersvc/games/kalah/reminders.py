"""Reminders before a move of Kalah: the rules that matter now."""

from pokersvc.games.kalah.actions import LegalActions
from pokersvc.games.kalah.board import POT, Side
from pokersvc.games.kalah.typed_moves import mover
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import counted


def moment(view: KalahView, legal: LegalActions) -> list[str]:
    """Return how beans are sown, what brings an extra turn or a capture now, how the game ends, and what to type."""
    side, board = mover(view), view.board
    to = "right, towards the last hole" if side is Side.SOUTH else "left, towards hole 1"
    last = board.holes if side is Side.SOUTH else 1
    return [
        f"You play {side.label}. A move takes all beans of a hole of yours and sows them one by one to the {to}:",
        f"after hole {last} into your pot, then along the other side, never into the other pot.",
        f"Extra turn: the last bean falls into your pot. {_now(_extra(view, legal))}",
        f"Capture: the last bean falls into an empty hole of yours{_opposite(view)}; it and the beans opposite go to"
        f" your pot. {_now(_captures(view, legal))}",
        _end(view),
        "Type the number of a hole of yours that has beans.",
    ]


def about(view: KalahView) -> list[str]:
    """Return how beans are sown, what brings an extra turn or a capture, and how the game ends."""
    return [
        "A move takes all beans of a hole of your own and sows them one by one, counter-clockwise: into your own pot"
        " too, never into the other.",
        "Extra turn: the last bean falls into your own pot.",
        f"Capture: the last bean falls into an empty hole of your own{_opposite(view)}; it and the beans opposite go"
        " to your own pot.",
        _end(view),
    ]


def _end(view: KalahView) -> str:
    total = view.board.total
    return (
        "The end: as soon as a side has no beans in its holes. Beans left go to the pot of the side they lie on,"
        f" and more beans win: {total // 2 + 1:,} of {counted(total, 'bean')} are enough."
    )


def _opposite(view: KalahView) -> str:
    if view.rules.empty_capture:
        return " (by the rule of this game also where the hole opposite is empty)"
    return " and the hole opposite has beans"


def _extra(view: KalahView, legal: LegalActions) -> list[int]:
    side = mover(view)
    return [hole for hole in legal.holes if view.board.sow(side, hole).hole == POT]


def _captures(view: KalahView, legal: LegalActions) -> list[int]:
    side, found = mover(view), []
    for hole in legal.holes:
        after, where, last = view.board.sow(side, hole)
        if after.captured(side, (where, last), empty_capture=view.rules.empty_capture):
            found.append(hole)
    return found


def _now(holes: list[int]) -> str:
    if not holes:
        return "Now: from no hole."
    *others, last = map(str, holes)
    before = f"{', '.join(others)} or " if others else ""
    return f"Now: from hole {before}{last}."
