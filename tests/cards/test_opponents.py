"""The chance to win: ties as shares, opponents about whom something is known, and refused questions."""

from functools import reduce
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS, STRENGTHS, Card, parse_cards, strength
from pokersvc.cards.discards import totals
from pokersvc.cards.opponents import (
    MOST_OPPONENTS,
    THROWN_UNITS,
    WIN_UNITS,
    Chances,
    Ends,
    by_suit,
    faces_had,
    good_players,
    hang_together,
    save,
    win_values,
    winning,
)
from pokersvc.errors import InvalidValue

NUMBERS = range(1, MOST_OPPONENTS + 1)


def toy(weights: list[int], at: list[int]) -> Chances:
    """Return the chances of a player whose hands end in the strengths ``at``, with the given weights."""
    found = np.zeros(STRENGTHS + 1)
    found[at] = np.array(weights) / sum(weights)
    return found


opponents = st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=1, max_size=5)


@settings(max_examples=25)
@given(opponents)
def test_a_tie_counts_as_its_share(weights: list[list[int]]) -> None:
    at = [10, 500, STRENGTHS]
    found = winning([toy(of, at) for of in weights]).by_strength / WIN_UNITS
    for own in (1, 10, 11, 500, 7000, STRENGTHS):
        expected = 0.0
        for ends in product(range(3), repeat=len(weights)):
            chance = reduce(float.__mul__, (of[end] / sum(of) for of, end in zip(weights, ends, strict=True)), 1.0)
            strengths = [at[end] for end in ends]
            if max(strengths) <= own:
                expected += chance / (1 + strengths.count(own))
        assert found[own] == pytest.approx(expected, abs=1e-9)


def test_one_opponent_is_beaten_or_half_beaten() -> None:
    chances = good_players()[0].chances()
    found = win_values(1).by_strength / WIN_UNITS
    for own in (1, 100, 3000, STRENGTHS):
        assert found[own] == pytest.approx(chances[:own].sum() + chances[own] / 2, abs=1e-9)


def test_without_opponents_every_hand_wins() -> None:
    assert set(winning([]).by_strength[1:].tolist()) == {WIN_UNITS}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_stronger_hand_wins_more_often(number: int) -> None:
    found = win_values(number).by_strength[1:]
    assert (np.diff(found) >= 0).all()
    assert 0 <= found[0] < found[-1] <= WIN_UNITS


def test_more_opponents_are_harder_to_beat() -> None:
    for fewer in range(1, MOST_OPPONENTS):
        assert (win_values(fewer + 1).by_strength[1:] <= win_values(fewer).by_strength[1:]).all()


@pytest.mark.parametrize("number", NUMBERS)
def test_chances_add_up(number: int) -> None:
    ends = good_players()[number - 1]
    for drew in (None, *range(6)):
        chances = ends.chances(drew)
        assert chances.sum() == pytest.approx(1, abs=1e-12)
        assert chances.min() >= 0
        assert chances[0] == 0


@pytest.mark.parametrize("number", NUMBERS)
def test_overall_a_player_draws_as_often_as_good_players_do(number: int) -> None:
    """Each number of drawn cards is weighted by its share of all deals."""
    ends = good_players()[number - 1]
    deals = [int(ends.counts[size].sum()) / comb(47, size) / ends.rounds for size in range(6)]
    assert sum(deals) == pytest.approx(comb(52, 5), rel=1e-12)
    mixed = sum(deals[size] / comb(52, 5) * ends.chances(size) for size in range(6))
    assert np.allclose(mixed, ends.chances(), atol=1e-15)


def test_who_drew_fewer_cards_ends_better() -> None:
    """A player who draws one may have two pair or nothing; none means a made hand, five nothing to keep."""
    worth = [int(win_values(1, (drew,)).by_strength[4000]) for drew in range(6)]
    assert worth[0] < min(worth[1:])
    assert worth[5] == max(worth)


@given(st.permutations([0, 1, 3, 3]))
def test_in_which_order_draws_are_given_does_not_matter(drew: list[int]) -> None:
    assert win_values(5, tuple(drew)) is win_values(5, (0, 1, 3, 3))


def test_known_draws_replace_what_is_known_of_all() -> None:
    ends = good_players()[2]
    expected = winning([ends.chances(1), ends.chances(3), ends.chances()])
    assert np.array_equal(win_values(3, (3, 1)).by_strength, expected.by_strength)
    assert np.array_equal(win_values(3).by_strength, winning([ends.chances()] * 3).by_strength)


# Cards that opponents cannot have


ACES = parse_cards("AC AD JH 3S 2D")


def test_who_sees_nothing_knows_what_is_known_of_all() -> None:
    assert win_values(3, (), []) is win_values(3)


def test_what_suits_are_called_does_not_matter() -> None:
    assert win_values(3, (), ACES) is win_values(3, (), iter(ACES[::-1]))
    assert win_values(3, (), ACES) is win_values(3, (), parse_cards("AH AS JC 3D 2H"))


def test_nobody_has_four_of_a_face_that_is_seen() -> None:
    quads = strength(parse_cards("AC AD AH AS KD"))
    assert good_players()[0].chances()[quads] > 1e-6
    assert good_players()[0].chances(None, by_suit(parse_cards("AS")))[quads] < 1e-10


