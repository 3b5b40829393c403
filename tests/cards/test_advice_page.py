"""docs/advice.md: its examples print what the page says, and its figures are the project's."""

import doctest
import re
from math import comb
from pathlib import Path

from pokersvc.cards.opponents import good_players

PAGE = Path(__file__).parent.parent.parent / "docs" / "advice.md"


def test_the_examples_give_what_they_say() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 15
    assert not found.failed


def test_good_players_draw_as_the_page_says() -> None:
    table = PAGE.read_text("utf-8").split("How good players draw")[1].split("The distributions are part")[0]
    rows = re.findall(r"^\| (\d) \|(.*)\|$", table, re.MULTILINE)
    assert [opponents for opponents, _ in rows] == ["1", "3", "5", "9"]
    for opponents, cells in rows:
        ends = good_players()[int(opponents) - 1]
        deals = [ends.counts[size].sum() / comb(47, size) / ends.rounds / comb(52, 5) for size in range(6)]
        assert [cell.strip() for cell in cells.split("|")] == [f"{100 * share:.1f}" for share in deals]


def test_the_page_says_where_averaging_is_needed() -> None:
    rounds = {number: ends.rounds for number, ends in enumerate(good_players(), start=1) if ends.rounds > 1}
    assert list(rounds) == [6, 8]
    assert f"after {rounds[6]} rounds and {rounds[8]}" in " ".join(PAGE.read_text("utf-8").split())
