"""Differences between two descriptions of the same games."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Final, TypeAlias

from tests.identity.telling import Told

KEPT: Final = Path(__file__).with_name("told.json")
"""The digests of all games, recorded before betting was split from draw poker."""
SHORT: Final = 12
"""The number of hexadecimal digits stored of each digest."""
MOST_SHOWN: Final = 300
"""The number of characters shown of a line around a difference."""

Digests: TypeAlias = dict[str, dict[str, str]]
"""Game → aspect → digest."""
Texts: TypeAlias = Mapping[tuple[str, str], str]
"""Game and aspect → text, as far as it was written."""


def digests_of(told: Iterable[Told]) -> Digests:
    """Return shortened digests, as stored."""
    found: Digests = {}
    for one in told:
        found.setdefault(one.game, {})[one.aspect] = one.digest[:SHORT]
    return found


def kept() -> Digests:
    """Return the digests that are kept."""
    found: Digests = json.loads(KEPT.read_text("ascii"))
    return found


def keep(digests: Digests) -> None:
    """Keep digests, a line for each game."""
    lines = [f"{json.dumps(game)}: {json.dumps(aspects, separators=(',', ':'))}" for game, aspects in digests.items()]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


def write(path: Path, told: Iterable[Told], *, whole: bool) -> None:
    """Write a line for each aspect of each game, with the text itself if it is to be whole."""
    with path.open("w", encoding="ascii") as file:
        for one in told:
            line = {"game": one.game, "aspect": one.aspect, "sha256": one.digest}
            file.write(json.dumps(line | ({"text": one.text} if whole else {})) + "\n")


def read(path: Path) -> tuple[Digests, Texts]:
    """Return the digests that `write` stored."""
    digests: Digests = {}
    texts = {}
    with path.open(encoding="ascii") as file:
        for line in map(json.loads, file):
            digests.setdefault(line["game"], {})[line["aspect"]] = line["sha256"]
            if "text" in line:
                texts[line["game"], line["aspect"]] = line["text"]
    return digests, texts


def differences(
    before: Digests, after: Digests, texts_before: Texts | None = None, texts_after: Texts | None = None
) -> Iterator[str]:
    """Yield a line for each game that differs: the aspects, and the first difference."""
    for game in [*before, *(game for game in after if game not in before)]:
        if game not in before or game not in after:
            yield f"{game}: only in the {'first' if game in before else 'second'}"
            continue
        one, other = before[game], after[game]
        if found := [aspect for aspect in {**one, **other} if one.get(aspect) != other.get(aspect)]:
            key = game, found[0]
            where = _first((texts_before or {}).get(key), (texts_after or {}).get(key))
            yield f"{game}: {', '.join(found)}{where}"


def _first(before: str | None, after: str | None) -> str:
    """Return the first line that differs, from shortly before the place where it does; nothing without texts."""
    if before is None or after is None:
        return ""
    for number, (one, other) in enumerate(zip_longest(before.split("\n"), after.split("\n"), fillvalue=""), 1):
        if one != other:
            at = next(
                (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            start = max(0, at - MOST_SHOWN // 2)
            return f"\n  line {number}:\n  - {one[start : start + MOST_SHOWN]}\n  + {other[start : start + MOST_SHOWN]}"
    return ""
