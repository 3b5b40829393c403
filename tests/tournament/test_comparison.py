"""Candidates for one seat, and pairs of players: differences on the same deals, and what is decided of several."""

from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest
from scipy import stats

from pokersvc.cli.statistics.standings import table
from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.tournament import Standings, Tournament, plan, standings
from pokersvc.tournament.comparison import Mean, Sample, compared, decided_of, together_of
from pokersvc.tournament.student import power

from .support import NAMES, all_played, made_up

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


def test_what_has_too_few_deals_keeps_nothing_else_from_being_decided() -> None:
    rare = Sample.of([0.0] * 39 + [1e9])
    samples = {"rare": rare, "clear": Sample.of(even(5, 1, 40)), "unclear": Sample.of(even(0.1, 1, 40))}
    assert rare.spread.thin
    assert decided_of(samples) == {"clear"}


# All pairs of a tournament.

TRUTH = (3.0, 2.0, 0.0, -5.0)


def of_pairs(
    random: Random, deals: int, truth: tuple[float, ...] = TRUTH, least: float | None = None
) -> tuple[Standings, list[tuple[int, ...]]]:
    """Return the standings of a made-up tournament of one order, given the players' mean gains in thousands."""
    seats = tuple(Seat("steady", name) for name in NAMES[: len(truth)])
    tournament = plan(DRAW_POKER, {"rules": "no-limit"}, seats, deals, orders=1, seed="1", least=least)
    gains = [tuple([round(1000 * random.gauss(mean, 3)) for mean in truth]) for _ in range(deals)]
    return standings(tournament, made_up(tournament, *gains)), gains


def test_each_pair_has_an_interval_that_holds_with_all_others_beside_one_of_its_own() -> None:
    found, gains = of_pairs(Random(5), 30)
    for one, other in permutations(range(4), 2):
        meeting = found.meetings[one, other]
        values = [of_deal[one] - of_deal[other] for of_deal in gains]
        assert meeting.difference == pytest.approx(Mean.of(values))
        assert meeting.together is not None
        assert meeting.together == pytest.approx(Mean.of(values, 1 - 0.05 / 6).error)
        assert meeting.together > (meeting.difference.error or 0)
        assert meeting.measured_together == pytest.approx(500 * meeting.together), "the big blind is 2"
        assert meeting.decided == found.meetings[other, one].decided


def test_what_is_decided_of_all_pairs_follows_holm() -> None:
    random, several = Random(6), 0
    for _ in range(40):
        found, gains = of_pairs(random, 40)
        samples = {
            (one, other): Sample.of([of_deal[one] - of_deal[other] for of_deal in gains])
            for one, other in combinations(range(4), 2)
        }
        assert {pair for pair in samples if found.meetings[pair].decided} == decided_of(samples)
        bonferroni = {
            pair for pair, meeting in found.meetings.items() if abs(meeting.difference.value) > (meeting.together or 0)
        }
        assert bonferroni <= {pair for pair, meeting in found.meetings.items() if meeting.decided}
        several += len(bonferroni) // 2 < len(decided_of(samples))
    assert several, "Holm's procedure decides more"


def test_of_equal_players_one_pair_or_more_seems_decided_alone_four_times_as_often_as_of_all_together() -> None:
    random = Random(7)
    alone = held = wrong = 0
    for _ in range(300):
        found, _ = of_pairs(random, 12, (0.0, 0.0, 0.0, 0.0))
        pairs = [found.meetings[pair] for pair in combinations(range(4), 2)]
        alone += any(abs(one.difference.value) > (one.difference.error or 0) for one in pairs)
        held += all(abs(one.difference.value) <= (one.together or 0) for one in pairs)
        wrong += any(one.decided for one in pairs)
    assert alone > 0.1 * 300
    assert held >= 0.94 * 300
    assert wrong == 300 - held, "the first step of Holm's procedure is that of the intervals"


