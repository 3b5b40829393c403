"""Parses the amounts and cards of a line; `UnreadableHand` names the line of an invalid one."""

from pokersvc.cards import Card, InvalidCard
from pokersvc.histories.amounts import WrongAmount, amount_of
from pokersvc.histories.hand import Currency, UnreadableHand
from pokersvc.histories.statements import Cards


def amount_at(line: int, text: str, currency: Currency) -> int:
    """Return an amount of money in the smallest unit."""
    try:
        return amount_of(text, currency)
    except WrongAmount as error:
        raise UnreadableHand(line, str(error)) from None


def cards_at(line: int, names: list[str]) -> Cards:
    """Return cards by their names."""
    try:
        return tuple([Card(name) for name in names])
    except InvalidCard as error:
        raise UnreadableHand(line, str(error)) from None
