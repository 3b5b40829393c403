"""Strengths: every hand against published counts and against a slow ranking that shares no code."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from pathlib import Path
from random import Random

import pytest

from pokersvc.cards import CARDS, STRENGTHS, Card, Category, category_of, code_of, linear_of, parse_cards, strength
from pokersvc.errors import InvalidValue

FIGURES = json.loads((Path(__file__).parent / "hands.json").read_text(encoding="utf-8"))
BY_CATEGORY = list(FIGURES["counts"])  # from high card to royal flush, as in the file

SlowRank = tuple[int, ...]
"""The category and five faces from 2 to 14, groups first."""

SHAPES = {
    (1, 1, 1, 1, 1): 0,
    (2, 1, 1, 1): 1,
    (2, 2, 1): 2,
    (3, 1, 1): 3,
    (3, 2): 6,
    (4, 1): 7,
}


def slow_rank(faces: list[int], suits: set[str]) -> SlowRank:
    """Rank a hand by counting its faces; equal tuples tie, and the larger one wins."""
    groups = sorted([(faces.count(face), face) for face in set(faces)], reverse=True)
    category = SHAPES[tuple([count for count, _ in groups])]
    ranked = [face for count, face in groups for _ in range(count)]
    if category == 0:
        if ranked == [14, 5, 4, 3, 2]:
            ranked = [5, 4, 3, 2, 1]
        straight = ranked[0] - ranked[4] == 4
        flush = len(suits) == 1
        if straight and flush:
            category = 9 if ranked[0] == 14 else 8
        elif flush:
            category = 5
        elif straight:
            category = 4
    return (category, *ranked)


FACES = "23456789TJQKA"
SUITS = "cdhs"

Hands = Iterator[tuple[tuple[Card, ...], int]]
"""Hands, each with the number of hands that it represents."""


def every_hand() -> Hands:
    return ((cards, 1) for cards in combinations(CARDS, 5))


def hands_of_every_form() -> Hands:
    """Yield, for every combination of faces, all one-suited hands and a random sample of the others."""
    random = Random(1)
    for faces in combinations_with_replacement(FACES, 5):
        copies = Counter(faces)
        if max(copies.values()) > 4:
            continue
        of_one_suit = 4 if len(copies) == 5 else 0
        for suit in SUITS[:of_one_suit]:
            yield tuple(Card(face + suit) for face in faces), 1
        drawn: list[list[Card]] = []
        while len(drawn) < 3:
            hand = tuple(Card(f + suit) for f, count in copies.items() for suit in random.sample(SUITS, count))
            if len({card.notation[1] for card in hand}) > 1:
                drawn.append(random.sample(hand, 5))
        counts = [prod(comb(4, count) for count in copies.values()) - of_one_suit, 0, 0]
        yield from zip(map(tuple, drawn), counts, strict=True)


@pytest.mark.parametrize(
    "of", [hands_of_every_form, pytest.param(every_hand, marks=[pytest.mark.slow, pytest.mark.exhaustive])]
)
def test_every_hand(of: Callable[[], Hands]) -> None:
    """All 2,598,960 hands: strengths order and tie them as the slow ranking does, and the figures are right."""
    face_of = {card: "..23456789TJQKA".index(card.notation[0]) for card in CARDS}
    suit_of = {card: card.notation[1] for card in CARDS}
    rank_of: dict[int, SlowRank] = {}
    hands: Counter[int] = Counter()
    for cards, count in of():
        rank = slow_rank([face_of[card] for card in cards], {suit_of[card] for card in cards})
        s = strength(cards)
        hands[s] += count
        if rank_of.setdefault(s, rank) != rank:
            pytest.fail(f"{cards} has strength {s}, which is also that of {rank_of[s]}")

    assert sorted(rank_of) == list(range(1, STRENGTHS + 1))
    ranks = [rank_of[s] for s in range(1, STRENGTHS + 1)]
    assert all(weaker < stronger for weaker, stronger in pairwise(ranks))

    counts: Counter[str] = Counter()
    strengths: Counter[str] = Counter()
    for s, (category, *faces) in rank_of.items():
        label = BY_CATEGORY[category]
        assert category_of(s) == category
        assert category_of(s).label == label
        code = category
        for face in faces:
            code = 16 * code + (14 if face == 1 else face) - 2
        assert code_of(s) == code
        assert linear_of(s) == 13 * (min(category, 8) + 1) + faces[0] - 2
        counts[label] += hands[s]
        straight_flush = "straight flush and royal flush"
        strengths[straight_flush if category >= 8 else label] += 1
        strengths["all"] += 1
    assert counts == FIGURES["counts"]
    assert counts.total() == 2_598_960
    assert strengths == FIGURES["strengths"]


def test_codes_order_as_strengths_do() -> None:
    codes = [code_of(s) for s in range(1, STRENGTHS + 1)]
    assert codes == sorted(set(codes))
    assert codes[-1] < 2**24


@pytest.mark.parametrize(("cards", "code"), FIGURES["codes"].items())
def test_codes_are_as_published(cards: str, code: int) -> None:
    assert code_of(strength(parse_cards(cards))) == code


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("AH AD JS 3C 2D", 0x1CC910),
        ("5H 4D 3S 2C AD", 0x43210C),
        ("6H 5D 4S 3C 2D", 0x443210),
        ("AS KS QS JS 10S", 0x9CBA98),
        ("7H 5D 4S 3C 2D", 0x053210),
    ],
)
def test_a_code_reads_as_category_and_faces(cards: str, code: int) -> None:
    assert code_of(strength(parse_cards(cards))) == code


@pytest.mark.parametrize(
    ("cards", "linear"),
    [
        ("AH QD 9S 3C 2D", 25),  # ace high
        ("AH AD JS 3C 2D", 38),  # a pair of aces
        ("AH AD 3S 3C 2D", 51),  # aces up
        ("AH AD AS 3C 2D", 64),  # three aces
        ("8H 7D 6S 5C 4D", 71),  # 8-high straight
        ("5H 4D 3S 2C AD", 68),  # the wheel
        ("AH 9H 6H 3H 2H", 90),  # ace-high flush
        ("KH KD KS AC AD", 102),  # kings full
        ("AH AD AS 3C 3D", 103),  # aces full
        ("AH AD AS AC 2D", 116),  # four aces
        ("6H 5H 4H 3H 2H", 121),  # 6-high straight flush
        ("AH KH QH JH 10H", 129),  # royal flush
    ],
)
def test_linear_values_are_13_times_class_plus_face(cards: str, linear: int) -> None:
    assert linear_of(strength(parse_cards(cards))) == linear


@pytest.mark.parametrize("table", [code_of, category_of, linear_of])
@pytest.mark.parametrize("s", [-1, 0, 7463])
def test_what_is_no_strength_is_refused(table: object, s: int) -> None:
    assert callable(table)
    with pytest.raises(InvalidValue, match=f"^{s} is not the strength of a hand: those are 1 to 7462"):
        table(s)


def test_there_are_ten_categories() -> None:
    assert [category.label for category in Category] == BY_CATEGORY
    assert [int(category) for category in Category] == list(range(10))


@pytest.mark.parametrize("first", ["strength(c[:5])", "strength(c[:20:4])", "code_of(1)", "category_of(7462)"])
def test_tables_are_built_when_somebody_asks(first: str) -> None:
    """Whichever function asks first, and none at import."""
    program = (
        "from pokersvc.cards import *; from pokersvc.cards import ranking, CARDS as c;"
        "assert not ranking._unsuited and not ranking._suited;"
        f"{first}; assert (len(ranking._unsuited), len(ranking._suited)) == (6175, 1287)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
