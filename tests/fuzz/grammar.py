"""Generators of file content: right and wrong values, texts that are almost JSON, bytes that are almost text."""

import json
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Path_ = tuple[str | int, ...]

DEEP = "@deep@"
"""A placeholder for lists nested as deep as a reader allows, or deeper; replaced when the document is written."""

NUMBERS = (0, 1, -1, 2, 5, 52, 53, 255, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**30, 10**200)
TEXTS = (
    "", "x", "0", "-1", "1e9", "null", "AS", "10D", "1S", "AS AS", "Ann", "human", "minimum", "draw", "kalah", "market",
    "everyone", "auditor", "\ud800", "\udfff\ud800", "a\ud83db", "\U0001f0a1", "\x00", "\n", "\x1b[2J", "\u202e", "é",
    "A" * 300, "00" * 32, "ff" * 32, "AA" * 32, "2026-01-31T12:00:00.000000Z", "9999-99-99T99:99:99.999999Z", "%s",
    "{0}", "../x", DEEP,
)  # fmt: skip
NAMES = (
    "seat", "seats", "cards", "amount", "game", "rules", "kind", "name", "seed", "round", "", "__class__", "\ud800",
)  # fmt: skip
RAW = (
    "NaN", "Infinity", "-Infinity", "1.5", "1e400", "-0", "01", "1" * 5_000, "'x'", "tru", '{"a":1,"a":2}', "[1,]",
)  # fmt: skip


def value(random: Random, depth: int = 0) -> Any:
    """Return a random JSON value."""
    match random.randrange(10 if depth < 3 else 7):
        case 0:
            return random.choice((None, True, False))
        case 1 | 2 | 3:
            return random.choice(NUMBERS)
        case 4 | 5 | 6:
            return random.choice(TEXTS)
        case 7:
            return [value(random, depth + 1) for _ in range(random.randrange(4))]
        case 8:
            return [value(random, 3)] * random.choice((1, 2, 5, 60))
        case _:
            return {random.choice(NAMES): value(random, depth + 1) for _ in range(random.randrange(4))}


def near(random: Random, old: Any) -> Any:
    """Return a value that is nearly the old one, so that a reader gets further before it refuses it."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return old + random.choice((1, -1, 10, -old, -2 * old, 2**62))
    if isinstance(old, str) and old:
        place = random.randrange(len(old))
        return random.choice(
            (
                old[:place] + old[place + 1 :],
                old[:place] + random.choice("0aZ \ud800é") + old[place + 1 :],
                old * 2,
                old.upper(),
            )
        )
    if isinstance(old, list) and old:
        place = random.randrange(len(old))
        return random.choice((old[:place] + old[place + 1 :], [*old, old[place]], old[::-1], old * 2))
    if isinstance(old, dict) and old:
        left = dict(old)
        del left[random.choice(list(left))]
        return left
    return value(random)


def places(document: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the places of all values in a document, the document itself first."""
    yield path
    if isinstance(document, dict):
        for name, inner in document.items():
            yield from places(inner, (*path, name))
    elif isinstance(document, list):
        for number, inner in enumerate(document):
            yield from places(inner, (*path, number))


def changed(random: Random, document: Any) -> Any:
    """Return a document with one value in it replaced, removed, added or renamed."""
    path = random.choice(list(places(document)))
    return _at(document, path, lambda old: _other(random, old))


def _other(random: Random, old: Any) -> Any:
    kind = random.randrange(6)
    if isinstance(old, dict) and kind == 0:
        return {**old, random.choice(NAMES): value(random)}
    if isinstance(old, dict) and old and kind == 1:
        renamed = dict(old)
        renamed[random.choice(NAMES)] = renamed.pop(random.choice(list(old)))
        return renamed
    return near(random, old) if kind < 4 else value(random)


def _at(document: Any, path: Path_, change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(document)
    first, *rest = path
    copy = document.copy()
    copy[first] = _at(document[first], tuple(rest), change)
    return copy


def text_of(random: Random, document: Any) -> str:
    """Return a document as canonical JSON, mostly."""
    match random.randrange(30):
        case 0:
            text = json.dumps(document)  # with spaces
        case 1:
            text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        case 2:
            text = _cut(random, json.dumps(document, sort_keys=True, separators=(",", ":")))
        case 3:
            text = json.dumps(document, sort_keys=True, separators=(",", ":"))
            place = text.find(":") + 1
            text = text[:place] + random.choice(RAW) + text[place:].lstrip('0123456789"')
        case 4:
            text = _cut(random, json.dumps(document)) + random.choice(("\ud800", "\udfff", "\0", "\x1b", "\u2028"))
        case _:
            text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    depth = random.choice((3_000, random.randrange(limit := sys.getrecursionlimit()), limit - random.randrange(100)))
    return text.replace(f'"{DEEP}"', "[" * depth + "]" * depth)


def _cut(random: Random, text: str) -> str:
    return text[: random.randrange(len(text) + 1)]


def spoilt(random: Random, content: bytes) -> bytes:
    """Return a file with its bytes changed as accidents and editors do, or left as it is: mostly that."""
    if random.random() < 0.85 or not content:
        return content
    place = random.randrange(len(content))
    match random.randrange(11):
        case 0:
            return content[:place]
        case 1:
            return b"\xef\xbb\xbf" + content
        case 2:
            return content.replace(b"\n", b"\r\n")
        case 3:
            return content[:place] + b"\0" + content[place:]
        case 4:
            return content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :]
        case 5:
            return content[:place] + random.randbytes(random.choice((1, 4, 100))) + content[place:]
        case 6:
            lines = content.splitlines(keepends=True)
            number = random.randrange(len(lines))
            return b"".join([*lines[:number], lines[number], *lines[number:]])
        case 7:
            return content.decode("utf-8", "replace").encode("utf-16")
        case 8:
            return content + content[place:]
        case 9:
            return content[:place] + b"\xff\xfe\xed\xa0\x80" + content[place:]
        case _:
            return content[:place] + b"x" * random.choice((1_000, 1 << 21)) + content[place:]
