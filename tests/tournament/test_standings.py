"""Means, intervals, meetings and ratings, on cases that were worked out by hand."""

from math import fsum, sqrt
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from pokersvc.cli.statistics.standings import table
from pokersvc.core.game import Game
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.games.kalah.game import KALAH
from pokersvc.tournament import standings
from pokersvc.tournament.student import half_width, is_thin, power, quantile
from tests.nim.game import NIM

from .coverage import BUILT_IN, OTHERS, Case, covered, world_of
from .support import all_played, made_up, planned


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (30, 2.0423), (60, 2.0003),
     (120, 1.9799), (200, 1.9719), (201, 1.9718), (1000, 1.9623), (100_000, 1.9600)],
)  # fmt: skip
def test_students_t_is_that_of_the_tables(freedom: int, value: float) -> None:
    assert quantile(freedom, 0.975) == pytest.approx(value, abs=6e-5)


def test_both_ways_to_students_t_meet() -> None:
    from pokersvc.tournament import student

    assert student._expansion(200, NormalDist().inv_cdf(0.975)) == pytest.approx(quantile(200, 0.975), abs=1e-9)


def test_the_power_of_two_is_that_of_what_one_wins_from_the_other() -> None:
    tournament = planned("steady", "minimum", deals=12, least=2.0)
    found = standings(tournament, made_up(tournament, *[(won, -won) for won in (5, -3, 2, -4, 6, 1) * 4]))
    mean, one, other = found.players[0].mean, found.meetings[0, 1], found.meetings[1, 0]
    assert mean.error is not None
    assert one.power == other.power == pytest.approx(power(2, mean.error, 12))
    assert one.difference.value == 2 * mean.value


def test_too_few_deals_have_no_power() -> None:
    tournament = planned("steady", "minimum", deals=9, least=2.0)
    found = standings(tournament, made_up(tournament, *[(won, -won) for won in (5, -3, 2, -4, 6, 1) * 3]))
    assert found.meetings[0, 1].difference.error is not None
    assert found.meetings[0, 1].power is None
    assert "Too few deals to say how often 9 deals decide a win of 2 chips a game." in table(found)


def test_of_three_players_each_pair_has_its_power() -> None:
    tournament, random = planned("steady", "table", "minimum", deals=12, least=9.0), Random(1)
    gains = [(random.randrange(20), random.randrange(20), random.randrange(20)) for _ in range(tournament.games)]
    found = standings(tournament, made_up(tournament, *gains))
    lines = table(found)
    [place] = [place for place, line in enumerate(lines) if line.startswith("  finds 9 chips a game, in %")]
    first, second = found.order[:2]
    told = found.meetings[first, second].power
    assert told is not None
    assert lines[place + 1].split()[2:4] == ["-", f"{100 * told:.0f}"]


def test_a_skewed_sample_has_the_longer_side_of_halls_interval() -> None:
    # Nine times -1 and once 9: s² = 90 / 9 = 10, the skewness (9·(-1)³ + 9³) / 10 / 9^1.5 = 72 / 27 = 8 / 3. With
    # a = 8 / (3 √10) and t = 2.262157 of 9 degrees of freedom the side is 3 / a · (1 - ∛(1 - a (t + a / 6))).
    a, t = 8 / 3 / sqrt(10), 2.262157
    beyond = a * (t + a / 6) - 1
    assert beyond > 0
    side = 3 / a * (1 + beyond ** (1 / 3))
    assert half_width([-1.0] * 9 + [9.0]) == pytest.approx(side * sqrt(10 / 10), rel=1e-6)
    assert half_width([1.0] * 9 + [-9.0]) == half_width([-1.0] * 9 + [9.0])
    assert side > 2 * t


@given(st.lists(st.floats(-1e9, 1e9).map(lambda value: round(value, 3)), min_size=2, max_size=40), st.floats(0.01, 100))
def test_an_interval_is_never_narrower_than_students_and_scales_with_its_values(
    values: list[float], scale: float
) -> None:
    mean = fsum(values) / len(values)
    deviations = [value - mean for value in values]
    found = half_width(deviations)
    if found is None:
        assert len(set(values)) == 1
        return
    spread = sqrt(fsum(value * value for value in deviations) / (len(values) - 1) / len(values))
    assert found >= quantile(len(values) - 1, 0.975) * spread * (1 - 1e-9)
    assert half_width([scale * value for value in deviations]) == pytest.approx(scale * found, rel=1e-6)
    assert is_thin([scale * value for value in deviations]) == is_thin(deviations)


