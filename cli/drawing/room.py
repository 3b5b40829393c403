"""Whether a table is drawn at this terminal, and how much room there is for it."""

import os
import sys
from contextlib import suppress

from pokersvc import core


def is_drawn(plain: bool = False) -> bool:
    """Tell whether tables are drawn here: at a terminal that can place text, unless a person wants plain lines."""
    return not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def room() -> "core.drawing.Room":
    """Return the size of the terminal that is drawn on, whatever LINES and COLUMNS say; 80 by 24 where it has none."""
    columns = rows = 0
    with suppress(OSError):
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
    return core.drawing.Room(columns or 80, rows or 24)
