"""What a seat may do in draw poker, and how its choices are listed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pokersvc.cards import Card
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.actions import Action


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
    """Discard cards of the hand to draw as many; none is to stand pat."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DiscardUnknown(Action):
    """Discard cards in a hand that was dealt elsewhere; some or all of them may be unknown."""

    cards: tuple[AnyCard, ...]


class LegalActions(NamedTuple):
    """What a seat may choose now; amounts are chips.

    ``call`` is what a call puts in, 0 if there is nothing to call. ``bet`` and ``raise_to`` are the least and
    the most, for a raise counted as the new price; None where not allowed. ``discard`` is the most cards that may
    be discarded, None outside the draw.
    """

    check: bool = False
    fold: bool = False
    call: int = 0
    bet: tuple[int, int] | None = None
    raise_to: tuple[int, int] | None = None
    discard: int | None = None

    def said(self, say: Callable[[int], str] = str) -> list[str]:
        """Return the choices of betting in words; ``say`` writes an amount.

        >>> LegalActions(fold=True, call=50, raise_to=(100, 200)).said()
        ['call 50', 'raise to 100 to 200', 'fold']
        """
        said = []
        if self.check:
            said.append("check")
        if self.call:
            said.append(f"call {say(self.call)}")
        if self.bet is not None:
            said.append(f"bet {say_range(self.bet, say)}")
        if self.raise_to is not None:
            said.append(f"raise to {say_range(self.raise_to, say)}")
        if self.fold:
            said.append("fold")
        return said


def say_range(limits: tuple[int, int], say: Callable[[int], str] = str) -> str:
    """Return the least and the most in words.

    >>> say_range((2, 2)), say_range((50, 995))
    ('2', '50 to 995')
    """
    least, most = limits
    return say(least) if least == most else f"{say(least)} to {say(most)}"


def either(said: list[str]) -> str:
    """Return choices as one: either of them.

    >>> either(["check", "bet 2", "fold"])
    'check, bet 2 or fold'
    """
    return " or ".join(filter(None, [", ".join(said[:-1]), said[-1]]))