def test_gains_as_large_as_can_be_have_an_interval() -> None:
    assert half_width([-1e100] * 4 + [4e100]) == pytest.approx(half_width([-1.0] * 4 + [4.0]) * 1e100)  # type: ignore[operator]  # it has one


@given(st.integers(1, 199))
def test_students_t_falls_with_more_degrees_of_freedom(freedom: int) -> None:
    assert quantile(freedom, 0.975) > quantile(freedom + 1, 0.975) > 1.95


def test_one_value_has_no_interval() -> None:
    assert half_width([0.0]) is None


@pytest.mark.parametrize("count", [2, 10, 500])
def test_values_that_are_all_the_same_have_no_interval(count: int) -> None:
    assert half_width([0.0] * count) is None
    assert is_thin([0.0] * count)


def test_two_values_have_the_interval_of_students_t() -> None:
    assert half_width([-1.0, 1.0]) == pytest.approx(12.7062 * sqrt(2 / 2), abs=1e-3)


@pytest.mark.parametrize(
    ("values", "thin"),
    [
        ([-1.0, 1.0] * 4, True),
        ([-1.0, 1.0] * 5, False),
        ([-1.0] * 99 + [99.0], True),
        ([-2.0] * 98 + [98.0] * 2, True),
        ([-4.0] * 96 + [96.0] * 4, False),
    ],
    ids=["8 even", "10 even", "1 of 100", "2 of 100", "4 of 100"],
)
def test_an_interval_is_thin_with_few_values_or_few_that_make_the_spread(values: list[float], thin: bool) -> None:
    assert is_thin(values) == thin


def test_seat_orders_of_a_deal_are_averaged_before_the_interval() -> None:
    # Three deals, two orders: Ann gains 10 and 2 (mean 6), 5 and 3 (4), -1 and 3 (1). The second order seats Bob first.
    tournament = planned("random", "random", deals=3)
    found = standings(tournament, made_up(tournament, (10, -10), (-2, 2), (5, -5), (-3, 3), (-1, 1), (-3, 3)))
    ann, bob = found.players
    assert ann.mean.value == pytest.approx(11 / 3)
    spread = sqrt(((6 - 11 / 3) ** 2 + (4 - 11 / 3) ** 2 + (1 - 11 / 3) ** 2) / 2)
    assert ann.mean.error == pytest.approx(4.302653 * spread / sqrt(3), rel=1e-5)
    assert bob.mean.value == -ann.mean.value
    assert (ann.games, bob.games) == (6, 6)
    meeting = found.meetings[0, 1]
    assert (meeting.games, meeting.ahead) == (6, 5 / 6)
    assert meeting.difference.value == pytest.approx(22 / 3)
    assert ann.mean.error is not None
    assert meeting.difference.error == pytest.approx(2 * ann.mean.error)


def test_line_ups_of_a_deal_are_averaged_before_the_interval() -> None:
    # One order, three line-ups of two: Ann-Bob, Ann-Cat, Bob-Cat; two deals.
    tournament = planned("random", "random", "random", deals=2, seats=2, orders=1)
    found = standings(tournament, made_up(tournament, (4, -4), (2, -2), (1, -1), (0, 0), (-2, 2), (3, -3)))
    assert [player.games for player in found.players] == [4, 4, 4]
    assert found.players[0].mean.value == pytest.approx((3 - 1) / 2)
    assert found.players[0].mean.error == pytest.approx(12.7062 * sqrt(8) / sqrt(2), rel=1e-5)
    assert found.meetings[0, 1].ahead == (1 + 0.5) / 2
    assert found.meetings[1, 0].ahead == 0.25
    assert found.meetings[2, 0].difference.value == pytest.approx((-4 + 4) / 2)
    assert found.order == [0, 1, 2]


def test_gains_a_round_are_weighed_by_the_rounds() -> None:
    # 30 chips in 10 rounds and 2 in 1 are 32 / 11 a round, not the mean of 3 and 2.
    tournament = planned("random", "random", deals=2, orders=1)
    found = standings(tournament, made_up(tournament, (30, -30), (2, -2), rounds=(10, 1)))
    ratio = 32 / 11
    residuals = [30 - ratio * 10, 2 - ratio]
    per_round = found.players[0].per_round
    assert per_round is not None
    assert per_round.value == pytest.approx(ratio)
    spread = sqrt(sum(residual**2 for residual in residuals))
    assert per_round.error == pytest.approx(12.7062 * spread / sqrt(2) / 5.5, rel=1e-5)


