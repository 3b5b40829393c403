"""Phrases that every game is told with."""

from collections.abc import Iterable

from pokersvc.cards import Card


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
