"""Changes to a file's lines and bytes, without recomputing hashes."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from .games import Line


def _another(lines: list[Line], at: int, random: Random, **changes: Any) -> None:
    lines[at] = {name: value for name, value in {**lines[at], **changes}.items() if value is not None}


def _header(field: str, *values: Any) -> Callable[[list[Line], int, Random], None]:
    return lambda lines, at, random: _another(lines, 0, random, **{field: random.choice(values)})


def _member(field: str, *values: Any) -> Callable[[list[Line], int, Random], None]:
    return lambda lines, at, random: _another(lines, at, random, **{field: random.choice(values)})


LINES: Final[Mapping[str, Callable[[list[Line], int, Random], None]]] = {
    "the first line: whose copy": _header("as", 1, 2, 99, 0, "everyone", "auditor", "nobody", None, "1"),
    "the first line: how many events": _header("count", 1, 0, 10**6, None, "9"),
    "the first line: its format": _header("format", "pokersvc/export/2", "", None, 1),
    "the first line: which game": _header("game", "another", "", "a\n", None, 1),
    "the first line: the head": _header("head", "00" * 32, "00", None),
    "the first line: the kind": _header("kind", "kalah", "draw", "market", "", None),
    "the first line: what is opened": _header("opened", [1], [2], [3], [99999], [2, 1], [1, 1], [0], ["1"], None, 1),
    "the first line: another member": _header("extra", 1, None, "x"),
    "an event's number": _member("seq", 0, 1, 7, None, "2", True),
    "an event's number in its command": _member("n", 0, 1, 7, None, "2"),
    "an event's type": _member("type", "Folded", "", None, 1, "a\tb"),
    "an event's version": _member("version", 0, 2, 9, None, "1", 1.0),
    "an event's hash": _member("hash", "00" * 32, "0A" * 32, None),
    "an event's command": _member("command_id", "", "x", None, 1, "a\u200b"),
    "an event's moment": _member("recorded_at", "2026-01-31T12:00:00.000000Z", "", None, 1),
    "an event's payload": _member("payload", "{}", "", None, {}),
    "an event's digest": _member("digest", "00" * 32, "0A" * 32, None, "00"),
    "an event's salt": _member("salt", "00" * 16, "00", None, "0A" * 16),
    "an event's secret": _member("secret", "{}", "", None, "\ud800"),
    "another member": _member("extra", 1, "x"),
    "a line is missing": lambda lines, at, _: lines.__delitem__(at),
    "a line comes twice": lambda lines, at, _: lines.insert(at, lines[at]),
    "two lines are swapped": lambda lines, at, _: lines.insert(at - 1, lines.pop(at)),
}


BYTES: Final[Mapping[str, Callable[[list[bytes], int, Random], None]]] = {
    "an empty line": lambda lines, at, _: lines.insert(at, b"\n"),
    "a carriage return": lambda lines, at, _: lines.__setitem__(at, lines[at][:-1] + b"\r\n"),
    "no line feed at the end": lambda lines, at, _: lines.__setitem__(-1, lines[-1][:-1]),
    "a byte order mark": lambda lines, at, _: lines.__setitem__(0, b"\xef\xbb\xbf" + lines[0]),
    "a letter that is not ASCII": lambda lines, at, _: lines.__setitem__(at, lines[at].replace(b"a", b"\xc3\xa4", 1)),
    "cut within a line": lambda lines, at, random: lines.__setitem__(
        slice(at, None), [lines[at][: random.randrange(len(lines[at]))]]
    ),
    "an empty file": lambda lines, at, _: lines.clear(),
    "a line of a million bytes": lambda lines, at, _: lines.__setitem__(
        at, lines[at].replace(b'"payload":"', b'"payload":"' + b"x" * (1 << 20))
    ),
}
