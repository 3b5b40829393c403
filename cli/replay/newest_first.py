"""Lists that begin with the newest item: how many lines are printed, and the note that there are more."""

import sys
from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Final

import typer

from pokersvc.cli.arguments import MOST
from pokersvc.cli.output import wrapped

NEWEST: Final = 30
"""The number of lines shown at a terminal by default."""

UNDER_THE_NAME: Final = " " * 10
"""The indentation of a wrapped line's later rows: the name in the first row then stands alone in its columns."""

LastOption = Annotated[
    int | None,
    typer.Option("--last", min=1, max=MOST, metavar="N", help="Only the newest N. [at a terminal: 30; else all]"),
]


def looked_at(last: int | None) -> int | None:
    """Return the number of a list's items that must be read to print it; None for all."""
    return NEWEST + 1 if last is None and sys.stdout.isatty() else last


def print_newest(lines: Iterable[str], last: int | None) -> int:
    """Print lines, newest first, and return their number; without ``last``, also print a note if lines are left out."""
    most = looked_at(last)
    count = 0
    for count, line in enumerate(islice(lines, most), 1):
        if last is None and count == most:
            print(wrapped(f"\nThese are the newest {NEWEST}; --last N lists more."))
            return NEWEST
        print(wrapped(line, UNDER_THE_NAME))
    return count
