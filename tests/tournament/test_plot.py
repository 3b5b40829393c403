"""The picture of a tournament."""

import sys
from pathlib import Path

import pytest
from PIL import Image

from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.game import Seat
from pokersvc.tournament import plan, standings
from pokersvc.tournament.plot import check_plot, plot

from .support import made_up


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("$x$ \\frac{", "玩家一 ♠")], ids=["plain", "odd"])
def test_a_plot_is_a_png_with_something_on_it(tmp_path: Path, names: tuple[str, str]) -> None:
    tournament = plan(DRAW_POKER, {}, tuple(Seat("random", name) for name in names), 2, orders=1)
    path = tmp_path / "x.PNG"
    check_plot(path)
    plot(standings(tournament, made_up(tournament, (3, -3), (5, -5))), path)
    with Image.open(path) as image:
        image.verify()
        assert (image.format, image.width) == ("PNG", 1200)
    with Image.open(path) as image:
        assert len(image.convert("RGB").getcolors(1 << 24) or ()) > 10


def test_one_deal_is_plotted_without_an_interval(tmp_path: Path) -> None:
    tournament = plan(DRAW_POKER, {}, (Seat("random", "A"), Seat("random", "B")), 1, orders=1)
    plot(standings(tournament, made_up(tournament, (3, -3))), tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("name", ["x", "x.", "x.txt", "png"])
def test_a_name_that_is_no_picture_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidValue, match=r"its name ends in \.png or"):
        check_plot(tmp_path / name)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="there is no folder"):
        check_plot(tmp_path / "nowhere" / "x.png")


def test_without_matplotlib_a_plot_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    with pytest.raises(InvalidValue, match="A plot needs matplotlib; install pokersvc with the extra `plot`"):
        check_plot(tmp_path / "x.png")
