"""`pokersvc stats --discards`: the cost of discards, who may see it, and hands that were learned later."""

from fractions import Fraction
from pathlib import Path

import pytest

from pokersvc.cards import parse_cards
from pokersvc.cards.advice import Objective, advise
from pokersvc.cards.given_away import given_away
from pokersvc.cards.hand import InvalidHand
from tests.cli.program import Program
from tests.histories.test_importing import HAND, SAME_OF_DORA

STARS = Path(__file__).parents[2] / "histories/samples/pokerstars.txt"


@pytest.mark.parametrize(
    ("hand", "opponents", "most"), [("JH 7D 6S 3S 2H", 2, 5), ("AC AD JH 3S 2D", 3, 5), ("4C 3C 2H 2D 2C", 1, 3)]
)
def test_every_discard_costs_what_the_exact_advice_says(hand: str, opponents: int, most: int) -> None:
    cards = parse_cards(hand)
    found = advise(cards, Objective("win", opponents), most=most)
    best = found[0].exact
    assert best is not None
    for row in found:
        away = given_away(cards, row.thrown, opponents, most)
        assert (away.chance, away.best_chance, away.cost) == (row.exact, best, best - (row.exact or 0))
        assert away.best == found[0].thrown
    assert given_away(cards, found[0].thrown, opponents, most).cost == Fraction(0)


def test_a_card_that_is_not_held_cannot_have_been_thrown_away() -> None:
    with pytest.raises(InvalidHand, match="only those can be thrown away"):
        given_away(parse_cards("JH 7D 6S 3S 2H"), parse_cards("AC"), 2)


def test_the_worst_come_first_and_add_up(program: Program) -> None:
    program.ended("import", STARS)
    worst, second, *right = program.json("stats", "--discards", "--list")
    assert (worst["hand"], worst["thrown"], worst["best"], worst["opponents"]) == (
        ["Jh", "7d", "6s", "3s", "2h"], ["Jh"], ["7d", "6s", "3s", "2h"], 2,
    )  # fmt: skip
    assert worst["points"] == pytest.approx(100 * (worst["best_chance"] - worst["chance"]))
    # The hero's four to a straight flush and two pair; and Ida's flush, which is known as she stood pat and showed it.
    assert sorted((one["player"], one["points"]) for one in right) == [("Hero", 0), ("Hero", 0), ("Ida", 0)]
    [row] = program.json("stats", "Hero", "--discards")
    assert row["discards"]["worst"] == worst["points"]
    assert row["discards"]["points"] == pytest.approx(worst["points"] + second["points"])
    assert (row["discards"]["judged"], row["discards"]["best"]) == (4, 2)
    by_position = program.json("stats", "Hero", "--discards", "--by", "position")
    assert {row["value"]: row["discards"]["judged"] for row in by_position}["SB"] == 1
    lines = program.read("stats", "Hero", "--discards", "--list", "--top", "1").splitlines()
    assert lines[0].split()[0] == "15.06"
    assert lines[1:] == [
        "        threw JH: wins 2.74; best is 7D 6S 3S 2H: wins 17.81",
        "4 discards judged: 2 best; 1 more gave something away.",
    ]
    last = program.read("stats", "Hero", "--discards").splitlines()[-1]
    assert last.split() == ["Hero", "at", "PokerStars", "4", "50", "5.06", "15.06"]
    assert "discards_worst" in program.read("stats", "Hero", "--discards", "--csv").splitlines()[0]
    assert program.read("stats", "Kai", "--discards").splitlines()[-1] == (
        "No discard has only known cards, so none was judged."
    )


def test_cards_that_another_file_reveals_are_judged_too(program: Program) -> None:
    for number, text in enumerate((HAND, SAME_OF_DORA)):
        (program.home / f"{number}.txt").write_text(text, "utf-8")
        assert program.ended("import", f"{number}.txt").code == 0
        found = program.json("stats", "--discards", "--list")
        assert [one["player"] for one in found] == [["Hero"], ["Hero", "Dora"]][number]
    assert (found[1]["hand"], found[1]["thrown"]) == (["Ad", "Ks", "9c", "8c", "7c"], ["9c", "8c", "7c"])


def test_a_game_in_progress_shows_no_discard_without_force(played: Program) -> None:
    """Given a finished round in an unfinished game, its hands stay hidden."""
    assert [row["hands"] for row in played.json("stats", "Zoë", "Bob")] == [1, 1]
    assert played.json("stats", "Zoë", "Bob", "--discards", "--list") == []
    assert [row["discards"]["judged"] for row in played.json("stats", "Zoë", "Bob", "--discards")] == [0, 0]
    forced = played.json("stats", "Zoë", "Bob", "--discards", "--list", "--force")
    assert {one["player"] for one in forced} == {"Zoë", "Bob"}
    assert {one["round"] for one in forced} == {1}, "a hand that is on is not counted"


def test_what_needs_discards_is_refused_without(played: Program) -> None:
    assert played.refused("stats", "--force") == (
        "--force is for --discards, which shows hands of games in progress; add it."
    )
