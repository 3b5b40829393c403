"""Joins the page's modules into a few files, so that a browser requests a few files instead of more than a hundred.

A part is the main module with all that it imports, or a module loaded later with all that only this module imports;
what several of these modules import is in the main part. Each module is in one part, as a function that is called once
and returns what the module exports. So every module exists once, in whatever order parts are loaded, and its code is
the same as in its file except for ``import`` and ``export``.

The modules must be written as a formatter writes them, each import and export at the start of a line; they must not
import each other in circles, and must export nothing that changes (`export let`).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from posixpath import dirname, join, normpath
from typing import Final, NamedTuple

FOLDER: Final = "joined/"
"""The folder in the paths of the parts, which are made in memory and are no files."""
MAIN: Final = "app/main.js"
"""The module that the page loads first."""

_NAMES: Final = r"\{(?P<names>[^}]*)\}"
_PATH: Final = r"""["'](?P<path>\.[^"']+)["'];?"""
_IMPORT: Final = re.compile(rf"^import\s*(?:(?:{_NAMES}|\*\s*as\s+(?P<whole>\w+))\s*from\s*)?{_PATH}", re.MULTILINE)
_EXPORT_FROM: Final = re.compile(rf"^export\s*{_NAMES}\s*from\s*{_PATH}", re.MULTILINE)
_EXPORT_LIST: Final = re.compile(rf"(?:^|(?<=[;}}]))export\s*{_NAMES};?[ \t]*$", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (?P<name>\w+))", re.MULTILINE)
_LATER: Final = re.compile(r"""\bimport\(["'](?P<path>\.[^"']+)["']\)""")
_LEFT: Final = re.compile(r"^(?:import|export)\b(?!\().*", re.MULTILINE)


class CannotJoin(ValueError):
    """Raised for modules that cannot be joined."""


class _Module(NamedTuple):
    """A module as it stands in a part."""

    code: str
    """The body of its function, in which a path between NUL characters stands for the name of an imported module."""
    needs: tuple[str, ...]
    """The modules that it imports."""
    later: tuple[str, ...]
    """The modules that this module loads later."""
    exports: tuple[str, ...]
    """The names that it exports."""


class Joined:
    """The parts into which a main module and all modules that it loads are joined.

    ``read`` returns the code of a module, given its path below the page's folder.
    """

    def __init__(self, read: Callable[[str], str], main: str = MAIN) -> None:
        self._main = main
        self._modules: dict[str, _Module] = {}
        self._read_all(read)
        self._numbers = {name: number for number, name in enumerate(self._modules)}

    @property
    def modules(self) -> Mapping[str, tuple[str, ...]]:
        """The path of every module, and the names that it exports."""
        return {name: module.exports for name, module in self._modules.items()}

    @cached_property
    def parts(self) -> dict[str, str]:
        """The path of each part below the page's folder, and its code."""
        return {FOLDER + part: self._part(part, names) for part, names in self._homes.items()}

    def _read_all(self, read: Callable[[str], str]) -> None:
        waiting = [self._main]
        while waiting:
            if (name := waiting.pop()) not in self._modules:
                self._modules[name] = module = _module(name, read(name))
                waiting += [*module.needs, *module.later]

    @cached_property
    def _homes(self) -> dict[str, list[str]]:
        """The modules of each part, by the part's path; each module comes after those that it imports."""
        later = {name for module in self._modules.values() for name in module.later}
        needed_by: dict[str, list[str]] = {}
        for entry in [self._main, *sorted(later)]:
            for name in self._needed(entry):
                needed_by.setdefault(name, []).append(entry)
        main = set(self._needed(self._main))
        for name, entries in needed_by.items():
            if len(entries) > 1 and name not in later:
                main.update(self._needed(name))
        homes: dict[str, list[str]] = {entry: [] for entry in [self._main, *sorted(later)]}
        for name in dict.fromkeys(one for entry in list(homes) for one in self._needed(entry)):
            homes[self._main if name in main else name if name in later else needed_by[name][0]].append(name)
        return homes

    def _needed(self, entry: str) -> list[str]:
        """Return a module and all modules that it needs, directly or not, each after those that it imports."""
        found: dict[str, bool] = {}

        def visit(name: str) -> None:
            if name in found:
                if not found[name]:
                    raise CannotJoin(f"{name} imports itself through others: modules must not import in circles.")
                return
            found[name] = False
            for needed in self._modules[name].needs:
                visit(needed)
            del found[name]  # so that this module comes after those
            found[name] = True

        visit(entry)
        return list(found)

    def _part(self, part: str, names: list[str]) -> str:
        home = {name: at for at, within in self._homes.items() for name in within}
        elsewhere: dict[str, list[str]] = {}
        needed = [one for name in names for one in self._modules[name].needs]
        for name in dict.fromkeys([*needed, part]):
            if home[name] != part:
                elsewhere.setdefault(home[name], []).append(self._called(name))
        lines = [f'import {{ {", ".join(found)} }} from "/web/{FOLDER}{at}";' for at, found in elsewhere.items()]
        lines += [self._function(name) for name in names]
        if names:
            lines.append(f"export {{ {', '.join(map(self._called, names))} }};")
        if exports := self._modules[part].exports:
            lines.append(f"export const {{ {', '.join(exports)} }} = {self._called(part)};")
        return "\n".join([*lines, ""])

    def _function(self, name: str) -> str:
        module = self._modules[name]
        code = re.sub(r"\0(.*?)\0", lambda found: self._called(found[1]), module.code)
        return f"const {self._called(name)} = (() => {{ // {name}\n{code}\n}})();"

    def _called(self, name: str) -> str:
        """Return the name of a module in the code of the parts."""
        return f"module{self._numbers[name]}"


