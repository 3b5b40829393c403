"""The actions of a seat in the Poker Market, and the list of those that are legal."""

from dataclasses import dataclass
from typing import NamedTuple

from pokersvc.cards import Card
from pokersvc.core.actions import Action


@dataclass(frozen=True, slots=True)
class Propose(Action):
    """Propose a swap: one of the seat's own cards for one of the partner's."""

    gives: Card
    partner: int
    gets: Card


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Propose nothing this turn."""


@dataclass(frozen=True, slots=True)
class Accept(Action):
    """Accept the proposed swap."""


@dataclass(frozen=True, slots=True)
class Decline(Action):
    """Decline the proposed swap."""


class LegalActions(NamedTuple):
    """The choices of a seat: to answer a proposal or, on its own turn, to propose a swap or pass."""

    answer: Propose | None = None
    """The open proposal to accept or decline; None on the seat's own turn."""
    gives: tuple[Card, ...] = ()
    """The cards that may be offered."""
    gets: tuple[tuple[int, tuple[Card, ...]], ...] = ()
    """The cards that may be asked for, by partner."""