def test_all_orders_of_a_deal_are_its_chips_and_its_rounds() -> None:
    # Ann, at the first seat and then at the second: 30 - 2 chips in 10 + 1 rounds, and 4 + 6 in 3 + 2.
    tournament = planned("random", "random", deals=2)
    results = made_up(tournament, (30, -30), (2, -2), (4, -4), (-6, 6), rounds=(10, 1, 3, 2))
    ann = standings(tournament, results).players[0]
    assert ann.mean.value == pytest.approx((28 + 10) / 4)
    ratio = 38 / 16
    assert ann.per_round is not None
    assert ann.per_round.value == pytest.approx(ratio)
    assert 28 - ratio * 11 == -(10 - ratio * 5) == 1.875
    assert ann.per_round.error == pytest.approx(12.7062 * 1.875 / 8, rel=1e-5)


def test_a_game_without_rounds_of_a_name_has_nothing_per_round() -> None:
    tournament = planned("bad", "random", game=KALAH, deals=1)
    found = standings(tournament, made_up(tournament, (3, -3), (5, -5)))
    for said in (*found.document()["players"], *found.rows()):
        assert said["per_round"] is said["per_round_ci95"] is None


def test_ratings_are_those_of_plackett_and_luce_game_after_game() -> None:
    tournament = planned("careful", "careful", "careful", game=NIM, deals=1, orders="rotations")
    found = standings(tournament, made_up(tournament, (5, 1, -6), (0, 3, -3), (2, 2, -4)))
    model = PlackettLuce()
    ann, bob, cat = (model.rating() for _ in range(3))
    [[ann], [bob], [cat]] = model.rate([[ann], [bob], [cat]], ranks=[1, 2, 3])
    [[bob], [cat], [ann]] = model.rate([[bob], [cat], [ann]], ranks=[2, 1, 3])
    [[cat], [ann], [bob]] = model.rate([[cat], [ann], [bob]], ranks=[1, 1, 3])
    assert [player.rating for player in found.players] == [(one.mu, one.sigma) for one in (ann, bob, cat)]


def test_who_wins_always_is_rated_above_who_loses_always() -> None:
    tournament = planned("careful", "careful", game=NIM, deals=20, orders=1)
    found = standings(tournament, made_up(tournament, *[(1, -1)] * 20))
    winner, loser = (player.rating for player in found.players)
    assert winner is not None
    assert loser is not None
    assert winner.mu > 25 > loser.mu
    assert winner.mu - loser.mu > 10
    assert winner.sigma < 25 / 3


def test_equal_ranks_are_half_a_win_and_leave_ratings_alone() -> None:
    tournament = planned("careful", "careful", game=NIM, deals=4, orders=1)
    found = standings(tournament, made_up(tournament, *[(0, 0)] * 4))
    assert found.meetings[0, 1].ahead == found.meetings[1, 0].ahead == 0.5
    assert found.players[0].rating is not None
    assert found.players[0].rating.mu == pytest.approx(25)


def test_games_that_were_rated_are_told_of() -> None:
    tournament = planned("careful", "careful", game=NIM, deals=350, orders=1)
    told: list[int] = []
    standings(tournament, made_up(tournament, *[(1, -1)] * 350), progress=told.append)
    assert told == [100, 100, 100]


def test_who_wins_chips_is_first_although_it_loses_most_games() -> None:
    # Ann loses 1 in four games of five and wins 40 in the fifth: ranks say the contrary of what chips say.
    tournament = planned("random", "random", deals=50, orders=1)
    found = standings(tournament, made_up(tournament, *[(-1, 1), (-1, 1), (40, -40), (-1, 1), (-1, 1)] * 10))
    assert found.order == [0, 1]
    assert found.players[0].mean.value == pytest.approx(7.2)
    assert found.meetings[0, 1].ahead == 0.2


@pytest.mark.parametrize("game", [*map(game_of, game_kinds()), NIM], ids=lambda game: game.kind)
def test_only_games_that_are_won_or_lost_are_rated(game: Game) -> None:
    rated = game in (KALAH, NIM)
    kinds = [next(iter(game.players))] * 2
    tournament = planned(*kinds, game=game, deals=2, orders=1)
    found = standings(tournament, made_up(tournament, (3, -3), (5, -5)))
    for player, row in zip(found.players, found.rows(), strict=True):
        assert (player.rating is not None) == rated
        assert (row["rating"] is not None) == (row["rating_sigma"] is not None) == rated


