"""What Unicode says of letters: which are invisible, of which scripts they are, and which look like others.

The file is made by ``python -m tests.names.unicode`` and says its version. Python's own `unicodedata` has no scripts
and no confusable letters.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

COMMON: Final = frozenset({"Zyyy", "Zinh"})
"""The scripts of what is written with any script: digits, signs, and marks above letters."""


class Ranges(NamedTuple):
    """Ranges of code points, in order, and what is said of each."""

    first: tuple[int, ...]
    last: tuple[int, ...]
    said: tuple[frozenset[str], ...]

    def of(self, letter: str) -> frozenset[str] | None:
        """Return what is said of a letter; None where nothing is."""
        at = bisect_right(self.first, ord(letter)) - 1
        return self.said[at] if at >= 0 and ord(letter) <= self.last[at] else None


class Letters(NamedTuple):
    """All that the file says."""

    version: str
    names: dict[str, str]
    """Script by its four letters → its name."""
    invisible: Ranges
    scripts: Ranges
    prototypes: dict[int, str]
    """Code point → the letters that it looks like, as `str.translate` takes it."""


@cache
def letters() -> Letters:
    """Return what the file of the package says; it is read once."""
    return read(Path(__file__).with_name("unicode.txt").read_text(encoding="utf-8").splitlines())


def read(lines: Iterable[str]) -> Letters:
    """Return what the lines of such a file say."""
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
