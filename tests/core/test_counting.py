"""Statistics add up, field by field."""

import pytest

from pokersvc.core.common_events import GameClosed, Started
from pokersvc.core.counting import NOTHING, Countable, Figures, total

ONE = Figures(*range(1, len(Figures._fields) + 1))


def test_what_nothing_is_counted_of_is_nought() -> None:
    assert tuple(NOTHING) == (0,) * len(Figures._fields)
    assert total([]) == NOTHING
    assert Figures() == NOTHING


def test_a_total_is_the_sum_of_each_field() -> None:
    assert total([ONE]) == ONE
    assert tuple(total([ONE, ONE, Figures(dealt=5, rake=-7)])) == (
        7,
        *(2 * value for value in ONE[1:-1]),
        2 * ONE[-1] - 7,
    )


def test_draws_are_by_the_number_of_cards_and_squares_of_two_parts() -> None:
    assert Figures(drew_0=6, drew_1=5, drew_2=4, drew_3=3, drew_4=2, drew_5=1).draws == (6, 5, 4, 3, 2, 1)
    assert Figures(square_high=3, square_low=5).squares == 3 * 2**32 + 5
    assert Figures(square_low=2**32 + 1).squares == 2**32 + 1


class _Uncounted(Countable[Started]):
    """A game without rounds."""


def test_a_game_counts_nothing_unless_it_says_so() -> None:
    game = _Uncounted()
    started: Started = None  # type: ignore[assignment]  # of which nothing is asked
    assert (game.counts_rounds, game.round_ends, game.played_rounds(started)) == (False, frozenset(), None)
    assert game.began_at(GameClosed()) is None
    with pytest.raises(TypeError, match=r"^_Uncounted says that it counts rounds, and has no round_counter$"):
        game.round_counter(started)
