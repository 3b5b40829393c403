"""A hand: five cards with their strength and their name in words."""

from collections.abc import Iterable
from typing import Final, NoReturn, Self, final

from pokersvc.cards import ranking
from pokersvc.cards.card import Card, parse_cards
from pokersvc.cards.ranking import Category
from pokersvc.errors import InvalidValue

FACE_NAMES: Final = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
FACE_PLURALS: Final = tuple("sixes" if name == "six" else name + "s" for name in FACE_NAMES)


class InvalidHand(InvalidValue):
    """Cards that are not a hand: not five, or one of them twice."""

    code = "invalid_hand"


@final
class Hand:
    """Five different cards, in the order given; hands compare by strength, and are equal if they tie.

    >>> hand = Hand.parse("8S AH 8D AC 3C")
    >>> print(hand, hand.describe(), hand.linear, sep="; ")
    [8S, AH, 8D, AC, 3C]; two pair, aces and eights; 51
    >>> hand == Hand.parse("8C AS 8H AD 3H") > Hand.parse("KC KD QC QD AH")
    True

    Raises `InvalidHand` unless there are five cards and no two are the same.
    """

    __slots__ = ("cards", "strength")

    cards: tuple[Card, ...]
    """The five cards in the order given."""
    strength: int
    """1 (the weakest) to 7462 (a royal flush)."""

    def __init__(self, cards: Iterable[Card]) -> None:
        cards = tuple(cards)
        if len(cards) != 5:
            raise InvalidHand(f"A hand has five cards, not {len(cards)}.")
        if len(set(cards)) != 5:
            raise InvalidHand(f"A hand has five different cards, not {', '.join(map(str, cards))}.")
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "strength", ranking.strength(cards))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the hand that ``text`` names; `parse_cards` says how it may be written."""
        return cls(parse_cards(text))

    @property
    def category(self) -> Category:
        """The kind of hand: two pair, flush, …."""
        return ranking.category_of(self.strength)

    @property
    def code(self) -> int:
        """A number of 24 bits with the same order as strengths: `ranking.code_of`."""
        return ranking.code_of(self.strength)

    @property
    def linear(self) -> int:
        """The value by which discards are judged: `ranking.linear_of`."""
        return ranking.linear_of(self.strength)

    def describe(self) -> str:
        """Return the hand in words.

        >>> Hand.parse("6S 6H KD 6C KH").describe()
        'full house, sixes over kings'
        """
        category = self.category
        code = self.code
        # Of the code's five faces, the first belongs to the first group. In hands named by two groups, the fourth
        # belongs to the second group.
        first, second = code >> 16 & 15, code >> 4 & 15
        name, plural = FACE_NAMES[first], FACE_PLURALS[first]
        match category:
            case Category.HIGH_CARD:
                return f"{name} high"
            case Category.ONE_PAIR:
                return f"pair of {plural}"
            case Category.TWO_PAIR:
                return f"two pair, {plural} and {FACE_PLURALS[second]}"
            case Category.FULL_HOUSE:
                return f"full house, {plural} over {FACE_PLURALS[second]}"
            case Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND:
                return f"{category.label}, {plural}"
            case Category.STRAIGHT | Category.FLUSH | Category.STRAIGHT_FLUSH:
                return f"{name}-high {category.label}"
            case _:  # a royal flush
                return category.label

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.cards))}]"

    def __repr__(self) -> str:
        return f"Hand.parse({' '.join(card.notation for card in self.cards)!r})"

    def __eq__(self, other: object) -> bool:
        return self.strength == other.strength if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.strength)

    def __lt__(self, other: object) -> bool:
        return self.strength < other.strength if isinstance(other, Hand) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.strength <= other.strength if isinstance(other, Hand) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.strength > other.strength if isinstance(other, Hand) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.strength >= other.strength if isinstance(other, Hand) else NotImplemented

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"A hand does not change: {name} cannot be set.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"A hand does not change: {name} cannot be deleted.")

    def __reduce__(self) -> tuple[type["Hand"], tuple[tuple[Card, ...]]]:
        return Hand, (self.cards,)
