"""Sorts a hand's statements as formats need them: antes and blinds as they are due, the deal, then the rest."""

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.statements import POST_KINDS, Dealt, Posted, Statement


def in_order(hand: HandHistory) -> list[Statement]:
    """Return the statements with the posts in the order in which they are due, then the deal, and then the rest."""
    return sorted(hand.told, key=_part)


def _part(told: Statement) -> int:
    """Return the sort key of a statement."""
    if isinstance(told, Posted):
        return POST_KINDS.index(told.kind)
    return len(POST_KINDS) + (not isinstance(told, Dealt))
