"""The events of purchases that a host approves, of standing wishes and what follows from them, and of bomb pots.

Seats count from 1; amounts are chips; fields are in alphabetical order.
"""

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from pokersvc.core.common_events import Number
from pokersvc.core.event import Event
from pokersvc.core.seats import check_name


@dataclass(frozen=True, slots=True)
class PurchaseAsked(Event):
    """A person asked to buy chips or to sit down with them, in a cash game whose host approves purchases."""

    amount: Number
    name: Annotated[str, AfterValidator(check_name)] | None
    """The new name of the seat, if somebody else sits down there; None if it keeps its name."""
    person: Number | None
    """The person who sits down; None for the person who sits there already."""
    seat: Number


@dataclass(frozen=True, slots=True)
class PurchaseAdmitted(Event):
    """The host admitted the purchase that a seat had asked for; `ChipsBought` or `SatDown` comes next."""

    by: Number | None
    """The seat of the host; None for a host without one."""
    seat: Number


@dataclass(frozen=True, slots=True)
class PurchaseRefused(Event):
    """The host refused the purchase that a seat had asked for."""

    by: Number | None
    """The seat of the host; None for a host without one."""
    seat: Number


@dataclass(frozen=True, slots=True)
class WishesSet(Event):
    """A person set their standing wishes for the rounds to come: all of them, as they now are."""

    in_with_blind: bool
    """Whether the person, who sits out, is dealt in again as soon as that requires no extra post."""
    out_at_blind: bool
    """Whether the person sits out as soon as they would post the big blind."""
    seat: Number
    straddles: bool
    """Whether the person posts the straddle in each round in which it is their turn."""
    top_up_to: Annotated[int, Field(ge=0)]
    """The stack up to which chips are bought before each round; 0 for none."""


@dataclass(frozen=True, slots=True)
class ToppedUp(Event):
    """Before a round, chips were bought for a person by their standing wish."""

    amount: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class SatOutAtBlind(Event):
    """A person sits out by their standing wish, because they would have posted the next round's big blind."""

    seat: Number


@dataclass(frozen=True, slots=True)
class SatInWithBlind(Event):
    """A person who sat out is dealt in again by their standing wish, now that this costs no post out of turn."""

    seat: Number


@dataclass(frozen=True, slots=True)
class BombPotAnnounced(Event):
    """The host or, every so many rounds, the dealer announced that the round after the next one is a bomb pot."""

    by: Number | None
    """The seat of the host; None for a host without one, and for the dealer."""
    by_rule: bool
    """Whether the dealer announced it, by the rule that every so many rounds are bomb pots."""
    round: Number


@dataclass(frozen=True, slots=True)
class SeatFreed(Event):
    """A person who sat out for as many rounds as the house allows got up, with all their chips."""

    amount: Annotated[int, Field(ge=0)]
    seat: Number


CASH_EVENTS: Final = (
    PurchaseAsked, PurchaseAdmitted, PurchaseRefused, WishesSet, ToppedUp, SatOutAtBlind, SatInWithBlind, SeatFreed,
    BombPotAnnounced,
)  # fmt: skip
"""All classes of this module."""
