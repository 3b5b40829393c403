"""A card that was never recorded: it was dealt elsewhere, and nothing here knows which card it is."""

from collections.abc import Iterable
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, TypeGuard

from pokersvc.cards.card import CARDS, Card

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


class UnknownCard(Enum):
    """A card that was never recorded: `UNKNOWN`, the only object of this type, which a hand may have several times.

    It differs from a card that is withheld from a viewer, which is None: nobody here knows an unknown card.

    >>> UNKNOWN.notation, str(UNKNOWN)
    ('??', '??')
    """

    UNKNOWN = "??"

    @property
    def notation(self) -> str:
        """The notation of an unknown card in events, exports and imported files."""
        return self.value

    @property
    def number(self) -> int:
        """A number after those of all cards, so that unknown cards are sorted last."""
        return len(CARDS)

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return self.name


UNKNOWN: Final = UnknownCard.UNKNOWN
"""The only unknown card."""


class _Notations:
    """Pydantic's schema of a card that may be unknown: read and written in its notation, in a single lookup."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> "CoreSchema":
        from pydantic_core import core_schema

        by_notation: dict[str, Card | UnknownCard] = {card.notation: card for card in CARDS}
        by_notation[UNKNOWN.notation] = UNKNOWN
        notation = core_schema.no_info_after_validator_function(
            by_notation.__getitem__, core_schema.literal_schema(list(by_notation))
        )
        is_one = core_schema.is_instance_schema((Card, UnknownCard), cls_repr="Card | UnknownCard")
        return core_schema.json_or_python_schema(
            json_schema=notation,
            python_schema=core_schema.union_schema([is_one, notation]),
            serialization=core_schema.plain_serializer_function_ser_schema(
                attrgetter("notation"), return_schema=core_schema.str_schema(), when_used="json"
            ),
        )


AnyCard: TypeAlias = Annotated[Card | UnknownCard, _Notations]
"""A card, or one that was never recorded."""


def all_known(cards: Iterable[object]) -> TypeGuard[tuple[Card, ...]]:
    """Return whether every card is known: none was never recorded, and none is withheld from the viewer.

    >>> all_known(CARDS[:5]), all_known((CARDS[0], UNKNOWN)), all_known((None,))
    (True, False, False)
    """
    for card in cards:  # noqa: SIM110  # asked of every hand: a generator takes three times as long
        if card.__class__ is not Card:
            return False
    return True


def known_among(cards: Iterable[object]) -> tuple[Card, ...]:
    """Return the given cards without the unknown and the withheld ones, in order.

    >>> known_among((UNKNOWN, CARDS[51], None))
    (Card('As'),)
    """
    return tuple([card for card in cards if card.__class__ is Card])


def unknown(count: int) -> tuple[UnknownCard, ...]:
    """Return ``count`` unknown cards."""
    return (UNKNOWN,) * count
