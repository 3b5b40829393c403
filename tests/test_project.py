"""What the project says of itself is true."""

import re
from pathlib import Path

from pokersvc import __version__

ROOT = Path(__file__).parent.parent


def test_the_changelog_starts_with_this_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert next(heading for heading in headings if heading != "Unreleased") == __version__
