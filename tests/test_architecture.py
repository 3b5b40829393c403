"""The number of files that an action, an audit and an import pass through, which is limited."""

import re
from pathlib import Path

import pytest

from .walks import ROOT, WALKS, kept

# A tracer of its own and that of coverage do not go together.
pytestmark = pytest.mark.no_cover


def told(what: str) -> int:
    """Return the maximum number of files that the page states."""
    page = (ROOT.parent / "docs/architecture.md").read_text("utf-8")
    found = re.search(rf"^\| files that {what} enters \| [\d–]+ \| (\d+) \|$", page, re.MULTILINE | re.IGNORECASE)
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_goes_through_few_files(name: str, tmp_path: Path) -> None:
    """The first call may compile or fill caches, but an earlier test may have done that already."""
    walk, before = WALKS[name](tmp_path), kept()[name]
    assert walk.files[0] == before.files[0], "it begins at the same door"
    assert len(walk.files) <= len(before.files) == told(name), sorted({*walk.files} - {*before.files})
    assert len(walk.up) <= len(before.up), sorted({*walk.up} - {*before.up})
