"""Rates computed from counts, compared with the formulas of their definitions, computed in another way."""

from math import isclose, sqrt
from statistics import fmean, stdev

from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.counting import Figures, total
from pokersvc.histories.statistics.rates import ENOUGH, ordered, rates


def hands(*milli: int) -> Figures:
    return total(
        Figures(dealt=1, net_milli=value, square_high=value**2 >> 32, square_low=value**2 & 0xFFFFFFFF)
        for value in milli
    )


def test_each_rate_is_a_quotient_of_its_definition() -> None:
    found = rates(
        Figures(
            dealt=100, walks=10, net_milli=250_000, vpip=27, pfr=18, saw_draw=40, bets=6, raises=3, calls=4, folds=5,
            showdowns=20, won_showdowns=11, drew_0=1, drew_3=3,
        )
    )  # fmt: skip
    assert found.won_per_100 == 250.0  # 250 big blinds in 100 hands
    assert (found.vpip, found.pfr) == (27 / 90, 18 / 90)  # of the hands in which the player was asked
    assert (found.aggression_factor, found.aggression_frequency) == (9 / 4, 9 / 18)
    assert (found.wtsd, found.wsd) == (20 / 40, 11 / 20)
    assert found.drew == (0.25, 0, 0, 0.75, 0, 0)


def test_where_there_is_nothing_to_divide_by_there_is_no_rate() -> None:
    assert set(rates(Figures())) == {None}
    assert rates(Figures(dealt=3, walks=3)).vpip is None


def test_few_hands_have_no_interval() -> None:
    assert rates(hands(*range(ENOUGH - 1))).within is None
    assert rates(hands(*range(ENOUGH))).within is not None


@given(st.lists(st.integers(-(10**12), 10**12), min_size=ENOUGH, max_size=60))
def test_the_interval_is_that_of_a_mean(milli: list[int]) -> None:
    found = rates(hands(*milli))
    assert found.won_per_100 is not None
    assert found.within is not None
    per_hand = [value / 1000 for value in milli]
    assert isclose(found.won_per_100, 100 * fmean(per_hand), rel_tol=1e-9, abs_tol=1e-6)
    assert isclose(found.within, 100 * 1.959964 * stdev(per_hand) / sqrt(len(milli)), rel_tol=1e-6, abs_tol=1e-6)


def test_a_spread_beside_a_large_mean_is_not_lost() -> None:
    found = rates(hands(*[10**12, 10**12 + 1] * 50))
    assert found.within is not None
    assert isclose(found.within, 100 * 1.959964 * stdev([0, 0.001] * 50) / 10, rel_tol=1e-6)


def test_days_and_houses_stand_in_their_order() -> None:
    assert ordered("day", ["2026-02-01", "2026-01-31"]) == ["2026-01-31", "2026-02-01"]


def test_positions_stand_in_the_order_of_acting_and_without_a_button_last() -> None:
    given = ["no button", "BB", "SB", "BTN", "CO", "BTN-2", "BTN-10"]
    assert ordered("position", given) == ["BTN-10", "BTN-2", "CO", "BTN", "SB", "BB", "no button"]