def test_the_table_tells_every_pair_the_better_first() -> None:
    found, _ = of_pairs(Random(8), 60)
    lines = table(found)
    place = next(place for place, line in enumerate(lines) if line.startswith("difference"))
    assert lines[place].split() == ["difference", "chips", "±", "95", "%", "mbb/hand", "±", "95", "%"]
    rows = lines[place + 1 : place + 7]
    names = [[found.players[one].name, "less", found.players[other].name] for one, other in combinations(range(4), 2)]
    assert [row.split()[:3] for row in rows] == names
    told = found.meetings[0, 1]
    assert told.together is not None
    assert rows[0].split()[3:5] == [f"{told.difference.value:.1f}", f"{told.together:.1f}"]
    assert [row.split()[-1] for row in rows] == [
        "decided" if found.meetings[pair].decided else "undecided" for pair in combinations(range(4), 2)
    ]
    assert lines[place + 7] == "The intervals hold all together; what is decided follows Holm's procedure."
    assert table(of_pairs(Random(8), 9)[0])[place + 1].endswith("too few deals")


def test_two_players_and_candidates_have_no_table_of_pairs() -> None:
    two, _ = of_pairs(Random(9), 20, (3.0, -3.0))
    assert not any("decided" in line or "together" in line for line in table(two))
    meeting = two.meetings[0, 1]
    assert meeting.together == meeting.difference.error
    assert meeting.decided
    tournament = of_candidates(2)
    candidates = standings(tournament, made_up(tournament, *[(1, 0, -1), (0, 2, -2)] * (tournament.games // 2)))
    assert not any(line.startswith("difference") for line in table(candidates))


def test_the_document_has_both_intervals_of_a_pair_and_what_is_decided() -> None:
    found, _ = of_pairs(Random(10), 20)
    first = found.document()["meetings"][0]
    meeting = found.meetings[0, 1]
    assert (first["player"], first["other"]) == ("Ann", "Bob")
    assert (first["difference_ci95"], first["difference_together_ci95"]) == (meeting.difference.error, meeting.together)
    assert first["difference_measured_together_ci95"] == meeting.measured_together
    assert first["decided"] is meeting.decided


def test_the_power_of_a_pair_is_that_of_deciding_it_among_all() -> None:
    found, _ = of_pairs(Random(11), 30, least=500.0)
    meeting = found.meetings[0, 3]
    assert meeting.measured_together is not None
    assert meeting.power == pytest.approx(power(500, meeting.measured_together, 30, together_of(6)))


def test_where_all_pairs_have_too_few_deals_their_power_is_a_sentence() -> None:
    lines = table(of_pairs(Random(12), 9, least=500.0)[0])
    assert "Too few deals to say how often 9 deals decide a difference of 500 mbb/hand." in lines
    assert not any("finds" in line for line in lines)


@pytest.mark.parametrize(("deals", "thin"), [(99, True), (100, False)])
def test_without_luck_nothing_is_decided_below_a_hundred_deals(deals: int, thin: bool) -> None:
    seats = Seat("steady", "Ann"), Seat("table", "Bob")
    tournament = plan(DRAW_POKER, {"rules": "no-limit"}, seats, deals, seed="1", aivat=True, least=1.0)
    gains = [(-9, 9) if number % 4 == 0 else (10, -10) for number in range(tournament.games)]
    played = {
        number: one._replace(without_luck=tuple(map(float, one.gains)), changed=(0, 0))
        for number, one in made_up(tournament, *gains).items()
    }
    found = standings(tournament, played)
    player, meeting = found.players[0], found.meetings[0, 1]
    assert player.with_luck is not None
    assert player.measured is not None
    assert (player.mean.thin, player.measured.thin, player.with_luck.thin) == (thin, thin, False)
    assert (meeting.difference.thin, meeting.power is None) == (thin, thin)
    assert any("Too few deals" in line for line in table(found)) == thin
