"""The simulated draw behind the advice: cards, rules, known draws, and comparisons with other calculations."""

from functools import cache
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokersvc.cards import CARDS, Card, Category, parse_cards
from pokersvc.cards.advice import WITHIN, Objective, advise
from pokersvc.cards.discards import SIZES, batch_best, totals
from pokersvc.cards.equilibrium import deals
from pokersvc.cards.fitting import hands_that_drew
from pokersvc.cards.opponents import WIN_UNITS, win_values
from pokersvc.cards.playing import AT_ONCE, FIRST, MORE, DiscardResult, Draw, _Tables, play
from pokersvc.cards.sampling import Sampling
from pokersvc.errors import InvalidValue
from tests.cards import dealt
from tests.cards.full_hands import served_by_hand

LOW = [card.number for card in parse_cards("AC 2D 3H 4S 9C")]
MASKS = np.array(SIZES)


def chance(samples: int = 20_000, seed: int = 1) -> Sampling:
    return Sampling(samples, np.random.default_rng(seed))


# The deck and what is dealt again


def test_while_the_deck_lasts_players_are_served_from_its_top() -> None:
    random = np.random.default_rng(1)
    decks = random.permuted(np.tile(np.arange(52, dtype=np.uint8), (200, 1)), axis=1)
    masks = random.integers(0, 32, (200, 4))
    tables = _Tables.of(decks[:, 20:], decks[:, :0], random)
    final = [tables.serve(decks[:, 5 * seat : 5 * seat + 5], masks[:, seat]) for seat in range(4)]
    for row in range(200):
        by_hand = served_by_hand(decks[row].tolist(), masks[row].tolist(), Random(1))
        assert [hands[row].tolist() for hands in final] == by_hand


