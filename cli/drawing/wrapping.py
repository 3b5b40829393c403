"""Wraps sentences for a drawn screen: words stay whole, and sentences that do not fit are left out."""

import re
from collections.abc import Iterable

from pokersvc.core.drawing import Line, Piece, Tone
from pokersvc.text import cells

_LEAST_COLUMNS = 10
_LEFT_OUT: Line = (Piece("…", Tone.QUIET),)


def folded(text: str, columns: int) -> list[str]:
    """Wrap a text into lines that fit; words stay whole, even those wider than a line.

    >>> folded("Ann is dealt AH KD 9S", 14)
    ['Ann is dealt', '  AH KD 9S']
    """
    return [part for line in text.split("\n") for part in _folded(line, max(columns, _LEAST_COLUMNS))]


def _folded(line: str, columns: int) -> list[str]:
    if cells(line) <= columns:
        return [line]
    first, *others = re.findall(" *[^ ]+", line)
    found = [first]
    for word in others:
        if cells(found[-1] + word) <= columns:
            found[-1] += word
        else:
            found.append(f"  {word.lstrip()}")
    return found


def said(sentences: Iterable[str], columns: int, tone: Tone = Tone.PLAIN) -> list[Line]:
    """Return sentences as lines that fit into ``columns``."""
    return [(Piece(part, tone),) for sentence in sentences for part in folded(sentence, columns)]


def newest(sentences: Iterable[list[Line]], rows: int, new: int = 0) -> list[Line]:
    """Return the newest sentences that fit as a whole, newest last, after an ellipsis if others are left out.

    ``sentences`` are given as lines, newest first. The ellipsis takes a sentence's place only if one of the ``new``
    sentences is left out.
    """
    kept: list[list[Line]] = []
    free = rows
    for lines in sentences:
        if len(lines) > free:
            break
        kept.append(lines)
        free -= len(lines)
    else:
        return _in_order(kept)
    if not kept:  # the first lines are the most important
        return [*lines[: rows - 1], _LEFT_OUT] if rows > 1 else lines[:rows]
    if not free and 1 < len(kept) < new:
        free += len(kept.pop())
    return [*[_LEFT_OUT] * (free > 0), *_in_order(kept)]


def _in_order(newest_first: list[list[Line]]) -> list[Line]:
    return [line for lines in reversed(newest_first) for line in lines]
