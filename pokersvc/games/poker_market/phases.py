"""The phases of a Poker Market game, which say what happens next."""

from enum import IntEnum


class Phase(IntEnum):
    """A phase of a market, in the order of play; in ``TURN`` and ``ANSWER`` a seat chooses, else the dealer acts."""

    SHUFFLE = 0
    DEAL = 1
    TURN = 2
    ANSWER = 3
    ROUND_END = 4
    RANK = 5
    GAME_END = 6
    OVER = 7


# Bound to names for speed, as in `pokersvc.streets.phases`, which gives the reason.
SHUFFLE, DEAL, TURN, ANSWER, ROUND_END, RANK, GAME_END, OVER = Phase
