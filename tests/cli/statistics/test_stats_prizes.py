"""`pokersvc stats --prizes`: the results of tournaments for prizes, in units."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.program import Program

TOURNAMENT = (
    *("play", "--auto", "--rules", "no-limit", "--levels", "turbo", "--stack", "300", "--entry", "10"),
    *("--player", "Ann=minimum", "--player", "Bob=random", "--player", "Cy=random", "--prizes", "60,40"),
)  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program in a home with two tournaments for prizes, and a game for chips."""
    program = Program(tmp_path_factory.mktemp("prizes"))
    for seed in ("one", "three"):
        program.run(*TOURNAMENT, "--seed", seed)
    program.run("play", "--auto", "--rounds", "3", "--player", "Dee=random", "--player", "Eve=random")
    return program


def test_results_are_added_up_in_units(played: Program) -> None:
    rows = {row["player"]: row for row in played.json("stats", "--prizes")}
    assert set(rows) == {"Ann", "Bob", "Cy"}, "a game for chips has no prizes"
    assert {(row["tournaments"], row["paid"]) for row in rows.values()} == {(2, 20)}
    assert sum(row["won"] for row in rows.values()) == 60, "all that was paid is won"
    assert sum(row["firsts"] for row in rows.values()) == 2
    assert sum(row["in_prizes"] for row in rows.values()) == 4
    nets = dict.fromkeys(rows, 0)
    for seat in [seat for game in played.json("games") for seat in game["seats"]]:
        if seat["name"] in nets:
            nets[seat["name"]] += seat["score"]
    assert {name: row["net"] for name, row in rows.items()} == nets


def test_a_table_names_them_and_csv_has_the_same(played: Program) -> None:
    first, *lines = played.read("stats", "--prizes", "Bob").splitlines()
    assert first.split() == ["tournaments", "paid", "won", "net", "first", "in", "prizes"]
    (bob,) = played.json("stats", "--prizes", "Bob")
    assert lines[0].split()[:3] == ["Bob", "2", "20"]
    (row,) = csv.DictReader(StringIO(played.read("stats", "--prizes", "Bob", "--csv")))
    assert row == {name: str(value) for name, value in bob.items()}


def test_top_says_who_is_left_out(played: Program) -> None:
    assert len(played.json("stats", "--prizes", "--top", "2")) == 2
    assert "Not shown: 1 player" in played.read("stats", "--prizes", "--top", "2")


def test_without_tournaments_it_says_so(played: Program, tmp_path: Path) -> None:
    assert "No finished tournament for prizes of 'Dee' is" in played.read("stats", "--prizes", "Dee")
    empty = Program(tmp_path)
    empty.run("play", "--auto", "--rounds", "1")
    assert empty.read("stats", "--prizes") == "No finished tournament for prizes is in this database.\n"
    assert json.loads(empty.read("stats", "--prizes", "--json")) == []


@pytest.mark.parametrize("other", [("--by", "day"), ("--list",), ("--discards",), ("--plot", "-")])
def test_it_goes_with_nothing_about_hands(played: Program, other: tuple[str, ...]) -> None:
    ended = played.ended("stats", "--prizes", *other)
    assert ended.code != 0
    assert "--prizes is about tournaments" in ended.err
