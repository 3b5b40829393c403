"""The sites' names of hands: ``two pair, Jacks and Nines``, ``TWO_PAIR NINE, SIX``, ``$(STR_G_WIN_PAIR) …``."""

import re
from typing import Final

from pokersvc.cards import Category, Hand

_CATEGORIES: Final = (
    (r"royal", Category.ROYAL_FLUSH),
    (r"straight ?flush", Category.STRAIGHT_FLUSH),
    (r"four ?of|quads|fours? ?kind|4 ?of", Category.FOUR_OF_A_KIND),
    (r"full ?house", Category.FULL_HOUSE),
    (r"flush", Category.FLUSH),
    (r"straight", Category.STRAIGHT),
    (r"three ?of|trips|3 ?of|three ?kind", Category.THREE_OF_A_KIND),
    (r"two ?pairs?|2 ?pairs?", Category.TWO_PAIR),
    (r"pair", Category.ONE_PAIR),
    (r"high", Category.HIGH_CARD),
)
"""Patterns and their categories; the first match counts: the name of a straight flush contains two others."""
_UNCOUNTED: Final = (Category.HIGH_CARD, Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND)
"""Categories that have no article in a sentence."""
_FACES: Final = (
    "two|deuce", "three|trey", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"
)  # fmt: skip
_FACE: Final = re.compile("|".join(rf"\b(?P<f{face}>(?:{names})(?:e?s)?)\b" for face, names in enumerate(_FACES)))


def contradicts(called: str, hand: Hand) -> bool:
    """Return whether a site's name of a hand means a different hand; a name not understood contradicts nothing.

    >>> from pokersvc.cards import Hand
    >>> nines_up = Hand.parse("9S 9H 6C 6D AS")
    >>> contradicts("two pair, Nines and Sixes", nines_up), contradicts("TWO_PAIR NINE, SIX", nines_up)
    (False, False)
    >>> contradicts("two pair, Nines and Eights", nines_up), contradicts("a pair of Nines", nines_up)
    (True, True)
    """
    words = re.sub(r"\$\(str_(?:g_)?(?:win_|cards_)?|[_().]", " ", called.lower())
    category = next((category for pattern, category in _CATEGORIES if re.search(pattern, words)), None)
    if category is None:
        return False
    told = hand.category
    straights = {Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
    if category is not told and not {category, told} <= straights:
        return True
    rest = re.sub("|".join(pattern for pattern, found in _CATEGORIES if found is category), " ", words, count=1)
    faces = [int((match.lastgroup or "f0")[1:]) for match in _FACE.finditer(rest)]
    ranks = [hand.code >> 4 * place & 15 for place in range(4, -1, -1)]  # groups first; the lowest straight is 5 high
    return bool(faces) and not _names(faces, told, ranks)


def in_words(hand: Hand) -> str:
    """Return the description of a hand to follow "has", such as ``a pair of eights``.

    >>> in_words(Hand.parse("8S 8H 6C 5D AS")), in_words(Hand.parse("8S 7H 6C 5D 4S"))
    ('a pair of eights', 'an eight-high straight')
    >>> in_words(Hand.parse("8S 8H 8C 5D 4S")), in_words(Hand.parse("AS 8H 7C 5D 4S"))
    ('three of a kind, eights', 'ace high')
    """
    said = hand.describe()
    if hand.category in _UNCOUNTED:
        return said
    return f"{'an' if said.startswith(('ace', 'eight')) else 'a'} {said}"


def _names(faces: list[int], category: Category, ranks: list[int]) -> bool:
    """Return whether the faces in a name fit a hand of this category, with or without kickers."""
    if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        return faces in ([ranks[0]], [ranks[0], ranks[-1]], [ranks[-1], ranks[0]])
    different = list(dict.fromkeys(ranks))
    return faces == different[: len(faces)]
