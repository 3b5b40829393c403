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
    RAKE,
    RETURN,
    SERVE,
    SHOWDOWN,
    Phase,
)
from pokersvc.games.draw_poker.pots import Pot, pots_of
from pokersvc.games.draw_poker.rake import rake_due
from pokersvc.games.draw_poker.refusals import exists, not_in_turn, not_one_of
from pokersvc.games.draw_poker.seats import has, next_seat
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.text import counted


def start_betting(state: Situation, street: int) -> None:
    """Begin a betting round: the first, or the one after the draw."""
    state.street = street
    if street == 2 or state.rules.blinds is None:
        state.clear_betting()
        state.step = state.minimum()
        state.cursor = state.button
    state.pending = 0 if state.only_one_left else state.able()
    state.phase = BETTING
    if state.rules.betting.opener == "random" and not _betting_over(state):
        state.phase = OPENER
    else:
        _next_to_act(state)


def opener_chosen(state: Situation, event: events.OpenerChosen) -> None:
    """Let the seat that chance chose act first."""
    exists(state, event, event.seat)
    state.phase = BETTING
    state.cursor = event.seat - 1
    _next_to_act(state)


def _betting_over(state: Situation) -> bool:
    return not state.pending or (state.all_in != 0 and state.nobody_left())


def _next_to_act(state: Situation) -> None:
    if state.all_in:
        state.settle_price()
    if _betting_over(state):
        close_betting(state)
        return
    seat = next_seat(state.pending, state.cursor)
    state.actor = 0 if state.must_fold(seat) else seat


def close_betting(state: Situation) -> None:
    """End a betting round."""
    state.actor = state.pending = 0
    state.phase = RETURN if state.uncalled() else _after_betting(state)


def _after_betting(state: Situation) -> Phase:
    if state.only_one_left:
        return to_award(state)
    if state.street == 1:
        state.drew = True
        if state.rules.discards:
            state.pending, state.cursor = state.live, state.button
            state.actor = next_seat(state.live, state.cursor)
            return DRAW
        return after_draw(state)
    if state.rules.open_hands == "in_order":
        return SHOWDOWN
    return to_award(state) if state.shown else OPEN


def to_award(state: Situation) -> Phase:
    """Divide what was put in into pots, which are awarded next, after the house has taken its rake."""
    state.pots = pots_of(state.pot, state.staked, state.live) if state.rules.all_in else [Pot(state.pot, state.live)]
    if state.table is not None or state.rules.rake is not None:
        state.rake_due = rake_due(state)
    return RAKE if state.rake_due else AWARD


_Paid: TypeAlias = events.AntePosted | events.BlindPosted | events.Posted | events.Bet | events.Called | events.Raised


def pay(state: Situation, event: _Paid) -> None:
    """Move chips from a stack into the pot; refuse more than there are."""
    seat, amount = event.seat, event.amount
    left = state.stacks[seat] - amount
    if left < 0:
        raise ImpossibleEvent(event, f"seat {seat} has {counted(state.stacks[seat], 'chip')}, not {amount}")
    state.stacks[seat] = left
    state.staked[seat] += amount
    state.pot += amount
    if not left and state.rules.all_in:
        state.all_in |= 1 << seat


def _acts(state: Situation, seat: int) -> None:
    state.acted[seat] = state.price
    state.cursor = seat
    state.pending &= ~(1 << seat)


def checked(state: Situation, event: events.Checked) -> None:
    """Let a seat check."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    _acts(state, event.seat)
    if state.rules.betting.check_ends:
        state.pending = 0
    _next_to_act(state)


def called(state: Situation, event: events.Called) -> None:
    """Let a seat call."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    pay(state, event)
    state.put[event.seat] += event.amount
    _acts(state, event.seat)
    _next_to_act(state)


def bet(state: Situation, event: events.Bet) -> None:
    """Let a seat bet."""
    _raise_price(state, event, event.amount)


def raised(state: Situation, event: events.Raised) -> None:
    """Let a seat raise."""
    _raise_price(state, event, event.to)


def _raise_price(state: Situation, event: events.Bet | events.Raised, price: int) -> None:
    if event.seat != state.actor:
        not_in_turn(state, event)
    pay(state, event)
    seat = event.seat
    state.put[seat] += event.amount
    state.measure_raise(price)
    state.price = price
    state.aggressor = seat
    _acts(state, seat)
    state.pending = state.able() & ~(1 << seat)
    _next_to_act(state)


def folded(state: Situation, event: events.Folded) -> None:
    """Let a seat fold."""
    if event.seat != state.actor and state.actor:
        not_in_turn(state, event)
    if not has(state.live, event.seat):
        not_one_of(event, "in the round")
    _fold(state, event.seat)


def _fold(state: Situation, seat: int) -> None:
    state.live &= ~(1 << seat)
    _acts(state, seat)
    if state.only_one_left:
        state.pending = 0
    _next_to_act(state)


def forfeited(state: Situation, event: events.Forfeited) -> None:
    """Let a bot that forfeited its choice check or fold."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    _fold(state, event.seat)


def forgone(state: Situation, event: events.RoundForgone) -> None:
    """Let a seat fold whoever's turn it is; the turn goes on from whose it was."""
    _forgo(state, event)
    if state.only_one_left:
        state.pending = 0
    _next_to_act(state)


def forgone_in_draw(state: Situation, event: events.RoundForgone) -> None:
    """Let a seat fold before or after its own draw."""
    _forgo(state, event)
    if state.only_one_left:
        state.actor = state.pending = 0
        state.phase = to_award(state)
    elif event.seat == state.actor:
        next_to_draw(state, event.seat)


def _forgo(state: Situation, event: events.RoundForgone) -> None:
    if not has(state.live, event.seat):
        not_one_of(event, "in the round")
    state.forgone |= 1 << event.seat
    state.unserved &= ~(1 << event.seat)
    state.live &= ~(1 << event.seat)
    state.pending &= ~(1 << event.seat)
    state.all_in &= ~(1 << event.seat)


def uncalled_bet_returned(state: Situation, event: events.UncalledBetReturned) -> None:
    """Return the part of a bet that nobody called."""
    seat, amount = event.seat, event.amount
    exists(state, event, seat)
    if amount > state.staked[seat]:
        raise ImpossibleEvent(event, f"seat {seat} put in {counted(state.staked[seat], 'chip')}, not {amount}")
    state.stacks[seat] += amount
    state.staked[seat] -= amount
    state.pot -= amount
    state.all_in &= ~(1 << seat)
    state.phase = _after_betting(state)


def next_to_draw(state: Situation, after: int) -> None:
    """Let the next seat draw, clockwise after another; once all have, go on to what follows the draw.

    Where all discard together, those that have are dealt their new cards before that.
    """
    if state.pending:
        state.phase, state.actor = DRAW, next_seat(state.pending, after)
    elif state.unserved:
        state.cursor, state.actor, state.phase = next_seat(state.unserved, after), 0, SERVE
        state.need = len(state.discarded[state.cursor])
    else:
        state.actor = 0
        state.phase = after_draw(state)


def after_draw(state: Situation) -> Phase:
    """Return the phase that comes after the draw."""
    if state.rules.open_hands == "after_draw":
        return OPEN
    start_betting(state, 2)
    return state.phase
