"""Phrases shared by many messages, and the width of a text on a terminal."""

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import combining, east_asian_width


def counted(number: object, what: str) -> str:
    """Return a number with its noun in singular or plural; a non-number from a damaged database is shown unchanged.

    >>> counted(1, "game"), counted(1200, "event"), counted("many", "event")
    ('1 game', '1,200 events', 'many events')
    """
    said = f"{number:,}" if isinstance(number, int) else str(number)
    return f"{said} {what}{'' if number == 1 else 's'}"


def ordinal(number: int) -> str:
    """Return an ordinal number.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(4), ordinal(11), ordinal(22)
    ('1st', '2nd', '3rd', '4th', '11th', '22nd')
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def roman(number: int) -> str:
    """Return a number from 1 to 3999 in Roman numerals.

    >>> roman(4), roman(19), roman(100)
    ('IV', 'XIX', 'C')
    """
    said = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        said += times * letters
    return said


_ROMAN: Final = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X")),
    *((9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


def listed(names: list[str], last: str = "and") -> str:
    """Join names with commas, and with ``last`` before the last name.

    >>> listed(["A", "B", "C"]), listed(["A", "B"], "or")
    ('A, B and C', 'A or B')
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def alike(names: list[str], known: Iterable[str]) -> str:
    """Return the end of a sentence with the known names that differ from ``names`` only in case; empty if none do.

    >>> alike(["hero"], ["Hero", "Ann"]), alike(["Bob"], ["Hero"])
    ("; there is 'Hero'", '')
    """
    asked = {name.casefold() for name in names}
    found = sorted({name for name in known if name.casefold() in asked} - set(names))
    return f"; there is {listed(list(map(repr, found)))}" if found else ""


def cells(text: str) -> int:
    """Return the width of a text in terminal cells: two for a wide character, none for a combining mark.

    >>> cells("Ann"), cells("安娜")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(character) else 1 + (east_asian_width(character) in "WF") for character in text)


def padded(text: str, width: int) -> str:
    """Return a text padded with trailing spaces to at least ``width`` cells."""
    return text + " " * (width - cells(text))


YOU: Final = "You"
"""The name of a person at their own terminal who gave no name; sentences about that person are in the second person."""
_SECOND_PERSON: Final = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go"}
_IES: Final = re.compile(r"(?<=\w[^\Waeiou])ies$")
"""Matches the ending of ``tries``, from ``try``, but not that of ``ties``, from ``tie``."""
_S: Final = re.compile(r"(?<=ss|sh|ch|zz|\wx)es$|s$")


def does(name: str, verb: str) -> str:
    """Return a name and its verb to begin a sentence; ``verb`` is given in the third person, and adapted to `YOU`.

    >>> does("Ann", "bets"), does("You", "bets"), does("You", "has"), does("You", "passes"), does("You", "tries")
    ('Ann bets', 'You bet', 'You have', 'You pass', 'You try')
    """
    if name != YOU:
        return f"{name} {verb}"
    return f"{name} {_SECOND_PERSON.get(verb) or _S.sub('', _IES.sub('y', verb))}"


def whose(name: str, what: str) -> str:
    """Return a possessive with its noun, such as "Ann's turn", for the middle of a sentence.

    >>> whose("Ann", "turn"), whose("You", "turn")
    ("Ann's turn", 'your turn')
    """
    return f"your {what}" if name == YOU else f"{name}'s {what}"
