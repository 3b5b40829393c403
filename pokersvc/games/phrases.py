"""Phrases that every game is told with."""

from collections.abc import Iterable
from unicodedata import combining, east_asian_width

from pokersvc.cards import Card
from pokersvc.games.game import Seat


def say_hand(cards: Iterable[Card]) -> str:
    """Return a hand as people read it.

    >>> say_hand([Card("JC"), Card("10D")])
    '[JC, 10D]'
    """
    return f"[{', '.join(map(str, cards))}]"


def listed(names: list[str]) -> str:
    """Return names in a list.

    >>> listed(["A", "B", "C"])
    'A, B and C'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def say_seats(seats: Iterable[Seat], *, hidden_kinds: bool) -> str:
    """Return who plays, and of which kind they are where that is no secret.

    >>> say_seats([Seat("human", "Ann"), Seat("steady", "Bob")], hidden_kinds=False)
    'Ann (human), Bob (steady)'
    >>> say_seats([Seat("human", "Ann"), Seat("steady", "Bob")], hidden_kinds=True)
    'Ann, Bob'
    """
    return ", ".join(seat.name if hidden_kinds else f"{seat.name} ({seat.kind})" for seat in seats)


def cells(text: str) -> int:
    """Return how many cells of a terminal a text takes: two for a wide character, none for a mark on another.

    >>> cells("Ann"), cells("安娜")
    (3, 4)
    """
    return sum(0 if combining(character) else 1 + (east_asian_width(character) in "WF") for character in text)


def padded(text: str, width: int) -> str:
    """Return a text with spaces behind it, so that it takes so many cells at least."""
    return text + " " * (width - cells(text))
