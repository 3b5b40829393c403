"""The lists of known mutants: those that the tests must kill, and equivalent ones that none can."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tests.checkout import ROOT

from .changes import Mutant, Name, each_mutant

KILLED: Final = Path(__file__).with_name("killed.json")
EQUIVALENT: Final = Path(__file__).with_name("equivalent.json")
GONE: Final = (
    "{file} has no mutant {name}; draw a new list with: make mutants ARGS=\"--store 40\", "
    "or if the code only reads otherwise, write in {list} how it reads now"
)  # fmt: skip


class Killed(NamedTuple):
    """A mutant of the fixed list, and the test that kills it."""

    mutant: Mutant
    test: str


class Equivalent(NamedTuple):
    """A mutant that behaves as the code does, and why no input can show a difference."""

    name: Name
    reason: str


class Gone(Exception):
    """A mutant of a list cannot be made any more."""


def killed(file: Path = KILLED, root: Path = ROOT) -> list[Killed]:
    """Return the fixed list; raise Gone if one of its mutants no longer exists."""
    return [Killed(named(_name(one), file, root), one["test"]) for one in json.loads(file.read_text("utf-8"))]


def equivalents(file: Path = EQUIVALENT, root: Path = ROOT) -> dict[Name, Equivalent]:
    """Return the equivalent mutants; raise Gone if one of them no longer exists."""
    known = [Equivalent(_name(one), one["reason"]) for one in json.loads(file.read_text("utf-8"))]
    return {named(one.name, file, root).name: one for one in known}


def store(found: Iterable[Killed], file: Path = KILLED) -> None:
    """Store the fixed list."""
    said = [{**_said(one.mutant.name), "test": one.test} for one in sorted(found, key=lambda one: one.mutant.name)]
    file.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", "utf-8")


def named(name: Name, file: Path, root: Path) -> Mutant:
    """Return the mutant with a name."""
    source = root / name.file
    for one in each_mutant(name.file, source.read_bytes()) if source.exists() else ():
        if one.name == name:
            return one
    raise Gone(GONE.format(file=name.file, name=str(name), list=file.name))


def _name(said: dict[str, str]) -> Name:
    return Name(said["file"], said["function"], said["change"], int(said.get("nth", 1)))


def _said(name: Name) -> dict[str, str | int]:
    nth = {"nth": name.nth} if name.nth > 1 else {}
    return {"file": name.file, "function": name.function, "change": name.change, **nth}