def test_chips_won_are_chips_lost() -> None:
    tournament = planned("random", "steady", "table", deals=4, seats=2, rounds=3)
    found = standings(tournament, all_played(tournament))
    assert sum(player.mean.value for player in found.players) == pytest.approx(0)
    for (one, other), meeting in found.meetings.items():
        assert meeting.difference.value == pytest.approx(-found.meetings[other, one].difference.value)
        assert meeting.ahead == pytest.approx(1 - found.meetings[other, one].ahead)


def test_the_document_and_the_rows_say_the_same() -> None:
    tournament = planned("random", "steady", "table", deals=2)
    found = standings(tournament, all_played(tournament))
    for said, row in zip(found.document()["players"], found.rows(), strict=True):
        assert (said["name"], said["mean"], said["ci95"]) == (row["player"], row["mean"], row["ci95"])
        assert row[f"ahead_of_{row['player']}"] is None
    assert len(found.document()["meetings"]) == 6


@pytest.mark.slow
def test_the_intervals_of_a_player_who_gains_cover_the_truth_95_times_in_100() -> None:
    # A game takes 1 round or 4, as likely; a short one brings 7 and a long one -2: 5 in 5 rounds, 1 a round and 2.5 a
    # game. The mean of what games brought a round is another number, 3.25.
    random = Random("calibration")
    tournament = planned("random", "random", deals=30)
    tournaments = 600
    covered = dict.fromkeys(("mean", "per round"), 0)
    for _ in range(tournaments):
        gains, rounds = [], []
        for _ in range(tournament.deals):
            luck = random.randint(-9, 9)  # of the deal, the same in both orders
            for ann in (0, 1):
                rounds.append(random.choice((1, 4)))
                gain = (7 if rounds[-1] == 1 else -2) + luck + random.randint(-5, 5)
                gains.append((gain, -gain) if ann == 0 else (-gain, gain))
        player = standings(tournament, made_up(tournament, *gains, rounds=tuple(rounds))).players[0]
        assert player.per_round is not None
        for what, mean, truth in zip(covered, (player.mean, player.per_round), (2.5, 1.0), strict=True):
            assert mean.error is not None
            covered[what] += abs(mean.value - truth) <= mean.error
    assert all(0.928 <= count / tournaments <= 0.972 for count in covered.values()), covered


@pytest.mark.slow
def test_the_intervals_of_identical_players_cover_the_truth_95_times_in_100() -> None:
    # Identical players in all seat orders gain 0 on average, whatever the deals; their luck is their own.
    tournaments = 600
    covered = dict.fromkeys(("mean", "per round", "difference"), 0)
    for number in range(tournaments):
        tournament = planned("random", "random", deals=8, rounds=3, seed=f"calibration {number}")
        found = standings(tournament, all_played(tournament))
        ann = found.players[0]
        assert ann.per_round is not None
        means = (ann.mean, ann.per_round, found.meetings[0, 1].difference)
        for what, mean in zip(covered, means, strict=True):
            assert mean.error is not None
            covered[what] += abs(mean.value) <= mean.error
    # Two and a half standard deviations of so many trials.
    assert all(0.928 <= count / tournaments <= 0.972 for count in covered.values()), covered


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.exhaustive] * ("12 hands" in str(case))) for case in BUILT_IN],
    ids=str,
)
def test_the_intervals_of_real_deals_cover_the_truth_95_times_in_100_and_say_where_they_may_not(case: Case) -> None:
    narrow = False
    for one in covered(world_of(case)):
        assert one.told >= one.plain
        assert one.deals >= 10 or one.thin + one.none == 1
        assert one.deals < 50 or one.thin < 0.01 or "rare" in str(case)
        # Two standard deviations of so many trials below 95.
        assert one.deals < 10 or one.told >= 0.94, one
        narrow |= one.plain < 0.94
    assert narrow, "Student's alone would not have been enough"


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("case", OTHERS, ids=str)
def test_intervals_without_luck_of_a_response_and_of_several_differences_cover_the_truth_too(case: Case) -> None:
    for one in covered(world_of(case), case.enough):
        assert one.deals >= case.enough or one.thin + one.none == 1
        assert one.deals < case.enough or one.told >= 0.94, one
