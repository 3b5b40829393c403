"""The ranking of a ladder: figures by hand, the same deals for all, and the same whatever the order."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.plots.charts import Bars
from pokersvc.tournament.comparison import Mean, together_of
from pokersvc.tournament.ladder.ladders import DealPlayed
from pokersvc.tournament.ladder.plot import charts
from pokersvc.tournament.ladder.ranking import ranked
from pokersvc.tournament.ladder.store import Pair

from .climbing import ladder, made_up

KALAH = {"kind": "kalah", "options": {"holes": 3, "beans": 2}}


def deal(gain: int, ahead: int = 2, rounds: int = 2, **codes: int) -> DealPlayed:
    """A deal on which the first of two won what the second lost."""
    return DealPlayed(gains=(gain, -gain), ahead=ahead, rounds=rounds, forfeits=(codes, {}))


def drawn_results(names: list[str], deals: int, seed: int) -> dict[Pair, dict[int, DealPlayed]]:
    random = Random(seed)
    pairs = [Pair(one, other) for one in sorted(names) for other in sorted(names) if one < other]
    return {pair: {n: deal(random.randint(-9, 9)) for n in range(1, deals + 1)} for pair in pairs}


def test_the_figures_are_those_of_the_deals() -> None:
    results = {
        Pair("Ann", "Bob"): {1: deal(4), 2: deal(-2)},
        Pair("Ann", "Cat"): {1: deal(6), 2: deal(2)},
        Pair("Bob", "Cat"): {1: deal(0, raised=3), 2: deal(8)},
    }
    found = ranked(made_up(["Ann", "Bob", "Cat"], results, ladder(2)), results)
    assert (found.deals, found.missing_games, found.unranked) == (2, 0, ())
    said = {one.member.name: one for one in found.ranked}
    assert [one.member.name for one in found.ranked] == ["Ann", "Bob", "Cat"]
    ann, bob, cat = said["Ann"], said["Bob"], said["Cat"]
    by_deal = [(4 + 6) / 2 / 2, (-2 + 2) / 2 / 2]  # a game, of two on each deal, against each of two others
    assert ann.mean == Mean.of(by_deal, together_of(3))
    assert ann.mean.value == 1.25
    assert ann.measured is not None
    assert ann.measured.value == pytest.approx(1.25 * 500), "thousandths of a big blind of 2"
    assert ann.measured.error == pytest.approx((ann.mean.error or 0) * 500)
    assert (ann.points, bob.points, cat.points) == (0.75, (0 + 1 + 0.5 + 1) / 4, 0.125)
    assert (ann.games, bob.forfeits, cat.forfeits) == (8, {"raised": 3}, {})
    assert [one.better_from for one in found.ranked] == [None, None, None], "two deals decide nothing"


def test_at_larger_tables_a_gain_is_that_of_one_seat_in_one_game() -> None:
    results = {Pair("Ann", "Bob"): {1: deal(60, rounds=6), 2: deal(36, rounds=6)}}
    ann, bob = ranked(made_up(["Ann", "Bob"], results, ladder(2, seats=4)), results).ranked
    assert (ann.mean.value, bob.mean.value) == (4, -4), "48 a deal, in six games, for two seats"
    assert ann.measured is not None
    assert ann.measured.value == pytest.approx(4 * 500)
    assert ann.games == 2 * 6


def test_in_a_game_that_is_won_or_lost_games_count_and_ratings_decide_the_order() -> None:
    results = {
        Pair("Ann", "Bob"): {n: deal(30, ahead=1) for n in range(1, 13)},  # wins by much, but only one of four points
        Pair("Ann", "Cat"): {n: deal(0, ahead=2) for n in range(1, 13)},
        Pair("Bob", "Cat"): {n: deal(0, ahead=2) for n in range(1, 13)},
    }
    found = ranked(made_up(["Ann", "Bob", "Cat"], results, ladder(12, **KALAH)), results)
    assert [one.member.name for one in found.ranked] == ["Bob", "Cat", "Ann"]
    assert [one.points for one in found.ranked] == [0.625, 0.5, 0.375]
    assert found.document()["ordered_by"] == "rating"


def test_who_is_better_is_decided_among_all_pairs() -> None:
    random = Random(1)
    names = ["A", "B", "C", "D"]
    worth = {"A": 8, "B": 8, "C": 0, "D": -9}
    results = {
        pair: {n: deal(worth[pair.one] - worth[pair.other] + random.randint(-6, 6)) for n in range(1, 41)}
        for pair in drawn_results(names, 1, 1)
    }
    found = ranked(made_up(names, results, ladder(40)), results)
    assert [one.member.name for one in found.ranked][2:] == ["C", "D"]
    assert [one.better_from for one in found.ranked] == [3, 3, 4, None]


@given(st.permutations(["Ann", "Bob", "Cat", "Dan", "Eve"]), st.integers(0, 99))
def test_the_ranking_is_the_same_whatever_the_order_of_members_and_results(order: list[str], seed: int) -> None:
    results = drawn_results(order, 12, seed)
    mixed = {pair: dict(Random(seed).sample(list(deals.items()), 12)) for pair, deals in reversed(results.items())}
    terms = ladder(12)
    expected = ranked(made_up(sorted(order), results, terms), results).document()
    assert ranked(made_up(order, mixed, terms), mixed).document() == expected


def test_all_are_measured_by_the_same_deals_while_a_member_still_plays() -> None:
    results = drawn_results(["Ann", "Bob", "Cat"], 30, 5)
    before = ranked(made_up(["Ann", "Bob", "Cat"], results, ladder(30)), results)
    late = results | {Pair("Ann", "Dan"): {1: deal(1)}, Pair("Bob", "Dan"): {n: deal(1) for n in range(1, 31)}}
    found = ranked(made_up(["Ann", "Bob", "Cat", "Dan"], late, ladder(30)), late)
    assert found.ranked == before.ranked
    assert [one.name for one in found.unranked] == ["Dan"]
    assert found.missing_games == 2 * (29 + 30)


def test_a_gap_in_the_deals_ends_what_counts() -> None:
    results = drawn_results(["Ann", "Bob"], 9, 1)
    del results[Pair("Ann", "Bob")][5]
    assert ranked(made_up(["Ann", "Bob"], results, ladder(9)), results).deals == 4


def test_charts_have_the_best_first() -> None:
    results = drawn_results(["Ann", "Bob", "Cat"], 12, 7)
    terms = ladder(12)
    found = ranked(made_up(["Ann", "Bob", "Cat"], results, terms), results)
    gains, ratings = charts(found)
    assert isinstance(gains, Bars)
    assert isinstance(ratings, Bars)
    assert [bar.name for bar in gains.bars] == [one.member.name for one in found.ranked]
    assert sum(bar.value for bar in ratings.bars) == pytest.approx(0, abs=1e-6)
    assert charts(ranked(made_up(["Ann"], {}, terms), {})) == []


def test_the_document_is_json_and_keeps_the_seed_and_files_to_itself() -> None:
    results = drawn_results(["Ann", "Bob"], 12, 7)
    found = ranked(made_up(["Ann", "Bob"], results, ladder(12, seed="secret of all deals")), results)
    assert "secret of all deals" not in json.dumps(found.document())
    assert "kind of Ann" in json.dumps(found.document())
    assert "kind of Ann" not in json.dumps(found.document(kinds=False)), "which may be the path of a file"
