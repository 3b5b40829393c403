"""Playing cards: 52 objects, created once, and the notations in which people and programs write them."""

import re
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self, final

from pokersvc.errors import InvalidValue

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

FACES: Final = "23456789TJQKA"
"""The faces from the lowest to the highest; a face is an index into this string."""

SUITS: Final = "cdhs"
"""Clubs, diamonds, hearts, spades; a suit is an index into this string. No suit beats another."""

_SUIT_SYMBOLS: Final = "♣♦♥♠"
_UNFILLED_SYMBOLS: Final = "♧♢♡♤"
_EMOJI_STYLE: Final = "\ufe0f"  # follows a suit symbol in text copied from a page that shows emoji


class InvalidCard(InvalidValue):
    """A text or number that names no card, or a card named twice where all must differ."""

    code = "invalid_card"


@final
class Card:
    """A playing card; ``Card(text)`` reads it in the forms that people and machines write, in upper or lower case.

    There is exactly one object for each of the 52 cards, so cards are compared and hashed by identity (the order of a
    set of cards differs from process to process). Cards are ordered by number, as in a fresh deck; this order does not
    tell which card wins.

    >>> Card("10d") is Card("T♦") is Card("Td")
    True
    >>> card = Card("Td")
    >>> card.number, card.face, card.suit, card.notation, card.symbol, str(card)
    (33, 8, 1, 'Td', '10♦', '10D')
    """

    __slots__ = ("face", "key", "notation", "number", "suit", "symbol", "text")

    number: int
    """``4 * face + suit``, 0 (2♣) to 51 (A♠)."""
    face: int
    """0 (two) to 12 (ace)."""
    suit: int
    """Clubs 0, diamonds 1, hearts 2, spades 3."""
    notation: str
    """The notation for programs, such as ``Td``; events and exports use no other."""
    symbol: str
    """The form for a screen, such as ``10♦``."""
    text: str
    """The plain form for people, such as ``10D``, which ``str(card)`` returns."""
    key: int
    """``5 ** face``: the sum of a hand's keys tells how often each face occurs, up to four times."""

    _spellings: ClassVar[dict[str, "Card"]] = {}

    def __new__(cls, text: str) -> Self:
        """Return the card that ``text`` names; the same as :meth:`parse`."""
        return cls.parse(text)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the card that ``text`` names: ``AS``, ``A♠``, ``10d``, ``TD``, optionally surrounded by space.

        Raises `InvalidCard` for anything else.
        """
        card = cls._spellings.get(text.strip().removesuffix(_EMOJI_STYLE))
        if card is None:
            raise InvalidCard(
                f"{text[:20]!r} is not a card: write a face (2 to 10, T, J, Q, K, A) and a suit (C, D, H, S),"
                " like AH or 10D."
            )
        return card

    @classmethod
    def of(cls, number: int) -> "Card":
        """Return the card with the given number, 0 to 51."""
        if not 0 <= number < 52:
            raise InvalidCard(f"{number} is not the number of a card: those are 0 to 51.")
        return CARDS[number]

    @classmethod
    def _make(cls, number: int) -> Self:
        face, suit = divmod(number, 4)
        letter = FACES[face]
        shown = "10" if letter == "T" else letter
        card = object.__new__(cls)
        attributes = {
            "number": number,
            "face": face,
            "suit": suit,
            "notation": letter + SUITS[suit],
            "symbol": shown + _SUIT_SYMBOLS[suit],
            "text": shown + SUITS[suit].upper(),
            "key": 5**face,
        }
        for name, value in attributes.items():
            object.__setattr__(card, name, value)
        for face_spelling in {letter, letter.lower(), shown}:
            for suits in (SUITS, SUITS.upper(), _SUIT_SYMBOLS, _UNFILLED_SYMBOLS):
                cls._spellings[face_spelling + suits[suit]] = card
        return card

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.notation!r})"

    def __lt__(self, other: object) -> bool:
        return self.number < other.number if isinstance(other, Card) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.number <= other.number if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.number > other.number if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.number >= other.number if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"A card does not change: {name} of {self!r} cannot be set.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"A card does not change: {name} of {self!r} cannot be deleted.")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[[int], "Card"], tuple[int]]:
        return _numbered, (self.number,)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> "CoreSchema":
        """Return pydantic's schema of a card, which is read and written only in its notation."""
        from pydantic_core import core_schema

        # A lookup in C behind a check in Rust takes about 20 ns a card more than reading the bare text; one Python
        # function for both takes 60 ns more.
        notation = core_schema.no_info_after_validator_function(
            {card.notation: card for card in CARDS}.__getitem__,
            core_schema.literal_schema([card.notation for card in CARDS]),
        )
        return core_schema.json_or_python_schema(
            json_schema=notation,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), notation]),
            serialization=core_schema.plain_serializer_function_ser_schema(
                attrgetter("notation"), return_schema=core_schema.str_schema(), when_used="json"
            ),
        )


CARDS: Final[tuple[Card, ...]] = tuple(Card._make(number) for number in range(52))
"""All cards by number."""


def _numbered(number: int) -> Card:
    """Return the card that a pickle names; a function is pickled, and read, faster than a method of a class."""
    return CARDS[number]


_SEPARATOR: Final = re.compile(r"\s*,\s*|\s+")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards that ``text`` names, separated by commas or spaces, optionally in brackets.

    >>> parse_cards("AH AD JS")
    (Card('Ah'), Card('Ad'), Card('Js'))
    >>> parse_cards("[JC, QD]")
    (Card('Jc'), Card('Qd'))
    >>> parse_cards("[]")
    ()

    Raises `InvalidCard` for text that is not a card and for a card that is named twice.
    """
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1].strip()
    if not inner:
        return ()
    cards = tuple(Card.parse(name) for name in _SEPARATOR.split(inner))
    for position, card in enumerate(cards):
        if card in cards[:position]:
            raise InvalidCard(f"{card} is named twice: name every card once.")
    return cards
