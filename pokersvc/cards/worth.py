"""The value of a discard in words and chances: the cards kept, how often they win, and their average result."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

from pokersvc.cards import ranking
from pokersvc.cards.card import Card
from pokersvc.cards.hand import FACE_NAMES, FACE_PLURALS
from pokersvc.cards.ranking import STRENGTHS, Category
from pokersvc.text import listed

Scale = Literal["rank", "linear", "code"]

NUMBERS: Final = ("none", "one", "two", "three", "four", "five")
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


def of_100(chance: float) -> str:
    """Return a chance in words, such as ``53 of 100``.

    >>> of_100(0.534), of_100(0.001), of_100(0.999), of_100(1.0)
    ('53 of 100', 'less than 1 of 100', 'more than 99 of 100', '100 of 100')
    """
    if 0 < chance < 0.005:
        return "less than 1 of 100"
    return "more than 99 of 100" if 0.995 <= chance < 1 else f"{round(100 * chance)} of 100"


def kept_in_words(cards: Sequence[Card]) -> str:
    """Return the kept cards in words, such as ``the aces``.

    >>> from pokersvc.cards import parse_cards
    >>> [kept_in_words(parse_cards(text)) for text in ("AH AD", "AH AD 3C 3S", "6C 6D 6H", "KH 9H 5H 2H")]
    ['the aces', 'the aces and threes', 'the three sixes', 'the four hearts']
    >>> kept_in_words(parse_cards("AH")), kept_in_words(parse_cards("AH KC AD")), kept_in_words(parse_cards("QD AD"))
    ('the ace', 'AH AD KC', 'AD QD')
    """
    often = Counter(card.face for card in cards)
    numbers = set(often.values())
    if len(cards) == 1:
        return f"the {FACE_NAMES[cards[0].face]}"
    if numbers == {2}:
        return f"the {listed([FACE_PLURALS[face] for face in sorted(often, reverse=True)])}"
    if len(often) == 1:
        return f"the {NUMBERS[len(cards)]} {FACE_PLURALS[cards[0].face]}"
    if len(cards) == 4 and len({card.suit for card in cards}) == 1:
        return f"the four {_SUITS[cards[0].suit]}"
    return " ".join(map(str, sorted(cards, key=lambda card: (-often[card.face], -card.face, -card.suit))))


def choice_in_words(thrown: Sequence[Card], kept: Sequence[Card]) -> str:
    """Return a discard in words, such as ``keep the aces, draw three``."""
    if not thrown:
        return "keep all"
    return f"keep {kept_in_words(kept)}, draw {NUMBERS[len(thrown)]}" if kept else "draw five new cards"


def comes_to(mean: float, scale: Scale) -> int:
    """Return the strength that stands for a mean on a scale: the best strength whose value is not above the mean.

    >>> from pokersvc.cards import Hand
    >>> strength = comes_to(Hand.parse("AH AD 8C 6S 3C").code + 0.4, "code")
    >>> strength == Hand.parse("AH AD 8C 6S 3C").strength, in_words(strength), in_short(strength)
    (True, 'a pair of aces', 'pair A')
    """
    table = ranking.by_strength()
    worth = {"rank": range(STRENGTHS + 1), "linear": table.linear, "code": table.codes}[scale]
    return max(bisect_right(worth, mean, lo=1) - 1, 1)


def in_words(strength: int) -> str:
    """Return a strength in words, such as ``a pair of aces``, without kickers."""
    category, face = ranking.category_of(strength), _first_face(strength)
    name, plural = FACE_NAMES[face], FACE_PLURALS[face]
    article = "an" if name in ("ace", "eight") else "a"
    match category:
        case Category.HIGH_CARD:
            return f"{name} high"
        case Category.ONE_PAIR:
            return f"a pair of {plural}"
        case Category.TWO_PAIR:
            return f"two pair, {plural}"
        case Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND:
            return f"{'three' if category is Category.THREE_OF_A_KIND else 'four'} {plural}"
        case Category.FULL_HOUSE:
            return f"a full house, {plural}"
        case Category.ROYAL_FLUSH:
            return "a royal flush"
        case _:
            return f"{article} {name}-high {category.label}"


ABBREVIATED: Final = ("high", "pair", "2pr", "3k", "strt", "flsh", "full", "4k", "sf", "rf")
"""The abbreviations of the categories in a table, the worst first."""
_FACES: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def in_short(strength: int) -> str:
    """Return a strength in the abbreviations of a table, such as ``pair A``."""
    return f"{ABBREVIATED[ranking.category_of(strength)]} {_FACES[_first_face(strength)]}"


def _first_face(strength: int) -> int:
    """Return the face by which a hand is named: the first of its code."""
    return ranking.code_of(strength) >> 16 & 15
