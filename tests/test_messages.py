"""What the program says, and what its docstrings say, uses the common word: odd wordings stay out."""

from typing import Final

import pytest

from tests.odd import found_in
from tests.sources import sources

pytestmark = pytest.mark.no_cover  # sources are read, and none of them is run

FOLDERS: Final = ("pokersvc", "cli", "migrations", "benchmarks")


def test_the_common_word_is_used() -> None:
    """In all string literals of the code, including docstrings and parts of f-strings."""
    found, places, seen = list[tuple[str, list[str]]](), set[str](), False
    for source in sources(*FOLDERS):
        places.add(str(source.path))
        for line, literal in source.texts:
            text = " ".join(literal.split())
            seen = seen or "The aim of a discard:" in text
            if odd := found_in(text):
                found.append((f"{source.path}:{line}", odd))
    assert found == []
    assert {"cli/play/play.py", "pokersvc/core/words.py", "migrations/env.py", "benchmarks/audit.py"} <= places
    assert seen, "docstrings too"
