"""Amounts of money as text, in a module of their own, so that a list of games can use it without importing a game."""

from typing import Final


def say_money(amount: int, code: str, exponent: int) -> str:
    """Return an amount in a currency's smallest unit as text; plain chips have no code.

    >>> say_money(1994, "USD", 2), say_money(-5, "SEK", 2), say_money(1994, "", 0)
    ('$19.94', '-0.05 SEK', '1994')
    """
    if not code:
        return str(amount)
    whole, part = divmod(abs(amount), 10**exponent)
    digits = f"{whole:,}" + (f".{part:0{exponent}}" if exponent else "")
    minus = "-" if amount < 0 else ""
    sign = _SIGNS.get(code)
    return f"{minus}{digits} {code}" if sign is None else f"{minus}{sign}{digits}"


_SIGNS: Final = {"EUR": "€", "GBP": "£", "USD": "$"}
