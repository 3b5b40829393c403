"""Create `pokersvc/core/names/unicode.txt` from Unicode's files: ``python -m tests.names.unicode FOLDER``.

The folder has ``confusables.txt`` (UTS 39) and ``ppucd.txt`` (the character database, a line per code point, as ICU
prepares it). Both lie in the source of ICU, which Debian has as the source package `icu`: ``source/data/unidata``.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

MADE: Final = Path(__file__).parents[2] / "pokersvc" / "core" / "names" / "unicode.txt"
_HEAD: Final = """\
# Letters of Unicode {version}: which are invisible, of which scripts they are, and which look like others.
# Made of Unicode's confusables.txt and ppucd.txt by tests/names/unicode.py, and so a modified form of these files.
# Copyright © 1991-2024 Unicode, Inc. The licence is beside this file: LICENSE-UNICODE.txt.
"""


class Properties(NamedTuple):
    """The properties of a code point."""

    script: str
    extensions: str | None
    ignorable: bool


def text_of(database: Iterable[str], confusables: Iterable[str]) -> str:
    """Return the generated file: Unicode's version, the names of scripts, and ranges of code points."""
    lines = [line.split(";") for line in database]
    (version,) = [fields[1] for fields in lines if fields[0] == "ucd"]
    names = {fields[2]: fields[3].replace("_", " ") for fields in lines if fields[:2] == ["value", "sc"]}
    properties = dict(_properties(lines))
    scripts = {code: (one.extensions or one.script) for code, one in properties.items()}
    used = sorted({name for several in scripts.values() for name in several.split()} - {"Zzzz"})
    told = [_HEAD.format(version=version), f"@version {version}", "@names"]
    told += [f"{name} {names[name]}" for name in used]
    told += ["@invisible", *_ranges({code: "" for code, one in properties.items() if one.ignorable})]
    told += ["@scripts", *_ranges({code: said for code, said in scripts.items() if said != "Zzzz"})]
    told += ["@alike", *_prototypes(confusables, version)]
    return "\n".join(told) + "\n"


def _properties(lines: list[list[str]]) -> Iterator[tuple[int, Properties]]:
    """Return the properties of code points: the defaults, those of the block, and their own."""
    found: dict[int, Properties] = {}
    default = block = Properties("Zzzz", None, False)
    for kind, *fields in lines:
        if kind == "defaults":
            default = _changed(default, fields[1:])
        elif kind in ("block", "cp", "unassigned"):
            base = block if kind == "cp" else default
            said = _changed(base, fields[1:])
            first, _, last = fields[0].partition("..")
            if kind == "block":
                block = said
            found.update(dict.fromkeys(range(int(first, 16), int(last or first, 16) + 1), said))
    yield from sorted(found.items())


def _changed(base: Properties, fields: list[str]) -> Properties:
    for field in fields:
        name, _, value = field.partition("=")
        if name == "sc":
            base = base._replace(script=value)
        elif name == "scx":
            base = base._replace(extensions=None if value == "<script>" else value)
        elif name in ("DI", "-DI"):
            base = base._replace(ignorable=name == "DI")
    return base


def _ranges(said: dict[int, str]) -> Iterator[str]:
    """Yield lines for code points, with one line for neighbours of equal properties."""
    for _, group in groupby(enumerate(said.items()), lambda item: (item[1][0] - item[0], item[1][1])):
        codes = [(code, what) for _, (code, what) in group]
        (first, what), (last, _) = codes[0], codes[-1]
        yield f"{first:04X}{f'..{last:04X}' if last > first else ''} {what}".rstrip()


def _prototypes(confusables: Iterable[str], version: str) -> Iterator[str]:
    """Write each prototype with the letters that look like it."""
    alike: dict[str, list[str]] = {}
    for line in confusables:
        if line.startswith("# Version:"):
            assert line.split()[-1] == version, f"confusables.txt is of {line.split()[-1]}, ppucd.txt of {version}"
        said = line.lstrip("\ufeff").partition("#")[0].strip()
        if said:
            letter, prototype, _ = (field.strip() for field in said.split(";"))
            alike.setdefault(prototype, []).append(letter)
    for prototype, letters in alike.items():
        yield f"{prototype.replace(' ', '+')} {' '.join(letters)}"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    database, letters = ((folder / name).read_text(encoding="utf-8") for name in ("ppucd.txt", "confusables.txt"))
    MADE.write_text(text_of(database.splitlines(), letters.splitlines()), encoding="utf-8")
