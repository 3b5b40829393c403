"""Actions of people between the rounds of a cash game: sit down, get up, buy chips, sit out and come back.

Every chip brought or taken is counted: see `BettingState.brought`. A game tells each decision whether it is
``pausing``: whether it is between two rounds and `BettingState.pauses` returns true.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pokersvc.betting.cash_seats import NO_WISHES, Account
from pokersvc.betting.events import OfChips, OfName, OfSeat
from pokersvc.betting.purchases import check_chips
from pokersvc.betting.seats import has, seats_in
from pokersvc.betting.state import BettingState, exists, not_one_of
from pokersvc.core.actions import BetweenRounds, IllegalAction, Leave
from pokersvc.core.event import ImpossibleEvent
from pokersvc.core.seats import HUMAN, OPEN, Seat, check_name
from pokersvc.errors import InvalidValue
from pokersvc.text import counted


@dataclass(frozen=True, slots=True)
class SitDown(BetweenRounds):
    """Sit down at an open seat with chips, under a new name or under the name that the seat already has."""

    chips: int
    name: str | None = None
    """A name of 1 to 20 printable characters, not that of another seat; None for the name that the seat already has."""
    person: int | None = None
    """The number of the person at the table, set by a server, 0 for somebody new to the table; None for the person who
    held the seat under this name, if any, and otherwise for somebody new."""


@dataclass(frozen=True, slots=True)
class BuyChips(BetweenRounds):
    """Buy chips within the limits of the house; if the host must approve purchases, ask for them."""

    chips: int


@dataclass(frozen=True, slots=True)
class SitOut(BetweenRounds):
    """Stay at the table without being dealt hands."""


@dataclass(frozen=True, slots=True)
class SitIn(BetweenRounds):
    """Be dealt in again, and post the missed blinds then."""


CASH_ACTIONS: Final = (SitDown, BuyChips, SitOut, SitIn)


def _check_person(state: BettingState, action: BetweenRounds, pausing: bool) -> None:
    name = type(action).__name__
    if not state.cash:
        raise IllegalAction("no_cash_game", f"{name} is only possible in cash games, and this is none.")
    if type(action.seat) is not int or action.seat < 1 or not has(state.persons, action.seat):
        raise IllegalAction("not_a_person", f"Seat {action.seat} is not a person's; {name} is for people.")
    if not pausing:
        raise IllegalAction("not_between_rounds", f"{name} is only possible between two rounds.")


def check_seated(state: BettingState, action: BetweenRounds, pausing: bool) -> None:
    """Raise `IllegalAction` unless a cash game pauses between rounds and the actor is a person at its table."""
    _check_person(state, action, pausing)
    if not has(state.seated, action.seat):
        raise IllegalAction("already_out", f"{state.names[action.seat]} does not sit at the table.")


def decide_sit_down(state: BettingState, action: SitDown, *, pausing: bool) -> tuple[str | None, int | None]:
    """Return the seat's new name, or None if its name stays, and the number of the person who sits down.

    Raise `IllegalAction` if the person cannot sit down. People have no numbers in games without wishes.
    """
    _check_person(state, action, pausing)
    if has(state.seated, action.seat):
        raise IllegalAction("already_seated", f"{state.names[action.seat]} already sits at the table.")
    name = _new_name(state, action)
    person = _person(state, action, name) if state.terms.at_cash.wishes else None
    check_chips(state, action.seat, action.chips, action.name, person or 0)
    return name, person


def _person(state: BettingState, action: SitDown, name: str | None) -> int:
    """Return the number of the person who sits down: the given one, the holder's, or that of somebody new."""
    seats, given = state.cash_seats, action.person
    if given is None:
        if name is not None or not seats.persons[action.seat]:
            return seats.next_person
        given = seats.persons[action.seat]
    if given == 0 and type(given) is int:
        return seats.next_person
    known = {*seats.persons, *seats.accounts} - {0}
    if type(given) is not int or given < 1 or (given not in known and given < seats.next_person):
        raise IllegalAction("no_such_person", f"Nobody at this table is person {given!r}; the next is new.")
    for seat in seats_in(state.seated):
        if seats.persons[seat] == given:
            raise IllegalAction("already_seated", f"Person {given} already sits at seat {seat}.")
    return given


def _new_name(state: BettingState, action: SitDown) -> str | None:
    """Return the new name of a seat where a person sits down; None if its name stays."""
    name, nameless = action.name, has_no_name(state, action.seat)
    if name is None:
        if nameless:
            raise IllegalAction("no_name", f"Nobody has sat at seat {action.seat} yet; say under which name you do.")
        return None
    try:
        check_name(name)
    except (InvalidValue, TypeError, AttributeError) as error:
        raise IllegalAction(
            "illegal_name", f"{name!r} cannot be a name: it is 1 to 20 printable characters."
        ) from error
    for seat, other in enumerate(state.names):
        if seat and other.casefold() == name.casefold():
            if seat == action.seat and not nameless:
                return None
            raise IllegalAction("name_taken", f"Seat {seat} is called {other!r}; take another name.")
    return name


def has_no_name(state: BettingState, seat: int) -> bool:
    """Return whether nobody has sat at a seat yet."""
    return state.seats[seat - 1].kind == OPEN


def decide_get_up(state: BettingState, action: Leave, *, pausing: bool) -> int:
    """Return the chips that a person takes when getting up: their whole stack; raise `IllegalAction` if they cannot."""
    check_seated(state, action, pausing)
    return state.stacks[action.seat]


