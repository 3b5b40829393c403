"""The description of a street, and of the rules for cards on all streets of a game, by named parameters.

Nothing here is stored: a game derives these from its own rules and its engine number, like the terms of betting.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from pokersvc.betting.terms import StreetTerms

Where: TypeAlias = Literal["down", "up", "board"]
"""Where cards are dealt: to each seat, face ``down`` or ``up``, or to the ``board``, which all hands share."""
Opener: TypeAlias = Literal["chance", "low_card", "high_hand"]
"""The rule that chooses the seat that opens a betting round where position does not decide.

A random seat; the seat with the lowest up card, or the lowest suit if faces tie (clubs are lowest); or the seat with
the highest hand of up cards, the first clockwise from the button if hands tie."""


class Deal(NamedTuple):
    """One deal of cards: some to each seat still in, or some to the board."""

    cards: int
    """The number of cards for each seat, or for the board."""
    where: Where = "down"


class DrawTerms(NamedTuple):
    """The rules of a draw."""

    most: int
    """The maximum number of cards that a seat may discard."""
    together: bool = False
    """Whether all seats discard before any is dealt replacements; if not, each seat discards and is dealt in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Street(StreetTerms):
    """A street: the deals, the draw and the hands shown before its betting round, and the terms of that round."""

    deals: tuple[Deal, ...] = ()
    """The deals of the street, in order; a draw comes after the deals."""
    draw: DrawTerms | None = None
    """The rules of the street's draw; None if the street has no draw."""
    opens_hands: bool = False
    """Whether all hands still in are shown before the betting; allowed only on the last street."""
    opener: Opener = "chance"
    """The rule by which the game chooses the seat that begins the betting; unused unless `opener_said`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTerms:
    """The rules for cards throughout a game."""

    reshuffle: Literal["others", "all"] = "others"
    """The cards of a new deck: ``all`` out of play, or (``others``) all but the drawing seat's own discards."""
    ante_after_deal: bool = False
    """Whether antes are posted after the deal of the first street; if not, before it."""
    shows: Literal["at_once", "in_order"] = "in_order"
    """The order of the showdown: all hands at once, or one after the other, which allows mucking beaten hands."""
    shows_first: Literal["aggressor", "left_of_button"] = "aggressor"
    """The seat that shows first: the last to bet or raise on the last street, or the first seat after the button.

    If no seat bet or raised on the last street, it is always the first seat after the button."""
    muck_all_in: bool = False
    """Whether a beaten hand may be mucked even if a seat is all in."""
    partly_known: bool = False
    """Whether the game comes from a record that may lack cards and contain errors.

    If so, cards may be unknown, and a drawn card may be in the hand already."""
    raked_from: int = 0
    """The number of the street that a round must reach for the house to take its rake."""
