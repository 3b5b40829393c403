"""A betting round, turn by turn: the legal choices, the chips that a choice puts in, its effect, and who acts next.

The rules are the same for every game; differences are in `Terms` and `StreetTerms`. A function ``decide_…`` refuses a
choice that the rules do not allow; the game makes its event from what is returned. The functions named after events
change the state, and refuse only what is impossible; those for a choice return whether the betting round is over, and
the game goes on from there. Both are in one module because they are the two sides of a rule.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias, TypeVar

from pokersvc.betting.choices import Range, SaidChoices, refused, say_chips
from pokersvc.betting.events import OfChips, OfSeat, ToPrice
from pokersvc.betting.seats import has, next_seat, seats_in
from pokersvc.betting.state import BettingState, exists, not_in_turn, not_one_of
from pokersvc.betting.terms import StreetTerms
from pokersvc.core.event import ImpossibleEvent
from pokersvc.text import counted

MadeT = TypeVar("MadeT")
Follows: TypeAlias = Literal["act", "opener", "over"]
"""The first step of a betting round: a seat acts or must fold, the game chooses the opener, or the round is over."""


def start_betting(state: BettingState, street: StreetTerms, dealt_in: int) -> Follows:
    """Begin a betting round and return its first step; ``dealt_in`` is the number of seats dealt into the round."""
    if not street.posts_open:
        state.clear_betting()
        state.step = street.least
        state.cursor = state.button
    state.street_terms = street
    state.pending = state.able() if street.bets and not state.only_one_left else 0
    state.uncapped = state.terms.uncapped != "never" and _is_uncapped(state, dealt_in)
    if street.opener_said and state.pending and not (state.all_in and state.nobody_left()):
        return "opener"
    return "over" if _next_to_act(state) else "act"


def _is_uncapped(state: BettingState, dealt_in: int) -> bool:
    """Return whether raises are uncapped in the betting round that begins, because only two players are in it."""
    if state.terms.uncapped == "two_dealt_in":
        return dealt_in == 2
    return state.able().bit_count() == 2


def opened_by(state: BettingState, seat: int) -> bool:
    """Give the first turn to the seat that the game chose; return whether the betting round is over."""
    state.cursor = seat - 1
    return _next_to_act(state)


# The legal choices


def choices_of(
    state: BettingState, seat: int, make: Callable[[bool, bool, int, Range | None, Range | None], MadeT]
) -> MadeT:
    """Return the legal choices of the seat whose turn it is.

    ``make`` is called with ``check``, ``fold``, ``call``, ``bet`` and ``raise_to`` (see `choices.BettingChoices`).
    """
    owed = state.price - state.put[seat]
    stack = state.stacks[seat]
    if owed > 0:
        if owed > stack:
            owed = stack if state.terms.all_in else 0
        return make(False, True, owed, None, _raise_range(state, seat))
    fold = state.terms.fold_free
    if state.price:
        return make(True, fold, 0, None, _raise_range(state, seat))
    return make(state.street_terms.may_check, fold, 0, _bet_range(state, seat), None)


def _bet_range(state: BettingState, seat: int) -> Range | None:
    terms, stack, least = state.terms, state.stacks[seat], state.street_terms.least
    if terms.all_in:
        most = {"pot_limit": max(state.pot, least), "fixed_limit": least}.get(terms.raises, stack)
        if terms.maximum is not None:
            most = min(most, terms.maximum)
        return min(least, stack), min(most, stack)
    if stack < least:
        return None
    return least, stack if terms.maximum is None else min(stack, terms.maximum)


def _raise_range(state: BettingState, seat: int) -> Range | None:
    terms, price = state.terms, state.price
    if terms.raises == "none":
        return None
    most = state.put[seat] + state.stacks[seat]
    if terms.raises == "double":
        doubled = 2 * price
        return (doubled, doubled) if doubled <= (terms.cap or 0) and doubled <= most else None
    if most <= price or not _reopened(state, seat) or not _others_above(state, seat):
        return None
    if terms.raises == "fixed_limit":
        if state.capped:
            return None
        to = min(state.level + state.step, most)
        return to, to
    least = price + state.step
    if terms.raises == "pot_limit":
        return min(least, most), min(most, max(least, price + state.pot + price - state.put[seat]))
    return min(least, most), most


def _reopened(state: BettingState, seat: int) -> bool:
    """Return whether a seat may raise: it has not acted, or the price has risen by a full raise since its last action.

    With a fixed limit, half a unit is enough.
    """
    acted = state.acted[seat]
    if acted < 0:
        return True
    risen = state.price - acted
    return (2 * risen if state.terms.raises == "fixed_limit" else risen) >= state.step


def _others_above(state: BettingState, seat: int) -> bool:
    """Return whether another player still in could put in more than the present price."""
    put, stacks, price = state.put, state.stacks, state.price
    for other in seats_in(state.live & ~state.all_in & ~(1 << seat)):  # noqa: SIM110 - `any` takes twice as long
        if put[other] + stacks[other] > price:
            return True
    return False


# The chips that a choice puts in


def decide_check(state: BettingState, choices: SaidChoices) -> None:
    """Refuse a check that the rules do not allow."""
    if not choices.check:
        raise refused(state, "cannot_check", "check", choices)


def decide_bet(state: BettingState, choices: SaidChoices, amount: object) -> int:
    """Return the chips that a bet puts in; raise `IllegalAction` if the rules do not allow it."""
    if choices.bet is None:
        raise refused(state, "cannot_bet", "bet", choices)
    least, most = choices.bet
    if type(amount) is not int or not least <= amount <= most:
        raise refused(state, "illegal_amount", f"bet {say_chips(state, amount)}", choices)
    return amount


def decide_call(state: BettingState, choices: SaidChoices) -> int:
    """Return the chips that a call puts in; raise `IllegalAction` if there is nothing to call."""
    if not choices.call:
        raise refused(state, "cannot_call", "call", choices)
    return choices.call


def decide_raise(state: BettingState, choices: SaidChoices, to: object) -> int:
    """Return the chips that a raise to a price puts in; raise `IllegalAction` if the rules do not allow it."""
    if choices.raise_to is None:
        raise refused(state, "cannot_raise", "raise", choices)
    least, most = choices.raise_to
    if type(to) is not int or not least <= to <= most:
        raise refused(state, "illegal_amount", f"raise to {say_chips(state, to)}", choices)
    return to - state.put[state.actor]


def decide_fold(state: BettingState, choices: SaidChoices) -> None:
    """Refuse a fold that the rules do not allow."""
    if not choices.fold:
        raise refused(state, "cannot_fold", "fold", choices)


def folded_unasked(state: BettingState) -> int:
    """Return the seat that folds now without being asked, because it has no other choice."""
    return next_seat(state.pending, state.cursor)


# The effect of a choice


def pay(state: BettingState, event: OfChips) -> None:
    """Move chips from a stack into the pot; refuse more than the stack has."""
    seat, amount = event.seat, event.amount
    left = state.stacks[seat] - amount
    if left < 0:
        raise ImpossibleEvent(event, f"seat {seat} has {counted(state.stacks[seat], 'chip')}, not {amount}")
    state.stacks[seat] = left
    state.staked[seat] += amount
    state.pot += amount
    if not left and state.terms.all_in:
        state.all_in |= 1 << seat


def ante_due(state: BettingState) -> tuple[int, int]:
    """Return the seat whose ante is due next, and the amount: the ante, or all that the seat has."""
    seat = next_seat(state.pending, state.button)
    return seat, min(state.stacks[seat], state.ante)


def ante_posted(state: BettingState, event: OfChips) -> None:
    """Move an ante into the pot."""
    if not has(state.live, event.seat):
        not_one_of(event, "in the round")
    pay(state, event)
    ante_settled(state, event.seat)


def ante_settled(state: BettingState, seat: int) -> None:
    """Note that a seat has posted its ante, or has left because it could not pay."""
    state.pending &= ~(1 << seat)
    state.cursor = seat


def checked(state: BettingState, event: OfSeat) -> bool:
    """Apply a check; return whether the betting round is over."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    _acts(state, event.seat)
    if state.terms.check_ends:
        state.pending = 0
    return _next_to_act(state)


