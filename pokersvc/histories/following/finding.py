"""What is wrong in a told hand: the first line that contradicts those before it."""

from typing import Final, NamedTuple

from pokersvc.histories.hand import CHIPS, Currency

_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}


class Contradiction(NamedTuple):
    """A line that says something else than follows from the lines before it."""

    line: int
    says: str
    """What it says, to follow "says"."""
    implied: str
    """What follows from the lines before it, to follow "the lines before it imply"."""
    against: str = "the lines before it imply"
    """What it contradicts, if not the lines before it."""

    def __str__(self) -> str:
        return f"line {self.line} says {self.says}, and {self.against} {self.implied}"


class Contradicted(Exception):  # as the names of errors are here
    """A hand that cannot be followed any further, from a contradiction on; caught where hands are followed."""

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
