"""docs/streets.md: its examples give what they say."""

import doctest
import re
from pathlib import Path

from pokersvc.streets.street import Street

from .variants import HOLDEM, STUD

PAGE = Path(__file__).parent.parent.parent / "docs" / "streets.md"


def shown() -> dict[str, object]:
    """Return the names of the page's blocks of Python."""
    names: dict[str, object] = {"__name__": "page"}
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        exec(block, names)
    return names


def test_the_lists_of_the_page_are_the_games_of_these_tests() -> None:
    names = shown()
    assert names["HOLDEM"] == HOLDEM.variant.streets
    assert names["STUD"] == STUD.variant.streets
    draw = names["DRAW"]
    assert isinstance(draw, tuple)
    assert all(isinstance(street, Street) for street in draw)


def test_the_examples_give_what_they_say() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, globs=shown())
    assert found.attempted > 5
    assert not found.failed


def test_every_module_has_its_line() -> None:
    table = PAGE.read_text("utf-8").partition("## Where to find it")[2]
    named = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE))))
    modules = {path.stem for path in (PAGE.parent.parent / "pokersvc/streets").glob("*.py")} - {"__init__"}
    assert named == modules
