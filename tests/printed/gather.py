"""Finds the imports and the players in every version of every page."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tests.docs.each_game import own_games

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
PAGES: Final = ("README.md", "docs")
PACKAGES: Final = {game.kind: type(game).__module__.rpartition(".")[0] for game in own_games()}
"""The heading of a game in docs/api → its folder."""
NOT_PYTHON: Final = frozenset({"pokersvc.fish"})

RECORDED: Final = frozenset(
    {"CardsLearned", "DealRecorded", "HandQuoted", "RecordedCardsDiscarded", "RecordedCardsDrawn", "RecordedHandDealt"}
)
"""Events of hands dealt elsewhere; no page names their module."""

_IMPORT = re.compile(r"\bfrom (pokersvc[\w.]*) import (?:\(([^)]*)\)|(.*))")
_DOTTED = re.compile(r"\bpokersvc(?:\.\w+)+")
_HEADING = re.compile(r"^##+ (\w+)[\w.]*\n\n```python\n(?:@\w+\n)?(?:class )?\1", re.MULTILINE)
_EVENTS = re.compile(r"^### Events of (\w+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_VIEWS = re.compile(r"^### Views of (\w+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_MODULES = re.compile(r"The modules ([^.]*?) of each game")
_PYTHON = re.compile(r"^```python ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def versions() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every page as it is, and of every version that led to this commit."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        yield page.relative_to(ROOT).as_posix(), page.read_text("utf-8")
    listed = subprocess.check_output(
        ["git", "rev-list", "--objects", "--full-history", "HEAD", "--", *PAGES], cwd=ROOT, text=True
    )
    objects = [line.partition(" ") for line in listed.splitlines()]
    for name, _, path in objects:
        if path.endswith((".md", ".1")):
            yield path, subprocess.check_output(["git", "cat-file", "blob", name], cwd=ROOT, text=True)


def imports(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the imports of a page: modules, each with a name in it or None."""
    for module, several, one in _IMPORT.findall(text):
        for name in re.sub(r"#.*", "", several or one).split(","):
            if found := re.match(r"\s*(\w+)", name):
                yield module, found[1]
    for dotted in _DOTTED.findall(text):
        if dotted not in NOT_PYTHON:
            yield dotted, ""
    if path.startswith("docs/api/"):
        for name in _HEADING.findall(text):
            yield ("pokersvc.testing" if path.endswith("testing.md") else "pokersvc"), name
        for game, part in _EVENTS.findall(text):
            for name in {*re.findall(r"^\| `(\w+)\(", part, re.MULTILINE)} - RECORDED:
                yield f"{PACKAGES[game]}.events", name
        for game, part in _VIEWS.findall(text):
            for name in re.findall(r"^`(\w+)`:$", part, re.MULTILINE):
                yield f"{PACKAGES[game]}.view", name
    for said in _MODULES.findall(" ".join(text.split())):
        for module in re.findall(r"`(\w+)`", said):
            for package in PACKAGES.values():
                yield f"{package}.{module}", ""


def listed(found: Iterator[tuple[str, str]]) -> str:
    """Return a line for each module, with the names in it."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for module, name in found:
        names[module].add(name)
    return "".join(f"{' '.join([f'{module}:', *sorted(names[module] - {''})])}\n" for module in sorted(names))


def players(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the files that a page prints and that a player is in, each with its name or none."""
    for name, block in _PYTHON.findall(text):
        if path != "docs/games.md" and "def choose" in block:
            yield name, block


class Printed(NamedTuple):
    """A player of a page: its file, its class, and the game that it plays."""

    file: str
    name: str
    kind: str
    text: str


def printed() -> list[Printed]:
    """Return every player that a page has printed, unchanged, each with its file name."""
    found = []
    for number, (file, text) in enumerate(_PYTHON.findall((HERE / "players.md").read_text("utf-8"))):
        (name,) = re.findall(r"^class (\w+)", text, re.MULTILINE)
        (kind,) = [kind for kind, package in PACKAGES.items() if f"{package}." in text] or ["draw"]
        found.append(Printed(file or f"{name.lower()}_{number}.py", name, kind, text))
    return found


def gathered() -> Mapping[str, str]:
    """Return the files of this folder that are made of the history, by their names."""
    pages = list(versions())
    programs = sorted({one for page in pages for one in players(*page)})
    shown = [f"```python {name}\n{block}```\n" if name else f"```python\n{block}```\n" for name, block in programs]
    return {
        "names.txt": listed(pair for page in pages for pair in imports(*page)),
        "players.md": "\n".join(["Every player that a page has printed, as it was.\n", *shown]),
    }
