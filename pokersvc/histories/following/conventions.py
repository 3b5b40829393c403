"""The conventions of each dialect: the lines that it always writes, so that their absence is a finding.

They are taken from real hands of each dialect: see docs/histories.md.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple


class Conventions(NamedTuple):
    """The conventions by which one dialect describes a hand."""

    draws: Literal["in_turn", "together", "as_told"] = "in_turn"
    """The draw order: each player draws right after discarding, all discard before any draws, or as the lines tell."""
    returns: bool = False
    """Whether an uncalled bet is returned in a line of its own."""
    reshuffles_first: bool = False
    """Whether a reshuffle's line comes before the discard of the player for whom the deck runs out; otherwise it comes
    after."""
    reshuffles: bool = False
    """Whether a reshuffle has a line."""
    numbered: bool = False
    """Whether seats are numbered from 1 to the stated size of the table."""
    from_one: bool = False
    """Whether seats are counted from 1."""
    shows: bool = False
    """Whether each shown hand has a line of its own before its pot is paid."""
    ordered: bool = True
    """Whether antes are listed before blinds, and the small blind before the big one."""
    all_ins: bool = True
    """Whether every all-in bet is marked as such, so that a bet without the mark is not all-in."""
    wins: bool = True
    """Whether the winners of each pot are stated."""


CONVENTIONS: Final[Mapping[str, Conventions]] = {
    "pokerstars": Conventions(reshuffles=True, reshuffles_first=True, returns=True, numbered=True, shows=True),
    "full-tilt": Conventions(draws="together", reshuffles=True, returns=True, shows=True, from_one=True),
    "ongame": Conventions(from_one=True),
    "boss": Conventions(ordered=False, all_ins=False),
    "merge": Conventions(all_ins=False),
    "phh": Conventions(draws="as_told", wins=False, all_ins=False),
    "ohh": Conventions(draws="as_told"),
}
"""`HandHistory.dialect` → its conventions."""
