"""The lines that each dialect always writes, and those it omits; only a line always written can be missing.

They are taken from real hands of each dialect: see docs/histories.md.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple


class Conventions(NamedTuple):
    """The conventions by which one dialect tells a hand."""

    draws: Literal["in_turn", "together", "as_told"] = "in_turn"
    """Whether each player is dealt before the next one discards, or all discard before any is dealt, or either."""
    returns: bool = False
    """Whether an uncalled bet is returned in a line of its own."""
    reshuffles_first: bool = False
    """Whether a reshuffle is told before the discards of the player who cannot be served, not after them."""
    reshuffles: bool = False
    """Whether a reshuffle has a line."""
    rake: Literal["stated", "difference", "none"] = "stated"
    """Whether rake is stated, is the part of the pots that winners did not get, or is unknown to the format."""
    numbered: bool = False
    """Whether seats are numbered from 1 to the stated size of the table."""
    from_one: bool = False
    """Whether seats are counted from 1."""
    shows: bool = False
    """Whether each hand that is shown has a line before its pot is paid."""
    ordered: bool = True
    """Whether antes are told before blinds, and the small blind before the big one."""
    all_ins: bool = True
    """Whether a bet that is not said to be all-in is not all-in."""
    wins: bool = True
    """Whether the winners of each pot are told."""


CONVENTIONS: Final[Mapping[str, Conventions]] = {
    "pokerstars": Conventions(reshuffles=True, reshuffles_first=True, returns=True, numbered=True, shows=True),
    "full-tilt": Conventions(draws="together", reshuffles=True, returns=True, shows=True, from_one=True),
    "ongame": Conventions(from_one=True),
    "boss": Conventions(ordered=False, all_ins=False),
    "merge": Conventions(rake="difference", all_ins=False),
    "phh": Conventions(draws="as_told", rake="none", wins=False, all_ins=False),
    "ohh": Conventions(draws="as_told"),
}
"""`ToldHand.dialect` → its conventions."""
