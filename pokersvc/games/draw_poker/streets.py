"""What comes before, between and after the two betting rounds: who opens, the draw, and the way to the showdown."""

from pokersvc.betting import turns
from pokersvc.betting.pots import make_pots, rake_due
from pokersvc.betting.seats import next_seat
from pokersvc.betting.state import exists
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
from pokersvc.games.draw_poker.situation import Situation


def start_betting(state: Situation, street: int) -> None:
    """Begin a betting round: the first, or the one after the draw."""
    state.street = street
    state.phase = BETTING
    follows = turns.start_betting(state, state.streets[street - 1], state.dealt_in())
    if follows == "opener":
        state.phase = OPENER
    elif follows == "over":
        betting_over(state)


def opener_chosen(state: Situation, event: events.OpenerChosen) -> bool:
    """Let the seat that chance chose act first; return whether the betting round is over."""
    exists(state, event, event.seat)
    state.phase = BETTING
    return turns.opened_by(state, event.seat)


def betting_over(state: Situation) -> None:
    """Go on after a betting round: return the bet that nobody called, else to what comes next."""
    state.phase = RETURN if state.uncalled() else _after_betting(state)


def uncalled_bet_returned(state: Situation, event: events.UncalledBetReturned) -> None:
    """Return the part of a bet that nobody called."""
    turns.uncalled_bet_returned(state, event)
    state.phase = _after_betting(state)


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
    make_pots(state)
    if state.table is not None or state.terms.rake is not None:
        rake = state.rules.rake
        spared = rake is not None and rake.no_draw_no_rake and not state.drew
        state.rake_due = rake_due(state, state.dealt_in(), spared=spared)
    return RAKE if state.rake_due else AWARD


def forgone_in_draw(state: Situation, event: events.RoundForgone) -> None:
    """Let a seat fold before or after its own draw."""
    turns.forgo(state, event)
    state.unserved &= ~(1 << event.seat)
    if state.only_one_left:
        state.actor = state.pending = 0
        state.phase = to_award(state)
    elif event.seat == state.actor:
        next_to_draw(state, event.seat)


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
