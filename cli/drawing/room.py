"""Decides whether tables are drawn at this terminal, and measures the room for them."""

import os
import sys
from contextlib import suppress

from pokersvc import core


def is_drawn(plain: bool = False) -> bool:
    """Return whether tables are drawn: at a terminal that can position text, unless the user wants ``plain`` lines."""
    return not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def room() -> "core.drawing.Room":
    """Return the size of the terminal itself, ignoring LINES and COLUMNS; 80 by 24 if it has none."""
    columns = rows = 0
    with suppress(OSError):
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    return core.drawing.Room(columns or 80, rows or 24)
