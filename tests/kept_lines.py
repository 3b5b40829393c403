"""Lines of text that stay as they are, kept as digests where they would be too many to keep.

``python -m tests.games.telling NAME`` prints the lines of one, to be compared with those of another commit; without a
name, after a change that is meant, the digests are written anew.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple


class KeptLines(NamedTuple):
    """Some texts by name, and the file of their digests."""

    file: Path
    lines: Mapping[str, Callable[[], Iterable[str]]]

    def digest(self, name: str) -> str:
        """Return the digest of one of the texts as it is now."""
        return sha256("\n".join(self.lines[name]()).encode()).hexdigest()[:32]

    def kept(self) -> dict[str, str]:
        """Return the digests as they are kept."""
        found: dict[str, str] = json.loads(self.file.read_text("utf-8"))
        return found

    def main(self, names: Sequence[str]) -> None:
        """Print what has these names, or write all digests."""
        for name in names:
            print("\n".join(self.lines[name]()))
        if not names:
            self.file.write_text(json.dumps({name: self.digest(name) for name in self.lines}, indent=1) + "\n", "utf-8")
