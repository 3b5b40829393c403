"""`win` next to full hands with real cards: they differ by chance, and by less than a hundredth."""

from random import Random

import numpy as np
import pytest

from pokersvc.cards import CARDS, parse_cards, strength
from pokersvc.cards.arrays import checked_hands, strengths
from pokersvc.cards.discards import SIZES, batch_totals, outcomes, rank_values
from pokersvc.cards.opponents import WIN_UNITS, hang_together, win_values
from tests.cards import full_hands
from tests.cards.full_hands import HANDS, biases, faced, knowing, mean_bias, overall, played

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

BIAS = 0.01
"""The maximum bias promised in docs/advice-validation.md."""

BIAS_OF_TWO = 0.035
"""The maximum bias against one opponent who is known to have drawn two cards."""

ENOUGH = 100
"""The minimum number of deals for a meaningful standard error."""


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.slow] * (at % 3 > 0)) for at, text in enumerate(HANDS)]
)
def test_a_hand_wins_as_often_as_expected(text: str) -> None:
    wins_as_often_as_expected(text, 3, 20_000)


@pytest.mark.slow
def test_against_five_any_hand_wins_as_often_as_expected() -> None:
    for text in HANDS:
        wins_as_often_as_expected(text, 5, 20_000)


many_deals = pytest.mark.parametrize("deals", [100_000, pytest.param(400_000, marks=pytest.mark.exhaustive)])
"""Of 100,000 deals three standard errors are half of `BIAS`."""


@pytest.mark.slow
@many_deals
@pytest.mark.parametrize("opponents", [1, 3, 5])
@pytest.mark.parametrize("text", HANDS)
def test_a_hand_wins_as_often_as_expected_in_many_deals(text: str, opponents: int, deals: int) -> None:
    wins_as_often_as_expected(text, opponents, deals)


def wins_as_often_as_expected(text: str, opponents: int, deals: int) -> None:
    of = faced(parse_cards(text), opponents, deals, seed=opponents)
    assert abs(of.got - of.expected) < BIAS + 3 * of.error, text


@pytest.mark.parametrize("text", ["AC AD JH 3S 2D", pytest.param("AC KD QH 7S 2D", marks=pytest.mark.slow)])
def test_against_known_draws_a_hand_wins_as_often_as_stated(text: str) -> None:
    close_when_draws_are_known(text, 30_000)


@pytest.mark.slow
@many_deals
@pytest.mark.parametrize("text", HANDS)
def test_against_known_draws_a_hand_wins_as_often_as_stated_in_many_deals(text: str, deals: int) -> None:
    close_when_draws_are_known(text, deals)


def close_when_draws_are_known(text: str, deals: int) -> None:
    for (drew,), of in knowing(parse_cards(text), 1, deals, seed=1).items():
        if of.deals >= ENOUGH:
            bound = BIAS_OF_TWO if drew == 2 else BIAS
            assert abs(of.got - of.expected) < bound + 3 * of.error, drew
    assert abs(mean_bias(knowing(parse_cards(text), 3, deals, seed=3))) < BIAS + 3 * 0.5 / deals**0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opponents", "deals"),
    [
        (1, 100_000),
        (5, 20_000),
        *(pytest.param(more, 100_000, marks=pytest.mark.exhaustive) for more in (3, 5)),
    ],
)
def test_random_hands_win_as_often_as_expected(opponents: int, deals: int) -> None:
    random = Random(opponents)
    for seed in range(30):
        of = faced(random.sample(CARDS, 5), opponents, deals, seed)
        assert abs(of.got - of.expected) < BIAS + 3 * of.error


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("opponents", [1, 3, 5])
def test_all_kinds_of_hands_win_as_often_as_expected(opponents: int) -> None:
    """Half a minute each: every strength has a table of its own."""
    of = played(opponents, 300_000, seed=opponents)
    assert abs(overall(of).mean) < 0.001 + 3 * overall(of).error
    for bias in biases(of):
        if bias.observations:
            assert abs(bias.mean) < BIAS + 3 * bias.error, bias


