"""How far an action, an audit and an import go through the code: few files, so that one can follow them."""

import re
from pathlib import Path

import pytest

from .walks import ROOT, WALKS, kept

# A tracer of its own and that of coverage do not go together.
pytestmark = pytest.mark.no_cover


def told(what: str) -> int:
    """Return how many files something enters at most, as the page says."""
    page = (ROOT.parent / "docs/architecture.md").read_text("utf-8")
    found = re.search(rf"^\| files that {what} enters \| [\d–]+ \| (\d+) \|$", page, re.MULTILINE | re.IGNORECASE)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_goes_through_few_files(name: str, tmp_path: Path) -> None:
    """What is compiled or cached when it is first used may have been used already."""
    walk, before = WALKS[name](tmp_path), kept()[name]
    assert walk.files[0] == before.files[0], "it begins at the same door"
    assert len(walk.files) <= len(before.files) == told(name), sorted({*walk.files} - {*before.files})
    assert len(walk.up) <= len(before.up), sorted({*walk.up} - {*before.up})
