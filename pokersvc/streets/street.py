"""A street as a value, and the terms of the cards on all streets of a game: named parameters.

Nothing here is stored: a game derives it from its own rules and its engine number, as it does the terms of betting.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from pokersvc.betting.terms import StreetTerms

Where: TypeAlias = Literal["down", "up", "board"]
"""Where cards are dealt: to each seat, face down or face up, or to the board, which belongs to all hands."""
Opener: TypeAlias = Literal["chance", "low_card", "high_hand"]
"""Who begins a betting round if position does not decide: a seat drawn at random; the seat with the lowest up card, or
the lowest suit if faces tie (clubs are lowest); or the seat with the highest hand of up cards, the first clockwise from
the button if hands tie."""


class Deal(NamedTuple):
    """Cards that are dealt one after the other: to each seat still in, or to the board."""

    cards: int
    """The number of cards that each seat, or the board, is dealt."""
    where: Where = "down"


class DrawTerms(NamedTuple):
    """The terms of a draw."""

    most: int
    """The maximum number of cards that a seat may discard."""
    together: bool = False
    """Whether all seats discard before any is dealt new cards; otherwise each is served in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Street(StreetTerms):
    """A street: what is dealt, drawn and shown before its betting round, and the terms of that round."""

    deals: tuple[Deal, ...] = ()
    """The deals, in order; the draw comes after them."""
    draw: DrawTerms | None = None
    """The draw; None on a street without one."""
    opens_hands: bool = False
    """Whether all hands still in are shown before the betting; only the last street can have this."""
    opener: Opener = "chance"
    """Who begins, if `opener_said`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardTerms:
    """The terms of the cards throughout a game."""

    reshuffle: Literal["others", "all"] = "others"
    """The cards dealt again when the deck runs out: all out of play except the served seat's own discards, or all."""
    ante_after_deal: bool = False
    """Whether antes are posted after the deal of the first street; else before it."""
    shows: Literal["at_once", "in_order"] = "in_order"
    """Whether the showdown shows all hands at once, or one after the other with beaten ones mucked."""
    shows_first: Literal["aggressor", "left_of_button"] = "aggressor"
    """Who shows first: the last to bet or raise on the last street, else the first seat after the button; or always the
    first seat after the button."""
    muck_all_in: bool = False
    """Whether a beaten hand may be mucked even if a seat is all in."""
    partly_known: bool = False
    """Whether the game is told by a source that may not know all cards, and may be wrong: cards may be unknown, and a
    card that is drawn may be in the hand already."""
    raked_from: int = 0
    """The number of the street that a round must reach for the house to take its rake."""
