"""What the program says, and what its docstrings say, uses the common word: odd wordings stay out."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tests.odd import found_in

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("pokersvc", "cli", "migrations", "benchmarks")


def texts() -> Iterator[tuple[str, str]]:
    """Yield the string literals of the code with where they are, docstrings and parts of f-strings too."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if (ROOT / "pokersvc" / "cli") in path.parents or (ROOT / "pokersvc" / "migrations") in path.parents:
                continue  # links to folders of the repository
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", " ".join(node.value.split())


@cache
def all_texts() -> list[tuple[str, str]]:
    return list(texts())


def test_the_texts_are_found() -> None:
    places = {place.split(":")[0] for place, _ in all_texts()}
    assert {"cli/play.py", "pokersvc/core/words.py", "migrations/env.py", "benchmarks/audit.py"} <= places
    assert any("What discards are judged by." in text for _, text in all_texts()), "docstrings too"


def test_the_common_word_is_used() -> None:
    assert [(place, odd) for place, text in all_texts() for odd in found_in(text)] == []
