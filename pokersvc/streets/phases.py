"""What happens next in a round of a game of streets."""

from enum import IntEnum


class Phase(IntEnum):
    """A phase of a round, in the order of play; in ``BETTING`` and ``DRAW`` seats choose, else the dealer acts.

    From ``DEAL`` to ``DRAW``, with ``OPEN`` where hands are shown early, they come again on each street.
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


# Python 3.11 takes longer to find a member of an enumeration than to apply many an event; these are found at once.
(
    BETWEEN, ANTES, BLINDS, SHUFFLE, DEAL, OPENER, BETTING, RETURN, DRAW, SERVE, OPEN, SHOWDOWN, RAKE, AWARD,
    CARRY, ROUND_END, OVER,
) = Phase  # fmt: skip
