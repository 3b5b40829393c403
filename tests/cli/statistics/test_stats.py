"""The output of `pokersvc stats`, for people and as JSON."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from pokersvc.cli.statistics.stats_tables import Row, amount, names_of, table
from pokersvc.core.counting import Figures
from pokersvc.text import cells
from tests.cli.program import Program

AUTO = ("play", "--auto", "--rules", "no-limit", "--players", "3", "--seed", "stats", "--rounds", "30",
        "--opponents", "steady")  # fmt: skip


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program in a home with 30 hands or fewer of three bots."""
    program = Program(tmp_path_factory.mktemp("stats"))
    program.run(*AUTO)
    return program


def test_players_are_listed_by_hands_with_their_rates(counted: Program) -> None:
    lines = counted.read("stats").splitlines()
    assert lines[0].split() == ["hands", "net", "bb/100", "VPIP", "PFR", "AF", "AFq", "WTSD", "W$SD"]
    found = {line.split()[0]: line.split()[1] for line in lines[1:4]}
    assert set(found) == {"Player1", "Player2", "Player3"}
    assert sorted(found.values(), key=int, reverse=True) == list(found.values())
    assert max(map(len, lines)) <= 80


def test_json_has_what_was_counted_and_its_rates(counted: Program) -> None:
    rows = counted.json("stats", "Player2", "Player1")
    assert [row["player"] for row in rows] == ["Player2", "Player1"], "in the order in which they were asked for"
    for row in rows:
        assert row["rates"]["vpip"] == row["vpip"] / (row["hands"] - row["walks"])
        assert row["rates"]["won_per_100"] == pytest.approx(row["net_milli"] / 10 / row["hands"])
    assert sum(row["net"] for row in counted.json("stats")) == 0


@pytest.mark.parametrize("by", ["position", "opponents", "house", "opponent", "kind", "day"])
def test_hands_are_split(counted: Program, by: str) -> None:
    (every,) = counted.json("stats", "Player1")
    rows = counted.json("stats", "Player1", "--by", by)
    assert {row["by"] for row in rows} == {by}
    if by != "opponent":
        assert sum(row["hands"] for row in rows) == every["hands"]
        assert sum(row["net"] for row in rows) == every["net"]
    (first, *_) = rows
    assert counted.json("stats", "Player1", "--by", by, "--only", first["value"]) == [first]


def test_positions_stand_in_the_order_of_play(counted: Program) -> None:
    assert [row["value"] for row in counted.json("stats", "Player1", "--by", "position")] == ["BTN", "SB", "BB"]


def test_the_hands_behind_a_number_are_listed(counted: Program) -> None:
    (button, *_) = counted.json("stats", "Player1", "--by", "position")
    hands = counted.json("stats", "Player1", "--by", "position", "--only", "BTN", "--list")
    assert len(hands) == button["hands"]
    assert sum(hand["net"] for hand in hands) == button["net"]
    lines = counted.read("stats", "Player1", "--by", "position", "--only", "BTN", "--list").splitlines()
    assert len(lines) == len(hands)
    assert lines[0].startswith(f"{hands[0]['game'][:8]}  round {hands[0]['round']:>4}  {hands[0]['day']}  Player1  BTN")


def test_csv_has_a_column_for_each_number(counted: Program) -> None:
    rows = list(csv.DictReader(StringIO(counted.read("stats", "--csv"))))
    assert [int(row["hands"]) for row in rows] == [row["hands"] for row in counted.json("stats")]
    hands = list(csv.DictReader(StringIO(counted.read("stats", "Player1", "--list", "--csv"))))
    assert [int(hand["net"]) for hand in hands] == [hand["net"] for hand in counted.json("stats", "Player1", "--list")]


def test_csv_keeps_names_apart_and_as_they_are(program: Program) -> None:
    names = ["=1+2", 'Dee, "x"', "bob B"]
    players = [part for name in names for part in ("--player", f"{name}=minimum")]
    program.run("play", "--auto", "--rules", "no-limit", "--rounds", "1", *players)
    rows = list(csv.DictReader(StringIO(program.read("stats", "--csv"))))
    assert sorted(row["player"] for row in rows) == names
    for hand in csv.DictReader(StringIO(program.read("stats", "--list", "--csv"))):
        assert sorted([hand["player"], *json.loads(hand["opponents"])]) == names


def test_rebuilding_and_not_tallying_say_the_same(counted: Program, tmp_path: Path) -> None:
    before = counted.json("stats", "--by", "position")
    counted.sql("DELETE FROM tallies", "UPDATE game_summaries SET counted = 0")
    assert counted.json("stats", "--by", "position") == before
    counted.run("db", "rebuild")
    assert counted.json("stats", "--by", "position") == before
    assert counted.json("audit")[0]["result"] == "whole"


def test_nothing_to_count_is_said(program: Program) -> None:
    program.run("play", "--auto", "--game", "kalah", "--holes", "2", "--beans", "1", "--seed", "none")
    assert program.read("stats", "Ann") == (
        "No finished hand of 'Ann' is in this database; 1 game of kalah has no hands to count.\n"
    )
    assert json.loads(program.read("stats", "--json")) == []
    assert program.read("stats", "--csv") == ""


def test_what_cannot_be_asked_is_refused(counted: Program) -> None:
    assert counted.refused("stats", "--json", "--csv") == (
        "--json and --csv cannot be combined; leave one of them out."
    )
    assert counted.refused("stats", "--only", "BTN") == "--only BTN needs --by, which says what BTN is; add it."


