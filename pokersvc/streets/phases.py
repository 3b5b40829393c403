"""The phases of a round in a game of streets."""

from enum import IntEnum


class Phase(IntEnum):
    """The phases of a round, in the order of play; in ``BETTING`` and ``DRAW`` seats choose, otherwise the dealer acts.

    The phases from ``DEAL`` to ``SERVE``, and ``OPEN`` if hands are shown early, can recur on each street.
    """

    BETWEEN = 0
    ANTES = 1
    BLINDS = 2
    SHUFFLE = 3
    DEAL = 4
    OPENER = 5
    BETTING = 6
    RETURN = 7
    DRAW = 8
    SERVE = 9
    OPEN = 10
    SHOWDOWN = 11
    RAKE = 12
    AWARD = 13
    CARRY = 14
    ROUND_END = 15
    OVER = 16


# In Python 3.11, looking up a member of an enumeration may take longer than applying an event; a global name is fast.
(
    BETWEEN, ANTES, BLINDS, SHUFFLE, DEAL, OPENER, BETTING, RETURN, DRAW, SERVE, OPEN, SHOWDOWN, RAKE, AWARD,
    CARRY, ROUND_END, OVER,
) = Phase  # fmt: skip
