"""`pokersvc review`: the dearest choices first, a line for each hand, and the same again as JSON."""

import re
from pathlib import Path

import pytest

from tests.cli.program import Program

STARS = Path(__file__).parents[2] / "histories/samples/pokerstars.txt"
TWO = ("--player", "Ann=equilibrium", "--player", "Bob=random")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A home with a game of two that was played to its end."""
    program = Program(tmp_path_factory.mktemp("reviewed"))
    program.run("play", "--auto", "--rules", "fixed-limit", *TWO, "--rounds", "6", "--seed", "demo")
    return program


def test_the_dearest_choices_come_first_then_a_line_for_each_hand(whole: Program) -> None:
    said = whole.run("review", "last", "--as", "Bob", "--samples", "100")
    first, *_ = said.splitlines()
    assert first == ("Review of Bob, by what Bob saw. The program equilibrium plays a strategy close to perfect play.")
    costs = [float(cost) for cost in re.findall(r"Cost: (-?\d+\.\d)", said)]
    assert costs == sorted(costs, reverse=True)
    found = whole.json("review", "last", "--as", "2", "--samples", "100")
    assert len(costs) == min(5, sum(one["cost"] > 0 for one in found["choices"])) > 0
    assert [round_["round"] for round_ in found["rounds"]] == [
        int(one) for one in re.findall(r"(?m)^ +(\d+)  \[", said)
    ]
    assert f"{max(one['cost'] for one in found['choices']):.1f}" == f"{costs[0]:.1f}"
    won = [int(one) for one in re.findall(r"(?m)^ +\d+  \[.*\] +\d+ +(0|[+-]\d+)  ", said)]
    assert won == [round_["net"] for round_ in found["rounds"]]
    winner = whole.run("review", "last", "--as", "Ann", "--samples", "30")
    assert re.search(r"\] +\d+ +\+\d+  ", winner)
    assert "of 100 such hands it wins" in said
    assert sum(round_["choices"] for round_ in found["rounds"]) == len(found["choices"])
    assert said.splitlines()[-1].startswith(f"Together: {found['cost']['amount']:.1f} ± ")


def test_the_seed_is_by_default_the_games_id(whole: Program) -> None:
    asked = ("review", "last", "--as", "Bob", "--samples", "30", "--hands", "2")
    game = whole.json("games")[0]["game"]
    assert whole.run(*asked) == whole.run(*asked, "--seed", game) != whole.run(*asked, "--seed", "other")
    assert len(whole.json(*asked)["rounds"]) == 2


@pytest.mark.parametrize("as_", ["everyone", "auditor"])
def test_a_review_is_of_a_player(whole: Program, as_: str) -> None:
    said = f"A review is of one player, not as {as_}; name a player or a seat with --as."
    assert whole.refused("review", "last", "--as", as_) == said


def test_a_hand_of_another_site_is_reviewed_in_its_currency(tmp_path: Path) -> None:
    program = Program(tmp_path)
    hands = STARS.read_text("utf-8").split("\n\n\n")
    (program.home / "hands.txt").write_text("\n\n\n".join(hands[:2]))
    program.run("import", "hands.txt")
    said = [program.run("review", one["game"], "--as", "Hero") for one in program.json("games")]
    assert any(re.search(r"Together: -?\$\d+\.\d\d(?: ± \$\d+\.\d\d)? in 1 hand\.", one) for one in said)
    nothing = "There is nothing to review: Hero chose nothing in a hand that is over and whose cards are known.\n"
    assert nothing in said