def test_amounts_stand_in_their_currency_and_are_not_added_up() -> None:
    cents = Row("Ann", "Elsewhere", "", "USD", 2, Figures(dealt=1, net=-1205, rake=5))
    chips = Row("Ann", "", "", "", 0, Figures(dealt=1, net=1205))
    assert amount(cents.figures.net, cents, signed=True) == "-$12.05"
    assert amount(chips.figures.net, chips, signed=True) == "+1,205"
    lines = table([cents, chips])
    assert ["-$12.05" in lines[1], "+1,205" in lines[2]] == [True, True]
    assert lines[-1] == "Ann at Elsewhere      $0.05"


WIDE = Figures(dealt=123_456, net=-1_234_567, net_milli=10**9, square_high=10**9, vpip=9, showdowns=1, saw_draw=1)
LONG = "Bartholomew-the-Longest-Name-Of-All"


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_table_keeps_to_the_width_of_the_terminal(width: int) -> None:
    rows = [Row(name, "PokerStars", "", "USD", 2, WIDE) for name in ("Ann", "Bartholomew", LONG)]
    lines = table(rows, None, width)
    notes = next(number for number, line in enumerate(lines) if line.startswith("bb/100 is"))
    lines = lines[:notes]
    assert max(map(cells, lines)) <= width
    assert len(lines) - lines.count("") > 4, "what was done is below what was won" if width < 120 else ""
    figures = " ".join(" ".join(lines).split())
    assert figures.count("-$12,345.67") == 3
    for row in rows:
        assert f"{row.player} at PokerStars" in figures
    assert (f"{LONG} at PokerStars" in lines) == (width < 120), "a name without room has a line of its own"


def test_a_table_that_fits_is_one(counted: Program) -> None:
    rows = [Row("Ann", "", "", "", 0, Figures(dealt=1, net=5))]
    assert table(rows, None, 80) == table(rows)
    assert len(table(rows, None, 40)) > len(table(rows))


def test_only_those_with_most_hands_are_shown(counted: Program) -> None:
    every = counted.json("stats")
    assert counted.json("stats", "--top", "2") == every[:2]
    lines = counted.read("stats", "--top", "1").splitlines()
    assert lines[-1] == "Not shown: 2 players with fewer hands; --top says how many are."
    assert every[0]["player"] in lines[1]
    against = counted.read("stats", "Player1", "--by", "opponent", "--top", "1").splitlines()
    assert against[-1] == "Not shown: 1 opponent with fewer hands; --top says how many are."
    both = counted.read("stats", "--by", "opponent", "--top", "1").splitlines()
    assert both[-1].startswith("Not shown: 2 players and 1 opponent with fewer hands")
    assert "Not shown" not in counted.read("stats")
    assert "leave --list out" in counted.refused("stats", "--list", "--top", "1")


def test_a_value_that_no_hand_has_is_said(counted: Program) -> None:
    assert counted.read("stats", "Player1", "--by", "position", "--only", "UTG") == (
        "No finished hand of 'Player1' with position 'UTG' is in this database.\n"
    )


def test_every_label_tells_lines_apart_and_says_what_its_value_is() -> None:
    few = Figures(dealt=2, net=5, drew_1=1, rake=1)
    of_site = [Row("Hero", site, "", money, 2, few) for site in ("Boss", "OnGame") for money in ("USD", "EUR", "")]
    alone = Row("Ann", "", "", "", 0, few)
    labels = names_of([*of_site, alone])
    assert labels[:3] == ["Hero at Boss (USD)", "Hero at Boss (EUR)", "Hero at Boss (chips)"]
    assert labels[-1] == "Ann", "of one currency there is nothing to tell apart"
    for width in (None, 60):
        lines = table([*of_site, alone], None, width)
        for label in labels:
            assert sum(line.startswith(f"{label} ") for line in lines) == (3 if width is None else 4)
        assert "confidence" not in "\n".join(lines), "no interval is printed of so few hands"
    assert "bb/100 is big blinds, also in a fixed limit." in lines
    assert "bb/100 is big blinds, also in a fixed limit, with 95% confidence." in table(
        [Row("Ann", "", "", "", 0, WIDE)]
    )
    cents, tenths = (Row("Ann", "X", "", "USD", exponent, few) for exponent in (2, 3))
    assert names_of([cents, tenths]) == ["Ann at X (USD to 2 decimals)", "Ann at X (USD to 3 decimals)"]
    split = [row._replace(value=value) for row in (of_site[0], alone) for value in ("1", "3")]
    assert names_of(split, "opponents")[1:3] == ["Hero at Boss, 3 opponents", "Ann, 1 opponent"]
    assert names_of(split, "opponent")[1] == "Hero at Boss, against 3"
    assert names_of(split[:2], "opponents") == ["1", "3"]
    assert table(split[:2], by="opponents")[0] == "Hero at Boss, by number of opponents:"


def test_hands_that_are_listed_name_the_site_and_chips(program: Program) -> None:
    samples = Path(__file__).parents[2] / "histories/samples"
    program.ended("import", samples / "ongame-more.txt")
    first, second = program.read("stats", "Hero", "--list").splitlines()
    assert "Hero at OnGame  BTN  -$5.85" in first
    assert "Hero at OnGame  BTN  +20 chips  VPIP" in second


@pytest.mark.parametrize(
    "asked", [pytest.param(["--discards"], marks=pytest.mark.slow), ["--discards", "--list"]], ids=" ".join
)
def test_what_discards_gave_away_is_wrapped_at_a_terminal(counted: Program, asked: list[str]) -> None:
    terminal = counted.terminal("stats", *asked, size=(24, 60))
    assert terminal.end() == 0
    lines = terminal.seen.splitlines()
    assert max(map(cells, lines)) <= 60
    whole = " ".join(counted.read("stats", *asked).split())
    assert " ".join(" ".join(lines).split()).endswith(whole[-100:])
