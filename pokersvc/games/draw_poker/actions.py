"""What a seat may do in draw poker, and what it is told of that."""

from dataclasses import dataclass
from typing import NamedTuple

from pokersvc.cards import Card
from pokersvc.games.game import Action


@dataclass(frozen=True, slots=True)
class Check(Action):
    """Stay in without putting in chips, facing no bet ("hold")."""


@dataclass(frozen=True, slots=True)
class Bet(Action):
    """Open the betting with an amount of chips."""

    amount: int


@dataclass(frozen=True, slots=True)
class Call(Action):
    """Match the bet."""


@dataclass(frozen=True, slots=True)
class Raise(Action):
    """Raise the price of the betting round to an amount of chips."""

    to: int


@dataclass(frozen=True, slots=True)
class Fold(Action):
    """Give up the hand."""


@dataclass(frozen=True, slots=True)
class Discard(Action):
    """Throw away cards of one's hand to draw as many; none is to stand pat."""

    cards: tuple[Card, ...]


class LegalActions(NamedTuple):
    """What a seat may choose now; amounts are chips.

    ``call`` is what a call puts in, 0 where there is nothing to call. ``bet`` and ``raise_to`` are the least and
    the most, for a raise counted as the new price; None where not allowed. ``discard`` is the most cards that may
    be discarded, None outside the draw.
    """

    check: bool = False
    fold: bool = False
    call: int = 0
    bet: tuple[int, int] | None = None
    raise_to: tuple[int, int] | None = None
    discard: int | None = None
