"""Where the button goes, and at which seats the blinds are.

Two rules are in use. Online rooms move the button *forward*, to the next player still in, and the blinds follow it;
when players leave, a player may skip a big blind. Live rooms move the big blind, so that everyone posts it in
turn; the small blind comes to the same seat a round later and the button two rounds later, even if the seat is empty by
then (the *dead* button of the TDA and the WSOP). Heads-up the button always has the small blind, and nobody has the big
blind twice in a row (TDA rule 34, WSOP rule 87).
"""

from pokersvc.games.draw_poker.cash_table import seat_with_button
from pokersvc.games.draw_poker.posts import opening_of
from pokersvc.games.draw_poker.seats import clockwise, next_seat
from pokersvc.games.draw_poker.situation import Situation


def next_button(state: Situation) -> int:
    """Return the seat that has the button in the next round; by the rule of the dead button it may be empty."""
    if not state.round and state.table is not None and state.table.button is not None:
        return seat_with_button(state.table)
    playing = state.sitting()
    steady = playing if state.table is None else playing & ~state.owing(playing)
    forward = next_seat(steady, state.button)
    if not state.big_blind:  # before the first round, or where there are no blinds
        return forward
    if playing.bit_count() == 2:
        return _heads_up(state, playing, forward)
    dead = state.rules.button_rule == "dead"
    button = state.small_blind if dead else forward
    if not state.waits_after_heads_up:
        return button
    opening = opening_of(state, button)
    if steady.bit_count() == 2 and opening.live == steady:
        return _heads_up(state, steady, forward)
    if state.two and (opening.big == state.big_blind or button in (opening.small, opening.big)):  # one of them has gone
        return clockwise(playing & ~(1 << state.big_blind), state.big_blind)[-1]
    return button


def _heads_up(state: Situation, playing: int, forward: int) -> int:
    """Return which of the last two players has the button: the other one has the big blind."""
    big = next_seat(playing, forward)
    if state.rules.button_rule == "dead" or (state.big_blind_alternates and big == state.big_blind):
        big = next_seat(playing, state.big_blind)
    return next_seat(playing, big)


def blind_seats(state: Situation) -> tuple[int, int]:
    """Return the seats of the small and the big blind of a round that starts; that of the small one may be empty."""
    heads_up = state.live.bit_count() == 2
    if state.rules.button_rule == "dead" and state.big_blind and not heads_up:
        return state.big_blind, next_seat(state.live, state.big_blind)
    small = next_seat(state.live, state.button - heads_up)
    return small, next_seat(state.live, small)


def blinds_due(state: Situation) -> int:
    """Return the seats that post a blind: both, or the big one's where nobody sits at the small one's."""
    return state.live & (1 << state.small_blind | 1 << state.big_blind)
