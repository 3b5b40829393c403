"""A text cut into the blocks of its hands."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from pokersvc.histories.dialect import Block

MOST: Final = 1 << 17
"""Characters of a block, about; no hand has so many, and a hostile file shall not fill the memory."""

_BLANK: Final = " \t\r\n"


def blocks_of(
    lines: Iterable[str], begins: re.Pattern[str], gap: int, frame: re.Pattern[str] | None = None
) -> Iterator[Block]:
    """Yield the blocks of a text: each begins with a line of that pattern, or after ``gap`` blank lines.

    Lines of the pattern ``frame`` stand between hands and are left out.
    """
    kept: list[str] = []
    first = size = blank = 0
    begin = begins.match
    for number, line in enumerate(lines, 1):
        blank = 0 if line.strip(_BLANK) else blank + 1
        if kept and (blank >= gap or begin(line)):
            yield _block(first, kept)
            kept, size = [], 0
        if not kept:
            if blank or (frame and frame.match(line)):
                continue
            first = number
        if size <= MOST:  # the line that goes beyond it is kept: what is too long can be told
            kept.append(line)
            size += len(line)
    if kept:
        yield _block(first, kept)


def _block(first: int, kept: list[str]) -> Block:
    return Block(first, "".join(kept).rstrip(_BLANK))
