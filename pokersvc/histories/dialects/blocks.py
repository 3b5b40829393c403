"""A text cut into the blocks of its hands."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pokersvc.histories.dialect import Block

MOST: Final = 1 << 17
"""Characters of a block, about; no hand has so many, and a hostile file shall not fill the memory."""

_BLANK: Final = " \t\r\n\x1a"  # the last ends a file that DOS has put together
_MOST_BLANK: Final = 100
"""How many blank lines a hand may go on after."""


class Layout(NamedTuple):
    """How the hands of a text are told apart."""

    begins: re.Pattern[str]
    """How the first line of a hand begins."""
    ends: re.Pattern[str]
    """How the line begins with which the end of a hand begins."""
    after_it: re.Pattern[str] | None = None
    """How lines begin that stand after that line; None where it is the last."""
    gap: int = 1
    """How many blank lines end a hand that has its end."""
    frame: re.Pattern[str] | None = None
    """What stands between hands."""


def blocks_of(lines: Iterable[str], layout: Layout) -> Iterator[Block]:
    """Yield the blocks of a text: each begins with the first line of a hand, or after blank lines with another line.

    A hand that lacks its end goes on after blank lines, so that one in which they stand is one block. So does its end,
    where the next line is of it.
    """
    kept: list[str] = []
    first = size = blank = looked = 0
    ended = False
    """Whether the lines before ``looked`` have the end of the hand."""
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
            kept.append(line)  # one that goes beyond it too, and no blank one at the end: what is too long can be told
            size += len(line)
    if kept:
        yield _block(first, kept)


def _block(first: int, kept: list[str]) -> Block:
    return Block(first, "".join(kept).rstrip(_BLANK), ended=kept[-1].endswith("\n"))
