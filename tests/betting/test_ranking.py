"""The places of a tournament and its prizes: every place is given once, and all that was paid is won."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.betting.ranking import PERCENT, Exit, places_of, prizes_of


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[list[int], int, dict[int, Exit]]:
    """Stacks with an unused place 0, the seats still in, and how all others went out."""
    seats = draw(st.integers(2, 10))
    seated = draw(st.integers(0, 2**seats - 1)) << 1
    stacks = [0, *draw(st.lists(st.integers(0, 5), min_size=seats, max_size=seats))]
    exits = {
        seat: Exit(draw(st.integers(1, 4)), stacks[seat], draw(st.integers(1, 4)))
        for seat in range(1, seats + 1)
        if not seated >> seat & 1
    }
    return stacks, seated, exits


@st.composite
def shares(draw: st.DrawFn, most: int) -> tuple[int, ...]:
    """Shares of places in percent, which add up."""
    cuts = sorted(draw(st.sets(st.integers(1, PERCENT - 1), max_size=most - 1)))
    return tuple(sorted((b - a for a, b in zip([0, *cuts], [*cuts, PERCENT], strict=True)), reverse=True))


@given(tournaments())
def test_every_place_is_given_once(played: tuple[list[int], int, dict[int, Exit]]) -> None:
    places = places_of(*played)
    taken = [place + at for place, seats in Counter(places).items() for at in range(seats)]
    assert sorted(taken) == list(range(1, len(places) + 1)), "seats that tie take up the places that follow"


@given(tournaments())
def test_who_is_in_ranks_above_who_is_out_and_who_went_out_later_above_who_did_before(
    played: tuple[list[int], int, dict[int, Exit]],
) -> None:
    stacks, seated, exits = played
    places = places_of(*played)
    for one in range(1, len(stacks)):
        for other in range(1, len(stacks)):
            above = places[one - 1] < places[other - 1]
            match seated >> one & 1, seated >> other & 1:
                case 1, 1:
                    assert above == (stacks[one] > stacks[other])
                case 1, 0:
                    assert above
                case 0, 0:
                    a, b = exits[one], exits[other]
                    later = a.round > b.round
                    same = a.round == b.round
                    more = (a.left_with, a.began_with) > (b.left_with, b.began_with)
                    assert above == (later or (same and more))


@given(st.data())
def test_all_that_was_paid_is_won_and_no_better_place_wins_less(data: st.DataObject) -> None:
    places = places_of(*data.draw(tournaments()))
    pool = data.draw(st.integers(0, 10_000_000))
    prizes = prizes_of(pool, data.draw(shares(len(places))), places)
    assert sum(prizes) == pool
    assert min(prizes) >= 0
    ordered = [prize for _, prize in sorted(zip(places, (-prize for prize in prizes), strict=True))]
    assert ordered == sorted(ordered)
    for place in set(places):
        tied = [prize for own, prize in zip(places, prizes, strict=True) if own == place]
        assert max(tied) - min(tied) <= (place == 1)


@pytest.mark.parametrize(
    ("pool", "percent", "places", "prizes"),
    [
        (100, (100,), (2, 1), (0, 100)),
        (101, (50, 30, 20), (1, 2, 3), (51, 30, 20)),
        (99, (60, 40), (1, 2, 2), (61, 19, 19)),  # 60 and 39: the odd unit of those who tie goes to the first
        (50, (60, 40), (1, 1, 3), (25, 25, 0)),
        (51, (60, 40), (3, 1, 1), (0, 26, 25)),
        (7, (34, 33, 33), (1, 1, 1), (3, 2, 2)),
        (7, (42, 29, 29), (1, 2, 3, 3, 3), (5, 2, 0, 0, 0)),  # not 3 and 4, as the next higher place would have it
        (100, (60, 30, 10), (1, 2, 3, 4), (60, 30, 10, 0)),
    ],
)
def test_prizes(pool: int, percent: tuple[int, ...], places: tuple[int, ...], prizes: tuple[int, ...]) -> None:
    found = prizes_of(pool, percent, places)
    assert sum(found) == pool
    assert found == prizes


def test_who_began_the_hand_with_more_chips_ranks_higher_and_equal_stacks_tie() -> None:
    exits = {2: Exit(5, 0, 40), 3: Exit(5, 0, 90), 4: Exit(5, 0, 40), 5: Exit(4, 0, 500)}
    assert places_of([0, 900, 0, 0, 0, 0], 0b10, exits) == (1, 3, 2, 3, 5)


def test_who_leaves_with_chips_ranks_above_who_lost_all_in_the_same_hand() -> None:
    exits = {2: Exit(5, 0, 900), 3: Exit(5, 10, 20)}
    assert places_of([0, 900, 0, 10], 0b10, exits) == (1, 3, 2)
