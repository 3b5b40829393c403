"""The legal choices of betting in words, and the refusals of other choices."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol, TypeAlias

from pokersvc.betting.money import say_money
from pokersvc.betting.state import BettingState
from pokersvc.core.actions import IllegalAction
from pokersvc.text import whose

Range: TypeAlias = tuple[int, int]
"""The minimum and the maximum, in chips."""


class BettingChoices(Protocol):
    """The betting part of a game's legal actions."""

    @property
    def check(self) -> bool:
        """Whether the seat may check."""

    @property
    def fold(self) -> bool:
        """Whether the seat may fold."""

    @property
    def call(self) -> int:
        """The chips that a call puts in; 0 if there is nothing to call."""

    @property
    def bet(self) -> Range | None:
        """The minimum and the maximum bet; None if the seat may not bet."""

    @property
    def raise_to(self) -> Range | None:
        """The minimum and the maximum price to which the seat may raise; None if the seat may not raise."""


class SaidChoices(BettingChoices, Protocol):
    """Legal actions that can be put into words, for the message of a refusal."""

    def in_words(self, say: Callable[[int], str] = str) -> str:
        """Return all choices in words; ``say`` formats an amount."""


class Choices(NamedTuple):
    """The legal actions in a game with no actions other than betting; see `BettingChoices`."""

    check: bool = False
    fold: bool = False
    call: int = 0
    bet: Range | None = None
    raise_to: Range | None = None

    def in_words(self, say: Callable[[int], str] = str) -> str:
        """Return the choices in words; ``say`` formats an amount.

        >>> Choices(fold=True, call=50).in_words()
        'the choices are to call 50 or to fold'
        """
        return choices_are(choices_said(self, say))


def choices_said(choices: BettingChoices, say: Callable[[int], str] = str) -> list[str]:
    """Return the choices of betting in words; ``say`` formats an amount.

    >>> choices_said(Choices(fold=True, call=50, raise_to=(100, 200)))
    ['call 50', 'raise to 100 to 200', 'fold']
    """
    said = []
    if choices.check:
        said.append("check")
    if choices.call:
        said.append(f"call {say(choices.call)}")
    if choices.bet is not None:
        said.append(f"bet {say_range(choices.bet, say)}")
    if choices.raise_to is not None:
        said.append(f"raise to {say_range(choices.raise_to, say)}")
    if choices.fold:
        said.append("fold")
    return said


def choices_are(said: list[str]) -> str:
    """Return a clause that lists choices, for the end of a sentence.

    >>> choices_are(["check"])
    'the choice is to check'
    """
    return f"the {'choices are' if len(said) > 1 else 'choice is'} {either([f'to {choice}' for choice in said])}"


def say_range(limits: Range, say: Callable[[int], str] = str) -> str:
    """Return a range of chips in words.

    >>> say_range((2, 2)), say_range((50, 995))
    ('2', '50 to 995')
    """
    least, most = limits
    return say(least) if least == most else f"{say(least)} to {say(most)}"


def either(said: list[str]) -> str:
    """Return choices joined by commas and "or".

    >>> either(["check", "bet 2", "fold"])
    'check, bet 2 or fold'
    """
    return " or ".join(filter(None, [", ".join(said[:-1]), said[-1]]))


def say_chips(state: BettingState, amount: object) -> str:
    """Return an amount in the table's currency; anything that is no integer is returned as its ``repr``."""
    return say_money(amount, state.terms.currency, state.terms.exponent) if type(amount) is int else repr(amount)


def refused(state: BettingState, code: str, action: str, choices: SaidChoices) -> IllegalAction:
    """Return the refusal of an action that the seat to act cannot take; the message lists its legal choices."""
    choice = choices.in_words(partial(say_chips, state))
    return IllegalAction(code, f"{state.names[state.actor]} cannot {action} now; {choice}.")


def not_your_turn(state: BettingState, seat: object) -> IllegalAction:
    """Return the refusal of an action out of turn."""
    turn = f"it is {whose(state.names[state.actor], 'turn')}" if state.actor else "the dealer is to act"
    return IllegalAction("not_your_turn", f"Seat {seat} cannot act now; {turn}.")
