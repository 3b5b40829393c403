"""Advice on a move of Kalah: the margin to which each hole leads, as far as a short search sees."""

from time import monotonic
from typing import Final, NamedTuple

from pokersvc.games.kalah.actions import LegalActions
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Engines, Variant
from pokersvc.games.kalah.search import MOST_DEPTH, moves, worth
from pokersvc.games.kalah.typed_moves import MOST_SHORT, at_once, mover
from pokersvc.games.kalah.view import KalahView
from pokersvc.text import counted

SECONDS: Final = 0.4
"""The seconds that a search for advice may take."""
ASKING: Final = ("o", "odds", "advice")
"""The texts by which a person asks for advice."""
_plain: Final = Engines(Engine)
"""Engines in plain Python: to load numba first would make a process's first choice take seconds."""


class Outlook(NamedTuple):
    """The margin to which each move of a side leads, as far as the search went."""

    margins: tuple[tuple[int, int], ...]
    """Each hole with the margin to which it leads (the side's pot less the other's), the best first."""
    depth: int
    """The number of sowings searched ahead."""
    exact: bool
    """Whether the margins are those at the end of the game under perfect play."""


class _TimeIsUp(Exception):
    """Raised to end a search whose time is up."""


def outlook(board: Board, side: Side, *, empty_capture: bool = False, seconds: float = SECONDS) -> Outlook:
    """Return the margin to which every move leads, searched deeper until the time is up, at least one sowing deep."""
    end = monotonic() + seconds

    def watch(_nodes: int) -> None:
        if monotonic() >= end:
            raise _TimeIsUp

    with _plain.of(Variant(board.holes, board.total, empty_capture)) as engine:
        engine.clear()
        candidates, before = moves(engine, board, side), board.margin(side)
        in_play = board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
        found = {move.hole: move.gain for move in candidates}
        depth, exact = 1, all(move.position is None for move in candidates)
        try:
            while not exact and depth < MOST_DEPTH:
                horizons = engine.horizons
                deeper = {
                    move.hole: worth(engine, move, in_play, depth + 1, found[move.hole], watch) for move in candidates
                }
                watch(0)
                found, depth, exact = deeper, depth + 1, engine.horizons == horizons
        except _TimeIsUp:
            pass
    margins = sorted(((hole, before + gain) for hole, gain in found.items()), key=lambda pair: (-pair[1], pair[0]))
    return Outlook(tuple(margins), depth, exact)


def advice(view: KalahView, legal: LegalActions) -> list[str]:
    """Return a line for each hole with the margin to which it leads, the best first."""
    seen = outlook(view.board, mover(view), empty_capture=view.rules.empty_capture)
    wide = max(len(str(hole)) for hole in legal.holes)
    then = "at the end" if seen.exact else f"after {counted(seen.depth, 'sowing')}"
    said = [f"{_margin(margin)} {then}" for _, margin in seen.margins]
    room = max(map(len, said))
    return [
        f"hole {hole:>{wide}}  {words:<{room}}  {at_once(view, hole)}"
        for (hole, _), words in zip(seen.margins, said, strict=True)
    ]


def asked(text: str, view: KalahView, legal: LegalActions) -> list[str] | None:
    """Return the best `MOST_SHORT` lines of advice, the best last, if the text asks for advice; else None."""
    return advice(view, legal)[:MOST_SHORT][::-1] if text.strip().lower() in ASKING else None


def _margin(margin: int) -> str:
    return "level" if not margin else f"{abs(margin)} {'ahead' if margin > 0 else 'behind'}"
