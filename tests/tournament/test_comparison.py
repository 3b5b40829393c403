"""Candidates for one seat: who meets whom, differences on the same deals, and what is decided of several at once."""

from itertools import product
from random import Random
from typing import Any

import pytest
from scipy import stats

from pokersvc.cli.statistics.standings import table
from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.tournament import Tournament, plan, standings
from pokersvc.tournament.comparison import Mean, compared

from .support import all_played

OTHERS = (Seat("steady", "Ann"), Seat("table", "Bob"))
CANDIDATES = (Seat("steady", "Cat"), Seat("random", "Dan"), Seat("minimum", "Eve"))


def of_candidates(deals: int = 12, **others: Any) -> Tournament:
    asked: dict[str, Any] = {"seed": "1", "candidates": 3} | others
    return plan(DRAW_POKER, {}, (*OTHERS, *CANDIDATES), deals, **asked)


def even(mean: float, spread: float, count: int = 20) -> list[float]:
    """Values that lie evenly on both sides of their mean."""
    return [mean + spread * (1 + place / count) * side for place, side in product(range(count // 2), (1, -1))]


# Who plays.


def test_each_candidate_plays_every_deal_in_every_order_beside_all_others() -> None:
    tournament = of_candidates()
    assert tournament.line_ups == ((0, 1, 2), (0, 1, 3), (0, 1, 4))
    assert (tournament.seats, tournament.games) == (3, 12 * 3 * 6)
    seats: list[list[tuple[int, int]]] = [[] for _ in range(5)]
    for index in range(tournament.games):
        deal, players = tournament.sitting(index)
        for seat, player in enumerate(players):
            seats[player].append((deal, seat))
    assert sorted(seats[2]) == sorted(seats[3]) == sorted(seats[4])
    assert sorted(seats[0]) == sorted(3 * seats[2])
    assert tournament.fingerprint != of_candidates(candidates=0, seats=3).fingerprint


@pytest.mark.parametrize("wrong", [{"candidates": 1}, {"candidates": 5}, {"seats": 3}, {"candidates": -1}])
def test_candidates_that_cannot_be_are_refused_in_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=r"\.$"):
        of_candidates(**wrong)


# What is said.


def test_the_first_candidate_is_compared_with_each_other_on_the_same_deals() -> None:
    tournament = of_candidates()
    played = all_played(tournament)
    found = standings(tournament, played)
    by_deal = [[0.0] * 12 for _ in range(5)]
    for index, one in played.items():
        deal, players = tournament.sitting(index)
        for player, gain in zip(players, one.gains, strict=True):
            by_deal[player][deal - 1] += gain / 6
    assert [comparison.other for comparison in found.comparisons] == [3, 4]
    for comparison in found.comparisons:
        pairs = zip(by_deal[2], by_deal[comparison.other], strict=True)
        assert comparison.difference.value == pytest.approx(sum(mine - theirs for mine, theirs in pairs) / 12)
    assert {pair for pair in found.meetings if min(pair) >= 2} == set(), "candidates never meet"
    said = found.document()["comparisons"]
    assert [(one["candidate"], one["other"]) for one in said] == [("Cat", "Dan"), ("Cat", "Eve")]
    lines = table(found)
    assert [line.split()[0] for line in lines[lines.index("") + 9 :] if "decided" in line][:2] == ["Dan", "Eve"]


def test_what_is_decided_follows_holm() -> None:
    random = Random(1)
    for _ in range(200):
        others = {n: even(random.uniform(-2, 2), random.uniform(0.5, 3)) for n in range(1, random.randint(2, 6))}
        found = compared([0.0] * 20, others)
        assert all(not one.difference.thin for one in found)
        p_values = sorted((float(stats.ttest_1samp(values, 0).pvalue), other) for other, values in others.items())
        decided: set[int] = set()
        for place, (p_value, other) in enumerate(p_values):
            if p_value >= 0.05 / (len(p_values) - place):
                break
            decided.add(other)
        assert {one.other for one in found if one.decided} == decided


def test_intervals_of_several_comparisons_hold_all_together() -> None:
    random, held = Random(2), 0
    for _ in range(400):
        first = [random.gauss(0, 1) for _ in range(12)]
        found = compared(first, {n: [random.gauss(n, 1) for _ in range(12)] for n in range(1, 6)})
        held += all(abs(one.difference.value + one.other) <= (one.difference.error or 0) for one in found)
    assert 0.94 <= held / 400 <= 0.99


def test_of_few_deals_nothing_is_decided() -> None:
    few = compared([9.0] * 6, {1: even(0, 0.1, 6)})
    assert [(one.decided, one.difference.thin) for one in few] == [(False, True)]
    many = compared([9.0] * 20, {1: even(0, 0.1)})
    assert [one.decided for one in many] == [True]
    assert many[0].difference == Mean.of([9.0 - value for value in even(0, 0.1)])
