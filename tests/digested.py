"""Long texts that tests hold to what they were: digests of them are stored, and made anew on purpose.

A module that makes such texts runs as a program, too. Without an argument it stores the digests anew; with a folder it
writes the texts there. To see what a change of the code changes, write them before and after it, and compare both.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

Texts: TypeAlias = Callable[[], Iterable[tuple[str, str]]]
"""Makes texts, each with a name; those whose names begin with the same word share a digest."""


def digests(texts: Texts) -> dict[str, str]:
    """Return a short digest for the first word of each name."""
    together: dict[str, list[str]] = {}
    for name, text in texts():
        together.setdefault(name.partition(" ")[0], []).append(f"{name}\n{text}\n")
    return {word: sha256("".join(parts).encode()).hexdigest()[:12] for word, parts in together.items()}


def stored(path: Path) -> dict[str, dict[str, str]]:
    """Return the digests that are stored, by family."""
    found: dict[str, dict[str, str]] = json.loads(path.read_text("utf-8"))
    return found


def main(path: Path, families: Mapping[str, Texts], arguments: Sequence[str]) -> None:
    """Store the digests of all texts in a file, or write the texts of each family into a file of a folder."""
    if not arguments:
        found = {name: digests(texts) for name, texts in families.items()}
        path.write_text(json.dumps(found, indent=0) + "\n", "utf-8")
        return
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, texts in families.items():
        written = "".join(f"== {title}\n{text}\n" for title, text in texts())
        (folder / f"{name.replace('/', '-')}.txt").write_text(written, "utf-8")
