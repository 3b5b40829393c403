"""The spots for which strategies are made: a limit, an ante and a depth, for two players with blinds of 1:2."""

import re
from math import inf
from typing import Final, Literal, NamedTuple, get_args

from pokersvc.errors import InvalidValue
from pokersvc.text import counted

Limit = Literal["fixed_limit", "pot_limit", "no_limit"]

BIG_BLIND: Final = 40
"""The units of chips in a big blind, fine enough for the sizes of bets in the tree."""
ANTES: Final = (0, BIG_BLIND // 4, BIG_BLIND)
"""The antes, in units: none, a quarter of the big blind, and a whole one."""
LEAST_DEPTH: Final = 2
MOST_DEPTH: Final = 200
_NAME: Final = re.compile(r"(?P<limit>fixed|pot|no)-limit-ante-(?P<ante>0|10|40)-depth-(?P<depth>[1-9][0-9]{0,2})")


class Spot(NamedTuple):
    """The setting of a strategy; the blinds are half a big blind and a whole one."""

    limit: Limit
    ante: int
    """One of `ANTES`, in units."""
    depth: float
    """The smaller stack before the forced bets, in big blinds; a whole number where a strategy is made."""

    @property
    def name(self) -> str:
        """The name of the spot, which is its file's name without the ending.

        >>> Spot("fixed_limit", 0, 12).name
        'fixed-limit-ante-0-depth-12'
        """
        return f"{self.limit.replace('_', '-')}-ante-{self.ante}-depth-{self.depth:g}"

    @property
    def stack(self) -> int:
        """The smaller stack before the forced bets, in units."""
        return int(self.depth * BIG_BLIND)

    @property
    def farthest(self) -> float:
        """The depth above which more chips change nothing: in fixed limit the total of all bets, else infinity."""
        return 12 + self.ante // BIG_BLIND + bool(self.ante % BIG_BLIND) if self.limit == "fixed_limit" else inf


def checked(spot: Spot) -> Spot:
    """Return the spot; raise `InvalidValue` if no strategy can be made for it."""
    if spot.limit not in get_args(Limit):
        raise InvalidValue(f"The limit {spot.limit!r} is none of {', '.join(get_args(Limit))}.")
    if spot.ante not in ANTES:
        raise InvalidValue(f"An ante of {spot.ante / BIG_BLIND:g} big blinds has no strategy; it is 0, 0.25 or 1.")
    if not LEAST_DEPTH <= spot.depth <= MOST_DEPTH:
        depth = counted(spot.depth, "big blind")
        raise InvalidValue(f"A depth of {depth} has no strategy; it is {LEAST_DEPTH} to {MOST_DEPTH}.")
    return spot


def named(name: str) -> Spot:
    """Return the spot with a name; raise `InvalidValue` if it is not a spot's name."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise InvalidValue(f"{name!r} is not the name of a spot, such as fixed-limit-ante-0-depth-12.")
    limits: dict[str, Limit] = {"fixed": "fixed_limit", "pot": "pot_limit", "no": "no_limit"}
    return checked(Spot(limits[found["limit"]], int(found["ante"]), int(found["depth"])))
