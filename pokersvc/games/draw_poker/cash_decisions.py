"""The events of a cash game between rounds: actions of people and the host, and actions due before a round."""

from collections.abc import Callable, Mapping
from typing import Final

from pokersvc.betting import bomb_pots, cash, purchases, wishes
from pokersvc.betting.cash_seats import Wishes
from pokersvc.betting.seats import has
from pokersvc.core.actions import Action, IllegalAction, Leave
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import cash_events, events
from pokersvc.games.draw_poker.actions import AnnounceBombPot, AnswerPurchase
from pokersvc.games.draw_poker.situation import Situation


def get_up(state: Situation, action: Leave) -> Event:
    """Return the event of a person who gets up."""
    return events.GotUp(cash.decide_get_up(state, action, pausing=state.pausing), action.seat)


def _sit_down(state: Situation, action: cash.SitDown) -> Event:
    name, person = cash.decide_sit_down(state, action, pausing=state.pausing)
    if purchases.is_asked(state):
        return _asked(state, cash_events.PurchaseAsked(action.chips, name, person, action.seat))
    return events.SatDown(action.chips, name, person, action.seat)


def _buy_chips(state: Situation, action: cash.BuyChips) -> Event:
    cash.decide_buy_chips(state, action, pausing=state.pausing)
    if purchases.is_asked(state):
        return _asked(state, cash_events.PurchaseAsked(action.chips, None, None, action.seat))
    return events.ChipsBought(action.chips, action.seat)


def _asked(state: Situation, event: cash_events.PurchaseAsked) -> Event:
    if state.cash_seats.asked.get(event.seat) == (event.amount, event.name, event.person):
        raise IllegalAction("asked_already", "The host has been asked for this already, and has not answered yet.")
    return event


def _sit_out(state: Situation, action: cash.SitOut) -> Event:
    cash.decide_sit_out(state, action, pausing=state.pausing)
    return events.SatOut(action.seat)


def _sit_in(state: Situation, action: cash.SitIn) -> Event:
    cash.decide_sit_in(state, action, pausing=state.pausing)
    return events.SatIn(action.seat)


def _wish(state: Situation, action: wishes.Wish) -> Event:
    return cash_events.WishesSet(**wishes.decide_wish(state, action, pausing=state.pausing)._asdict(), seat=action.seat)


def _answer(state: Situation, action: AnswerPurchase) -> Event:
    seat, by = purchases.decide_answer(state, action.seat, action.by, pausing=state.pausing)
    if not action.admits:
        return cash_events.PurchaseRefused(by, seat)
    asked = state.cash_seats.asked[seat]
    if asked.person is None:
        cash.decide_buy_chips(state, cash.BuyChips(seat, asked.amount), pausing=True)
    else:
        cash.decide_sit_down(state, cash.SitDown(seat, asked.amount, asked.name, asked.person), pausing=True)
    return cash_events.PurchaseAdmitted(by, seat)


def _announce_bomb_pot(state: Situation, action: AnnounceBombPot) -> Event:
    round_ = bomb_pots.decide_bomb_pot(state, action.seat, pausing=state.pausing)
    return cash_events.BombPotAnnounced(action.seat or None, False, round_)


DECIDE_CASH: Final[dict[type[Action], Callable[..., Event]]] = {
    cash.SitDown: _sit_down,
    cash.BuyChips: _buy_chips,
    cash.SitOut: _sit_out,
    cash.SitIn: _sit_in,
    wishes.Wish: _wish,
    AnswerPurchase: _answer,
    AnnounceBombPot: _announce_bomb_pot,
}


def _asking(event: cash_events.PurchaseAsked) -> Action:
    if event.person is None:
        return cash.BuyChips(event.seat, event.amount)
    return cash.SitDown(event.seat, event.amount, event.name, event.person)


UNDECIDE_CASH: Final[dict[type[Event], Callable[..., Action | None]]] = {
    events.GotUp: lambda event: Leave(event.seat),
    events.SatDown: lambda event: cash.SitDown(event.seat, event.amount, event.name, event.person),
    events.ChipsBought: lambda event: cash.BuyChips(event.seat, event.amount),
    events.SatOut: lambda event: cash.SitOut(event.seat),
    events.SatIn: lambda event: cash.SitIn(event.seat),
    cash_events.PurchaseAsked: _asking,
    cash_events.BombPotAnnounced: lambda event: None if event.by_rule else AnnounceBombPot(event.by or 0),
    cash_events.PurchaseAdmitted: lambda event: AnswerPurchase(event.seat, True, event.by or 0),
    cash_events.PurchaseRefused: lambda event: AnswerPurchase(event.seat, False, event.by or 0),
    cash_events.WishesSet: lambda event: wishes.Wish(
        event.seat, event.in_with_blind, event.out_at_blind, event.straddles, event.top_up_to
    ),
}


def admitted(state: Situation) -> Event | None:
    """Return the event of the purchase that the host has just admitted; None if there is none."""
    seats = state.cash_seats
    if not seats.admitted:
        return None
    amount, name, person = seats.asked[seats.admitted]
    if person is None or has(state.seated, seats.admitted):
        return events.ChipsBought(amount, seats.admitted)
    return events.SatDown(amount, name, person, seats.admitted)


def announced_by_rule(state: Situation) -> Event | None:
    """Return the dealer's announcement of a bomb pot, which comes first after a round; None if none is due."""
    round_ = state.bomb_pot_due
    return None if round_ is None else cash_events.BombPotAnnounced(None, True, round_)


def due_before_round(state: Situation) -> Event | None:
    """Return the dealer's event for the next action due before a round begins; None if none is due."""
    due = wishes.due_before_round(state)
    if due is None:
        return None
    of_chips, of_seat = _DUE_OF_CHIPS.get(due.kind), _DUE_OF_SEAT.get(due.kind)
    return of_chips(due.amount, due.seat) if of_chips is not None else of_seat(due.seat) if of_seat else None


_DUE_OF_CHIPS: Final[Mapping[str, Callable[[int, int], Event]]] = {
    "seat_freed": cash_events.SeatFreed,
    "topped_up": cash_events.ToppedUp,
}
_DUE_OF_SEAT: Final[Mapping[str, Callable[[int], Event]]] = {
    "in_with_blind": cash_events.SatInWithBlind,
    "out_at_blind": cash_events.SatOutAtBlind,
}


def wishes_set(state: Situation, event: cash_events.WishesSet) -> None:
    """Note the standing wishes of a seat."""
    wishes.wishes_set(state, event, Wishes(event.in_with_blind, event.out_at_blind, event.straddles, event.top_up_to))
