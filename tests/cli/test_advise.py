"""`pokersvc advise`: the best discard in a sentence, all discards in a table, and refused questions."""

import json
import re
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from pokersvc.cards import CARDS, parse_cards
from pokersvc.cards.advice import AIMS, WITHIN, Objective, advise
from pokersvc.cards.ranking import Category

from .program import Program

ACES = "AH AD JS 3C 2D"


def found(program: Program, *arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(program.run("advise", *arguments, "--json"))
    return document


def test_the_best_discard_comes_in_a_sentence_then_all_32_by_value_with_the_chance_of_each_final_hand(
    program: Program,
) -> None:
    sentence, empty, head, *rows = program.run("advise", ACES).splitlines()
    assert sentence == (
        "Discard JS 3C 2D and keep AH AD: it wins 80.7 ± 0.6 % of the time against 1 opponent who draws well."
    )
    assert (empty, head) == ("", "discard          win high pair  2pr   3k strt flsh full   4k   sf   rf")
    assert rows[0] == "JS 3C 2D       80.74    - 71.3 16.0 11.4    -    -  1.0  0.3    -    -"
    assert len(rows) == 32
    values = [float(value) for row in rows for value in re.findall(r"\d+\.\d\d\b", row)]
    assert len(values) == 32
    assert values == sorted(values, reverse=True)
    assert len(sentence) <= 100
    assert max(map(len, rows)) <= 80


def test_the_table_fits_80_columns_whatever_the_hand(program: Program) -> None:
    lines = program.run("advise", "10H 9H 10C 10S 10D", "--objective", "code").splitlines()
    assert max(map(len, lines)) <= 80
    lines = program.run("advise", "10H 9H 8C 7S 10D", "--method", "monte-carlo", "--samples", "50").splitlines()
    assert max(map(len, lines[2:])) <= 80
    tens = ("10S 10C 10H 10D 2C", "--rules", "capped-raise", "--method", "monte-carlo", "--samples", "2")
    for seed in range(5):
        lines = program.run("advise", *tens, "--seed", f"{seed}").splitlines()
        assert max(map(len, lines[2:])) <= 80


@pytest.mark.slow
def test_cards_and_numbers_may_be_given_in_several_options(program: Program) -> None:
    together = program.run("advise", ACES, "--dead", "4H AS AC", "--drew", "1,3", "--opponents", "3")
    apart = program.run(
        "advise", ACES, "--dead", "4H,AS", "--dead", "AC", "--drew", "1", "--drew", "3", "--opponents", "3"
    )
    assert apart == together


@pytest.mark.parametrize("samples", [100, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_standard_error_is_never_printed_as_nothing(program: Program, samples: int) -> None:
    asked = (ACES, "--objective", "linear", "--method", "monte-carlo", "--samples", samples, "--top", "2")
    errors = re.findall(r"±(\d+(?:\.\d+)?)", program.run("advise", *asked))
    assert errors
    assert all(float(error) > 0 for error in errors)


@pytest.mark.slow
def test_every_card_that_is_left_may_be_dead(program: Program) -> None:
    hand = parse_cards("7C 5D 4H 3S 2C")
    dead = " ".join(str(card) for card in CARDS if card not in hand)
    assert len(found(program, "7C 5D 4H 3S 2C", "--objective", "rank", "--dead", dead)["discards"]) == 1


def test_cards_are_read_however_people_write_them(program: Program) -> None:
    said = program.run("advise", ACES)
    assert program.run("advise", "ah", "A♦", "js,", "3C", "2d") == said


@pytest.mark.parametrize("aim", AIMS)
def test_json_has_exact_values_and_counts_of_every_discard(program: Program, aim: Any) -> None:
    document = found(program, ACES, "--objective", aim)
    expected = advise(parse_cards(ACES), Objective(aim))
    assert document["objective"] == aim
    assert document["method"] == "exact"
    assert [Fraction(*row["exact"]) for row in document["discards"]] == [row.exact for row in expected]
    assert [tuple(row["counts"].values()) for row in document["discards"]] == [row.counts for row in expected]
    assert list(document["discards"][0]["counts"]) == [category.label for category in Category]
    assert [row["outcomes"] for row in document["discards"]] == [row.outcomes for row in expected]


def test_advise_judges_by_the_chance_to_win_against_one_opponent_unless_told_otherwise(program: Program) -> None:
    document = found(program, ACES)
    assert (document["objective"], document["opponents"], document["drew"]) == ("win", 1, [])


@pytest.mark.slow
def test_opponents_and_what_they_drew_change_the_chance_to_win(program: Program) -> None:
    one = found(program, ACES)["discards"][0]["value"]
    three = found(program, ACES, "--opponents", "3")["discards"][0]["value"]
    known = found(program, ACES, "--opponents", "3", "--drew", "1,3")
    pat = found(program, ACES, "--opponents", "3", "--drew", "0 0 0")["discards"][0]["value"]
    assert known["drew"] == [1, 3]
    assert pat < three < one
    assert known["discards"][0]["value"] != three
    assert "against 3 opponents, of whom 2 drew 1 and 3." in program.run(
        "advise", ACES, "--opponents", "3", "--drew", "1,3"
    )
    assert "against 2 opponents who drew 1 and 3." in program.run("advise", ACES, "--drew", "1,3")
    assert "against 1 opponent who drew 0." in program.run("advise", ACES, "--drew", "0")


LOW = "AC 2D 3H 4S 9C"


@pytest.mark.slow
def test_who_draws_last_at_a_full_table_is_told_so_and_keeps_four_to_a_straight(program: Program) -> None:
    """With seven players the deck has run out by then, so that a lone ace would draw others' discards."""
    said = program.run("advise", LOW, "--opponents", "6", "--seat", "last").splitlines()
    found_ = re.fullmatch(
        r"Discard 9C and keep AC 2D 3H 4S: it wins (\d\.\d) ± (0\.\d) % of the time"
        r" against 6 opponents who draw well, drawing last\.",
        said[0],
    )
    assert found_ is not None
    assert abs(float(found_[1]) - 7.9) <= float(found_[2]) <= 0.5


@pytest.mark.slow
def test_a_played_draw_is_named_so_with_its_errors_and_who_draws_when(program: Program) -> None:
    document = found(program, LOW, "--opponents", "8", "--seat", "3", "--drew", "3", "--top", "2")
    assert (document["method"], document["seat"], document["drew"], document["folded"]) == ("played", 3, [3], 0)
    for row in document["discards"]:
        assert row["exact"] is None
        assert row["within"] == pytest.approx(3 * row["error"])
        assert row["outcomes"] == sum(row["counts"].values()) >= 15_000
    said = program.run("advise", LOW, "--opponents", "8", "--seat", "3", "--drew", "3", "--top", "1").splitlines()[0]
    assert said.endswith("of the time against 8 opponents, of whom one drew 3, drawing 3rd of 9.")


def test_a_counted_draw_says_how_near_it_comes_to_real_cards(program: Program) -> None:
    document = found(program, LOW, "--opponents", "3", "--seat", "middle", "--top", "1")
    assert (document["method"], document["seat"]) == ("exact", 3)
    assert document["discards"][0]["within"] == WITHIN[3]
    assert found(program, LOW, "--objective", "rank", "--top", "1")["discards"][0]["within"] == 0


@pytest.mark.slow
def test_at_ten_seats_nobody_may_draw_more_than_two(program: Program) -> None:
    rows = found(program, LOW, "--opponents", "9")["discards"]
    assert max(len(row["discard"]) for row in rows) == 2


@pytest.mark.slow
def test_folded_hands_make_the_deck_small_too(program: Program) -> None:
    assert found(program, LOW, "--opponents", "2")["method"] == "exact"
    assert found(program, LOW, "--opponents", "2", "--folded", "7")["method"] == "played"


def test_dead_cards_are_not_drawn(program: Program) -> None:
    rows = found(program, ACES, "--dead", "AC AS KC")["discards"]
    assert [row["outcomes"] for row in rows] == [comb(44, len(row["discard"])) for row in rows]
    three = next(row for row in rows if row["keep"] == ["Ah", "Ad"])
    assert (three["counts"]["three of a kind"], three["counts"]["four of a kind"]) == (0, 0)


def test_a_house_says_what_to_maximise_and_how_many_cards_may_go(program: Program) -> None:
    linear = found(program, ACES, "--rules", "buy-the-pot")
    assert (linear["objective"], linear["opponents"], len(linear["discards"])) == ("linear", None, 32)
    rising = found(program, ACES, "--rules", "rising-ante")
    assert (rising["objective"], len(rising["discards"])) == ("win", 31)
    assert max(len(row["discard"]) for row in rising["discards"]) == 4
    assert found(program, ACES, "--rules", "buy-the-pot", "--objective", "rank")["objective"] == "rank"


def test_monte_carlo_gives_every_mean_a_standard_error_and_the_same_again_for_the_same_seed(program: Program) -> None:
    asked = (ACES, "--method", "monte-carlo", "--samples", "400", "--seed", "demo")
    document = found(program, *asked)
    assert (document["method"], document["samples"]) == ("monte-carlo", 400)
    exact = {tuple(row["discard"]): row["value"] for row in found(program, ACES)["discards"]}
    for row in document["discards"]:
        assert row["exact"] is None
        assert (row["error"] > 0) == (row["discard"] != [])
        assert abs(row["value"] - exact[tuple(row["discard"])]) <= 5 * row["error"] + 1e-9
    assert found(program, *asked) == document
    assert found(program, *asked[:-1], "other") != document
    assert "±" in program.run("advise", *asked)


def test_monte_carlo_takes_as_many_samples_as_the_house_or_the_document_says(program: Program) -> None:
    assert found(program, ACES, "--method", "monte-carlo")["samples"] == 20_000
    assert found(program, ACES, "--method", "monte-carlo", "--rules", "capped-raise")["samples"] == 10_000


def test_top_shows_the_best_only(program: Program) -> None:
    assert len(program.run("advise", ACES, "--top", "3").splitlines()) == 3 + 3
    assert len(found(program, ACES, "--top", "3")["discards"]) == 3


def test_a_hand_that_needs_nothing_is_kept(program: Program) -> None:
    said = program.run("advise", "10H JH QH KH AH", "--top", "1").splitlines()
    assert said[0] == "Keep all: it wins 100.0 ± 0.6 % of the time against 1 opponent who draws well."
    assert said[-1].split() == ["none", "100.00", *["-"] * 9, "100"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("AH AD",), "A hand has five cards, not 2."),
        (("AH AH 2C 3C 4C",), "AH is named twice: name every card once."),
        (
            (ACES, "--seat", "dealer"),
            "There is no seat 'dealer' in the order of draws: it must be first, middle, last or 1 to 2.",
        ),
        (
            (ACES, "--seat", "3"),
            "There is no seat '3' in the order of draws: it must be first, middle, last or 1 to 2.",
        ),
        (
            (ACES, "--opponents", "3", "--seat", "2", "--drew", "1,1"),
            "The draws of 2 opponents are given, but only 1 can draw before this seat; give the draws of those, in"
            " their order, or a later seat.",
        ),
        (
            (ACES, "--opponents", "5", "--folded", "6"),
            "6 players cannot have folded: with 5 opponents 0 to 4 can.",
        ),
        (
            (ACES, "--opponents", "9", "--dead", "KC KD KH"),
            "10 hands of five cards cannot be dealt from a deck of 52 without 3 dead cards.",
        ),
        (
            (ACES, "--objective", "rank", "--seat", "last"),
            "Opponents and what they drew matter to the objective win only, not to rank.",
        ),
        ((ACES, "--dead", "3C"), "3C is in the hand and dead as well; it cannot be both."),
        ((ACES, "--dead", "KC KC"), "KC is named twice: name every card once."),
        ((ACES, "--drew", "7"), "No opponent drew 7 cards; a player draws 0 to 5."),
        ((ACES, "--drew", "two"), "--drew 'two' is not a list of numbers such as 1,3: 'two' is not a number."),
        (
            (ACES, "--drew", "1,2,3", "--opponents", "2"),
            "The draws of 3 opponents are given, but there are 2; give no more.",
        ),
        (
            (ACES, "--seed", "x"),
            "Samples and a seed are for Monte Carlo; ask for that too, or leave them out.",
        ),
        (
            (ACES, "--samples", "9"),
            "Samples and a seed are for Monte Carlo; ask for that too, or leave them out.",
        ),
        (
            (ACES, "--objective", "rank", "--opponents", "2"),
            "Opponents and what they drew matter to the objective win only, not to rank.",
        ),
        (
            (ACES, "--rules", "buy-the-pot", "--drew", "1"),
            "Opponents and what they drew matter to the objective win only, not to linear.",
        ),
    ],
)
def test_what_will_not_do_is_refused_in_a_sentence(program: Program, arguments: tuple[str, ...], told: str) -> None:
    assert program.refused("advise", *arguments) == told
