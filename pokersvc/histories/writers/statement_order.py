"""The statements of a hand as formats tell them: antes and blinds as they are due, the deal, and then all else."""

from pokersvc.histories.hand import ToldHand
from pokersvc.histories.statements import POST_KINDS, Dealt, Posted, Told


def in_order(hand: ToldHand) -> list[Told]:
    """Return the statements so, since some sites tell the big blind before the small one."""
    return sorted(hand.told, key=_part)


def _part(told: Told) -> int:
    """Return where a statement stands."""
    if isinstance(told, Posted):
        return POST_KINDS.index(told.kind)
    return len(POST_KINDS) + (not isinstance(told, Dealt))
