"""Reads PHH in the plain form that programs write, in one pass: ``key = value`` lines with a few kinds of values.

A hand with any other form (comments, escapes, tables, several lines of numbers …) is left to the full TOML parser, so
that the two parsers never differ: where this parser returns fields, they are the same.
"""

import re
from collections.abc import Callable
from datetime import time
from decimal import Decimal
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple

_NUMBER: Final = r"-?+(?>0|[1-9][0-9]{0,14})(?>\.[0-9]{1,9})?+"
_TEXT: Final = r'"[^"\\\x00-\x1f\x7f]*+"'
_NO_FIELD: Final = r'"[^"\\=\x00-\x1f\x7f]*+"'  # a string alone on a line, which cannot be mistaken for a field

_TABLE: Final = re.compile(r"\[[A-Za-z0-9_-]++\]\n")
_FIELD: Final = re.compile(
    r"([A-Za-z0-9_-]++) = (?>"
    rf"({_NUMBER})(?=\n|\Z)|({_TEXT})|(\[(?:{_NUMBER}(?:, {_NUMBER})*+)?+\])|(\[{_TEXT}(?:, {_TEXT})*+\])"
    rf"|(\[\n(?:[ \t]*+{_NO_FIELD},\n)++\])|([0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:\.[0-9]{{1,6}})?+)|(true|false)"
    r")(?>\n++|\Z)"
)
_ALIKE: Final = 1 << 10
"""The number of parsed values that are cached, because many hands of a table have the same values."""


class PlainFields(NamedTuple):
    """The fields of a hand, the lines at which they begin, and for each list of texts the line of each text."""

    fields: dict[str, Any]
    lines: dict[str, int]
    lines_of: dict[str, list[int]]


def plain_fields(text: str, line: int) -> PlainFields | None:
    """Return the fields of a hand that is written in the plain form, else None; ``line`` is its first line's number."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    at = 0
    if text[:1] == "[":
        if (table := _TABLE.match(text)) is None:
            return None
        at, line = table.end(), line + 1
    found = PlainFields({}, {}, {})
    fields, lines, lines_of = found
    match = _FIELD.match
    end = len(text)
    while at < end:
        if (field := match(text, at)) is None or (key := field[1]) in fields:
            return None
        form = field.lastindex or 0
        value = field[form]
        try:
            fields[key] = _READ[form](value)
        except ValueError:  # no such time
            return None
        lines[key] = line
        if form == _LINES:
            lines_of[key] = list(range(line + 1, line + 1 + len(fields[key])))
        elif form == _TEXTS:
            lines_of[key] = [line] * len(fields[key])
        at = field.end()
        line += text.count("\n", field.start(), at)
    return found if fields else None


@lru_cache(_ALIKE)
def _number(text: str) -> int | Decimal:
    return Decimal(text) if "." in text else int(text)


def _text(text: str) -> str:
    return text[1:-1]


@lru_cache(_ALIKE)
def _some_numbers(text: str) -> tuple[int | Decimal, ...]:
    inner = text[1:-1]
    return tuple([_number(one) for one in inner.split(", ")]) if inner else ()


def _numbers(text: str) -> list[int | Decimal]:
    return list(_some_numbers(text))


def _texts(text: str) -> list[str]:
    return text.split('"')[1::2]


@lru_cache(_ALIKE)
def _time(text: str) -> time:
    parts, _, fraction = text.partition(".")
    hour, minute, second = parts.split(":")
    return time(int(hour), int(minute), int(second), int(fraction.ljust(6, "0")))


def _truth(text: str) -> bool:
    return text == "true"


_READ: Final[dict[int, Callable[[str], object]]] = dict(
    zip(count(2), (_number, _text, _numbers, _texts, _texts, _time, _truth))
)
"""Number of a group in the expression → the function that reads the value that the group matches."""
_TEXTS: Final = 5
_LINES: Final = 6
