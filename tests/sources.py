"""The sources of the project as tests read them: each parsed once, and only what is asked of them kept."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


@dataclass(frozen=True)
class Source:
    """The content of a module: its strings with their lines, f-strings, classes and names."""

    path: Path
    texts: tuple[tuple[int, str], ...]
    joined: tuple[ast.JoinedStr, ...]
    classes: tuple[str, ...]
    names: Counter[str]


def sources(*folders: str) -> Iterator[Source]:
    """Yield the modules of folders of the repository, a folder that is a link left out where it is not named."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield source(path.resolve())


@cache
def source(path: Path) -> Source:
    """Return the content of a module."""
    module = ast.parse(path.read_text("utf-8"))
    nodes = list(ast.walk(module))
    strings = (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return Source(
        path.relative_to(ROOT),
        tuple((text.lineno, str(text.value)) for text in strings),
        tuple(node for node in nodes if isinstance(node, ast.JoinedStr)),
        tuple(node.name for node in module.body if isinstance(node, ast.ClassDef)),
        Counter(node.id for node in nodes if isinstance(node, ast.Name)),
    )
