"""`pokersvc stats --plot` and `pokersvc tournament --plot`: the plotted numbers are those of the table."""

import re
from pathlib import Path

import pytest

from pokersvc.cli.drawing.colours import Painter, Scheme
from pokersvc.cli.statistics.plot_option import painted
from pokersvc.cli.statistics.stats_plots import charts
from pokersvc.cli.statistics.stats_tables import rows_of
from pokersvc.eventlog.database import Database
from pokersvc.histories.statistics.curves import Winner, curves
from pokersvc.plots.charts import Bar, Bars, Chart, Curve, Curves, Point
from pokersvc.plots.terminal import drawn
from pokersvc.service.read_models.statistics import hands, statistics
from pokersvc.text import cells
from tests.cli.program import Program
from tests.plots.test_picture import points


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program in a home with two games of three bots."""
    program = Program(tmp_path_factory.mktemp("plots"))
    players = ("--player", "Ann=steady", "--player", "Bob=minimum", "--player", "Cid=random")
    for seed in ("one", "two"):
        program.run("play", "--auto", "--rules", "no-limit", *players, "--seed", seed, "--rounds", "25")
    return program


def test_the_curve_ends_at_the_numbers_of_the_table(counted: Program) -> None:
    with Database.for_reading(str(counted.database)) as database:
        rows = rows_of(statistics(database), "all", ())
        found = statistics(database)
        net, won = charts(database, rows, "all", found, only=None, discards=None)
        [alone, against] = charts(database, rows[:1], "all", found, only=None, discards=None)
    assert isinstance(net, Curves)
    assert isinstance(won, Bars)
    assert isinstance(against, Bars)
    for curve, row, bar in zip(net.curves, rows, won.bars, strict=True):
        last = curve.points[-1]
        assert (last.at, last.value) == (row.figures.dealt, row.figures.net_milli / 1000)
        within = row.rates.within
        assert last.within == (None if within is None else pytest.approx(within * row.figures.dealt / 100))
        assert {point.within for point in curve.points if point.at < 30} == {None}, "as in the table, from 30 on"
        assert (bar.value, bar.within) == (row.rates.won_per_100, row.rates.within)
    assert net.curves[0].points[-1].within is not None
    assert {bar.name for bar in against.bars} == {row.player for row in rows[1:]}
    assert alone.title == f"Net over hands: {rows[0].player}"


def test_hands_of_other_sites_stand_in_the_order_in_which_they_were_played(program: Program) -> None:
    program.ended("import", Path(__file__).parents[2] / "histories/samples/pokerstars.txt")
    hero = Winner("Hero", "PokerStars", "USD", 2)
    with Database.for_reading(str(program.database)) as database:
        [curve] = curves(hands(database, "all", ("Hero",)), {hero: "Hero"})
    won = [after.value - before.value for before, after in zip(curve.points, curve.points[1:], strict=False)]
    # 2009-11-25 six hands, 2010-09-21 one, 2011 two and 2012 one, in big blinds.
    assert won == pytest.approx([-2, -0.5, 0, 1.5, -5, 0, -8, 0, 0.5, 5.64])


def test_plots_follow_the_table_on_the_terminal_and_in_a_pipe(counted: Program) -> None:
    counted.variables["COLUMNS"] = "72"
    table = counted.read("stats", "Ann", "--discards")
    shown = counted.read("stats", "Ann", "--discards", "--plot", "-")
    assert shown.startswith(table)
    lines = shown.removeprefix(table).splitlines()
    titles = ["Net over hands: Ann", "Won against", "What discards cost, by cards thrown away"]
    assert [line for line in lines if line in titles] == titles
    assert max(map(len, lines)) <= 72
    assert "\x1b" not in shown
    assert "Won by position: Ann" in counted.read("stats", "Ann", "--by", "position", "--plot", "-").splitlines()


ABC = (("Ann", 40), ("Bob", -20), ("Cid", 9))
RESET = "\x1b[0m"
CODES = re.compile(r"\x1b\[[0-9;]*m")
COLOURED = (
    Curves("Net", "hands", "big blinds", [Curve(name, [Point(0, 0, None), Point(9, at, 5)]) for name, at in ABC]),
    Curves("Net", "hands", "big blinds", [Curve("Ann", [Point(0, 0, 1), Point(40, 40, 30)])]),
    Bars("Won", "in 100 hands", [Bar("Up", 30, 9), Bar("Down", -30, 9), Bar("Open", 3, 9), Bar("Few", 3, None)]),
)


@pytest.mark.parametrize("chart", COLOURED)
@pytest.mark.parametrize("scheme", Scheme)
def test_a_chart_in_colours_says_what_it_says_without(chart: Chart, scheme: Scheme) -> None:
    lines = painted(chart, 70, Painter(scheme))
    assert [CODES.sub("", line).rstrip() for line in lines] == drawn(chart, 70)
    assert painted(chart, 70, Painter(None, codes=False)) == drawn(chart, 70)
    assert painted(chart, 70, Painter(None)) == drawn(chart, 70), "without colours nothing else is said either"


def test_curves_and_intervals_are_told_apart_by_their_colours() -> None:
    three, one, bars = ("\n".join(painted(chart, 70, Painter(Scheme.DARK))) for chart in COLOURED)
    assert len(set(CODES.findall(three)) - {RESET}) == 3
    assert len(set(CODES.findall(one)) - {RESET}) == 2, "a curve and its band"
    up, down, open_, few = (CODES.findall(line)[0] for line in bars.splitlines()[1:5])
    assert len({up, down, open_}) == 3
    assert open_ == few


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_that_has_colours_gets_them(
    counted: Program, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], coloured: bool
) -> None:
    for name, value in ({"TERM": "xterm-256color", "COLUMNS": "60"} | variables).items():
        monkeypatch.setitem(counted.variables, name, value)
    terminal = counted.terminal("stats", "Ann", "--plot", "-", size=(24, 60))
    assert terminal.end() == 0
    assert ("\x1b[" in terminal.seen) is coloured
    lines = [CODES.sub("", line).rstrip() for line in terminal.seen.splitlines()]
    assert max(map(cells, lines)) <= 60
    assert "Won against" in lines


@pytest.mark.slow
def test_a_picture_has_a_point_for_each_hand(counted: Program) -> None:
    [row] = counted.json("stats", "Ann")
    counted.read("stats", "Ann", "--plot", counted.home / "ann.svg")
    assert 2 < len(points(counted.home / "ann.svg", "curve-0-0")) <= row["hands"] + 1


@pytest.mark.parametrize("by", ["all", "opponents", "opponent", "position"])
def test_lines_of_several_sites_and_currencies_are_told_apart_at_every_width(program: Program, by: str) -> None:
    samples = Path(__file__).parents[2] / "histories/samples"
    program.ended("import", *(samples / name for name in ("boss.xml", "pokerstars.txt", "pokerstars-more.txt")))
    with Database.for_reading(str(program.database)) as database:
        found = statistics(database, by, ("Hero",))
        rows = rows_of(found, by, ("Hero",))
        net, won = charts(database, rows, by, found, only=None, discards=None)
    assert isinstance(net, Curves)
    assert isinstance(won, Bars)
    assert {"Hero at PokerStars (USD)", "Hero at PokerStars (chips)"} <= {curve.name for curve in net.curves}
    for names in ([curve.name for curve in net.curves], [bar.name for bar in won.bars]):
        assert len(set(names)) == len(names)
    for width in (60, 80, 200):
        for chart in (net, won):
            lines = "\n".join(drawn(chart, width))
            assert "confidence" not in lines, "no interval is drawn of so few hands"
        assert "(USD)" in "\n".join(drawn(net, width))
        assert "(chips)" in "\n".join(drawn(net, width))
        bars = [line.split("  ")[0] for line in drawn(won, width)[1:-2]]
        assert len(set(bars)) == len(won.bars)


def test_captions_are_wrapped_and_name_an_interval_where_one_is_drawn() -> None:
    long = [
        Bar("Bartholomew at the Longest Site of All (USD)", 1, 1),
        Bar("Bartholomew at the Longest Site (EUR)", 2, 1),
    ]
    lines = drawn(Bars("Won", "big blinds won in 100 hands", long, interval="with 95% confidence"), 60)
    assert " ".join(" ".join(lines[-2:]).split()).endswith("big blinds won in 100 hands, with 95% confidence")
    one, two = ([Curve(name, [Point(at, at, 1) for at in range(3)]) for name in names] for names in ("A", "AB"))
    assert (
        drawn(Curves("Net", "hands", "big blinds", one, "with 95% confidence"))[1] == "big blinds, with 95% confidence"
    )
    assert drawn(Curves("Net", "hands", "big blinds", two, "with 95% confidence"))[1] == "big blinds"


def test_a_picture_is_never_overwritten_and_said_to_be_written(counted: Program, tmp_path: Path) -> None:
    file = tmp_path / "ann.svg"
    assert counted.read("stats", "Ann", "--plot", file).splitlines()[-1] == f"{file}: 2 charts."
    before = file.read_bytes()
    sentence = f"{file} already exists and is not overwritten; name another file, or remove it first."
    assert counted.refused("stats", "Bob", "--plot", file) == sentence
    assert file.read_bytes() == before
    assert counted.refused("stats", "--plot", tmp_path / "nowhere" / "x.png").endswith(
        f"there is no folder {tmp_path / 'nowhere'}."
    )
    ended = counted.ended("stats", "--csv", "--plot", tmp_path / "x.png")
    assert (ended.err, ended.out) == (
        f"{tmp_path / 'x.png'}: 2 charts.\n",
        counted.read("stats", "--csv"),
    )


@pytest.mark.slow
def test_where_a_home_can_keep_no_fonts_a_plot_is_made_without_a_word_of_it(counted: Program, tmp_path: Path) -> None:
    (tmp_path / "no-folder").touch()
    apart = Program(counted.home, {"MPLCONFIGDIR": str(tmp_path / "no-folder" / "x")}, apart=True)
    assert apart.run("stats", "--plot", tmp_path / "x.svg").endswith(f"\n{tmp_path / 'x.svg'}: 2 charts.\n")


def test_what_may_not_be_written_is_the_same_sentence_for_every_output(counted: Program) -> None:
    folder = counted.home / "norights"
    folder.mkdir(mode=0)
    for asked, name in (
        (("stats", "--plot"), "x.svg"),
        (("export", "--format", "parquet", "-o"), "tables"),
        (("export", "last", "-o"), "x.jsonl"),
    ):
        said = counted.refused(*asked, folder / name, powerless=True)
        assert said == f"{folder / name} cannot be written: Permission denied."


def test_a_terminal_that_is_too_narrow_is_refused(counted: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(counted.variables, "COLUMNS", "59")
    assert counted.refused("stats", "--plot", "-") == (
        "--plot - needs 60 columns, but the terminal has 59; widen the terminal, or name a file."
    )


def test_what_cannot_be_plotted_is_refused_before_anything_is_counted(counted: Program) -> None:
    assert counted.refused("stats", "--json", "--plot", "-") == (
        "--plot - prints for people, and --json and --csv for programs; leave one of them out."
    )
    assert counted.refused("stats", "--list", "--plot", "x.svg") == (
        "--plot draws numbers, and --list lists the hands behind them; leave one of them out."
    )
    assert counted.refused("stats", "--plot", "x.txt").endswith("its name ends in .png or .svg.")


def test_a_tournament_is_plotted_below_its_table(program: Program) -> None:
    asked = (
        "tournament",
        "--player",
        "A=minimum",
        "--player",
        "B=minimum",
        "--deals",
        "3",
        "--seed",
        "s",
        "--processes",
        "1",
    )
    table = program.run(*asked)
    shown = program.run(*asked, "--plot", "-").splitlines()
    assert shown[: len(table.splitlines())] == table.splitlines()
    assert any(line.startswith("A ") and "●" in line for line in shown[len(table.splitlines()) :])
    assert shown[-1].strip() == "chips a game", "no interval is drawn"
