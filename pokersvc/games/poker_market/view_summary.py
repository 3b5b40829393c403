"""Facts drawn from a view of the market: ranks now and after a swap, and what each seat has done this round."""

from pokersvc.cards import Card, Hand
from pokersvc.core.event import Event
from pokersvc.games.poker_market import events
from pokersvc.games.poker_market.actions import Propose
from pokersvc.games.poker_market.view import PokerMarketView
from pokersvc.text import ordinal


def swapped(view: PokerMarketView, swap: Propose) -> dict[int, list[Card]]:
    """Return the hands by seat after a swap, each card in the place of the one for which it was swapped."""
    hands = {seat.seat: list(seat.cards) for seat in view.seats}
    gave, got = hands[swap.seat], hands[swap.partner]
    gave[gave.index(swap.gives)], got[got.index(swap.gets)] = swap.gets, swap.gives
    return hands


def place_in(view: PokerMarketView, seat: int, swap: Propose | None = None) -> int:
    """Return the place of a seat in the market now, or after a swap; of equal hands, the later turn is better."""
    if swap is None:
        return view.best_first.index(seat) + 1
    hands = swapped(view, swap)
    standing = {one: (Hand(hands[one]), turn) for turn, one in enumerate(view.order)}
    return 1 + sum(other > standing[seat] for other in standing.values())


def this_round(view: PokerMarketView) -> list[Event]:
    """Return the events of players' choices in the round that began last."""
    found: list[Event] = []
    for event in reversed(view.record.round):
        if isinstance(event, events.HandsDealt) or (isinstance(event, events.RoundEnded) and (found or view.to_act)):
            break
        found.append(event)
    return found[::-1]


def row_note(view: PokerMarketView, seat: int) -> str:
    """Return what a seat has done in this round; if its turn is still to come, the number of that turn."""
    if seat not in view.order:
        return ""
    done = ""
    proposed: events.SwapProposed | None = None
    for event in this_round(view):
        match event:
            case events.SwapProposed():
                proposed = event
            case events.SwapAccepted() if proposed is not None and proposed.seat == seat:
                done = f"swapped with seat {proposed.partner}"
            case events.SwapDeclined() if proposed is not None and proposed.seat == seat:
                done = f"declined by seat {proposed.partner}"
            case events.TurnPassed() if event.seat == seat:
                done = "passed"
            case events.Forfeited() if event.seat == seat and (proposed is None or proposed.partner != seat):
                done = "forfeited"
            case events.Forfeited() if proposed is not None and proposed.seat == seat:
                done = f"declined by seat {proposed.partner}"
        if not isinstance(event, events.SwapProposed):
            proposed = None
    if done or view.to_act is None:
        return done
    turn = view.order.index(seat)
    return "" if turn <= view.turn else f"{ordinal(turn + 1)} turn"
