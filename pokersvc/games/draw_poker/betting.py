"""What a seat may choose and what its choice becomes: the rules of betting and of the draw.

One set of rules for every house; what differs is a field of `Betting`. Amounts are chips. The *price* is what
each seat has to have put in to stay in; a seat faces a bet when it has put in less.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pokersvc.cards import Card
from pokersvc.games.draw_poker import actions, events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.deck import out_of_play
from pokersvc.games.draw_poker.phases import Phase
from pokersvc.games.draw_poker.pots import seats_in
from pokersvc.games.event import Event
from pokersvc.games.game import FORFEIT_CODES, Action, Forfeit, IllegalAction, Leave

if TYPE_CHECKING:
    from pokersvc.games.draw_poker.state import DrawPokerState


def minimum(state: "DrawPokerState") -> int:
    """Return the least opening bet of this betting round, and its unit under a fixed limit."""
    rules = state.rules.betting
    return rules.final_minimum if state.street == 2 and rules.final_minimum is not None else rules.minimum


def may_check(state: "DrawPokerState") -> bool:
    """Tell whether a seat that faces no bet may check."""
    return state.street == 2 or state.rules.betting.check == "always"


def must_fold(state: "DrawPokerState", seat: int) -> bool:
    """Tell whether a seat in turn has one legal choice, to fold: then it is not asked."""
    stack = state.stacks[seat]
    if state.rules.betting.short == "all_in":
        return False  # with chips, a seat can always call or bet for what it has
    owed = state.price - state.put[seat]
    if owed > 0:
        return stack < owed
    return not may_check(state) and stack < minimum(state)


def nobody_left(state: "DrawPokerState") -> bool:
    """Tell whether betting is over because fewer than two have chips and none of them faces a bet."""
    able = state.live & ~state.all_in
    return able & (able - 1) == 0 and all(state.put[seat] >= state.price for seat in seats_in(able))


def uncalled(state: "DrawPokerState") -> tuple[int, int] | None:
    """Return the seat that put in more than anyone could call, and how much more; only where stacks go all in."""
    if state.rules.betting.short == "fold":
        return None
    second, most = sorted(state.staked)[-2:]
    seat = state.staked.index(most)
    return (seat, most - second) if most > second and state.live >> seat & 1 else None


def measure_raise(state: "DrawPokerState", price: int) -> None:
    """Note what a bet or raise to a new price means for the next one: its least size, and how many there were."""
    if state.rules.betting.raises == "fixed_limit":
        if (price - state.level) * 2 >= state.step:  # half a unit or more counts as a raise
            state.level = price
            state.bets += 1
    else:
        state.step = max(state.step, price - state.price)


def legal(state: "DrawPokerState", seat: int) -> LegalActions:
    """Return what the seat whose turn it is may choose."""
    if not state.actor or state.actor != seat:
        whose = f"it is {state.names[state.actor]}'s turn" if state.actor else "the dealer is to act"
        raise IllegalAction("not_your_turn", f"Seat {seat} cannot act now; {whose}.")
    found = state._legal
    if found is None:
        found = state._legal = _draw(state) if state.phase == Phase.DRAW else _betting(state, seat)
    return found


def _draw(state: "DrawPokerState") -> LegalActions:
    return LegalActions(discard=min(state.rules.discards, state.deck_left + len(out_of_play(state))))


def _betting(state: "DrawPokerState", seat: int) -> LegalActions:
    owed = state.price - state.put[seat]
    stack = state.stacks[seat]
    if owed > 0:
        all_in = state.rules.betting.short == "all_in"
        call = owed if owed <= stack else stack if all_in else 0
        return LegalActions(fold=True, call=call, raise_to=_raise_range(state, seat))
    if state.price:
        return LegalActions(check=True, raise_to=_raise_range(state, seat))
    return LegalActions(check=may_check(state), fold=state.rules.betting.fold_free, bet=_bet_range(state, seat))


def _bet_range(state: "DrawPokerState", seat: int) -> tuple[int, int] | None:
    rules, stack, least = state.rules.betting, state.stacks[seat], minimum(state)
    if rules.short == "all_in":
        if not _others_above(state, seat):
            return None
        most = {"pot_limit": max(state.pot, least), "fixed_limit": least}.get(rules.raises, stack)
        if rules.maximum is not None:
            most = min(most, rules.maximum)
        return min(least, stack), min(most, stack)
    if stack < least:
        return None
    return least, stack if rules.maximum is None else min(stack, rules.maximum)


def _raise_range(state: "DrawPokerState", seat: int) -> tuple[int, int] | None:
    rules, price = state.rules.betting, state.price
    if rules.raises == "none":
        return None
    most = state.put[seat] + state.stacks[seat]
    if rules.raises == "double":
        doubled = 2 * price
        return (doubled, doubled) if doubled <= (rules.cap or 0) and doubled <= most else None
    if most <= price or not _reopened(state, seat) or not _others_above(state, seat):
        return None
    if rules.raises == "fixed_limit":
        if rules.most_bets is not None and state.bets >= rules.most_bets:
            return None
        to = min(state.level + state.step, most)
        return to, to
    least = price + state.step
    if rules.raises == "pot_limit":
        return min(least, most), min(most, max(least, price + state.pot + price - state.put[seat]))
    return min(least, most), most


def _reopened(state: "DrawPokerState", seat: int) -> bool:
    """Tell whether a seat may raise: it has not acted, or the price has risen by a full raise since it did."""
    acted = state.acted[seat]
    if acted < 0:
        return True
    risen = state.price - acted
    return (2 * risen if state.rules.betting.raises == "fixed_limit" else risen) >= state.step


def _others_above(state: "DrawPokerState", seat: int) -> bool:
    """Tell whether another player still in could put in more than the present price."""
    return any(
        state.put[other] + state.stacks[other] > state.price
        for other in seats_in(state.live & ~state.all_in & ~(1 << seat))
    )


def decide(state: "DrawPokerState", action: Action) -> Event:
    """Return the event of an action; `IllegalAction` for one that the rules do not allow now."""
    deciding = _DECIDE.get(type(action))
    if deciding is None:
        raise IllegalAction("unknown_action", f"{type(action).__name__} is no action of draw poker.")
    return deciding(state, action)


def _refuse(state: "DrawPokerState", code: str, action: str, choices: LegalActions) -> IllegalAction:
    return IllegalAction(code, f"{state.names[state.actor]} cannot {action} now; {say_legal(choices)}.")


def say_legal(choices: LegalActions) -> str:
    """Return the legal choices in words.

    >>> say_legal(LegalActions(fold=True, call=50))
    'the choices are to call 50 or to fold'
    """
    if choices.discard is not None:
        return f"the choice is to discard at most {choices.discard} cards"
    said = []
    if choices.check:
        said.append("to check")
    if choices.call:
        said.append(f"to call {choices.call}")
    if choices.bet is not None:
        said.append(f"to bet {_between(*choices.bet)}")
    if choices.raise_to is not None:
        said.append(f"to raise to {_between(*choices.raise_to)}")
    if choices.fold:
        said.append("to fold")
    if len(said) == 1:
        return f"the choice is {said[0]}"
    return f"the choices are {', '.join(said[:-1])} or {said[-1]}"


def _between(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _check(state: "DrawPokerState", action: actions.Check) -> Event:
    choices = legal(state, action.seat)
    if not choices.check:
        raise _refuse(state, "cannot_check", "check", choices)
    return events.Checked(action.seat)


def _bet(state: "DrawPokerState", action: actions.Bet) -> Event:
    choices = legal(state, action.seat)
    if choices.bet is None:
        raise _refuse(state, "cannot_bet", "bet", choices)
    least, most = choices.bet
    if type(action.amount) is not int or not least <= action.amount <= most:
        raise _refuse(state, "illegal_amount", f"bet {action.amount!r}", choices)
    return events.Bet(action.amount, action.seat)


def _call(state: "DrawPokerState", action: actions.Call) -> Event:
    choices = legal(state, action.seat)
    if not choices.call:
        raise _refuse(state, "cannot_call", "call", choices)
    return events.Called(choices.call, action.seat)


def _raise(state: "DrawPokerState", action: actions.Raise) -> Event:
    choices = legal(state, action.seat)
    if choices.raise_to is None:
        raise _refuse(state, "cannot_raise", "raise", choices)
    least, most = choices.raise_to
    if type(action.to) is not int or not least <= action.to <= most:
        raise _refuse(state, "illegal_amount", f"raise to {action.to!r}", choices)
    return events.Raised(action.to - state.put[action.seat], action.seat, action.to)


def _fold(state: "DrawPokerState", action: actions.Fold) -> Event:
    choices = legal(state, action.seat)
    if not choices.fold:
        raise _refuse(state, "cannot_fold", "fold", choices)
    return events.Folded("chosen", action.seat)


def _discard(state: "DrawPokerState", action: actions.Discard) -> Event:
    choices = legal(state, action.seat)
    cards: Any = action.cards
    if choices.discard is None:
        raise _refuse(state, "cannot_discard", "discard", choices)
    if not isinstance(cards, tuple) or not all(isinstance(card, Card) for card in cards):
        raise _refuse(state, "not_cards", f"discard {cards!r}", choices)
    said = " ".join(map(str, cards))
    if len(cards) > choices.discard:
        raise _refuse(state, "too_many_cards", f"discard {said}", choices)
    if len(set(cards)) != len(cards):
        raise _refuse(state, "repeated_card", f"discard {said}", choices)
    hand = state.hands[action.seat]
    for card in cards:
        if card not in hand:
            raise _refuse(state, "not_your_card", f"discard {card}, which is not in the hand", choices)
    return events.CardsDiscarded(cards, len(cards), action.seat)


def _leave(state: "DrawPokerState", action: Leave) -> Event:
    bit = 1 << action.seat if 0 < action.seat <= len(state.seats) else 0
    if not bit & state.persons:
        raise IllegalAction("not_a_person", f"Seat {action.seat} cannot leave; only a person's seat may.")
    if not state.pausing:
        raise IllegalAction("not_between_rounds", "A player may leave between two rounds, not now.")
    if not bit & state.seated:
        raise IllegalAction("already_out", f"{state.names[action.seat]} is already out of the game.")
    return events.PlayerLeft(0, "withdrew", action.seat)


def _forfeit(state: "DrawPokerState", action: Forfeit) -> Event:
    legal(state, action.seat)
    if state.persons >> action.seat & 1:
        raise IllegalAction("not_a_program", f"{state.names[action.seat]} is a person, and is asked again.")
    if action.code not in FORFEIT_CODES:
        raise IllegalAction(
            "unknown_code", f"A choice is forfeited as {', '.join(FORFEIT_CODES)}, not as {action.code!r}."
        )
    code: Any = action.code
    return events.Forfeited(code, action.seat)


_DECIDE: Final[dict[type[Action], Callable[["DrawPokerState", Any], Event]]] = {
    actions.Check: _check,
    actions.Bet: _bet,
    actions.Call: _call,
    actions.Raise: _raise,
    actions.Fold: _fold,
    actions.Discard: _discard,
    Leave: _leave,
    Forfeit: _forfeit,
}
