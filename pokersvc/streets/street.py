"""A street as a value, and what holds for the cards on all streets of a game: named parameters.

None of it is stored: a game makes it from its own rules and its engine number, as it makes the terms of betting.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from pokersvc.betting.terms import StreetTerms

Where: TypeAlias = Literal["down", "up", "board"]
"""Where cards are dealt: to each seat, face down or face up, or to the board, which belongs to all hands."""
Opener: TypeAlias = Literal["chance", "low_card", "high_hand"]
"""Who begins where it is not by position: a seat drawn at random; the lowest up card, by suit (clubs lowest) where
faces are equal; the highest hand of up cards, clockwise from the button where hands are equal."""


class Deal(NamedTuple):
    """Cards that are dealt one after the other: to each seat still in, or to the board."""

    cards: int
    """How many a seat, or the board, is dealt."""
    where: Where = "down"


class DrawTerms(NamedTuple):
    """How a draw goes."""

    most: int
    """The most cards that a seat may discard."""
    together: bool = False
    """Whether all discard before anybody is dealt new cards; else each is served in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Street(StreetTerms):
    """What is dealt, drawn and shown before a betting round, and what betting sees of it."""

    deals: tuple[Deal, ...] = ()
    """What is dealt, in this order; then comes the draw."""
    draw: DrawTerms | None = None
    """None where nobody draws."""
    opens_hands: bool = False
    """Whether all hands still in are shown before the betting; on the last street alone."""
    opener: Opener = "chance"
    """Who begins, where that is `opener_said`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTerms:
    """What holds for the cards in a game, from its start to its end."""

    reshuffle: Literal["others", "all"] = "others"
    """What is dealt again when the deck runs out: all that is out of play but a seat's own discards, or all."""
    ante_after_deal: bool = False
    """Whether antes are posted after the deal of the first street; else before it."""
    shows: Literal["at_once", "in_order"] = "in_order"
    """Whether all hands are shown at once in the showdown; else one after the other, and beaten ones are mucked."""
    shows_first: Literal["aggressor", "left_of_button"] = "aggressor"
    """Who shows first: the last to bet or raise on the last street, else the first seat after the button; or always
    the latter."""
    muck_all_in: bool = False
    """Whether a beaten hand may be mucked too where a seat is all in."""
    partly_known: bool = False
    """Whether what happened is told by somebody who need not know all cards, and may be wrong: some may be unknown, and
    one that is drawn may be in the hand already."""
    raked_from: int = 0
    """The street to which a round must have come for the house to take its rake."""