@settings(max_examples=40)
@given(st.integers(6, 10), st.integers(0, 4), st.integers(0, 2**32))
def test_no_card_is_lost_or_doubled_and_nobody_is_dealt_their_own_discard(seats: int, folded: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    folded = min(folded, 10 - seats)
    most = min(5, 52 - 5 * seats)
    decks = random.permuted(np.tile(np.arange(52, dtype=np.uint8), (50, 1)), axis=1)
    hands = decks[:, : 5 * seats].reshape(50, seats, 5)
    rest = decks[:, 5 * seats :]
    masks = random.choice(np.flatnonzero(most >= MASKS), (50, seats))
    tables = _Tables.of(rest[:, 5 * folded :], rest[:, : 5 * folded], random)
    final = np.stack([tables.serve(hands[:, seat], masks[:, seat]) for seat in range(seats)], axis=1)
    for row in range(50):
        held = final[row].ravel().tolist()
        left = tables.deck[row, tables.at[row] : tables.end[row]].tolist()
        pile = tables.pile[row, : tables.piled[row]].tolist()
        assert sorted(held + left + pile) == list(range(52))
        for seat in range(seats):
            thrown = hands[row, seat][masks[row, seat] >> np.arange(5) & 1 == 1]
            assert not set(final[row, seat].tolist()) & set(thrown.tolist())


def test_when_the_deck_has_run_out_each_card_of_the_pile_is_as_likely_to_be_next() -> None:
    random = np.random.default_rng(5)
    count = 20_000
    deck = np.zeros((count, 0), np.uint8)
    pile = np.tile(np.arange(8, dtype=np.uint8), (count, 1))
    tables = _Tables.of(deck, pile, random)
    final = tables.serve(np.tile(np.arange(40, 45, dtype=np.uint8), (count, 1)), np.full(count, 0b11))
    for drawn in final[:, :2].T:
        shares = np.bincount(drawn, minlength=8) / count
        assert np.abs(shares - 1 / 8).max() < 5 * (1 / 8 * 7 / 8 / count) ** 0.5
    assert (final[:, 0] != final[:, 1]).all()
    assert (tables.piled == 2).all()


def test_the_table_that_checks_the_advice_is_served_by_the_same_rule() -> None:
    """`dealt.serve`, in plain Python, deals the rest of the deck, then others' discards, never one's own."""
    np.random.seed(1)
    deck, pile, at = np.zeros(104, np.int64), np.zeros(104, np.int64), np.array([0, 1, 3])
    deck[0], pile[:3] = 50, [1, 2, 3]
    hand = np.array([10, 11, 12, 13, 14])
    dealt.serve(hand, 0b01111, deck, pile, at)
    assert hand.tolist()[0] == 50
    assert sorted(hand.tolist()[1:4]) == [1, 2, 3]
    assert hand.tolist()[4] == 14
    assert pile[: at[2]].tolist() == [10, 11, 12, 13]
    assert at[0] == at[1]


def test_the_table_that_checks_the_advice_finds_every_hand_at_its_place() -> None:
    choose = np.array([[comb(n, k) for k in range(6)] for n in range(52)])
    hands = sorted(combinations(range(9), 5), key=lambda hand: hand[::-1])
    for number, hand in enumerate(hands):
        shuffled = np.array(hand)
        np.random.shuffle(shuffled)
        dealt.sort_five(shuffled)
        assert dealt.place(choose, shuffled) == number


# Hands that fit known draws


@pytest.mark.parametrize("drew", [(0,), (2,), (5,), (1, 3, 3), (2, 0, 4), (3, 3, 3, 3, 3)])
def test_those_whose_draws_are_known_have_hands_to_which_they_draw_so_many(drew: tuple[int, ...]) -> None:
    opponents = max(3, len(drew))
    live = np.setdiff1d(np.arange(52, dtype=np.uint8), LOW)
    hands, rest = hands_that_drew(live, opponents, drew, 5, 1_000, np.random.default_rng(2))
    for player, size in enumerate(drew):
        assert (MASKS[batch_best(hands[:, player], win_values(opponents))] == size).all()
    for cards in np.concatenate([hands.reshape(1_000, -1), rest], axis=1).tolist():
        assert sorted(cards) == live.tolist()


@pytest.mark.parametrize("drew", [0, 1, 2])
def test_of_all_hands_to_which_so_many_are_drawn_each_is_as_likely(drew: int) -> None:
    """The frequency of a pair of aces or better is the same as over all deals."""
    hands, _ = hands_that_drew(np.arange(52, dtype=np.uint8), 1, (drew,), 5, 20_000, np.random.default_rng(3))
    of = deals()
    rows = MASKS[batch_best(of.hands, win_values(1))] == drew
    aces = (of.hands // 4 == 12).sum(axis=1)
    expected = (aces * of.weights)[rows].sum() / of.weights[rows].sum()
    assert (hands[:, 0] // 4 == 12).sum(axis=1).mean() == pytest.approx(expected, abs=5 / 20_000**0.5)


def test_what_one_opponent_drew_is_told_by_the_others_too() -> None:
    """Two opponents who drew two and three are sampled in turn, and compared with tables dealt until both do so."""
    random = np.random.default_rng(4)
    live, values = np.setdiff1d(np.arange(52, dtype=np.uint8), LOW), win_values(2)
    any_hands = random.permuted(np.tile(live, (200_000, 1)), axis=1)[:, :10].reshape(-1, 2, 5)
    sizes = MASKS[batch_best(any_hands.reshape(-1, 5), values)].reshape(-1, 2)
    both = any_hands[(sizes == (2, 3)).all(axis=1)]
    found, _ = hands_that_drew(live, 2, (2, 3), 5, 20_000, random)
    for player in range(2):
        faces = [(hands[:, player, :, None] // 4 == np.arange(13)).sum(axis=1) for hands in (both, found)]
        error = np.sqrt(sum(of.var(axis=0) / len(of) for of in faces))
        assert (np.abs(faces[0].mean(axis=0) - faces[1].mean(axis=0)) < 5 * error).all()


def test_a_draw_that_nobody_makes_who_plays_well_is_answered_too() -> None:
    """At a table of ten nobody may draw five; an opponent who is said to have done so may hold any hand."""
    found = play(LOW, Draw(9, 1, (5,)), sampling=chance(2_000))
    assert 0.02 < found[0b10000].value < 0.15


# What comes out


@cache
def known() -> dict[int, DiscardResult]:
    """Return the advice for a hand against one opponent who drew two."""
    return play(LOW, Draw(1, 1, (2,)))


@pytest.mark.slow
def test_the_same_question_has_the_same_answer_whatever_the_order_of_the_cards() -> None:
    first = known()
    assert first == play(LOW, Draw(1, 1, (2,)))
    turned = play(LOW[::-1], Draw(1, 1, (2,)))
    for mask, of in first.items():
        assert turned[int(f"{mask:05b}"[::-1], 2)] == of


def test_every_discard_is_played_and_those_near_the_best_more_often() -> None:
    found = known()
    played = {mask: sum(of.counts) for mask, of in found.items()}
    assert set(played) == set(range(32))
    assert set(played.values()) == {FIRST * AT_ONCE, (FIRST + MORE) * AT_ONCE}
    best = max(found, key=lambda mask: found[mask].value)
    assert played[best] == (FIRST + MORE) * AT_ONCE
    assert found[best].error < 0.003


@pytest.mark.parametrize("before", [0, pytest.param(1, marks=pytest.mark.slow), 2])
def test_where_the_deck_lasts_playing_and_counting_agree(before: int) -> None:
    """Against two opponents, in any seat; the exact value may differ by as much as its stated error."""
    hand = parse_cards("QC QS 5C 4H 2D")
    counted = totals(hand, win_values(2, (), hand))[0b11100] / comb(47, 3) / WIN_UNITS
    found = play([card.number for card in hand], Draw(2, before), sampling=chance(20_000))[0b11100]
    assert abs(found.value - counted) < WITHIN[2] + 4 * found.error


def test_of_the_final_hands_each_category_comes_as_often_as_it_is_counted_while_the_deck_lasts() -> None:
    hand = parse_cards("QC QS 5C 4H 2D")
    counted = next(row for row in advise(hand, Objective("win", 1)) if len(row.thrown) == 3 and row.kept[0].face == 10)
    found = play([card.number for card in hand], Draw(1, 0), sampling=chance(40_000))[0b11100]
    for number, of in zip(counted.counts, found.counts, strict=True):
        assert of / 40_000 == pytest.approx(number / counted.outcomes, abs=0.012)


def test_who_draws_after_the_deck_has_run_out_finds_fewer_aces() -> None:
    """Eight others keep aces and pairs, so the last player to draw to AC KD QH JS pairs an ace less often."""
    hand = [card.number for card in parse_cards("AC KD QH JS 2D")]
    first, last = (play(hand, Draw(7, before), sampling=chance(5_000))[0b10000] for before in (0, 7))
    pairs = [of.counts[Category.ONE_PAIR] / 5_000 for of in (first, last)]
    assert pairs[1] < pairs[0] - 0.03


def test_no_more_is_drawn_than_can_be_dealt() -> None:
    assert max(SIZES[mask] for mask in play(LOW, Draw(9, 9), sampling=chance(500))) == 2
    assert max(SIZES[mask] for mask in play(LOW, Draw(8, 0), sampling=chance(500))) == 5
    assert max(SIZES[mask] for mask in play(LOW, Draw(8, 0), 3, sampling=chance(500))) == 3
    dead = [card.number for card in CARDS if card.number not in LOW][:39]
    assert max(SIZES[mask] for mask in play(LOW, Draw(1, 0), dead=dead, sampling=chance(500))) == 3


def test_dead_cards_are_not_drawn() -> None:
    hand, tens = parse_cards("AC KD QH JS 2C"), parse_cards("10C 10D 10H 10S")
    of = [
        play([card.number for card in hand], Draw(5, 0), 1, [card.number for card in dead], chance(1_000))[0b10000]
        for dead in ((), tens)
    ]
    assert of[0].counts[Category.STRAIGHT] > 0
    assert of[1].counts[Category.STRAIGHT] == 0


@pytest.mark.parametrize(
    ("draw", "told"),
    [
        ((3, 4), "4 of 3 opponents cannot draw earlier; give 0 to 3."),
        ((3, -1), "-1 of 3 opponents cannot draw earlier; give 0 to 3."),
        ((3, 1, (1, 2)), "The draws of 2 opponents are given, but only 1 can draw before this seat;"),
        ((3, 1, (1,), 7), "7 players cannot have folded: with 3 opponents 0 to 6 can."),
        ((3, 1, (1,), -1), "-1 players cannot have folded: with 3 opponents 0 to 6 can."),
    ],
)
def test_an_order_of_draws_that_cannot_be_is_refused(draw: tuple[Any, ...], told: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        Draw(*draw)
    assert str(refused.value).startswith(told)


def test_more_hands_than_cards_are_refused() -> None:
    dead = [card.number for card in CARDS if card.number not in LOW][:3]
    with pytest.raises(InvalidValue, match=r"^10 hands of five cards cannot be dealt from a deck of 52 without 3 dead"):
        play(LOW, Draw(9, 0), dead=dead)


def test_an_objective_is_played_where_counting_would_not_do() -> None:
    assert [n for n in range(1, 10) if Objective("win", n).is_played()] == [5, 6, 7, 8, 9]
    assert Objective("win", 1, (2,)).is_played()
    assert Objective("win", 2, folded=7).is_played()
    assert not Objective("win", 2, folded=4, earlier=2).is_played()
    assert Objective("win", 4).is_played(dead=3)
    assert not Objective("rank", 9).is_played()


def test_by_monte_carlo_a_draw_is_played_as_often_as_is_asked() -> None:
    hand: list[Card] = list(parse_cards("AC 2D 3H 4S 9C"))
    rows = advise(hand, Objective("win", 1, (2,)), sampling=chance(6_000))
    assert {row.outcomes for row in rows} == {6_000}
    assert all(row.exact is None for row in rows)
    assert rows == sorted(rows, key=lambda row: -row.value)


def test_a_discard_that_is_ruled_out_early_never_comes_first_by_its_luck() -> None:
    advice = advise(parse_cards("5S 5H 5D 8S 4D"), Objective("win", 1, (4,)))
    best = advice[0]
    assert best.thrown == tuple(parse_cards("8S 4D")), "to stand pat with three of a kind never wins more"
    values = [row.value for row in advice]
    assert values == sorted(values, reverse=True)
