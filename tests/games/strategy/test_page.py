"""docs/strategy.md: its player plays a strategy that the command of the page makes, and its depths are those that are there."""

import re
from pathlib import Path

import pytest

from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Spot
from pokersvc.games.draw_poker.strategy.strategy_file import shipped_spots
from tests.cli.program import Program

PAGE = (Path(__file__).parents[3] / "docs" / "strategy.md").read_text("utf-8")


@pytest.mark.slow
def test_the_player_of_the_page_plays_what_was_made(program: Program) -> None:
    (player,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (program.home / "own.py").write_text(player)
    name = "fixed-limit-ante-0-depth-2"
    said = program.run("train", name, "--iterations", "10")
    assert f"{name}: 10 iterations" in said
    args = ("--player", "A=own.py:Own", "--player", "B=equilibrium", "--deals", "2", "--json")
    found = program.json("tournament", "--rules", "fixed-limit", "--stack", "4", *args)
    assert [one["forfeits"] for one in found["players"]] == [{}, {}]
    assert "already there" in program.refused("train", name)


def test_the_depths_of_the_page_are_those_of_the_package() -> None:
    antes = {"none": 0, "0.25": BIG_BLIND // 4, "1": BIG_BLIND}
    rows = re.findall(r"^\| (none|0\.25|1) \| ([\d, ]+) and more \|$", PAGE, re.MULTILINE)
    said = [Spot("fixed_limit", antes[ante], int(depth)) for ante, depths in rows for depth in depths.split(",")]
    assert said == [spot for spot in shipped_spots() if spot.limit == "fixed_limit"]
