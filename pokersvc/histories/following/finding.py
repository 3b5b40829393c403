"""A finding in a hand: a line that contradicts the lines before it."""

from typing import Final, NamedTuple

from pokersvc.histories.hand import CHIPS, Currency

_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}


class Contradiction(NamedTuple):
    """A line of a text that contradicts what the lines before it imply, or another source."""

    line: int
    says: str
    """The claim of the line, worded to follow "says"."""
    implied: str
    """The implication of the lines before it, worded to follow "the lines before it imply"."""
    against: str = "the lines before it imply"
    """The contradicted source with a verb, such as ``the hand that is stored says``; it stands before `implied`."""

    def __str__(self) -> str:
        return f"line {self.line} says {self.says}, and {self.against} {self.implied}"


class Contradicted(Exception):  # exceptions have no suffix "Error" here
    """Raised at a contradiction after which a hand cannot be followed further; caught where hands are followed."""

    def __init__(self, contradiction: Contradiction) -> None:
        super().__init__(str(contradiction))
        self.contradiction = contradiction


def say_amount(amount: int, currency: Currency = CHIPS) -> str:
    """Return an amount as people write it.

    >>> say_amount(1994, Currency("USD", 2)), say_amount(-5, Currency("SEK", 2)), say_amount(120)
    ('$19.94', '-0.05 SEK', '120')
    """
    whole, part = divmod(abs(amount), 10**currency.exponent)
    digits = str(whole) + (f".{part:0{currency.exponent}}" if currency.exponent else "")
    sign = _SIGNS.get(currency.code)
    said = f"{sign}{digits}" if sign else f"{digits} {currency.code}".rstrip()
    return f"-{said}" if amount < 0 else said
