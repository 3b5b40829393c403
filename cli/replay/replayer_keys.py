"""The keys of the replayer, as its screen and its help show them."""

from typing import Final

from pokersvc.core.drawing import Line, Piece, Tone
from pokersvc.text import cells

GO_TO: Final = "Go to event (12) or round (r3)"
SEE_AS: Final = "See as"

HELP: Final = (
    ("→ l Enter", "the next event"),
    ("← h", "the event before"),
    ("n ↓", "the next round, or the end of the last one"),
    ("p ↑", "the start of this round, or the round before"),
    ("Home, End", "the first event, the last one"),
    ("g", "go to an event (12) or a round (r3), then Enter"),
    ("Space", "play, or pause"),
    ("+ -", "play faster, slower"),
    ("v", "see as everyone, as a seat or as the auditor"),
    ("q", "quit; Ctrl-C does too"),
)
"""The help: pairs of keys and their effect."""

_FOOTER: Final = (
    ("→", "forward"), ("←", "back"), ("n", "next round"), ("p", "previous"), ("Space", "play"), ("g", "go to"),
    ("v", "view"), ("?", "help"), ("q", "quit"),
)  # fmt: skip
_SHORTER: Final = (
    ("→←", "event"), ("n p", "round"), ("Space", "play"), ("g", "go to"), ("v", "view"), ("?", "help"), ("q", "quit"),
)  # fmt: skip
_SHORTEST: Final = (("→←", "event"), ("n p", "round"), ("Space", "play"), ("?", "help"), ("q", "quit"))
_TYPING: Final = (("Enter", "go"), ("Esc", "back"))


def footer(columns: int, *, typing: bool = False) -> list[Line]:
    """Return the keys as one line, with as many of the usual keys as fit."""
    for keys in (_TYPING,) if typing else (_FOOTER, _SHORTER, _SHORTEST):
        line: list[Piece] = []
        for key, does in keys:
            line += [Piece("  " if line else ""), Piece(key, Tone.KEY), Piece(f" {does}", Tone.QUIET)]
        if sum(cells(piece.text) for piece in line) <= columns:
            break
    return [tuple(line)]
