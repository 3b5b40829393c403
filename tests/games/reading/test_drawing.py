"""What draws say of hands: nothing if they are made whatever the hand, and else what is drawn to so."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.exploiters import PatBluff
from benchmarks.exploiting import Explorer, rounds
from pokersvc.games.draw_poker.reading.drawing import drawn
from pokersvc.games.draw_poker.reading.habits import read
from pokersvc.games.draw_poker.reading.hand_classes import (
    KEYS,
    PAT,
    class_chances,
    hidden_key,
    population,
    shown_key,
)

STOOD = hidden_key(0)
HIGH_CARD, ACE_HIGH, LOW_PAIR = 0, 1, 2


def _seen(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.bincount(numbers, minlength=KEYS).astype(np.float64)


def test_before_any_draw_hands_are_mostly_taken_for_those_that_are_drawn_to_so() -> None:
    said = drawn(_seen(), 1, 5)
    assert said.blindly < 0.15
    assert said.deal[hidden_key(3), 2:6].sum() > 0.6  # pairs


def test_whoever_draws_by_the_hand_is_believed() -> None:
    of = population(1, 5)
    hands = np.bincount(1 + np.minimum(of.drew[of.sensible], 4), minlength=KEYS) / of.sensible.sum() * 60
    said, usual = drawn(hands, 1, 5), class_chances(1, 5)
    assert said.blindly < 0.05
    assert said.deal[STOOD, PAT] > 0.5
    assert abs(said.deal[hidden_key(3)] - usual.deal[hidden_key(3)]).max() < 0.05


def test_whoever_stands_pat_time_and_again_has_any_hand() -> None:
    said = drawn(_seen(*[STOOD] * 10), 1, 5)
    assert said.blindly > 0.9
    assert said.final[STOOD, [HIGH_CARD, ACE_HIGH]].sum() > 0.4
    assert said.final[STOOD, PAT] < 0.1
    assert class_chances(1, 5).final[STOOD, PAT] > 0.9


def test_one_bluff_that_is_shown_says_more_than_a_pat_hand_that_is_not() -> None:
    hidden, shown = drawn(_seen(STOOD), 1, 5), drawn(_seen(shown_key(0, LOW_PAIR)), 1, 5)
    made = drawn(_seen(shown_key(0, PAT)), 1, 5)
    assert made.blindly < hidden.blindly < shown.blindly


@given(st.lists(st.integers(0, KEYS - 1), max_size=300))
def test_whatever_was_seen_all_are_probabilities(numbers: list[int]) -> None:
    said = drawn(_seen(*numbers), 1, 5)
    assert 0 < said.blindly < 1
    for of in said.deal, said.final:
        assert np.allclose(of.sum(axis=1), 1)
        assert of.min() >= 0


@given(st.lists(st.integers(1, KEYS - 1), max_size=100))
def test_each_further_pat_hand_makes_blind_draws_likelier(numbers: list[int]) -> None:
    assert drawn(_seen(*numbers, STOOD), 1, 5).blindly >= drawn(_seen(*numbers), 1, 5).blindly - 1e-12


def test_who_doubts_sees_that_a_bluffer_who_stands_pat_gives_up_weak_hands_to_a_raise() -> None:
    past = [*rounds([Explorer(), PatBluff()], "bluffs", 60)]
    believed, doubted = (read(past, 2, 1, 5, doubting=doubting) for doubting in (False, True))
    raised = 16  # after the draw, a small bet on another one
    weak, strong = (doubted.habits[1, raised, number, 0] for number in (HIGH_CARD, PAT))
    assert weak > 0.8
    assert strong < 0.5
    assert weak > believed.habits[1, raised, HIGH_CARD, 0] + 0.1
    assert believed.habits[1, raised, PAT, 0] > strong
