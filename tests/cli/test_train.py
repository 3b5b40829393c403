"""`pokersvc train`: strategies as files, made in steps, which a player of one's own can play."""

import re
from pathlib import Path

import pytest

from pokersvc.games.draw_poker.strategy.spots import named
from pokersvc.games.draw_poker.strategy.strategy_file import read
from pokersvc.games.draw_poker.strategy.training import train
from pokersvc.games.draw_poker.strategy.tree import EDITIONS, LATEST, betting_tree
from tests.cli.program import Program

PAGE = (Path(__file__).parents[2] / "docs" / "strategy.md").read_text("utf-8")
NAME, OTHER = "fixed-limit-ante-0-depth-2", "no-limit-ante-40-depth-3"


@pytest.mark.slow
def test_the_player_of_the_page_plays_what_was_made(program: Program) -> None:
    (player,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (program.home / "own.py").write_text(player)
    said = program.run("train", NAME, "--iterations", "20", "--plot", "strategy.svg").splitlines()
    assert [line.partition(",")[0] for line in said[:2]] == [f"{NAME}: 10 iterations", f"{NAME}: 20 iterations"]
    assert (program.home / "strategy.svg").read_text().startswith("<?xml")
    args = ("--player", "A=own.py:Own", "--player", "B=equilibrium", "--deals", "2", "--seed", "1")
    found = program.json("tournament", "--rules", "fixed-limit", "--stack", "4", *args)
    assert [one["forfeits"] for one in found["players"]] == [{}, {}]
    assert "is already there" in program.refused("train", NAME)


@pytest.mark.slow
def test_the_same_bits_come_of_any_number_of_processes_and_after_an_interruption(tmp_path: Path) -> None:
    spots = [named(NAME), named(OTHER)]
    for folder in ("one", "two", "interrupted"):
        (tmp_path / folder).mkdir()
    list(train(spots, tmp_path / "one", 20, 1))
    list(train(spots, tmp_path / "two", 20, 2))
    begun = train(spots, tmp_path / "interrupted", 20, 1)
    assert next(begun).measured[-1].iterations == 10
    begun.close()
    (first,) = [one for one in train(spots[:1], tmp_path / "interrupted", 20, 1) if one.written]
    assert [one.iterations for one in first.measured] == [10, 20]
    list(train(spots[1:], tmp_path / "interrupted", 20, 1))
    made = [{path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} for folder in ("one", "two")]
    assert sorted(made[0]) == [f"{NAME}.strategy", f"{OTHER}.strategy"]
    assert made[0] == made[1] == {path.name: path.read_bytes() for path in (tmp_path / "interrupted").iterdir()}


@pytest.mark.parametrize("name", ["fixed-limit", "fixed-limit-ante-7-depth-12", "no-limit-ante-0-depth-1"])
def test_what_is_no_spot_is_refused(program: Program, name: str) -> None:
    assert program.refused("train", name).endswith(".")


def test_an_earlier_edition_has_the_sizes_of_its_tree(program: Program) -> None:
    program.run("train", "no-limit-ante-0-depth-3", "--iterations", "1", "--edition", "2")
    made = read(program.home / "no-limit-ante-0-depth-3.strategy")
    assert made.edition == 2
    assert made.strategy.root.actions == betting_tree(made.strategy.spot, EDITIONS[2]).actions


def test_an_edition_that_is_not_there_is_refused(program: Program) -> None:
    refused = program.refused("train", NAME, "--edition", str(LATEST + 1))
    assert refused == f"There is no edition {LATEST + 1} of the trees; name one of 1 to {LATEST}."


def test_a_folder_that_is_not_there_is_refused(program: Program) -> None:
    assert program.refused("train", NAME, "-o", "nowhere") == "nowhere is not a folder; name one that is there."


@pytest.mark.slow
def test_a_part_that_is_damaged_is_refused(program: Program) -> None:
    (program.home / f"{NAME}.part").write_bytes(b"damaged")
    assert "is no unfinished strategy of this version" in program.refused("train", NAME)