def test_a_final_flush_is_one_of_the_suits_of_which_nothing_is_seen() -> None:
    """Of four flushes with the same faces, three are possible against one suited card, two against a second suit."""
    flush = strength(parse_cards("9C 6C 4C 3C 2C"))
    mine = parse_cards("9C 6C 4C 3C 2C")
    one, two, four = (
        good_players()[4].chances(None, by_suit(cards))[flush]
        for cards in (mine, parse_cards("9C 6C 4C 3C 2D"), parse_cards("9C 6D 4H 3S 2C"))
    )
    assert one / two == pytest.approx(3 / 2, rel=0.01)
    assert four / one < 1e-5
    assert win_values(5, (), mine) is not win_values(5, (), parse_cards("9C 6C 4C 3C 2D"))
    assert win_values(5, (), mine) is win_values(5, (), parse_cards("9S 6S 4S 3S 2S"))


def test_who_holds_aces_fears_few() -> None:
    """Of the six pairs of aces one is left; a player who drew three has seen eight cards, five of them dealt."""
    pair = slice(strength(parse_cards("AC AD 4H 3S 2D")), strength(parse_cards("AC AD KH QS JD")) + 1)
    expected = comb(45, 6) / comb(47, 8) / (6 * comb(48, 6) / comb(52, 8))
    of_all, of_others = good_players()[0].chances(), good_players()[0].chances(None, by_suit(ACES))
    assert of_others[pair].sum() / of_all[pair].sum() == pytest.approx(expected, rel=0.05)
    mask = 0b11100
    assert totals(ACES, win_values(1, (), ACES))[mask] > totals(ACES, win_values(1))[mask]


@given(st.permutations(CARDS), st.integers(0, 52), st.none() | st.integers(0, 5))
def test_chances_add_up_whatever_is_seen(order: list[Card], seen: int, drew: int | None) -> None:
    chances = good_players()[3].chances(drew, by_suit(order[:seen]))
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert chances.min() >= 0


def test_with_all_cards_seen_there_are_still_values() -> None:
    for drew in ((), (0,), (5,)):
        assert (np.diff(win_values(2, drew, CARDS).by_strength[1:]) >= 0).all()


def test_a_card_is_seen_once() -> None:
    with pytest.raises(InvalidValue, match=r"^The card AC is seen twice; a deck has it once"):
        win_values(2, (), [*ACES, ACES[0]])


@settings(max_examples=10)
@given(st.permutations(CARDS), st.integers(1, 9))
def test_a_stronger_hand_wins_more_often_whatever_is_seen(order: list[Card], number: int) -> None:
    assert (np.diff(win_values(number, (1,), order[:5]).by_strength[1:]) >= 0).all()


@pytest.mark.parametrize("number", NUMBERS)
def test_each_pair_of_opponents_multiplies_the_chance(number: int) -> None:
    chances = good_players()[number - 1].chances(None, by_suit(ACES))
    apart = winning([chances] * number).by_strength / WIN_UNITS
    expected = apart * (1 + number * (number - 1) / 2 * hang_together(number))
    found = win_values(number, (), ACES).by_strength / WIN_UNITS
    assert np.abs(found - expected)[1:].max() < 0.001  # it never falls, which what is expected does here and there
    if number == 5:
        assert np.abs(found - apart).max() > 0.01


@pytest.mark.parametrize("number", [-1, 0, 10])
def test_another_number_of_opponents_is_refused(number: int) -> None:
    with pytest.raises(InvalidValue, match=f"^There are tables for 1 to 9 opponents, not for {number}"):
        win_values(number)


def test_no_more_draws_than_opponents_are_known() -> None:
    with pytest.raises(InvalidValue, match=r"^The draws of 3 opponents are given, but there are 2; give no more"):
        win_values(2, (1, 1, 1))


@pytest.mark.parametrize("drew", [-1, 6])
def test_nobody_draws_another_number_of_cards(drew: int) -> None:
    with pytest.raises(InvalidValue, match=f"^No opponent drew {drew} cards; a player draws 0 to 5"):
        win_values(2, (1, drew))


def test_what_is_saved_can_be_read(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    from pokersvc.cards import opponents as module

    assert isinstance(tmp_path, Path)
    ends = [Ends(np.arange(6 * 7463).reshape(6, 7463) * number, number) for number in NUMBERS]
    thrown = np.arange(13 * 6 * 7463).reshape(13, 6, 7463).astype(np.uint8)
    save(tmp_path / "opponents.npz", ends, thrown, np.zeros((9, 7463), np.int32))
    monkeypatch.setattr(module, "files", lambda package: tmp_path)
    monkeypatch.setattr(module, "_stored", module._stored.__wrapped__)
    assert np.array_equal(faces_had.__wrapped__()[7, 3, 0], thrown[7, 3, 0] / np.float32(THROWN_UNITS))
    for written, read in zip(ends, good_players.__wrapped__(), strict=True):
        assert np.array_equal(written.counts, read.counts)
        assert written.rounds == read.rounds
