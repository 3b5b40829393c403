"""The error for a hand that a format cannot express, and the function that writes amounts."""

from pokersvc.errors import PokersvcError
from pokersvc.histories.hand import Currency


class CannotBeWritten(PokersvcError):
    """A hand that a format cannot express; it is refused with the reason."""

    code = "cannot_be_written"

    def __init__(self, format_: str, why: str, which: str = "this hand") -> None:
        super().__init__(f"{format_} cannot express {which}: {why}.")
        self.format, self.why = format_, why


def money(amount: int, currency: Currency) -> str:
    """Return an amount as a number with the decimals of its currency.

    >>> money(1905, Currency("USD", 2)), money(1905, Currency("", 0)), money(-5, Currency("EUR", 2))
    ('19.05', '1905', '-0.05')
    """
    if not currency.exponent:
        return str(amount)
    whole, parts = divmod(abs(amount), 10**currency.exponent)
    return f"{'-' if amount < 0 else ''}{whole}.{parts:0{currency.exponent}}"
