"""How cards are written for people."""

from collections.abc import Iterable

from pokersvc.cards.card import Card


def say_hand(cards: Iterable[Card]) -> str:
    """Return a hand as people read it.

    >>> say_hand([Card("JC"), Card("10D")])
    '[JC, 10D]'
    """
    return f"[{', '.join(map(str, cards))}]"
