"""The fields of a PHH with their lines, found by searching the text because the TOML parser does not report lines."""

import re
import tomllib
from decimal import Decimal
from typing import Any, Final, NoReturn

from pokersvc.errors import printable
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.blocks import MOST
from pokersvc.histories.dialects.line_values import amount_at
from pokersvc.histories.dialects.phh_plain import plain_fields
from pokersvc.histories.hand import CHIPS, Currency, UnreadableHand

_KEY: Final = re.compile(r"""^[ \t]*["']?([A-Za-z0-9_-]+)["']?[ \t]*=""", re.MULTILINE)
_STRING: Final = re.compile(r"""'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|#[^\n]*|\]""")
_MOST_PLACES: Final = 2
_CODE: Final = re.compile(r"[A-Z]{3}")
_OTHERS: Final = {"$": ("EUR", "GBP"), "€": ("USD", "GBP"), "£": ("USD", "EUR")}
"""Currency symbol → the currencies that cannot be meant, because they are written with another symbol."""
_TEXTS: Final = frozenset({str})
_WHOLES: Final = frozenset({int})
_LONGEST: Final = 10**15
"""Whole numbers below this are valid amounts without further checks; `amount_at` checks all other values."""


def toml_fields(block: Block) -> dict[str, Any]:
    """Return a hand's fields from any valid TOML; if the text is a single table, return the fields in it."""
    if len(block.text) > MOST:
        raise UnreadableHand(block.first_line, f"The hand has more than {MOST:,} characters.")
    try:
        fields = tomllib.loads(block.text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        where = re.search(r"at line (\d+)", str(error))
        line = block.first_line + (int(where[1]) - 1 if where else block.text.rstrip().count("\n"))
        raise UnreadableHand(line, f"This is not TOML: {printable(str(error)[:80])}.") from None
    if len(fields) == 1 and isinstance(inner := next(iter(fields.values())), dict):
        return inner
    return fields


class PhhFields:
    """The fields of one hand."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._ends: dict[str, int] = {}
        self._fields: dict[str, Any]
        self._lines: dict[str, int]
        self._lines_of: dict[str, list[int]]
        if len(block.text) <= MOST and (plain := plain_fields(block.text, block.first_line)) is not None:
            self._fields, self._lines, self._lines_of = plain
        else:
            self._fields, self._lines, self._lines_of = toml_fields(block), {}, {}
            for found in _KEY.finditer(block.text):
                self._lines.setdefault(found[1], self._line_at(found.start(1)))
                self._ends.setdefault(found[1], found.end())
        self.currency = self._currency()
        self._units = 10**self.currency.exponent

    def _line_at(self, place: int) -> int:
        return self._block.first_line + self._block.text.count("\n", 0, place)

    def line(self, key: str) -> int:
        """Return the line of a field; the hand's first line if the field is missing."""
        return self._lines.get(key, self._block.first_line)

    def lines(self, key: str, count: int) -> list[int]:
        """Return the line of each text in a field's list, or the field's own line for each if they are not found."""
        if (known := self._lines_of.get(key)) is not None and len(known) == count:
            return known
        lines = []
        for found in _STRING.finditer(self._block.text, self._ends.get(key, len(self._block.text))):
            if found[0] == "]":
                break
            if found[0][0] != "#":
                lines.append(self._line_at(found.start()))
        return lines if len(lines) == count else [self.line(key)] * count

    def wrong(self, key: str, what: str) -> NoReturn:
        """Raise `UnreadableHand` at a field's line; ``what`` says what the value should be."""
        raise UnreadableHand(self.line(key), f"{key} is {printable(repr(self._fields.get(key))[:60])}, not {what}.")

    def __contains__(self, key: str) -> bool:
        return key in self._fields

    def _of(self, key: str, kind: type, what: str) -> Any:
        value = self._fields.get(key)
        if value is not None and type(value) is not kind:
            self.wrong(key, what)
        return value

    def is_list(self, key: str) -> bool:
        """Return whether a field is a list."""
        return type(self._fields.get(key)) is list

    def text(self, key: str) -> str | None:
        """Return the text of a field; None if the field is missing."""
        found: str | None = self._of(key, str, "a text")
        return found

    def whole(self, key: str) -> int | None:
        """Return the whole number of a field; None if the field is missing."""
        found: int | None = self._of(key, int, "a whole number")
        return found

    def of_type(self, key: str, kind: type) -> Any:
        """Return the value of a field, which must have the Python type ``kind``; None if the field is missing."""
        return self._of(key, kind, f"a {kind.__name__}")

    def name(self, key: str) -> str | None:
        """Return the text of a field, which may also be a whole number; None if the field is missing."""
        value = self._fields.get(key)
        return str(value) if type(value) is int else self.text(key)

    def texts(self, key: str) -> list[str] | None:
        """Return the list of texts of a field; None if the field is missing."""
        found: list[str] | None = self._of(key, list, "a list of texts")
        if found is not None and not _TEXTS.issuperset(map(type, found)):
            self.wrong(key, "a list of texts")
        return found

    def wholes(self, key: str) -> list[int] | None:
        """Return the list of whole numbers of a field; None if the field is missing."""
        found: list[int] | None = self._of(key, list, "a list of whole numbers")
        if found is not None and not _WHOLES.issuperset(map(type, found)):
            self.wrong(key, "a list of whole numbers")
        return found

    def tables(self, key: str) -> list[dict[str, Any]]:
        """Return the list of tables of a field; it is empty if the field is missing."""
        found: list[dict[str, Any]] = self._of(key, list, "a list of tables") or []
        if not all(type(value) is dict for value in found):
            self.wrong(key, "a list of tables")
        return found

    def amount(self, key: str) -> int | None:
        """Return the amount of a field in the smallest unit; None if the field is missing."""
        return self.amount_in(key, self._fields[key]) if key in self._fields else None

    def amounts(self, key: str) -> list[int] | None:
        """Return the list of amounts of a field; None if the field is missing. Only a blind may be below zero."""
        found: list[object] | None = self._of(key, list, "a list of amounts")
        return None if found is None else [self.amount_in(key, value) for value in found]

    def amount_in(self, key: str, value: object, currency: Currency | None = None) -> int:
        """Return the amount of a value in a field, in ``currency`` or else in the hand's currency."""
        if type(value) is int and 0 <= value < _LONGEST:
            return int(value * (self._units if currency is None else 10**currency.exponent))
        if type(value) is not int and type(value) is not Decimal:
            self.wrong(key, "an amount")
        text = str(value)
        amount = amount_at(self.line(key), text.removeprefix("-"), currency or self.currency)
        if text.startswith("-") and key != "blinds_or_straddles":
            self.wrong(key, "zero or more")
        return -amount if text.startswith("-") else amount

    def _currency(self) -> Currency:
        """Return the currency; if none is named, it is chips, with decimals if any amount has decimals."""
        ours, theirs, symbol = (self.text(key) for key in ("_currency", "currency", "currency_symbol"))
        if theirs is not None and not _CODE.fullmatch(theirs):
            self.wrong("currency", "a code of three letters, such as USD")
        if ours is not None and (theirs is not None or not ours.strip()):
            self.wrong("_currency", "the name of a currency that has no code")
        if theirs in _OTHERS.get(symbol or "", ()):
            self.wrong("currency_symbol", f"the symbol of {theirs}")
        if (code := ours or theirs) is not None:
            return Currency(code, _MOST_PLACES)
        actions = self.texts("actions") or []
        parts = "." in "".join(actions) and any("." in text.partition("#")[0] for text in actions)
        for value in () if parts else self._fields.values():
            parts = parts or (Decimal in map(type, value) if type(value) is list else type(value) is Decimal)
        return Currency("", _MOST_PLACES) if parts else CHIPS