@pytest.mark.slow
def test_two_opponents_hang_together_as_stated() -> None:
    """Both end with kings or less the less often, since somebody has the aces; both with less than three of a kind
    the more often.
    """
    opponents, random = 5, np.random.default_rng(3)
    weaker = [strength(parse_cards(text)) for text in ("9C 9D 8H 5S 2D", "KC KD 8H 5S 2D", "3C 3D 3H 5S 2D")]
    alone, both = np.zeros(3), np.zeros(3)
    for _ in range(5):
        decks = full_hands.shuffled(20_000, np.arange(52), random)
        dealt = decks[:, : 5 * (opponents + 1)].reshape(-1, opponents + 1, 5)
        masks, _unused = full_hands.advised(dealt.reshape(-1, 5), win_values(opponents))
        final = full_hands.served(decks, dealt, masks.reshape(dealt.shape[:2]), random)
        ends = strengths(final.reshape(-1, 5)).reshape(dealt.shape[:2])
        for number, s in enumerate(weaker):
            below = (ends <= s).sum(axis=1)
            alone[number] += below.sum() / (6 * 100_000)
            both[number] += (below * (below - 1)).sum() / (30 * 100_000)
    stated = hang_together(opponents)[weaker]
    assert np.abs(both / alone**2 - 1 - stated).max() < 0.006
    assert stated[:2].max() < -0.004
    assert stated[2] > 0


@pytest.mark.parametrize("seats", [2, 6])
def test_a_deal_serves_every_card_once(seats: int) -> None:
    random = np.random.default_rng(seats)
    decks = full_hands.shuffled(2_000, np.arange(52), random)
    dealt = decks[:, : 5 * seats].reshape(-1, seats, 5)
    masks = random.integers(0, 32, dealt.shape[:2])
    final = full_hands.served(decks, dealt, masks, random)
    checked_hands(final.reshape(-1, 5))
    for bit in range(5):
        kept = masks >> bit & 1 == 0
        assert (final[:, :, bit] == dealt[:, :, bit])[kept].all()
    enough = 5 * seats + np.array(SIZES)[masks].sum(axis=1) <= 52
    for cards in final[enough].reshape(-1, 5 * seats):
        assert len(set(cards.tolist())) == 5 * seats
    assert (~enough).any() == (seats == 6)


def test_by_hand_and_in_arrays_the_same_cards_are_served() -> None:
    random = np.random.default_rng(1)
    decks = full_hands.shuffled(500, np.arange(52), random)
    dealt = decks[:, :20].reshape(-1, 4, 5)
    masks = random.integers(0, 32, (500, 4))
    final = full_hands.served(decks, dealt, masks, random)
    for row in range(500):
        assert full_hands.served_by_hand(decks[row].tolist(), masks[row].tolist(), Random(1)) == final[row].tolist()


def test_when_the_deck_runs_out_nobody_gets_their_own_discards() -> None:
    """Six players discard everything: the deck serves four players and two cards, then others' discards are dealt."""
    deck = list(range(52))
    final = full_hands.served_by_hand(deck, [31] * 6, Random(1))
    assert [card for hand in final[:4] for card in hand] == deck[30:50]
    assert final[4][:2] == deck[50:]
    assert set(final[4][2:]) <= set(deck[:20])
    assert not set(final[5]) & set(deck[25:30])
    assert not set(final[4]) & set(final[5])


@pytest.mark.slow
def test_advice_for_all_deals_is_that_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The advice found by faces and suits is the advice for that hand, whatever its suits."""
    random = Random(2)
    monkeypatch.setattr(full_hands, "win_values", lambda opponents, *seen: rank_values())
    hands = np.array([random.sample(range(52), 5) for _ in range(2_000)], np.uint8)
    masks, expected = full_hands.looked_up(full_hands.advice_for_all.__wrapped__(1), hands)
    _, best = full_hands.advised(hands, rank_values())
    assert np.allclose(expected, best)
    totals = batch_totals(hands, rank_values())[np.arange(len(hands)), masks]
    assert np.allclose(totals / [outcomes(mask) for mask in masks.tolist()] / WIN_UNITS, best)
