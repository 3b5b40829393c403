"""Parses amounts of money exactly, in the smallest unit of their currency and without floats."""

import re
from typing import Final

from pokersvc.errors import InvalidValue
from pokersvc.histories.hand import CHIPS, Currency

AMOUNT: Final = r"[$€£]?[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?"
"""A regular expression for texts that look like amounts; `amount_of` validates them."""

PLAY_MONEY: Final = Currency("play", 2)
"""The currency of play money, which has no exchange rate; sites write it with the symbol of a real currency."""
POINTS: Final = ("FPP", "SC")
"""Codes of PokerStars' loyalty points, which also pay for tournaments; amounts of points are always whole."""

_SYMBOLS: Final = {"$": "USD", "€": "EUR", "£": "GBP"}
_OWN_SYMBOL: Final = {code: symbol for symbol, code in _SYMBOLS.items()}
_DOLLARS: Final = ("USD", "CAD", "AUD")
_PARTS: Final = re.compile(r"([$€£]?)([0-9]{1,15}|[0-9]{1,3}(?:,[0-9]{3}){1,4})(?:\.([0-9]{1,4}))?")


def paid_in(code: str) -> Currency:
    """Return the currency with this code, in which a tournament's buy-in is paid."""
    return Currency(code, 0 if code in POINTS else 2)


class WrongAmount(InvalidValue):
    """A text that is not an amount of the currency at hand."""

    code = "wrong_amount"


def currency_of(amount: str, code: str | None = None) -> Currency:
    """Return the currency of an amount, from its symbol or the code beside it; chips if it has neither.

    >>> currency_of("$0.05"), currency_of("€1", "EUR"), currency_of("1500")
    (Currency(code='USD', exponent=2), Currency(code='EUR', exponent=2), Currency(code='', exponent=0))

    Raises `WrongAmount` if symbol and code contradict each other.
    """
    named = _SYMBOLS.get(amount[:1])
    if code is None:
        return Currency(named, 2) if named else CHIPS
    if named and named != code and not (named == "USD" and code in _DOLLARS):
        raise WrongAmount(f"{amount[:20]!r} is not an amount in {code}.")
    return Currency(code, 2)


def amount_of(text: str, currency: Currency) -> int:
    """Return an amount in the smallest unit of its currency.

    >>> amount_of("$0.05", Currency("USD", 2)), amount_of("$1,234.5", Currency("USD", 2)), amount_of("1,500", CHIPS)
    (5, 123450, 1500)

    Raises `WrongAmount` for another currency's symbol, and for a fraction of the smallest unit.
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise WrongAmount(f"{text[:20]!r} is not an amount: write it like 1,234.50.")
    symbol, whole, fraction = parts.groups(default="")
    if symbol and symbol != _symbol_of(currency) and currency != PLAY_MONEY:
        raise WrongAmount(f"{text[:20]!r} is not an amount in {currency.code or 'chips'}.")
    cut = fraction.rstrip("0")
    if len(cut) > currency.exponent:
        raise WrongAmount(f"{text[:20]!r} is not a whole number of the smallest unit of {currency.code or 'chips'}.")
    return int(whole.replace(",", "") + cut.ljust(currency.exponent, "0"))


def _symbol_of(currency: Currency) -> str | None:
    return "$" if currency.code in _DOLLARS else _OWN_SYMBOL.get(currency.code)
