"""Names of hands, and which hand wins."""

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cards import CARDS, Card, Category, Hand, InvalidCard, InvalidHand, parse_cards

hands = st.permutations(CARDS).map(lambda order: Hand(order[:5]))


@pytest.mark.parametrize(
    ("cards", "category", "description"),
    [
        ("AH QD 9S 3C 2D", Category.HIGH_CARD, "ace high"),
        ("7H 5D 4S 3C 2D", Category.HIGH_CARD, "seven high"),
        ("KH 2D KS 9C 3D", Category.ONE_PAIR, "pair of kings"),
        ("6H 2D 6S 9C 3D", Category.ONE_PAIR, "pair of sixes"),
        ("8H AD 8S AC 3D", Category.TWO_PAIR, "two pair, aces and eights"),
        ("6H 2D 6S 2C AD", Category.TWO_PAIR, "two pair, sixes and twos"),
        ("9H 9D 9S AC KD", Category.THREE_OF_A_KIND, "three of a kind, nines"),
        ("6H 6D 6S AC KD", Category.THREE_OF_A_KIND, "three of a kind, sixes"),
        ("10H 9D 8S 7C 6D", Category.STRAIGHT, "ten-high straight"),
        ("AH KD QS JC 10D", Category.STRAIGHT, "ace-high straight"),
        ("AH 2D 3S 4C 5D", Category.STRAIGHT, "five-high straight"),
        ("AH 9H 6H 3H 2H", Category.FLUSH, "ace-high flush"),
        ("KH KD 2S 2C KS", Category.FULL_HOUSE, "full house, kings over twos"),
        ("6H 6D 3S 3C 6S", Category.FULL_HOUSE, "full house, sixes over threes"),
        ("AH AD AS AC 2D", Category.FOUR_OF_A_KIND, "four of a kind, aces"),
        ("8H 7H 6H 5H 4H", Category.STRAIGHT_FLUSH, "eight-high straight flush"),
        ("AC 2C 3C 4C 5C", Category.STRAIGHT_FLUSH, "five-high straight flush"),
        ("AS KS QS JS 10S", Category.ROYAL_FLUSH, "royal flush"),
    ],
)
def test_a_hand_is_called_what_players_call_it(cards: str, category: Category, description: str) -> None:
    hand = Hand.parse(cards)
    assert (hand.category, hand.describe()) == (category, description)


# Each line beats the next one: the founding examples, kickers, and where the ace is low.
BEST_FIRST = [
    "AD KD QD JD 10D",
    "KH QH JH 10H 9H",
    "8H 7H 6H 5H 4H",
    "6S 5S 4S 3S 2S",
    "5S 4S 3S 2S AS",
    "KH KD KS KC 3D",
    "KH KD KS KC 2D",
    "QH QD QS QC AD",
    "10H 10D 10S 9C 9D",
    "10H 10D 10S 8C 8D",
    "9H 9D 9S AC AD",
    "AH 6H 5H 4H 3H",
    "KD QD JD 10D 8D",
    "KD QD JD 10D 7D",
    "AH KD QS JC 10D",
    "9H 8D 7S 6C 5D",
    "6H 5D 4S 3C 2D",
    "5H 4D 3S 2C AD",
    "QH QD QS 3C 2D",
    "JH JD JS AC KD",
    "JH JD JS AC QD",
    "KH KD 7S 7C 2D",
    "QH QD JS JC AD",
    "QH QD 10S 10C 3D",
    "QH QD 10S 10C 2D",
    "AH AD 8S 5C 2D",
    "AH AD 7S 6C 5D",
    "AH AD 7S 6C 4D",
    "AH AD 7S 5C 4D",
    "KH KD AS QC JD",
    "AH KD QS JC 9D",
    "AH KD QS JC 8D",
    "KH QD JS 10C 8D",
    "7H 5D 4S 3C 2D",
]


def test_the_better_hand_wins() -> None:
    ranked = [Hand.parse(cards) for cards in BEST_FIRST]
    for better, worse in pairwise(ranked):
        assert better > worse
        assert worse < better
        assert better >= worse
        assert worse <= better
        assert better != worse
        assert not better <= worse
        assert better.strength > worse.strength
        assert better.code > worse.code
    assert sorted(ranked, reverse=True) == ranked


def test_suits_never_break_a_tie() -> None:
    hand, other = Hand.parse("AH AD JS 3C 2D"), Hand.parse("3H 2C AS JD AC")
    assert hand == other
    assert hand <= other <= hand
    assert not hand < other
    assert hash(hand) == hash(other)
    assert hand.cards != other.cards


@given(hands, hands)
def test_hands_are_equal_exactly_when_they_tie(a: Hand, b: Hand) -> None:
    assert (a == b) == (a.strength == b.strength) == (a.code == b.code)
    assert (a < b) == (a.code < b.code)
    assert a != b or hash(a) == hash(b)


@given(st.permutations(CARDS), st.permutations(range(5)))
def test_the_order_of_the_cards_does_not_count(order: list[Card], places: list[int]) -> None:
    assert Hand(order[:5]) == Hand([order[place] for place in places])


def test_the_royal_flush_is_the_best() -> None:
    royal = Hand.parse("AS KS QS JS 10S")
    assert (royal.strength, royal.code, royal.linear) == (7462, 0x9CBA98, 129)


@given(hands)
def test_a_hand_is_written_as_its_cards_and_reads_back(hand: Hand) -> None:
    assert str(hand) == "[" + ", ".join(str(card) for card in hand.cards) + "]"
    assert Hand.parse(str(hand)).cards == hand.cards
    assert eval(repr(hand)).cards == hand.cards


def test_a_hand_keeps_the_order_given() -> None:
    assert str(Hand.parse("JC QD 5C 7S 8C")) == "[JC, QD, 5C, 7S, 8C]"


@pytest.mark.parametrize(("cards", "count"), [("", 0), ("AH KD 9S 3C", 4), ("AH KD 9S 3C 2D 5H", 6)])
def test_a_hand_has_five_cards(cards: str, count: int) -> None:
    with pytest.raises(InvalidHand, match=f"^A hand has five cards, not {count}") as refusal:
        Hand.parse(cards)
    assert refusal.value.code == "invalid_hand"


def test_a_card_cannot_be_in_a_hand_twice() -> None:
    with pytest.raises(InvalidHand, match="five different cards, not AH, KD, 9S, 3C, AH"):
        Hand((*parse_cards("AH KD 9S 3C"), Card("Ah")))
    with pytest.raises(InvalidCard, match="AH is named twice"):
        Hand.parse("AH KD 9S 3C AH")


@pytest.mark.parametrize("operator", ["__lt__", "__le__", "__gt__", "__ge__", "__eq__"])
def test_a_hand_compares_with_hands_only(operator: str) -> None:
    assert getattr(Hand.parse("AS KS QS JS 10S"), operator)(7462) is NotImplemented


def test_a_hand_does_not_change() -> None:
    hand = Hand.parse("AH AD JS 3C 2D")
    with pytest.raises(AttributeError, match="A hand does not change"):
        hand.strength = 7462
    with pytest.raises(AttributeError, match="A hand does not change"):
        del hand.cards
    for again in (copy.copy(hand), copy.deepcopy(hand), pickle.loads(pickle.dumps(hand))):
        assert (again.cards, again.strength) == (hand.cards, hand.strength)
