"""Games are in groups that follow from the seed alone, and no group has two games of one deal."""

from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.tournament import Tournament
from pokersvc.tournament.groups import Groups

from .support import planned

FEW = 16
"""The number of deals of a group in these tests, so that few deals make several groups."""


@pytest.fixture(autouse=True, scope="module")
def few() -> Iterator[None]:
    with patch("pokersvc.tournament.groups.DEALS", FEW):
        yield


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    kinds = ["random"] * draw(st.integers(2, 3))
    seats = draw(st.integers(2, len(kinds)))
    orders = draw(st.sampled_from(["rotations", "all", 1]))
    deals = draw(st.integers(1, 2 * FEW + 2))
    return planned(*kinds, seats=seats, orders=orders, deals=deals, seed=draw(st.text("abc", min_size=1)))


@given(tournaments())
@settings(max_examples=30, deadline=None)
def test_every_game_is_in_one_group_and_no_group_has_two_of_a_deal(tournament: Tournament) -> None:
    groups = [*Groups(tournament)]
    assert Counter(index for group in groups for index in group) == Counter(range(tournament.games))
    for group in groups:
        deals = [tournament.sitting(index).deal for index in group]
        assert len(deals) == len({*deals}) <= FEW


@given(tournaments(), st.integers(1, 2 * FEW + 2))
@settings(max_examples=30, deadline=None)
def test_with_more_deals_groups_only_gain_games(tournament: Tournament, more: int) -> None:
    kinds = [seat.kind for seat in tournament.players]
    longer = planned(
        *kinds, seats=tournament.seats, orders=len(tournament.orders), deals=tournament.deals + more,
        seed=tournament.seed,
    )  # fmt: skip
    grown = Groups(longer)
    for number, group in enumerate(Groups(tournament)):
        assert grown[number][: len(group)] == group


def test_another_seed_makes_other_groups() -> None:
    one, same, other = ([*Groups(planned("random", "steady", deals=64, seed=seed))] for seed in ("1", "1", "2"))
    assert one == same != other


def test_a_group_is_found_by_its_number_in_any_order() -> None:
    groups = Groups(planned("random", "steady", deals=FEW + 1))
    whole = [*groups]
    assert [groups[number] for number in (3, 0, 2, 1)] == [whole[number] for number in (3, 0, 2, 1)]
    assert [len(group) for group in whole] == [FEW, FEW, 1, 1]
