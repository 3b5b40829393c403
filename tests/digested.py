"""Stored digests of long texts, with which tests compare the current texts.

The package or module that makes such texts runs as a program. With names, or patterns such as ``'game *'``, it prints
those texts, to be compared with those of another commit; without, after a change that is meant, it stores the digests.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeAlias
from zlib import crc32

import pytest
from _pytest.mark import ParameterSet

Texts: TypeAlias = Callable[[], Iterable[str]]
"""Makes the parts of one text, usually its lines."""


class Digested(NamedTuple):
    """Texts by name, and the file of their digests."""

    file: Path
    texts: Callable[[], Mapping[str, Texts]]

    def stored(self) -> dict[str, str]:
        """Return the stored digests."""
        found: dict[str, str] = json.loads(self.file.read_text("utf-8"))
        return found

    def digest(self, name: str) -> str:
        """Return the digest of one text as it is now."""
        return _digest(self.texts()[name])

    def main(self, patterns: Sequence[str]) -> None:
        """Print the texts that match a pattern; without one store all digests, and print which texts changed."""
        texts = self.texts()
        if patterns:
            wanted = [name for name in texts if any(fnmatchcase(name, pattern) for pattern in patterns)]
            if not wanted:
                raise SystemExit(f"no text is named {' or '.join(patterns)}; there are: {', '.join(texts)}")
            for name in wanted:
                print(f"=== {name}", *texts[name](), sep="\n")
            return
        before = self.stored() if self.file.exists() else {}
        after = {name: _digest(made) for name, made in texts.items()}
        self.file.write_text(json.dumps(after, indent=1) + "\n", "utf-8")
        print(*[name for name in {**before, **after} if before.get(name) != after.get(name)], sep="\n")


def sampled(names: Iterable[str], *, one_in: int = 3, dear: Sequence[str] = ()) -> list[ParameterSet]:
    """Return the names as parameters of a test; one in so many, chosen by their names, is fast unless it is dear."""
    return [
        pytest.param(name, marks=[pytest.mark.slow] * (crc32(name.encode()) % one_in != 1 or name in dear))
        for name in names
    ]


def _digest(texts: Texts) -> str:
    return sha256("\n".join(texts()).encode()).hexdigest()[:32]


def titled(pairs: Callable[[], Iterable[tuple[str, str]]]) -> Texts:
    """Return the parts of a text, each below its title."""
    return partial(_titled, pairs)


def _titled(pairs: Callable[[], Iterable[tuple[str, str]]]) -> Iterator[str]:
    for title, text in pairs():
        yield f"== {title}"
        yield text
