"""What the program says, and what its docstrings say, uses the common word: odd wordings stay out."""

from collections.abc import Iterator
from typing import Final

import pytest

from tests.odd import found_in
from tests.sources import sources

pytestmark = pytest.mark.no_cover  # sources are read, and none of them is run

FOLDERS: Final = ("pokersvc", "cli", "migrations", "benchmarks")


def texts() -> Iterator[tuple[str, str]]:
    """Yield the string literals of the code with their places, including docstrings and parts of f-strings."""
    for source in sources(*FOLDERS):
        for line, text in source.texts:
            yield f"{source.path}:{line}", " ".join(text.split())


def test_the_texts_are_found() -> None:
    places = {place.split(":")[0] for place, _ in texts()}
    assert {"cli/play/play.py", "pokersvc/core/words.py", "migrations/env.py", "benchmarks/audit.py"} <= places
    assert any("The aim of a discard:" in text for _, text in texts()), "docstrings too"


def test_the_common_word_is_used() -> None:
    assert [(place, odd) for place, text in texts() for odd in found_in(text)] == []
