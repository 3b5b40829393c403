"""The tests of the page's JavaScript, in Node's own test runner; types and style are checked by ``make lint``."""

import pytest

from tests.web.node import WEB, node

ALONE = "takes-part.test.js"
"""Puts a server and a browser's storage in the place of what all would have."""
FILES = sorted(path.name for path in WEB.glob("*.test.js"))


@pytest.mark.parametrize("files", [[name for name in FILES if name != ALONE], [ALONE]], ids=["all others", ALONE])
def test_in_node(files: list[str]) -> None:
    """In as few processes as can be: each takes as long to start as most of the files."""
    done = node("--test", "--test-isolation=none", "--test-reporter=junit", *files, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [name for name in files if f'{name}"' not in done.stdout] == [], "has no test"
