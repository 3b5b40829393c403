"""Where the button goes, and at which seats the blinds are.

Two rules are in use. Online rooms move the button *forward*, to the next player still in, and the blinds follow it;
when players leave, a player may skip a big blind. Live rooms move the big blind, so that everyone posts it in
turn; the small blind comes to the same seat a round later and the button two rounds later, even if the seat is empty by
then (the *dead* button of the TDA and the WSOP). Heads-up the button always has the small blind, and nobody has the big
blind twice in a row (TDA rule 34, WSOP rule 87).
"""

from pokersvc.games.draw_poker.seats import next_seat
from pokersvc.games.draw_poker.table import Table


def next_button(table: Table) -> int:
    """Return the seat that has the button in the next round; by the rule of the dead button it may be empty."""
    forward = next_seat(table.seated, table.button)
    if not table.big_blind:  # before the first round, or where there are no blinds
        return forward
    if table.seated.bit_count() == 2:
        return _heads_up(table, forward)
    return table.small_blind if table.rules.button_rule == "dead" else forward


def _heads_up(table: Table, forward: int) -> int:
    """Return which of the last two players has the button: the other one has the big blind."""
    big = next_seat(table.seated, forward)
    if table.rules.button_rule == "dead" or (table.big_blind_alternates and big == table.big_blind):
        big = next_seat(table.seated, table.big_blind)
    return next_seat(table.seated, big)


def blind_seats(table: Table) -> tuple[int, int]:
    """Return the seats of the small and the big blind of a round that starts; that of the small one may be empty."""
    heads_up = table.live.bit_count() == 2
    if table.rules.button_rule == "dead" and table.big_blind and not heads_up:
        return table.big_blind, next_seat(table.live, table.big_blind)
    small = next_seat(table.live, table.button - heads_up)
    return small, next_seat(table.live, small)
