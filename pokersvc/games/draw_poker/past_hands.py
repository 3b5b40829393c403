"""Rounds whose hands are shown after the game (``history = "all"``), packed into a few bytes per hand.

Numbers are signed, since an auditor follows forged games too.
"""

from collections.abc import Iterable
from functools import lru_cache
from struct import Struct
from typing import Final, NamedTuple

from pokersvc.cards import CARDS
from pokersvc.cards.unknown import UNKNOWN, AnyCard
from pokersvc.games.draw_poker.house.cash_table import CashTable

_ROUND: Final = Struct("<qq")
"""The packed form of a round's head: the number of the round, and the chips that it carried over."""
_HAND: Final = Struct("<B5sq")
"""The packed form of a hand: its seat and the flags below in a byte, its cards by number, and the chips it won."""
_SHOWN: Final = 128
"""Flag: everyone saw the hand."""
_FORGONE: Final = 64
"""Flag: the seat forwent the round."""
_REUSED: Final = 32
"""Flag: the hand was folded, and its cards went into a new deck."""
_SEAT: Final = _REUSED - 1
_NO_CARD: Final = 255
"""The number for a card that is hidden from this copy of the game, or that a hand lacks."""
_HIDDEN: Final = bytes([_NO_CARD])
_MOST_UNPACKED: Final = 16
"""The most rounds that are kept unpacked: the dealer reveals one, and then the state and the history read it again."""
_CARDS: Final[tuple[AnyCard | None, ...]] = (*CARDS, UNKNOWN, *[None] * (_NO_CARD - len(CARDS)))
"""Number → card, which is None for `_NO_CARD`."""


class Held(NamedTuple):
    """A hand as it was last held in a round; hidden cards are None."""

    seat: int
    cards: tuple[AnyCard | None, ...]
    shown: bool
    won: int
    forgone: bool = False
    """Whether the hand's seat forwent the round."""
    reused: bool = False
    """Whether the hand was folded and shuffled into a new deck, so that other hands may have the same cards."""


def pack(round_: int, carried: int, hands: Iterable[Held]) -> bytes:
    """Return a round packed into bytes."""
    parts = [_ROUND.pack(round_, carried)]
    for seat, cards, shown, won, forgone, reused in hands:
        numbers = bytes([_NO_CARD if card is None else card.number for card in cards])
        place = seat | _SHOWN * shown | _FORGONE * forgone | _REUSED * reused
        parts.append(_HAND.pack(place, numbers.ljust(5, _HIDDEN), won))
    return b"".join(parts)


def may_hide(kept: bytes) -> bool:
    """Return whether the packed round may have cards that are hidden from this copy of the game."""
    return _NO_CARD in kept


def round_of(kept: bytes) -> tuple[int, int]:
    """Return the number of a packed round, and the chips that it carried."""
    round_, carried = _ROUND.unpack_from(kept)
    return round_, carried


@lru_cache(_MOST_UNPACKED)
def hands_of(kept: bytes) -> tuple[Held, ...]:
    """Return the hands of a packed round, in the order of seats."""
    hands = []
    for place, cards, won in _HAND.iter_unpack(memoryview(kept)[_ROUND.size :]):
        held = tuple([_CARDS[number] for number in cards])
        hands.append(Held(place & _SEAT, held, place >= _SHOWN, won, bool(place & _FORGONE), bool(place & _REUSED)))
    return tuple(hands)


def facts_of(carried: int, hands: Iterable[Held], names: tuple[str, ...], table: CashTable | None) -> dict[str, object]:
    """Return a round as a line of history stores it: the chips carried, the winners, and the known hands.

    A currency is given only for money other than chips, and ``forgone`` only for a seat that forwent the round, so
    that lines stored earlier remain as they were.
    """
    facts: dict[str, object] = {"carried": carried, "hands": [_facts_of(hand, names) for hand in hands]}
    if table is None or not table.currency.code:
        return facts
    return {**facts, "currency": table.currency.code, "exponent": table.currency.exponent}


def _facts_of(hand: Held, names: tuple[str, ...]) -> dict[str, object]:
    facts: dict[str, object] = {
        "cards": None if None in hand.cards else [card.notation for card in hand.cards if card is not None],
        "name": names[hand.seat],
        "seat": hand.seat,
        "won": hand.won,
    }
    return {**facts, "forgone": True} if hand.forgone else facts
