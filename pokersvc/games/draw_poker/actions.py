"""The actions of a seat in draw poker, and the legal ones in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pokersvc.betting.choices import choices_are, choices_said
from pokersvc.cards import Card
from pokersvc.cards.unknown import AnyCard
from pokersvc.core.actions import Action, ServiceAction
from pokersvc.games.draw_poker.house.stakes import Stakes
from pokersvc.text import counted


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
    """Discard cards and draw as many new ones; to stand pat, discard none."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DiscardUnknown(Action):
    """Discard cards in a hand that was dealt elsewhere; some or all of them may be unknown."""

    cards: tuple[AnyCard, ...]


@dataclass(frozen=True, slots=True)
class ChangeStakes(ServiceAction):
    """Set the amounts of all rounds to come, between two rounds; ``seat`` is the host's, 0 for a host without one."""

    stakes: Stakes


@dataclass(frozen=True, slots=True)
class AnnounceBombPot(ServiceAction):
    """Announce that the round after the next is a bomb pot; ``seat`` is the host's, 0 for a host without one."""


@dataclass(frozen=True, slots=True)
class AnswerPurchase(ServiceAction):
    """Admit or refuse, for the host, the purchase that ``seat`` has asked for, between two rounds."""

    admits: bool
    by: int = 0
    """The seat of the host, 0 for a host without one."""


class LegalActions(NamedTuple):
    """The legal choices of a seat; amounts are chips.

    ``call`` is the amount that a call puts in, 0 if there is nothing to call. ``bet`` has the minimum and the maximum
    bet, ``raise_to`` those of the new price; each is None if not allowed. ``discard`` is the maximum number of cards to
    discard, None outside the draw.
    """

    check: bool = False
    fold: bool = False
    call: int = 0
    bet: tuple[int, int] | None = None
    raise_to: tuple[int, int] | None = None
    discard: int | None = None

    def said(self, say: Callable[[int], str] = str) -> list[str]:
        """Return the choices of betting in words; ``say`` formats an amount.

        >>> LegalActions(fold=True, call=50, raise_to=(100, 200)).said()
        ['call 50', 'raise to 100 to 200', 'fold']
        """
        return choices_said(self, say)

    def in_words(self, say: Callable[[int], str] = str) -> str:
        """Return all choices as the end of a sentence; ``say`` formats an amount.

        >>> LegalActions(fold=True, call=50).in_words(), LegalActions(discard=1).in_words()
        ('the choices are to call 50 or to fold', 'the choice is to discard at most 1 card')
        """
        if self.discard is not None:
            return f"the choice is to discard at most {counted(self.discard, 'card')}"
        return choices_are(self.said(say))
