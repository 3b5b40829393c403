"""The legal choices of a seat in the Poker Market, and the events that they lead to."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from pokersvc.core.actions import Action, CloseGame, Forfeit, ForgoRound, IllegalAction, Leave
from pokersvc.core.common_events import forfeited
from pokersvc.core.event import Event
from pokersvc.games.poker_market import actions, events
from pokersvc.games.poker_market.actions import LegalActions
from pokersvc.games.poker_market.market import Market
from pokersvc.games.poker_market.phases import SHUFFLE, TURN
from pokersvc.text import YOU, does, whose


def legal(market: Market, seat: int) -> LegalActions:
    """Return the choices of the seat whose turn it is; raise `IllegalAction` if it is not the seat's turn."""
    if seat != market.actor or not seat:
        now = f"it is {whose(market.names[market.actor], 'turn')}" if market.actor else "the dealer is to act"
        if market.ended is not None:
            now = "the game is over"
        raise IllegalAction("not_your_turn", f"Seat {seat} cannot act now; {now}.")
    found = market.cached_legal
    if found is None:
        if market.proposal is not None:
            found = LegalActions(market.proposal)
        else:
            others = [(other, market.hands[other]) for other in sorted(market.order) if other != seat]
            found = LegalActions(None, market.hands[seat], tuple(others))
        market.cached_legal = found
    return found


def decide(market: Market, action: Action) -> Event:
    """Return the event of an action; raise `IllegalAction` if it is not legal. The state does not change."""
    deciding = _DECIDE.get(action.__class__)
    if deciding is None:
        raise IllegalAction("unknown_action", f"{type(action).__name__} is not an action of the Poker Market.")
    return deciding(market, action)


def default_action(market: Market, seat: int, *, away: bool, random: Random) -> Action:
    """Return the action of a seat whose time is over: it passes, and declines a proposal."""
    return actions.Pass(seat) if legal(market, seat).answer is None else actions.Decline(seat)


def _own_turn(market: Market, action: Action) -> LegalActions:
    found = legal(market, action.seat)
    if found.answer is not None:
        raise IllegalAction(
            "answer_first",
            f"{does(market.names[found.answer.seat], 'has')} proposed a swap to {market.names[action.seat]};"
            " it must be accepted or declined first.",
        )
    return found


def _propose(market: Market, action: actions.Propose) -> Event:
    found = _own_turn(market, action)
    name = market.names[action.seat]
    if type(action.partner) is not int or not 1 <= action.partner <= len(market.seats):
        raise IllegalAction(
            "no_such_player", f"There is no seat {action.partner!r}; seats are 1 to {len(market.seats)}."
        )
    if action.partner == action.seat:
        raise IllegalAction(
            "own_hand",
            f"{name} cannot swap cards with {'yourself' if name == YOU else 'themselves'}; name another player's card.",
        )
    if action.partner not in market.order:
        partner = market.names[action.partner]
        raise IllegalAction(
            "out_of_market", f"{does(partner, 'is')} out of this market; name a card of another player."
        )
    if action.gives not in found.gives:
        raise IllegalAction(
            "not_in_hand", f"{does(name, 'does')} not hold {action.gives}; {_holds(market, action.seat)}."
        )
    if action.gets not in market.hands[action.partner]:
        partner = market.names[action.partner]
        raise IllegalAction(
            "not_in_hand", f"{does(partner, 'does')} not hold {action.gets}; {_holds(market, action.partner)}."
        )
    return events.SwapProposed(action.gets, action.gives, action.partner, action.seat)


def _holds(market: Market, seat: int) -> str:
    return f"{does(market.names[seat], 'holds')} {' '.join(map(str, market.hands[seat]))}"


def _pass(market: Market, action: actions.Pass) -> Event:
    _own_turn(market, action)
    return events.TurnPassed(action.seat)


def _check_answer(market: Market, action: Action) -> None:
    if legal(market, action.seat).answer is None:
        raise IllegalAction(
            "no_proposal", f"No proposal to {market.names[action.seat]} is open; propose a swap of your own, or pass."
        )


def _accept(market: Market, action: actions.Accept) -> Event:
    _check_answer(market, action)
    return events.SwapAccepted(action.seat)


def _decline(market: Market, action: actions.Decline) -> Event:
    _check_answer(market, action)
    return events.SwapDeclined(action.seat)


def _forfeit(market: Market, action: Forfeit) -> Event:
    legal(market, action.seat)
    return forfeited(action, events.Forfeited)


def _forgo(market: Market, action: ForgoRound) -> Event:
    if not market.actor:
        raise IllegalAction("dealer_to_act", "The dealer is to act; a market is forgone while a player is to choose.")
    if type(action.seat) is not int or action.seat not in market.order:
        still = ", ".join(map(str, sorted(market.order)))
        raise IllegalAction(
            "already_out", f"Seat {action.seat!r} is not in this market; the seats that are in it are {still}."
        )
    return events.RoundForgone(action.seat)


def _close(market: Market, action: CloseGame) -> Event:
    # Only a table that shuffles together can stop before a deck, while it waits for shares.
    if market.phase is not SHUFFLE and (market.phase is not TURN or market.turn):
        raise IllegalAction("not_between_rounds", "A market can only be closed between two rounds.")
    return events.GameClosed()


def _leave(market: Market, action: Leave) -> Event:
    raise IllegalAction("cannot_leave", "Players cannot leave a market before its end; a player may pass.")


_DECIDE: Final[dict[type[Action], Callable[[Market, Any], Event]]] = {
    actions.Propose: _propose,
    actions.Pass: _pass,
    actions.Accept: _accept,
    actions.Decline: _decline,
    Forfeit: _forfeit,
    ForgoRound: _forgo,
    Leave: _leave,
    CloseGame: _close,
}


def action_of(event: Event) -> Action | None:
    """Return the action that led to an event, or None for an event of the dealer's: the inverse of `decide`."""
    undeciding = _UNDECIDE.get(event.__class__)
    return None if undeciding is None else undeciding(event)


_UNDECIDE: Final[dict[type[Event], Callable[[Any], Action]]] = {
    events.GameClosed: lambda _: CloseGame(),
    events.SwapProposed: lambda event: actions.Propose(event.seat, event.gives, event.partner, event.gets),
    events.TurnPassed: lambda event: actions.Pass(event.seat),
    events.SwapAccepted: lambda event: actions.Accept(event.seat),
    events.SwapDeclined: lambda event: actions.Decline(event.seat),
    events.Forfeited: lambda event: Forfeit(event.seat, event.code),
    events.RoundForgone: lambda event: ForgoRound(event.seat),
}
