"""docs/strategy.md says for which depths there are strategies."""

import re
from pathlib import Path

from pokersvc.games.draw_poker.strategy.spots import BIG_BLIND, Limit, Spot
from pokersvc.games.draw_poker.strategy.strategy_file import shipped_spots

PAGE = (Path(__file__).parents[3] / "docs" / "strategy.md").read_text("utf-8")


def test_the_depths_of_the_page_are_those_of_the_package() -> None:
    antes = {"none": 0, "0.25": BIG_BLIND // 4, "1": BIG_BLIND}
    limits: dict[str, Limit] = {"fixed": "fixed_limit", "pot": "pot_limit", "no": "no_limit"}
    rows = re.findall(r"^\| (fixed|pot|no) \| (none|0\.25|1) \| ([\d, ]+)(?: and more)? \|$", PAGE, re.MULTILINE)
    said = [Spot(limits[limit], antes[ante], int(one)) for limit, ante, depths in rows for one in depths.split(",")]
    assert sorted(said) == shipped_spots()
