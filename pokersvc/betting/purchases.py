"""Purchases of chips in a cash game: how much may be bought, who must approve, and what a returning person brings."""

from typing import NamedTuple

from pokersvc.betting.cash_seats import Account, Purchase
from pokersvc.betting.events import OfPurchase, OfSeat
from pokersvc.betting.seats import has
from pokersvc.betting.state import BettingState, not_one_of
from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import ImpossibleEvent
from pokersvc.text import counted


class BuyLimits(NamedTuple):
    """The minimum and the maximum of a purchase; if the minimum is above the maximum, nothing can be bought."""

    least: int
    most: int


def limits(state: BettingState, seat: int, person: int = 0) -> BuyLimits:
    """Return the limits of a purchase at a seat; ``person`` is given for a person who sits down with the purchase.

    A person who comes back may bring the chips that they took last, even if that is more than the house sells.
    """
    terms = state.terms.at_cash
    room = state.terms.buy_up_to - state.stacks[seat]
    most = room if terms.most is None else min(room, terms.most)
    took = state.cash_seats.accounts.get(person, Account()).last_taken
    return BuyLimits(max(terms.least, owed_back(state, person)), max(most, took))


def owed_back(state: BettingState, person: int) -> int:
    """Return the fewest chips that a person must bring to come back now; 0 if the house asks for none."""
    within = state.terms.at_cash.return_rounds
    account = state.cash_seats.accounts.get(person, Account())
    return account.last_taken if within is not None and state.round - account.left_in < within else 0


def check_chips(state: BettingState, seat: int, chips: object, name: str | None = None, person: int = 0) -> None:
    """Raise `IllegalAction` if a person cannot bring this many chips."""
    (least, most), who = limits(state, seat, person), name or state.names[seat]
    stack, owed = state.stacks[seat], owed_back(state, person)
    if most < 1:
        raise IllegalAction("illegal_amount", f"{who} has {stack}; the house sells no more to a stack of that size.")
    if least > most:
        raise IllegalAction(
            "illegal_amount",
            f"{who} has {stack}: the house sells {least} or more at once, and up to a stack of"
            f" {state.terms.buy_up_to}.",
        )
    if type(chips) is int and least <= chips <= most:
        return
    if owed and type(chips) is int and chips < owed:
        raise IllegalAction(
            "too_few_chips",
            f"{who} took {owed} from the table, and must come back with at least as many within"
            f" {counted(state.terms.at_cash.return_rounds or 0, 'round')}.",
        )
    raise IllegalAction("illegal_amount", f"{who} cannot bring {chips!r}; the house sells {least} to {most}.")


def is_asked(state: BettingState) -> bool:
    """Return whether a purchase waits for the host's approval before it is made."""
    return state.terms.at_cash.approval


def decide_answer(state: BettingState, seat: object, by: object, *, pausing: bool) -> tuple[int, int | None]:
    """Return the seats of the buyer and the host (None: no seat) for an answer; raise `IllegalAction` if none is due.

    ``by`` is the seat of the host, 0 for a host without one.
    """
    if type(by) is not int or by < 0 or (by and not has(state.persons, by)):
        raise IllegalAction("not_a_person", f"Seat {by!r} is not a person's; a host is a person.")
    if not pausing:
        raise IllegalAction("not_between_rounds", "Purchases can only be answered between two rounds.")
    if type(seat) is not int or seat not in state.cash_seats.asked:
        raise IllegalAction("nothing_asked", f"Nobody at seat {seat!r} asks to buy chips.")
    return seat, by or None


def purchase_asked(state: BettingState, event: OfPurchase) -> None:
    """Note that a person asks to buy chips; the request replaces an earlier one."""
    if not is_asked(state):
        raise ImpossibleEvent(event, "nobody's approval is needed here")
    if not has(state.persons, event.seat):
        not_one_of(event, "a person's")
    state.cash_seats.asked[event.seat] = Purchase(event.amount, event.name, event.person)


def purchase_admitted(state: BettingState, event: OfSeat) -> None:
    """Note that the host admits a purchase, which is carried out next."""
    _waits(state, event)
    state.cash_seats.admitted = event.seat


def purchase_refused(state: BettingState, event: OfSeat) -> None:
    """Forget a purchase that the host refuses."""
    _waits(state, event)
    del state.cash_seats.asked[event.seat]


def _waits(state: BettingState, event: OfSeat) -> None:
    if event.seat not in state.cash_seats.asked:
        not_one_of(event, "one that asks to buy chips")
