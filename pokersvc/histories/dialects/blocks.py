"""Splits a text into the blocks of its hands."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pokersvc.histories.dialect import Block

MOST: Final = 1 << 17
"""Approximate maximum number of characters of a block; no hand has more, and a hostile file must not fill memory."""

_BLANK: Final = " \t\r\n\x1a"  # \x1a ends files that DOS concatenated
_MOST_BLANK: Final = 100
"""Maximum number of blank lines after which a hand may continue."""


class Layout(NamedTuple):
    """The patterns that separate the hands of a text."""

    begins: re.Pattern[str]
    """Matches the beginning of the first line of a hand."""
    ends: re.Pattern[str]
    """Matches the beginning of the line with which the end of a hand starts, such as the head of its summary."""
    after_it: re.Pattern[str] | None = None
    """Matches the beginnings of the further lines of a hand's end, after the first; None if there is only one line."""
    gap: int = 1
    """The number of blank lines after which a hand is over, once one of its lines has matched `ends`."""
    frame: re.Pattern[str] | None = None
    """Matches the beginnings of lines that stand between hands and belong to none."""


def blocks_of(lines: Iterable[str], layout: Layout) -> Iterator[Block]:
    """Yield the blocks of a text: each begins at the first line of a hand, or at some other line after blank lines.

    Until one of its lines matches `Layout.ends`, a hand continues after blank lines: a hand with blank lines in it is
    one block. The end of a hand continues after blank lines if the next line matches `Layout.after_it`.
    """
    kept: list[str] = []
    first = size = blank = looked = 0
    ended = False
    """Whether one of the lines before ``looked`` matches ``ends``."""
    begins, ends, after_it, gap, frame = layout
    begin, most_blank = begins.match, max(gap, _MOST_BLANK)
    for number, line in enumerate(lines, 1):
        if not line.strip(_BLANK):
            blank += 1
            over = blank > most_blank
        else:
            over = begin(line) is not None or bool(blank and frame and frame.match(line))
            if blank >= gap and kept and not over:
                ended = ended or any(map(ends.match, kept[looked:]))
                looked = len(kept)
                over = ended and not (after_it and after_it.match(line))
            blank = 0
        if over and kept:
            yield _block(first, kept)
            kept, size, looked, ended = [], 0, 0, False
        if not kept:
            if blank or (frame and frame.match(line)):
                continue
            first = number
        if size <= MOST or not (blank or kept[-1].strip(_BLANK)):
            kept.append(line)  # keep one line beyond the limit, but not a blank one, so that the excess is noticed
            size += len(line)
    if kept:
        yield _block(first, kept)


def _block(first: int, kept: list[str]) -> Block:
    return Block(first, "".join(kept).rstrip(_BLANK), ended=kept[-1].endswith("\n"))
