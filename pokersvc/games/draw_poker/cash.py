"""What people do between the rounds of a cash game: sit down, get up, buy chips, sit out and come back.

Every chip that they bring or take is counted: see `Situation.brought`.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from pokersvc.core.actions import BetweenRounds, IllegalAction, Leave
from pokersvc.core.event import Event, ImpossibleEvent
from pokersvc.core.seats import HUMAN, OPEN, Seat, check_name
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.refusals import exists, not_one_of
from pokersvc.games.draw_poker.seats import has
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.text import counted


@dataclass(frozen=True, slots=True)
class SitDown(BetweenRounds):
    """Sit down at an open seat with chips, as somebody who says their name or as who the seat is called after."""

    chips: int
    name: str | None = None
    """1 to 20 printable characters that no seat is called by; None under the name that the seat has."""


@dataclass(frozen=True, slots=True)
class BuyChips(BetweenRounds):
    """Buy chips, at most up to the stack of the house."""

    chips: int


@dataclass(frozen=True, slots=True)
class SitOut(BetweenRounds):
    """Stay at the table and be dealt no hands."""


@dataclass(frozen=True, slots=True)
class SitIn(BetweenRounds):
    """Be dealt in again; blinds that were missed are posted then."""


CASH_ACTIONS: Final = (SitDown, BuyChips, SitOut, SitIn)


def _check_person(state: Situation, action: BetweenRounds) -> None:
    name = type(action).__name__
    if not state.cash:
        raise IllegalAction("no_cash_game", f"{name} is for cash games; in this one nobody buys or takes chips.")
    if type(action.seat) is not int or action.seat < 1 or not has(state.persons, action.seat):
        raise IllegalAction("not_a_person", f"Seat {action.seat} is not a person's; {name} is for people.")
    if not state.pausing:
        raise IllegalAction("not_between_rounds", f"{name} comes between two rounds, not now.")


def _check_seated(state: Situation, action: BetweenRounds) -> None:
    _check_person(state, action)
    if not has(state.seated, action.seat):
        raise IllegalAction("already_out", f"{state.names[action.seat]} does not sit at the table.")


def _check_chips(state: Situation, seat: int, chips: object, name: str | None = None) -> None:
    most, who = state.rules.stack - state.stacks[seat], name or state.names[seat]
    if most < 1:
        raise IllegalAction("illegal_amount", f"{who} has {state.stacks[seat]}, as much as the house sells.")
    if type(chips) is not int or not 1 <= chips <= most:
        raise IllegalAction("illegal_amount", f"{who} cannot bring {chips!r}; the house sells 1 to {most}.")


def sit_down(state: Situation, action: SitDown) -> Event:
    """Return the event of a person who sits down; `IllegalAction` if they cannot."""
    _check_person(state, action)
    if has(state.seated, action.seat):
        raise IllegalAction("already_seated", f"{state.names[action.seat]} already sits at the table.")
    _check_chips(state, action.seat, action.chips, action.name if isinstance(action.name, str) else None)
    return events.SatDown(action.chips, _new_name(state, action), action.seat)


def _new_name(state: Situation, action: SitDown) -> str | None:
    """Return the name that a seat gets by who sits down there; None where it keeps its own."""
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


def has_no_name(state: Situation, seat: int) -> bool:
    """Tell whether nobody has sat at a seat yet."""
    return state.seats[seat - 1].kind == OPEN


def get_up(state: Situation, action: Leave) -> Event:
    """Return the event of a person who gets up with all their chips; `IllegalAction` if they cannot."""
    _check_seated(state, action)
    return events.GotUp(state.stacks[action.seat], action.seat)


def buy_chips(state: Situation, action: BuyChips) -> Event:
    """Return the event of a person who buys chips; `IllegalAction` if they cannot."""
    _check_seated(state, action)
    _check_chips(state, action.seat, action.chips)
    return events.ChipsBought(action.chips, action.seat)


def sit_out(state: Situation, action: SitOut) -> Event:
    """Return the event of a person who sits out; `IllegalAction` if they cannot."""
    _check_seated(state, action)
    if has(state.out, action.seat):
        raise IllegalAction("already_out", f"{state.names[action.seat]} already sits out.")
    return events.SatOut(action.seat)


def sit_in(state: Situation, action: SitIn) -> Event:
    """Return the event of a person who is dealt in again; `IllegalAction` if they cannot."""
    _check_seated(state, action)
    if not has(state.out, action.seat):
        raise IllegalAction("not_sitting_out", f"{state.names[action.seat]} does not sit out.")
    return events.SatIn(action.seat)


def sat_down(state: Situation, event: events.SatDown) -> None:
    """Seat a newcomer, who owes a big blind if the game has begun."""
    _check_cash_game(state, event)
    exists(state, event, event.seat)
    if has(state.seated, event.seat):
        raise ImpossibleEvent(event, f"seat {event.seat} is taken")
    if event.name is not None or has_no_name(state, event.seat):
        _seat_somebody_else(state, event.seat, event.name or state.names[event.seat])
    state.seated |= 1 << event.seat
    if state.big_blind:
        state.owes_big |= 1 << event.seat
    _bring(state, event)


def _seat_somebody_else(state: Situation, seat: int, name: str) -> None:
    """Give a seat to somebody else, who has won and lost nothing yet, and had no part in the round before."""
    state.former[seat] += state.net()[seat]
    state.seats = (*state.seats[: seat - 1], Seat(HUMAN, name), *state.seats[seat:])
    state.names = ("", *(one.name for one in state.seats))
    state.hands[seat] = state.discarded[seat] = ()
    state.staked[seat] = state.won[seat] = 0
    state.shown &= ~(1 << seat)


def chips_bought(state: Situation, event: events.ChipsBought) -> None:
    """Give a person the chips that they bought."""
    _sits(state, event)
    _bring(state, event)


def _bring(state: Situation, event: events.SatDown | events.ChipsBought) -> None:
    state.stacks[event.seat] += event.amount
    state.brought[event.seat] += event.amount


def got_up(state: Situation, event: events.GotUp) -> None:
    """Let a person leave the table with their chips; what they owed is forgotten."""
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


def sat_out(state: Situation, event: events.SatOut) -> None:
    """Deal a person no more hands."""
    _sits(state, event)
    state.out |= 1 << event.seat


def sat_in(state: Situation, event: events.SatIn) -> None:
    """Deal a person in again."""
    _sits(state, event)
    state.out &= ~(1 << event.seat)


_OfASeat: TypeAlias = events.ChipsBought | events.GotUp | events.SatOut | events.SatIn


def _sits(state: Situation, event: _OfASeat) -> None:
    _check_cash_game(state, event)
    if not has(state.seated, event.seat):
        not_one_of(event, "at the table")


def _check_cash_game(state: Situation, event: Event) -> None:
    if not state.cash:
        raise ImpossibleEvent(event, "this is no cash game")
