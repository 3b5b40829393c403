"""The tests of the page's JavaScript, in Node's own test runner; types and style are checked by ``make lint``."""

import pytest

from tests.web.node import WEB, node


@pytest.mark.parametrize("file", sorted(path.name for path in WEB.glob("*.test.js")))
def test_in_node(file: str) -> None:
    done = node("--test", "--test-isolation=none", "--test-reporter=tap", file, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n# pass 0\n" not in done.stdout
