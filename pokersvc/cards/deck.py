"""The deck and its shuffle, a frozen algorithm: shuffle version 1.

Its definition, for other implementations, and test vectors are in docs/shuffle.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from pokersvc.cards.card import CARDS, Card
from pokersvc.core.randomness.stream import Blocks, Stream
from pokersvc.errors import InvalidValue
from pokersvc.text import counted

FRESH_DECK: Final[tuple[Card, ...]] = CARDS
"""The deck before every shuffle: 2♣ first, A♠ last."""

SHUFFLE_VERSION: Final = 1
"""The version of the shuffle algorithm; a version never changes, so that old logs can be audited."""

SALT_BYTES: Final = 16
"""The length of the salt with which the digest of a card is made."""
_CARD_DOMAIN: Final = b"pokersvc/card/1\0"
_WRITTEN: Final = tuple([card.notation.encode() for card in CARDS])
"""The bytes that stand for each card when its digest is computed."""

# Indexed by the number of cards left to choose from: a byte below the limit chooses a card, other bytes are skipped.
# The last card needs no byte.
_LIMITS: Final = (0, 0, *(256 - 256 % n for n in range(2, 53)))


class InvalidDeck(InvalidValue):
    """Cards that are not a deck: one of them is there twice, or there are more than 52."""

    code = "invalid_deck"


class NotEnoughCards(InvalidValue):
    """More cards were requested from a deck than it has."""

    code = "not_enough_cards"


def shuffle(cards: Sequence[Card], seed: bytes, label: str = "deck") -> tuple[Card, ...]:
    """Return ``cards``, at most 52, in the order that the 32-byte ``seed`` and ``label`` give.

    Fisher-Yates from the back: for i from the last index down to 1, swap cards i and j, where j is
    ``below(i + 1)`` of ``Stream(seed, label)``. The cards are not checked: they must differ.
    Source: Knuth, The Art of Computer Programming, volume 2, algorithm 3.4.2 P.

    >>> " ".join(map(str, shuffle(FRESH_DECK, bytes(32))[:5]))
    '8C JS JC 5S 7C'
    """
    if len(seed) != 32:
        raise InvalidValue(f"The seed of a shuffle has 32 bytes, not {len(seed)}.")
    if len(cards) > 52:
        raise InvalidDeck(f"A deck has at most 52 cards, not {len(cards)}.")
    order = list(cards)
    left = len(order)
    # This is Stream.below written out, since a call for each card would take three times as long.
    blocks, number = Blocks(seed, label), 0
    limit = _LIMITS[left]
    while left > 1:
        for byte in blocks.block(number):
            if byte < limit:
                chosen = byte % left
                left -= 1
                order[left], order[chosen] = order[chosen], order[left]
                limit = _LIMITS[left]
        number += 1
    return tuple(order)


def salts_of(seed: bytes, label: str, count: int) -> tuple[bytes, ...]:
    """Return the salts of the first cards of a shuffled deck, 16 bytes each, from the stream ``salts/`` + label.

    A salt belongs to a place in the deck, so a card that is dealt again from another deck has another salt.
    """
    taken = Stream(seed, f"salts/{label}").take(SALT_BYTES * count)
    return tuple([taken[start : start + SALT_BYTES] for start in range(0, len(taken), SALT_BYTES)])


def card_digest(salt: bytes, card: Card) -> bytes:
    """Return the salted digest that commits to a card, 32 bytes; docs/log.md defines it.

    >>> card_digest(bytes(16), CARDS[51]).hex()[:16], CARDS[51].notation
    ('c021eaeeb1d3f9ac', 'As')
    """
    return sha256(_CARD_DOMAIN + salt + _WRITTEN[card.number]).digest()


def card_digests(cards: Sequence[Card], salts: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the digest of each card."""
    domain, written = _CARD_DOMAIN, _WRITTEN  # `card_digest` written out: a deal of engine 5 makes five
    return tuple(
        [sha256(domain + salt + written[card.number]).digest() for salt, card in zip(salts, cards, strict=True)]
    )


@dataclass(frozen=True, slots=True)
class Deck:
    """An ordered deck of different cards, the top card first; shuffling or dealing returns another deck.

    >>> deck = Deck.fresh().shuffled(bytes(32))
    >>> cards, rest = deck.deal(5)
    >>> len(cards), len(rest)
    (5, 47)
    """

    cards: tuple[Card, ...]
    """The cards, the top one first."""

    def __init__(self, cards: Iterable[Card]) -> None:
        cards = tuple(cards)
        if len(set(cards)) != len(cards):
            twice = next(card for position, card in enumerate(cards) if card in cards[:position])
            raise InvalidDeck(f"{twice} is in the deck twice: all cards of a deck must be different.")
        object.__setattr__(self, "cards", cards)

    @classmethod
    def fresh(cls) -> Self:
        """Return the 52 cards in the order of their numbers."""
        return cls(FRESH_DECK)

    def shuffled(self, seed: bytes, label: str = "deck") -> Self:
        """Return a deck of the same cards in the order that `shuffle` gives."""
        return type(self)(shuffle(self.cards, seed, label))

    def deal(self, n: int) -> tuple[tuple[Card, ...], Self]:
        """Return the top ``n`` cards, and the rest of the deck.

        Raises `NotEnoughCards` if there are fewer, and `InvalidValue` if ``n`` is negative.
        """
        if n < 0:
            raise InvalidValue(f"{n} cards cannot be dealt: the number must be 0 or more.")
        if n > len(self.cards):
            raise NotEnoughCards(f"{counted(n, 'card')} cannot be dealt: the deck has {len(self.cards)}.")
        return self.cards[:n], type(self)(self.cards[n:])

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)
