"""docs/betting.md: its example game is the one tested here, and its examples print what the page says."""

import doctest
import re
from pathlib import Path

from . import game

PAGE = Path(__file__).parent.parent.parent / "docs" / "betting.md"


def test_the_game_of_the_page_is_the_one_of_these_tests() -> None:
    (shown,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    _, _, ours = Path(game.__file__).read_text("utf-8").partition("\n\n")
    assert shown == ours


def test_the_examples_give_what_they_say() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, globs=dict(vars(game)))
    assert found.attempted > 5
    assert not found.failed


def test_every_module_has_its_line() -> None:
    table = PAGE.read_text("utf-8").partition("## Where to find it")[2]
    named = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE))))
    modules = {path.stem for path in (PAGE.parent.parent / "pokersvc/betting").glob("*.py")} - {"__init__"}
    assert named == modules
