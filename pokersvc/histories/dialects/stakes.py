"""The stakes of a hand, from its header and the posted blinds."""

from collections.abc import Sequence
from typing import Final, TypedDict

from pokersvc.histories.hand import Limit
from pokersvc.histories.statements import Posted, Statement

LIMITS: Final[dict[str, Limit]] = {
    "No Limit": "no-limit",
    "NL": "no-limit",
    "Pot Limit": "pot-limit",
    "PL": "pot-limit",
    "Limit": "fixed-limit",
    "FL": "fixed-limit",
}


class Stakes(TypedDict):
    """The fields of `HandHistory` for the stakes."""

    limit: Limit
    small_blind: int
    big_blind: int
    small_bet: int | None
    big_bet: int | None


def stakes(limit: Limit, low: int, high: int, told: Sequence[Statement]) -> Stakes:
    """Return the stakes from the two amounts in a header: small and big blind, or in a fixed limit the two bets.

    In a fixed limit the big blind is the small bet, and the small blind, not always half of it, is what was posted.
    """
    if limit != "fixed-limit":
        return Stakes(limit=limit, small_blind=low, big_blind=high, small_bet=None, big_bet=None)
    return Stakes(limit=limit, small_blind=_posted(told, "small"), big_blind=low, small_bet=low, big_bet=high)


def ante_of(told: Sequence[Statement]) -> int:
    """Return the ante that was posted, for a header that does not state it; 0 if nobody posted one in full."""
    return _posted(told, "ante")


def _posted(told: Sequence[Statement], kind: str) -> int:
    posts = (one for one in told if isinstance(one, Posted) and one.kind == kind and not one.all_in)
    return max((one.amount for one in posts), default=0)
