"""Cards as text for people."""

from collections.abc import Iterable

from pokersvc.cards.unknown import AnyCard


def say_hand(cards: Iterable[AnyCard]) -> str:
    """Return a hand as text for people.

    >>> from pokersvc.cards import parse_cards
    >>> say_hand(parse_cards("JC 10D"))
    '[JC, 10D]'
    """
    return f"[{', '.join(map(str, cards))}]"