def decide_buy_chips(state: BettingState, action: BuyChips, *, pausing: bool) -> None:
    """Raise `IllegalAction` if a person cannot buy these chips."""
    check_seated(state, action, pausing)
    check_chips(state, action.seat, action.chips)


def decide_sit_out(state: BettingState, action: SitOut, *, pausing: bool) -> None:
    """Raise `IllegalAction` if a person cannot sit out."""
    check_seated(state, action, pausing)
    if has(state.out, action.seat):
        raise IllegalAction("already_out", f"{state.names[action.seat]} already sits out.")


def decide_sit_in(state: BettingState, action: SitIn, *, pausing: bool) -> None:
    """Raise `IllegalAction` if a person cannot be dealt in again."""
    check_seated(state, action, pausing)
    if not has(state.out, action.seat):
        raise IllegalAction("not_sitting_out", f"{state.names[action.seat]} does not sit out.")


def number_persons(state: BettingState, seats: Sequence[int] = (), first_new: int = 1) -> None:
    """Give a number to each person who begins a cash game, and note which of them sit out.

    ``seats`` are the persons at the seats, from seat 1; by default each person has the seat's number. Nobody new to the
    table has a number below ``first_new``.
    """
    if not state.terms.at_cash.wishes:
        return
    at = state.cash_seats
    at.first_new = first_new
    for seat, who in enumerate(state.seats, 1):
        if has(state.persons, seat) and who.kind != OPEN:
            person = seats[seat - 1] if len(seats) >= seat else seat
            at.persons[seat], at.names[person] = person, who.name
            at.accounts[person] = Account(brought=state.stacks[seat])
            if has(state.out & state.seated, seat):
                at.out_since[seat] = 0


def sat_down(state: BettingState, event: OfName, person: int | None = None) -> bool:
    """Seat a newcomer, who owes a big blind if the game has begun; return whether the seat has a new holder.

    ``person`` is the newcomer's number, in a game whose people have numbers.
    """
    _check_cash_game(state, event)
    exists(state, event, event.seat)
    if has(state.seated, event.seat):
        raise ImpossibleEvent(event, f"seat {event.seat} is taken")
    changes = event.name is not None or has_no_name(state, event.seat)
    if changes:
        _seat_somebody_else(state, event.seat, event.name or state.names[event.seat])
    state.seated |= 1 << event.seat
    if state.big_blind:
        state.owes_big |= 1 << event.seat
    if person is not None:
        state.cash_seats.persons[event.seat] = person
        state.cash_seats.names[person] = state.names[event.seat]
    _bring(state, event)
    return changes


def _seat_somebody_else(state: BettingState, seat: int, name: str) -> None:
    """Give a seat to a new holder: their net result begins at 0, and the chips of the last round are not theirs."""
    state.former[seat] += state.net()[seat]
    state.seats = (*state.seats[: seat - 1], Seat(HUMAN, name), *state.seats[seat:])
    state.names = ("", *(one.name for one in state.seats))
    state.staked[seat] = state.won[seat] = 0


def chips_bought(state: BettingState, event: OfChips) -> None:
    """Give a person the chips that they bought."""
    _sits(state, event)
    _bring(state, event)


def _bring(state: BettingState, event: OfChips) -> None:
    state.stacks[event.seat] += event.amount
    state.brought[event.seat] += event.amount
    if state.terms.at_cash.wishes:
        state.cash_seats.brings(event.seat, event.amount)
    state.cash_seats.asked.pop(event.seat, None)
    state.cash_seats.admitted = 0


def got_up(state: BettingState, event: OfChips) -> None:
    """Take a person and their chips from the table; the blinds that they owed are forgotten."""
    seat, amount = event.seat, event.amount
    _sits(state, event)
    if amount > state.stacks[seat]:
        raise ImpossibleEvent(event, f"seat {seat} has {counted(state.stacks[seat], 'chip')}, not {amount}")
    gone = ~(1 << seat)
    state.seated &= gone
    state.out &= gone
    state.owes_small &= gone
    state.owes_big &= gone
    state.stacks[seat] -= amount
    state.taken[seat] += amount
    state.cash_seats.gone(seat)
    if state.terms.at_cash.wishes:
        state.cash_seats.takes(seat, amount, state.round)


def sat_out(state: BettingState, event: OfSeat) -> None:
    """Deal no more hands to a person."""
    _sits(state, event)
    state.out |= 1 << event.seat
    if state.terms.at_cash.wishes:
        state.cash_seats.out_since[event.seat] = state.round
    _wish_fulfilled(state, event.seat)


def sat_in(state: BettingState, event: OfSeat) -> None:
    """Deal a person in again."""
    _sits(state, event)
    state.out &= ~(1 << event.seat)
    state.cash_seats.out_since.pop(event.seat, None)
    _wish_fulfilled(state, event.seat)


def _wish_fulfilled(state: BettingState, seat: int) -> None:
    """Forget the wishes to sit out or to come in at the blinds: the seat now sits out, or is dealt in."""
    seats = state.cash_seats
    seats.wish(seat, seats.wishes.get(seat, NO_WISHES)._replace(in_with_blind=False, out_at_blind=False))


def _sits(state: BettingState, event: OfSeat) -> None:
    _check_cash_game(state, event)
    if not has(state.seated, event.seat):
        not_one_of(event, "at the table")


def _check_cash_game(state: BettingState, event: object) -> None:
    if not state.cash:
        raise ImpossibleEvent(event, "this is no cash game")
