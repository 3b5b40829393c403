"""What the texts of a dialect say without being asked, and what they leave out: a missing line is a finding only there.

From the real hands of each: see docs/histories.md.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple


class Conventions(NamedTuple):
    """How one dialect tells a hand."""

    draws: Literal["in_turn", "together", "as_told"] = "in_turn"
    """Whether each discards and is dealt before the next does, or all discard before anybody is dealt; or either."""
    returns: bool = False
    """Whether what nobody called is given back in a line of its own."""
    reshuffles_first: bool = False
    """Whether a reshuffle is told before the discards of the player who cannot be served, not after them."""
    reshuffles: bool = False
    """Whether a reshuffle has a line."""
    rake: Literal["stated", "difference", "none"] = "stated"
    """Whether rake is stated, is what the winners did not get of the pots, or is not known to the format."""
    numbered: bool = False
    """Whether seats have the numbers from 1 to as many as the table is said to have."""
    from_one: bool = False
    """Whether seats are counted from 1."""
    shows: bool = False
    """Whether each hand that is shown has a line before its pot is paid."""
    ordered: bool = True
    """Whether antes are told before blinds, and the small blind before the big one."""
    all_ins: bool = True
    """Whether what is not said to be the last chip is not."""
    wins: bool = True
    """Whether each pot's winners are told."""


CONVENTIONS: Final[Mapping[str, Conventions]] = {
    "pokerstars": Conventions(reshuffles=True, reshuffles_first=True, returns=True, numbered=True, shows=True),
    "full-tilt": Conventions(draws="together", reshuffles=True, returns=True, shows=True, from_one=True),
    "ongame": Conventions(from_one=True),
    "boss": Conventions(ordered=False, all_ins=False),
    "merge": Conventions(rake="difference", all_ins=False),
    "phh": Conventions(draws="as_told", rake="none", wins=False, all_ins=False),
    "ohh": Conventions(draws="as_told"),
}
"""By `ToldHand.dialect`."""
