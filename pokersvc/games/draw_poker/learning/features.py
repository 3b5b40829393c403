"""A table of draw poker as figures: the seat's own hand, the betting, and the chips of every seat."""

from typing import Final, get_args

from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.learning.numbered_actions import own_seat, sorted_hand
from pokersvc.games.draw_poker.view import DrawPokerView, Stage, Standing

STAGES: Final = {stage: number for number, stage in enumerate(get_args(Stage))}
"""Stage → its number."""
_STANDINGS: Final = {standing: number for number, standing in enumerate(get_args(Standing))}
_TABLE: Final = ("stage", "round", "ante", "pot", "price", "to_call", "button", "to_act")
_SEAT: Final = ("stack", "put", "standing", "drew")


def feature_names(seats: int) -> tuple[str, ...]:
    """Return the name of each figure; "seat 0" is the seat itself, "seat 1" the one after it."""
    cards = [f"card {number}" for number in range(1, HAND + 1)]
    return (*_TABLE, *cards, *(f"seat {seat} {figure}" for seat in range(seats) for figure in _SEAT))


def features(view: DrawPokerView) -> list[int]:
    """Return the figures of a table for a seat.

    Stages, and standings of a seat, are numbered in the order of `Stage` and `Standing`. Cards are sorted by number;
    -1 stands for no card, for no button, for nobody to act, and for a seat that has not drawn.
    """
    me, seats = own_seat(view), view.seats
    first, count = me.seat, len(seats)
    hand = [card.number for card in sorted_hand(me)]
    found = [
        STAGES[view.stage],
        view.round,
        view.ante,
        view.pot,
        view.price,
        max(view.price - me.put, 0),
        -1 if view.button is None else (view.button - first) % count,
        -1 if view.to_act is None else (view.to_act - first) % count,
        *hand,
        *[-1] * (HAND - len(hand)),
    ]
    for seat in (*seats[first - 1 :], *seats[: first - 1]):
        found += (seat.stack, seat.put, _STANDINGS[seat.standing], -1 if seat.drew is None else seat.drew)
    return found
