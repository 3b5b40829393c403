"""Phrases that sentences everywhere are made with, and how wide a text is on a terminal."""

from unicodedata import combining, east_asian_width


def counted(number: object, what: str) -> str:
    """Write how many there are of something; what a damaged database has in place of a number is written as it is.

    >>> counted(1, "game"), counted(1200, "event"), counted("many", "event")
    ('1 game', '1,200 events', 'many events')
    """
    said = f"{number:,}" if isinstance(number, int) else str(number)
    return f"{said} {what}{'' if number == 1 else 's'}"


def listed(names: list[str]) -> str:
    """Return names in a list.

    >>> listed(["A", "B", "C"])
    'A, B and C'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def cells(text: str) -> int:
    """Return how many cells of a terminal a text takes: two for a wide character, none for a mark on another.

    >>> cells("Ann"), cells("安娜")
    (3, 4)
    """
    return sum(0 if combining(character) else 1 + (east_asian_width(character) in "WF") for character in text)


def padded(text: str, width: int) -> str:
    """Return a text with spaces behind it, so that it takes so many cells at least."""
    return text + " " * (width - cells(text))
