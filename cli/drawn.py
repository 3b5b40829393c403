"""Whether a table is drawn at this terminal, and how much room there is for it."""

import os
import shutil
import sys

from pokersvc import core


def is_drawn(plain: bool = False) -> bool:
    """Tell whether tables are drawn here: at a terminal that can place text, unless a person wants plain lines."""
    return not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def room() -> "core.drawing.Room":
    """Return the size of the terminal; 80 columns and 24 rows where it does not say."""
    columns, rows = shutil.get_terminal_size()
    return core.drawing.Room(columns, rows)
