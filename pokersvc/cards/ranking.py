"""The strength of five cards, one of 7,462: as a number, a code, a category and a linear value.

Source of the order: the usual ranking of poker hands, with the ace high, and low only in A-2-3-4-5.
"""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from itertools import accumulate, combinations_with_replacement
from typing import Final, NamedTuple

from pokersvc.cards.card import Card
from pokersvc.errors import InvalidValue

STRENGTHS: Final = 7462
"""The number of strengths, from 1 for the weakest hand (7-5-4-3-2) to this number for a royal flush."""


class Category(IntEnum):
    """The ten kinds of hand, from the weakest to the best.

    >>> Category.TWO_PAIR.label
    'two pair'
    """

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def label(self) -> str:
        """The category as people write it."""
        return self.name.lower().replace("_", " ")


class ByStrength(NamedTuple):
    """The code, category and linear value of every strength, in lists by strength; index 0 is not used."""

    codes: list[int]
    categories: list[Category]
    linear: list[int]


# Strengths by the sum of five cards' keys; empty until first needed, since reading a log often needs none.
_suited: Final[dict[int, int]] = {}
_unsuited: Final[dict[int, int]] = {}

_ACE: Final = 12
_WHEEL: Final = (12, 3, 2, 1, 0)  # A 5 4 3 2, in descending order
_CATEGORY_OF_GROUPS: Final = {
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.ONE_PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.FOUR_OF_A_KIND,
}


def strength(cards: Sequence[Card]) -> int:
    """Return the strength of five different cards, 1 to 7462: the higher wins, equal ones tie.

    The cards are not checked: there must be five, and all must differ. `Hand` checks them.

    >>> from pokersvc import parse_cards
    >>> strength(parse_cards("7C 5D 4H 3S 2C")), strength(parse_cards("AS KS QS JS 10S"))
    (1, 7462)
    """
    a, b, c, d, e = cards
    key = a.key + b.key + c.key + d.key + e.key
    suit = a.suit
    flush = suit == b.suit and suit == c.suit and suit == d.suit and suit == e.suit  # faster than a chain
    try:
        return _suited[key] if flush else _unsuited[key]
    except KeyError:
        by_strength()
        return _suited[key] if flush else _unsuited[key]


def code_of(s: int) -> int:
    """Return the code of a strength: 24 bits in the same order, readable in hexadecimal.

    Bits 20 to 23 are the category; then come five faces of 4 bits, those of the largest groups first and, in groups of
    equal size, from the highest to the lowest. The wheel is 5-4-3-2-A.

    >>> from pokersvc.cards.card import parse_cards
    >>> hex(code_of(strength(parse_cards("AH AD JS 3C 2D"))))
    '0x1cc910'
    """
    return by_strength().codes[_checked(s)]


def category_of(s: int) -> Category:
    """Return the category of a strength, 1 to 7462; raise `InvalidValue` for any other number.

    >>> category_of(7462).label
    'royal flush'
    """
    return by_strength().categories[_checked(s)]


def linear_of(s: int) -> int:
    """Return the linear value of a strength, 13 × class + face, by which discards are judged, but never pots awarded.

    The class is 1 (high card) to 9 (straight flush and royal flush); the face is the first of the code (`code_of`).
    """
    return by_strength().linear[_checked(s)]


def keyed_strengths() -> tuple[dict[int, int], dict[int, int]]:
    """Return two mappings from the sum of five `Card.key` values to the strength: for flushes, and for other hands."""
    by_strength()
    return _suited, _unsuited


def _checked(s: int) -> int:
    if not 1 <= s <= STRENGTHS:
        raise InvalidValue(f"{s} is not the strength of a hand: those are 1 to {STRENGTHS}.")
    return s


@cache
def by_strength() -> ByStrength:
    """Return the code, category and linear value of every strength, by enumerating all sets of faces."""
    suited: dict[int, int] = {}
    unsuited: dict[int, int] = {}
    keys = [5**face for face in range(_ACE + 1)]
    for faces in combinations_with_replacement(range(_ACE, -1, -1), 5):
        a, b, c, d, e = faces
        if a == e:  # five of a kind
            continue
        key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
        category, order = _arranged((a == b, b == c, c == d, d == e))
        if category is Category.HIGH_CARD:
            wheel = faces == _WHEEL
            ordered = (b, c, d, e, a) if wheel else faces
            straight = wheel or a - e == 4
            flush = Category.STRAIGHT_FLUSH if straight else Category.FLUSH
            unsuited[key] = _code(Category.STRAIGHT if straight else category, ordered)
            suited[key] = _code(Category.ROYAL_FLUSH if straight and e == _ACE - 4 else flush, ordered)
        else:
            unsuited[key] = _code(category, [faces[place] for place in order])
    codes = [0, *sorted({*unsuited.values(), *suited.values()})]
    strength_of = {code: s for s, code in enumerate(codes)}
    _suited.update((key, strength_of[code]) for key, code in suited.items())
    _unsuited.update((key, strength_of[code]) for key, code in unsuited.items())
    categories = tuple(Category)
    return ByStrength(
        codes,
        [categories[code >> 20] for code in codes],
        [13 * min((code >> 20) + 1, 9) + (code >> 16 & 15) for code in codes],
    )


@cache
def _arranged(equal: tuple[bool, ...]) -> tuple[Category, tuple[int, ...]]:
    """Return the category of five descending faces, straights ignored, and the order in which the code has the faces.

    ``equal`` says of each face but the last whether the next is the same.
    """
    group_of = [0, *accumulate(not same for same in equal)]
    sizes = Counter(group_of)
    order = sorted(range(5), key=lambda place: (-sizes[group_of[place]], place))
    return _CATEGORY_OF_GROUPS[tuple(sorted(sizes.values(), reverse=True))], tuple(order)


def _code(category: Category, faces: Sequence[int]) -> int:
    a, b, c, d, e = faces
    return category << 20 | a << 16 | b << 12 | c << 8 | d << 4 | e
