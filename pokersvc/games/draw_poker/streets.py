"""What betting changes: who acts next, what a bet costs, and which phase comes after a street."""

from typing import TypeAlias

from pokersvc.core.event import ImpossibleEvent
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.phases import (
    AWARD,
    BETTING,
    DRAW,
    OPEN,
    OPENER,
    RETURN,
    SHOWDOWN,
    Phase,
)
from pokersvc.games.draw_poker.pots import Pot, pots_of
from pokersvc.games.draw_poker.refusals import exists, not_in_turn, not_one_of
from pokersvc.games.draw_poker.seats import has, next_seat
from pokersvc.games.draw_poker.table import Table
from pokersvc.text import counted


def start_betting(table: Table, street: int) -> None:
    """Begin a betting round: the first, or the one after the draw."""
    table.street = street
    if street == 2 or table.rules.blinds is None:
        table.clear_betting()
        table.step = table.minimum()
        table.cursor = table.button
    table.pending = 0 if table.only_one_left else table.able()
    table.phase = BETTING
    if table.rules.betting.opener == "random" and not _betting_over(table):
        table.phase = OPENER
    else:
        _next_to_act(table)


def opener_chosen(table: Table, event: events.OpenerChosen) -> None:
    """Let the seat that chance chose act first."""
    exists(table, event, event.seat)
    table.phase = BETTING
    table.cursor = event.seat - 1
    _next_to_act(table)


def _betting_over(table: Table) -> bool:
    return not table.pending or (table.all_in != 0 and table.nobody_left())


def _next_to_act(table: Table) -> None:
    if table.all_in:
        table.settle_price()
    if _betting_over(table):
        close_betting(table)
        return
    seat = next_seat(table.pending, table.cursor)
    table.actor = 0 if table.must_fold(seat) else seat


def close_betting(table: Table) -> None:
    """End a betting round."""
    table.actor = table.pending = 0
    table.phase = RETURN if table.uncalled() else _after_betting(table)


def _after_betting(table: Table) -> Phase:
    if table.only_one_left:
        return to_award(table)
    if table.street == 1:
        if table.rules.discards:
            table.pending, table.cursor = table.live, table.button
            table.actor = next_seat(table.live, table.cursor)
            return DRAW
        return after_draw(table)
    if table.rules.open_hands == "in_order":
        return SHOWDOWN
    return to_award(table) if table.shown else OPEN


def to_award(table: Table) -> Phase:
    """Divide what was put in into pots, which are awarded next."""
    table.pots = pots_of(table.pot, table.staked, table.live) if table.rules.all_in else [Pot(table.pot, table.live)]
    return AWARD


_Paid: TypeAlias = events.AntePosted | events.BlindPosted | events.Bet | events.Called | events.Raised


def pay(table: Table, event: _Paid) -> None:
    """Move chips from a stack into the pot; refuse more than there are."""
    seat, amount = event.seat, event.amount
    left = table.stacks[seat] - amount
    if left < 0:
        raise ImpossibleEvent(event, f"seat {seat} has {counted(table.stacks[seat], 'chip')}, not {amount}")
    table.stacks[seat] = left
    table.staked[seat] += amount
    table.pot += amount
    if not left and table.rules.all_in:
        table.all_in |= 1 << seat


def _acts(table: Table, seat: int) -> None:
    table.acted[seat] = table.price
    table.cursor = seat
    table.pending &= ~(1 << seat)


def checked(table: Table, event: events.Checked) -> None:
    """Let a seat check."""
    if event.seat != table.actor:
        not_in_turn(table, event)
    _acts(table, event.seat)
    if table.rules.betting.check_ends:
        table.pending = 0
    _next_to_act(table)


def called(table: Table, event: events.Called) -> None:
    """Let a seat call."""
    if event.seat != table.actor:
        not_in_turn(table, event)
    pay(table, event)
    table.put[event.seat] += event.amount
    _acts(table, event.seat)
    _next_to_act(table)


def bet(table: Table, event: events.Bet) -> None:
    """Let a seat bet."""
    _raise_price(table, event, event.amount)


def raised(table: Table, event: events.Raised) -> None:
    """Let a seat raise."""
    _raise_price(table, event, event.to)


def _raise_price(table: Table, event: events.Bet | events.Raised, price: int) -> None:
    if event.seat != table.actor:
        not_in_turn(table, event)
    pay(table, event)
    seat = event.seat
    table.put[seat] += event.amount
    table.measure_raise(price)
    table.price = price
    table.aggressor = seat
    _acts(table, seat)
    table.pending = table.able() & ~(1 << seat)
    _next_to_act(table)


def folded(table: Table, event: events.Folded) -> None:
    """Let a seat fold."""
    if event.seat != table.actor and table.actor:
        not_in_turn(table, event)
    if not has(table.live, event.seat):
        not_one_of(event, "in the round")
    _fold(table, event.seat)


def _fold(table: Table, seat: int) -> None:
    table.live &= ~(1 << seat)
    _acts(table, seat)
    if table.only_one_left:
        table.pending = 0
    _next_to_act(table)


def forfeited(table: Table, event: events.Forfeited) -> None:
    """Let a bot that forfeited its choice check or fold."""
    if event.seat != table.actor:
        not_in_turn(table, event)
    _fold(table, event.seat)


def uncalled_bet_returned(table: Table, event: events.UncalledBetReturned) -> None:
    """Return the part of a bet that nobody called."""
    seat, amount = event.seat, event.amount
    exists(table, event, seat)
    if amount > table.staked[seat]:
        raise ImpossibleEvent(event, f"seat {seat} put in {counted(table.staked[seat], 'chip')}, not {amount}")
    table.stacks[seat] += amount
    table.staked[seat] -= amount
    table.pot -= amount
    table.all_in &= ~(1 << seat)
    table.phase = _after_betting(table)


def after_draw(table: Table) -> Phase:
    """Return the phase that comes after the draw."""
    if table.rules.open_hands == "after_draw":
        return OPEN
    start_betting(table, 2)
    return table.phase
