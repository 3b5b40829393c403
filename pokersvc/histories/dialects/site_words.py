"""The names of hands at PokerStars and Full Tilt."""

from collections import Counter
from typing import Final

from pokersvc.cards import Category, category_of, strength
from pokersvc.histories.statements import Cards

_FACES: Final = (
    "Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace",
)  # fmt: skip


def stars_words(cards: Cards) -> str:
    """Return PokerStars' name of a hand.

    >>> from pokersvc import parse_cards
    >>> for hand in ("Ks Kd 2c 3c 4c", "6s 6d 6c 2c 2d", "As 2d 3c 4c 5c", "2s 3s 4s 7s Js", "Ah Kh Qh Jh Th"):
    ...     print(stars_words(parse_cards(hand)))
    a pair of Kings
    a full house, Sixes full of Deuces
    a straight, Ace to Five
    a flush, Jack high
    a Royal Flush
    """
    counted = Counter(card.face for card in cards)
    faces = sorted(counted, key=lambda face: (counted[face], face), reverse=True)
    first, second = faces[0], faces[1]
    low, high = _FACES[min(faces)], _FACES[max(faces)]
    if set(faces) == {12, 0, 1, 2, 3}:  # the ace is low
        low, high = "Ace", "Five"
    match category_of(strength(cards)):
        case Category.HIGH_CARD:
            return f"high card {_FACES[first]}"
        case Category.ONE_PAIR:
            return f"a pair of {_several(first)}"
        case Category.TWO_PAIR:
            return f"two pair, {_several(first)} and {_several(second)}"
        case Category.THREE_OF_A_KIND:
            return f"three of a kind, {_several(first)}"
        case Category.STRAIGHT:
            return f"a straight, {low} to {high}"
        case Category.FLUSH:
            return f"a flush, {_FACES[first]} high"
        case Category.FULL_HOUSE:
            return f"a full house, {_several(first)} full of {_several(second)}"
        case Category.FOUR_OF_A_KIND:
            return f"four of a kind, {_several(first)}"
        case Category.STRAIGHT_FLUSH:
            return f"a straight flush, {low} to {high}"
        case _:
            return "a Royal Flush"


def tilt_words(cards: Cards) -> str:
    """Return Full Tilt's name of a hand; it differs from PokerStars' for high cards and straights.

    >>> from pokersvc import parse_cards
    >>> for hand in ("9s 8d 6c 4h 3d", "As 2d 3c 4c 5c", "9s 8s 7s 6s 5s", "Js Jc 9d 9s 5s"):
    ...     print(tilt_words(parse_cards(hand)))
    Nine high
    a straight, Five high
    a straight flush, Nine high
    two pair, Jacks and Nines
    """
    words = stars_words(cards)
    if words.startswith("high card "):
        return f"{words.removeprefix('high card ')} high"
    kind, _, high = words.rpartition(" to ")
    return f"{kind.rpartition(' ')[0]} {high} high" if kind else words


def _several(face: int) -> str:
    return "Sixes" if _FACES[face] == "Six" else f"{_FACES[face]}s"
