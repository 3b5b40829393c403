"""`pokersvc strategy`: charts of what a strategy does, by kind of hand and position."""

import re

import numpy as np
import pytest

from pokersvc.cards import parse_cards
from pokersvc.games.draw_poker.strategy import strategy_file
from pokersvc.games.draw_poker.strategy.charts import charts
from pokersvc.games.draw_poker.strategy.equilibrium_player import betting_at
from pokersvc.games.draw_poker.strategy.following import Place
from pokersvc.games.draw_poker.strategy.groups import group_of
from pokersvc.games.draw_poker.strategy.spots import named
from pokersvc.games.draw_poker.strategy.strategy_file import Stored
from tests.cli.program import Program

NAME = "fixed-limit-ante-0-depth-2"


@pytest.fixture(scope="module")
def stored() -> Stored:
    found = strategy_file.shipped(named(NAME))
    assert found is not None
    return found


@pytest.mark.parametrize("name", [NAME, "fixed-limit-ante-40-depth-13", "no-limit-ante-0-depth-2"])
def test_every_row_adds_up(name: str) -> None:
    found = strategy_file.shipped(named(name))
    assert found is not None
    for chart in charts(found):
        assert sum(row.share for row in chart.rows) == pytest.approx(1, abs=0.002)
        assert all(sum(row.chances) == pytest.approx(1) for row in chart.rows)
        assert all(len(row.chances) == len(chart.columns) for row in chart.rows)


@pytest.mark.parametrize(("cards", "kind"), [
    ("9S 8H 7D 6C 5S", "straight or better"), ("AS AH AD KS KH", "straight or better"),
    ("2S 2H 2D KS QH", "three of a kind"), ("3S 3H 2D 2S QH", "two pair"),
    ("AS AH 9D 5S 2H", "pair of aces"), ("8S 8H 9D 5S 2H", "pair of eights or lower"),
    ("2S 2H 9S 5S 3S", "pair of eights or lower"),
    ("AS JS 9S 5S 2H", "four to a flush"), ("9S 8H 7D 6C 2H", "four to an open straight"),
    ("AS JH 9D 5S 2H", "ace high"), ("KS JH 9D 5S 2H", "king high"), ("QS JH 9D 5S 2H", "queen high or lower"),
])  # fmt: skip
def test_a_hand_is_in_the_row_of_its_kind(stored: Stored, cards: str, kind: str) -> None:
    hand = np.array([[card.number for card in parse_cards(cards)]], np.intp)
    [group] = group_of(hand, stored.keys)
    first, *_ = charts(stored)
    row = next(row for row in first.rows if row.hands == kind)
    root = stored.strategy.root
    chances = betting_at(stored, Place(root, 1.0), root, int(group))
    if kind in ("straight or better", "three of a kind", "pair of aces"):  # all of these are played alike
        assert row.chances == pytest.approx(chances.tolist(), abs=0.02)


def test_it_is_printed_and_told_as_json(program: Program) -> None:
    said = program.run("strategy", NAME)
    found = program.json("strategy", NAME)
    assert [line[:-1] for line in said.splitlines() if line.endswith(":")] == [one["choice"] for one in found]
    first = found[0]["rows"][0]
    assert re.search(rf"(?m)^{first['hands']} +{100 * first['share']:.1f} ", said)


def test_a_spot_without_a_strategy_names_those_there_are(program: Program) -> None:
    said = program.refused("strategy", "no-limit-ante-0-depth-99")
    assert said.startswith(
        "No strategy for no-limit-ante-0-depth-99 comes with pokersvc; there are no-limit-ante-0-depth-2,"
    )
    assert program.refused("strategy", "pot-limit-ante-10-depth-9").endswith("comes with pokersvc.")
