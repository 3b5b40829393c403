"""Unicode's data about letters: which are invisible, to which scripts they belong, and which look like others.

The data file is made by ``python -m tests.names.unicode`` and states its version. Python's own `unicodedata` has no
scripts and no confusable letters.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

COMMON: Final = frozenset({"Zyyy", "Zinh"})
"""The scripts of characters that are used with any script: digits, signs, and marks above letters."""


class Ranges(NamedTuple):
    """Ranges of code points in ascending order, with the properties of each."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    said: tuple[frozenset[str], ...]

    def of(self, letter: str) -> frozenset[str] | None:
        """Return the properties of a letter; None if it is in no range."""
        at = bisect_right(self.first, ord(letter)) - 1
        return self.said[at] if at >= 0 and ord(letter) <= self.last[at] else None


class Letters(NamedTuple):
    """The content of the data file."""

    version: str
    names: dict[str, str]
    """The four-letter code of a script → its name."""
    invisible: Ranges
    scripts: Ranges
    prototypes: dict[int, str]
    """Code point → the letters that it looks like, as `str.translate` takes it."""


@cache
def letters() -> Letters:
    """Return the content of the package's data file, which is read once."""
    return read(Path(__file__).with_name("unicode.txt").read_text(encoding="utf-8").splitlines())


def read(lines: Iterable[str]) -> Letters:
    """Return the content of a data file from its lines."""
    parts: dict[str, list[list[str]]] = {}
    for line in lines:
        if line.startswith("@"):
            part = parts.setdefault(line.split()[0], [line.split()[1:]])
        elif line and not line.startswith("#"):
            part.append(line.split())
    return Letters(
        version=parts["@version"][0][0],
        names={name: " ".join(words) for name, *words in parts["@names"][1:]},
        invisible=_ranges(parts["@invisible"][1:]),
        scripts=_ranges(parts["@scripts"][1:]),
        prototypes={
            int(letter, 16): "".join(chr(int(code, 16)) for code in prototype.split("+"))
            for prototype, *alike in parts["@alike"][1:]
            for letter in alike
        },
    )


def _ranges(lines: list[list[str]]) -> Ranges:
    ends = [line[0].partition("..") for line in lines]
    first = tuple([int(one, 16) for one, _, _ in ends])
    last = tuple([int(two or one, 16) for one, _, two in ends])
    return Ranges(first, last, tuple([frozenset(line[1:]) for line in lines]))