def _module(name: str, code: str) -> _Module:
    """Return a module whose code takes its imports from other modules' functions, and returns its exports."""
    needs: list[str] = []
    exports: dict[str, str] = {}

    def at(path: str) -> str:
        return normpath(join(dirname(name), path))

    def imported(found: re.Match[str]) -> str:
        needs.append(needed := at(found["path"]))
        if found["whole"]:
            return f"const {found['whole']} = \0{needed}\0;"
        if found["names"] is None:
            return ""
        names = ", ".join(f"{one}: {own}" if one != own else one for one, own in _pairs(found["names"]))
        return f"const {{ {names} }} = \0{needed}\0;"

    def passed_on(found: re.Match[str]) -> str:
        needs.append(needed := at(found["path"]))
        exports.update((told, f"\0{needed}\0.{one}") for one, told in _pairs(found["names"]))
        return ""

    def listed(found: re.Match[str]) -> str:
        exports.update((told, own) for own, told in _pairs(found["names"]))
        return ""

    def declared(found: re.Match[str]) -> str:
        exports[found["name"]] = found["name"]
        return ""

    later = tuple(at(found["path"]) for found in _LATER.finditer(code))
    code = _IMPORT.sub(imported, code)
    code = _EXPORT_FROM.sub(passed_on, code)
    code = _EXPORT_LIST.sub(listed, code)
    code = _EXPORT.sub(declared, code)
    code = _LATER.sub(lambda found: f'import("/web/{FOLDER}{at(found["path"])}")', code)
    if left := _LEFT.search(code):
        raise CannotJoin(f"{name} has {left[0]!r}: write it as one of the imports and exports that can be joined.")
    told = ", ".join(name if name == own else f"{name}: {own}" for name, own in exports.items())
    return _Module(f"{code.strip()}\nreturn {{ {told} }};", tuple(dict.fromkeys(needs)), later, tuple(exports))


def _pairs(names: str) -> Iterator[tuple[str, str]]:
    """Yield the two names of each import or export in braces: before and after ``as``, equal if there is no ``as``."""
    for one in filter(None, (one.strip() for one in names.split(","))):
        first, _, second = one.partition(" as ")
        yield first, second or first
