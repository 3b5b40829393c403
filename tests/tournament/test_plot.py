"""The picture of a tournament."""

import sys
from pathlib import Path

import pytest
from matplotlib.collections import LineCollection
from matplotlib.container import ErrorbarContainer
from PIL import Image

from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.plots.picture import check_plot, image, picture
from pokersvc.tournament import plan, standings
from pokersvc.tournament.plot import charts

from .support import made_up


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("$x$ \\frac{", "玩家一 ♠")], ids=["plain", "odd"])
def test_a_plot_is_a_png_with_something_on_it(tmp_path: Path, names: tuple[str, str]) -> None:
    tournament = plan(DRAW_POKER, {}, tuple(Seat("random", name) for name in names), 2, orders=1)
    path = tmp_path / "x.PNG"
    check_plot(path)
    path.write_bytes(image(charts(standings(tournament, made_up(tournament, (3, -3), (5, -5)))), path))
    with Image.open(path) as opened:
        opened.verify()
        assert (opened.format, opened.width) == ("PNG", 1200)
    with Image.open(path) as opened:
        assert len(opened.convert("RGBA").getcolors(1 << 24) or ()) > 10


def test_the_means_stand_at_their_values_with_their_intervals_the_best_on_top() -> None:
    tournament = plan(DRAW_POKER, {}, tuple(Seat("random", name) for name in ("Ann", "Bob")), 2, orders=1)
    found = standings(tournament, made_up(tournament, (-3, 3), (-5, 5)))
    [axes] = picture(charts(found)).axes
    [bars] = axes.containers
    assert isinstance(bars, ErrorbarContainer)
    points, _, [lines] = bars
    assert points is not None
    assert [list(values) for values in (points.get_xdata(), points.get_ydata())] == [[-4, 4], [0, 1]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Ann", "Bob"]
    error = found.players[0].mean.error
    assert error is not None
    assert error == pytest.approx(12.7062, rel=1e-5)
    assert isinstance(lines, LineCollection)
    for (left, right), middle in zip(lines.get_segments(), (-4, 4), strict=True):
        assert (left[0], right[0]) == pytest.approx((middle - error, middle + error))
    assert axes.get_xlabel() == "chips a game, with 95% confidence"


def test_one_deal_is_plotted_without_an_interval(tmp_path: Path) -> None:
    tournament = plan(DRAW_POKER, {}, (Seat("random", "A"), Seat("random", "B")), 1, orders=1)
    assert image(charts(standings(tournament, made_up(tournament, (3, -3)))), tmp_path / "x.svg").startswith(b"<?xml")


@pytest.mark.parametrize("name", ["x", "x.", "x.txt", "png"])
def test_a_name_that_is_no_picture_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidValue, match=r"its name ends in \.png or"):
        check_plot(tmp_path / name)


def test_without_matplotlib_a_plot_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    with pytest.raises(InvalidValue, match="A plot needs matplotlib; install pokersvc with the extra `plot`"):
        check_plot(tmp_path / "x.png")
