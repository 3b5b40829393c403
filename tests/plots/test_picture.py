"""Charts as pictures: the points of an SVG, a reproducible file, and no background."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from pokersvc.plots.charts import Bar, Bars, Chart, Curve, Curves, Point
from pokersvc.plots.picture import image

CURVE = [Point(0, 0, None), Point(50, 10, 20.0), Point(100, -30, 40.0)]
CHARTS: list[Chart] = [
    Curves("Net $1 & <2>", "hands", "big blinds", [Curve("Ann", CURVE), Curve("玩家", CURVE[:2])]),
    Bars("Won", "points", [Bar("$x$", 4, 2), Bar("Bob", -4, None)]),
]
SVG = "{http://www.w3.org/2000/svg}"


def points(svg: Path, id_: str) -> list[tuple[float, float]]:
    """Return the points of a path in an SVG, by the id of its group."""
    [group] = [group for group in ElementTree.parse(svg).iter(f"{SVG}g") if group.get("id") == id_]
    path = next(group.iter(f"{SVG}path")).get("d") or ""
    placed = next(group.iter(f"{SVG}use"), None)  # an area is drawn where it is used
    dx, dy = (float(placed.get(name, 0)) for name in ("x", "y")) if placed is not None else (0.0, 0.0)
    return [(float(x) + dx, float(y) + dy) for x, y in re.findall(r"[ML] (\S+) (\S+)", path)]


def test_points_stand_where_their_values_are(tmp_path: Path) -> None:
    (tmp_path / "x.svg").write_bytes(image(CHARTS, tmp_path / "x.svg"))
    (x0, y0), (x1, y1), (x2, y2) = points(tmp_path / "x.svg", "curve-0-0")
    assert (x2 - x0) == pytest.approx(2 * (x1 - x0), rel=1e-3)  # 0, 50 and 100 hands
    assert (y2 - y0) == pytest.approx(-3 * (y1 - y0), rel=1e-3)  # 0, 10 and -30, and up is less
    assert y1 < y0 < y2
    band = points(tmp_path / "x.svg", "band-0-0")
    scale = (y0 - y1) / 10
    assert min(y for _, y in band) == pytest.approx(y0 - 30 * scale, rel=1e-3)  # 10 + 20
    assert max(y for _, y in band) == pytest.approx(y0 + 70 * scale, rel=1e-3)  # -30 - 40
    assert min(x for x, _ in band) == pytest.approx(x1), "no interval before there is one"
    texts = [text.text for text in ElementTree.parse(tmp_path / "x.svg").iter(f"{SVG}text")]
    assert {"Net $1 & <2>", "Ann", "玩家", "$x$", "hands", "big blinds", "points"} <= set(texts)


def test_the_same_charts_make_the_same_file_without_date_and_background(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg", "a.png", "b.PNG"):
        (tmp_path / name).write_bytes(image(CHARTS, tmp_path / name))
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert text == (tmp_path / "b.svg").read_text("utf-8")
    assert "dc:date" not in text
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.PNG").read_bytes()
    with Image.open(tmp_path / "a.png") as opened:
        assert opened.convert("RGBA").getchannel("A").getpixel((0, 0)) == 0