def called(state: BettingState, event: OfChips) -> bool:
    """Apply a call; return whether the betting round is over."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    pay(state, event)
    state.put[event.seat] += event.amount
    _acts(state, event.seat)
    return _next_to_act(state)


def opened(state: BettingState, event: OfChips) -> bool:
    """Apply an opening bet; return whether the betting round is over."""
    return _raise_price(state, event, event.amount)


def raised(state: BettingState, event: ToPrice) -> bool:
    """Apply a raise; return whether the betting round is over."""
    return _raise_price(state, event, event.to)


def _raise_price(state: BettingState, event: OfChips, price: int) -> bool:
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
    return _next_to_act(state)


def folded(state: BettingState, event: OfSeat) -> bool:
    """Apply a fold; return whether the betting round is over."""
    if event.seat != state.actor and state.actor:
        not_in_turn(state, event)
    if not has(state.live, event.seat):
        not_one_of(event, "in the round")
    return _fold(state, event.seat)


def forfeited(state: BettingState, event: OfSeat) -> bool:
    """Fold for a bot that forfeited its choice; return whether the betting round is over."""
    if event.seat != state.actor:
        not_in_turn(state, event)
    return _fold(state, event.seat)


def _fold(state: BettingState, seat: int) -> bool:
    state.live &= ~(1 << seat)
    _acts(state, seat)
    if state.only_one_left:
        state.pending = 0
    return _next_to_act(state)


def forgone(state: BettingState, event: OfSeat) -> bool:
    """Fold a seat that forgoes the round, even out of turn; return whether the betting round is over.

    The turn stays with the seat that had it, unless that seat folds.
    """
    forgo(state, event)
    if state.only_one_left:
        state.pending = 0
    return _next_to_act(state)


def forgo(state: BettingState, event: OfSeat) -> None:
    """Take a seat out of the round, even out of turn or outside of betting."""
    if not has(state.live, event.seat):
        not_one_of(event, "in the round")
    state.forgone |= 1 << event.seat
    state.live &= ~(1 << event.seat)
    state.pending &= ~(1 << event.seat)
    state.all_in &= ~(1 << event.seat)


def uncalled_bet_returned(state: BettingState, event: OfChips) -> None:
    """Give the uncalled part of a bet back to its seat."""
    seat, amount = event.seat, event.amount
    exists(state, event, seat)
    if amount > state.staked[seat]:
        raise ImpossibleEvent(event, f"seat {seat} put in {counted(state.staked[seat], 'chip')}, not {amount}")
    state.stacks[seat] += amount
    state.staked[seat] -= amount
    state.pot -= amount
    state.all_in &= ~(1 << seat)


# Whose turn is next


def _acts(state: BettingState, seat: int) -> None:
    state.acted[seat] = state.price
    state.cursor = seat
    state.pending &= ~(1 << seat)


def _next_to_act(state: BettingState) -> bool:
    """Give the turn to the next seat, or end the betting round; return whether it is over."""
    over = not state.pending
    if state.all_in:
        state.settle_price()
        over = over or state.nobody_left()
    if over:
        state.actor = state.pending = 0
        return True
    seat = next_seat(state.pending, state.cursor)
    state.actor = 0 if state.must_fold(seat) else seat
    return False
