"""Charts in plain text: whole screens, compared at usual terminal widths."""

import pytest

from pokersvc.plots.charts import Bar, Bars, Curve, Curves, Point
from pokersvc.plots.terminal import NARROWEST, WIDEST, drawn, shortened
from pokersvc.text import cells

GROWING = Curves(
    "Net over hands: Ann",
    "hands",
    "big blinds",
    [Curve("Ann", [Point(0, 0, None), Point(30, 10, 20), Point(100, 40, 30)])],
)
TWO = Curves(
    "Net over hands: 2 players",
    "hands",
    "big blinds",
    [
        Curve("Ann", [Point(0, 0, None), Point(100, 40, None)]),
        Curve("安娜", [Point(0, 0, None), Point(50, -20, 99.0)]),
    ],
)
WON = Bars("Won against", "big blinds won in 100 hands", [Bar("Bob", 30, 40), Bar("Cid", -5.5, None)])
COST = Bars("What discards cost", "points", [Bar("Ann", 0, None), Bar("Bob", 2.5, None)])


ONE = [
    "Net over hands: Ann",
    "big blinds",
    "   │                                                 ░░░░░░",
    "60 ┤                                          ░░░░░░░░░░░░░",
    "   │                                    ░░░░░░░░░░░░░░░░░░░",
    "   │                             ░░░░░░░░░░░░░░░░░░░░░░░░░░",
    "40 ┤                       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░⢀⣀⡠⠤",
    "   │                 ░░░░░░░░░░░░░░░░░░░░░░░░░⢀⣀⡠⠤⠤⠒⠒⠉⠉⠁░░░",
    "   │                ░░░░░░░░░░░░░░░░░⢀⣀⣀⠤⠤⠒⠒⠉⠉⠁░░░░░░░░░░░░",
    "20 ┤                ░░░░░░░░⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁░░░░░░░░░░░░░░░░░░░░░",
    "   │               ⢀⣀⣀⠤⠤⠒⠒⠊⠉⠁░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
    "   │    ⢀⣀⣀⠤⠤⠤⠒⠒⠊⠉⠉⠁░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
    " 0 ┤⠒⠊⠉⠉⠁───────────░░░░░░░░░░░░░░░░░░░░░░░░░──────────────",
    "   │                ░░░░░░░░░░░░",
    "   └───────────────────────────────────────────────────────",
    "    0                       hands                       100",
]

MEANS = [
    "Won against",
    "Bob ├───────────────────●────────────────────┤  +30.0 ± 40.0",
    "Cid   ●──│                                             -5.50",
    "         0                        50",
    "    big blinds won in 100 hands",
]

COSTS = [
    "Ann ●                                                  +0.00",
    "Bob │───────────────────────────────────────────────●  +2.50",
]


def test_one_curve_has_its_band() -> None:
    assert drawn(GROWING, 60) == ONE


def test_several_curves_are_named_where_they_end_and_have_no_bands() -> None:
    lines = drawn(TWO, 60)
    assert [line.rpartition(" ")[2] for line in lines if line.endswith(("Ann", "安娜"))] == ["Ann", "安娜"]
    assert lines.index(next(line for line in lines if line.endswith("Ann"))) == 2, "the highest line"
    assert "░" not in "".join(lines)


def test_means_stand_on_their_intervals() -> None:
    assert drawn(WON, 60) == MEANS
    assert drawn(COST, 60)[1:3] == COSTS


@pytest.mark.parametrize("chart", [GROWING, TWO, WON, COST], ids=["one", "two", "won", "cost"])
def test_every_width_is_kept_and_nothing_is_coloured(chart: Curves | Bars) -> None:
    for columns in (20, *range(NARROWEST, WIDEST + 1, 7), 500):
        lines = drawn(chart, columns)
        assert max(map(cells, lines)) <= min(max(columns, NARROWEST), WIDEST)
        assert all(line.isprintable() for line in lines)


def test_nothing_won_and_no_hand_are_drawn() -> None:
    assert len(drawn(Curves("Net", "hands", "big blinds", [Curve("Ann", [Point(0, 0, None)])]))) == 16
    assert "●" in drawn(Bars("Net", "chips", [Bar("Ann", 0, None)]))[1]


def test_a_name_that_is_long_or_made_to_deceive_is_shortened_and_shown_as_it_is() -> None:
    assert cells(shortened("玩" * 40)) <= 24
    assert "\x1b" not in "".join(drawn(Bars("Net", "chips", [Bar("\x1b[31mred", 1, None)])))
