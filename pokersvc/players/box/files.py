"""The files from a player's folder that go into its box: its own, modules that it imports, data that it names.

The folder itself may hold a database, or be somebody's home. So these files are found by reading the player's source,
without running it, and are copied.
"""

import ast
import os
import re
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Final

from pokersvc.players.box.spec import FOLDER
from pokersvc.system.files import opened

NAMES: Final = "FILES"
"""The name of the list in a player's file that names its data files."""
MOST_BYTES: Final = 512 << 20
"""The maximum size of all files of a player together, in bytes: a box holds them in memory."""

_SECRET_NAMES: Final = (".sqlite", ".sqlite3", ".db", ".db3", "-wal", "-shm", "-journal", ".pem", ".key")
_SECRETS: Final = (
    (re.compile(rb"SQLite format 3\0"), "a database"),
    (re.compile(rb'\{"tournament":'), "the results of a tournament"),
    (re.compile(rb'\{[^\n]*"format": ?"pokersvc/'), "an export, a checkpoint or a proof"),
    (re.compile(rb"-----BEGIN "), "a key"),
)
"""Pairs: the beginning of files that no player may read, and what such a file is."""


class RefusedFileError(Exception):
    """Raised for a file that a player may not take into its box; the message says why."""


def copies(file: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the path in the box, and the content, of each file to be copied into a player's box."""
    folder, size = file.parent, 0
    for path in _needed(file):
        with opened(path) as source:
            content = source.read(MOST_BYTES + 1)
        size += len(content)
        if size > MOST_BYTES:
            raise RefusedFileError(f"its files have more than {MOST_BYTES >> 20} MiB together")
        yield str(PurePosixPath(FOLDER) / path.relative_to(folder)), content


def _needed(file: Path) -> Iterator[Path]:
    """Yield the player's file, the modules beside it that are imported, and its data files."""
    with opened(file) as opening:
        source = opening.read(MOST_BYTES)
    yield file
    found, looked_at = {file}, [source]
    while looked_at:
        for module in _imported(looked_at.pop()):
            for path in _modules(file.parent, module):
                if path not in found:
                    found.add(path)
                    yield path
                    if path.suffix == ".py":
                        looked_at.append(path.read_bytes())
    for name in named(source):
        path = _data(file.parent, name)
        if path not in found:
            found.add(path)
            yield path


_PARSING: Final = Lock()
"""Held while a file is parsed: in CPython 3.11, one of two threads that parse may fail with a SystemError."""


def _parsed(source: bytes) -> ast.Module:
    try:
        with _PARSING:
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # loading the file will report it
        return ast.Module([], [])


def _imported(source: bytes) -> Iterator[str]:
    for node in ast.walk(_parsed(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _modules(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files of a module or a package beside the player's file."""
    for suffix in (".py", *EXTENSION_SUFFIXES):
        if (path := folder / f"{name}{suffix}").is_file():
            yield _kept_in(folder, path)
    if (folder / name / "__init__.py").is_file():
        for place, _, files in os.walk(folder / name):
            for file in sorted(files):
                if file.endswith((".py", *EXTENSION_SUFFIXES)):
                    yield _kept_in(folder, Path(place, file))


def named(source: bytes) -> list[str]:
    """Return the data files that a player names, such as ``FILES = ["table.npz"]``; raise if it is no list of texts."""
    for node in _parsed(source).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(target, ast.Name) and target.id == NAMES for target in targets):
            try:
                found = ast.literal_eval(node.value)
            except (ValueError, RecursionError):
                found = None
            if not isinstance(found, list | tuple) or not all(isinstance(name, str) for name in found):
                raise RefusedFileError(f'its {NAMES} must be a list of names, such as {NAMES} = ["table.npz"]')
            return list(found)
    return []


def _data(folder: Path, name: str) -> Path:
    path = folder / name
    if not name.isprintable() or not path.is_file():
        raise RefusedFileError(f"{NAMES} names {name!r}, and there is no such file beside it")
    _kept_in(folder, path)
    if what := _secret(path):
        raise RefusedFileError(f"{NAMES} names {name!r}, which is {what}: no player may read that")
    return path


def _kept_in(folder: Path, path: Path) -> Path:
    """Return the path; raise `RefusedFileError` if it leads out of the folder, directly or by links."""
    if not path.resolve().is_relative_to(folder.resolve()) or ".." in path.parts[len(folder.parts) :]:
        raise RefusedFileError(f"{path.name} leads out of the player's folder")
    return path


def _secret(path: Path) -> str | None:
    """Return the kind of a file that no player may read, such as "a database"; None for any other file."""
    if path.resolve().name.endswith(_SECRET_NAMES):
        return "by its name a database or a key"
    with opened(path) as file:
        begins = file.read(4096)
    return next((what for beginning, what in _SECRETS if beginning.match(begins)), None)
