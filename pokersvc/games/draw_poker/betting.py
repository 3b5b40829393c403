"""What a seat may choose and what its choice becomes: the rules of betting and of the draw.

One set of rules for every house; what differs is a field of `Betting`. Amounts are chips. The *price* is what
each seat has to have put in to stay in; a seat faces a bet when it has put in less.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from random import Random
from typing import Any, Final

from pokersvc.cards import FRESH_DECK, Card
from pokersvc.core.actions import Action, CloseGame, Forfeit, ForgoRound, IllegalAction, Leave
from pokersvc.core.event import Event
from pokersvc.core.given import forfeited
from pokersvc.games.draw_poker import actions, cash, events
from pokersvc.games.draw_poker.actions import LegalActions, either
from pokersvc.games.draw_poker.deck import out_of_play
from pokersvc.games.draw_poker.phases import BETWEEN, DRAW
from pokersvc.games.draw_poker.refusals import HAND
from pokersvc.games.draw_poker.seats import has, seats_in
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.text import counted, whose


def legal(state: Situation, seat: int) -> LegalActions:
    """Return what the seat whose turn it is may choose; `IllegalAction` if it is not."""
    if seat != state.actor or not seat:
        turn = f"it is {whose(state.names[state.actor], 'turn')}" if state.actor else "the dealer is to act"
        raise IllegalAction("not_your_turn", f"Seat {seat} cannot act now; {turn}.")
    found = state.cached_legal
    if found is None:
        found = state.cached_legal = _draw(state) if state.phase is DRAW else _betting(state, seat)
    return found


MOST_ALIKE: Final = 128
"""How many events of a type are kept to be used again."""

_UP_TO: Final = tuple(LegalActions(discard=most) for most in range(6))
"""What may be chosen in the draw, by the most cards that may be discarded."""


_choices = lru_cache(MOST_ALIKE)(LegalActions)


def _draw(state: Situation) -> LegalActions:
    most = state.rules.discards
    if state.rules.reshuffle == "all":
        return _UP_TO[most]  # even what this seat discards can be dealt again
    if state.rules.draw == "together":
        most = min(most, len(FRESH_DECK) - HAND * state.live.bit_count())  # what others discard, they are dealt again
    elif most > state.deck_left:
        most = min(most, state.deck_left + len(out_of_play(state)))
    return _UP_TO[most]


def _betting(state: Situation, seat: int) -> LegalActions:
    owed = state.price - state.put[seat]
    stack = state.stacks[seat]
    if owed > 0:
        if owed > stack:
            owed = stack if state.rules.betting.short == "all_in" else 0
        return _choices(False, True, owed, None, _raise_range(state, seat))
    fold = state.rules.betting.fold_free
    if state.price:
        return _choices(True, fold, 0, None, _raise_range(state, seat))
    return LegalActions(state.may_check(), fold, 0, _bet_range(state, seat))  # of the stack, so seldom the same


def _bet_range(state: Situation, seat: int) -> tuple[int, int] | None:
    rules, stack, least = state.rules.betting, state.stacks[seat], state.minimum()
    if rules.short == "all_in":
        most = {"pot_limit": max(state.pot, least), "fixed_limit": least}.get(rules.raises, stack)
        if rules.maximum is not None:
            most = min(most, rules.maximum)
        return min(least, stack), min(most, stack)
    if stack < least:
        return None
    return least, stack if rules.maximum is None else min(stack, rules.maximum)


def _raise_range(state: Situation, seat: int) -> tuple[int, int] | None:
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


def _reopened(state: Situation, seat: int) -> bool:
    """Tell whether a seat may raise: it has not acted, or the price has risen by a full raise since it did."""
    acted = state.acted[seat]
    if acted < 0:
        return True
    risen = state.price - acted
    return (2 * risen if state.rules.betting.raises == "fixed_limit" else risen) >= state.step


def _others_above(state: Situation, seat: int) -> bool:
    """Tell whether another player still in could put in more than the present price."""
    return any(
        state.put[other] + state.stacks[other] > state.price
        for other in seats_in(state.live & ~state.all_in & ~(1 << seat))
    )


def decide(state: Situation, action: Action) -> Event:
    """Return the event of an action; `IllegalAction` for one that the rules do not allow now."""
    deciding = _DECIDE.get(type(action))
    if deciding is None:
        raise IllegalAction("unknown_action", f"{type(action).__name__} is not an action of draw poker.")
    return deciding(state, action)


def default_action(state: Situation, seat: int, *, away: bool, random: Random) -> Action:
    """Return what a seat does whose time is over: it checks or else folds, and stands pat in the draw.

    One that sits out folds where it may, even a hand that could be checked.
    """
    choices = legal(state, seat)
    if choices.discard is not None:
        return actions.Discard(seat, ())
    if choices.fold and (away or not choices.check):
        return actions.Fold(seat)
    return actions.Check(seat)


# Events that are the same again and again: most are made once.
checked = lru_cache(MOST_ALIKE)(events.Checked)
bet = lru_cache(MOST_ALIKE)(events.Bet)
called = lru_cache(MOST_ALIKE)(events.Called)


def _refuse(state: Situation, code: str, action: str, choices: LegalActions) -> IllegalAction:
    choice = say_legal(choices, partial(_say, state))
    return IllegalAction(code, f"{state.names[state.actor]} cannot {action} now; {choice}.")


def _say(state: Situation, amount: object) -> str:
    """Return an amount as the table counts it; a caller may have named anything."""
    return repr(amount) if type(amount) is not int or state.table is None else state.table.currency.say(amount)


def say_legal(choices: LegalActions, say: Callable[[int], str] = str) -> str:
    """Return the legal choices in words; ``say`` writes an amount.

    >>> say_legal(LegalActions(fold=True, call=50))
    'the choices are to call 50 or to fold'
    """
    if choices.discard is not None:
        return f"the choice is to discard at most {counted(choices.discard, 'card')}"
    said = [f"to {choice}" for choice in choices.said(say)]
    return f"the {'choices are' if len(said) > 1 else 'choice is'} {either(said)}"


def _check(state: Situation, action: actions.Check) -> Event:
    choices = legal(state, action.seat)
    if not choices.check:
        raise _refuse(state, "cannot_check", "check", choices)
    return checked(state.actor)


def _bet(state: Situation, action: actions.Bet) -> Event:
    choices = legal(state, action.seat)
    if choices.bet is None:
        raise _refuse(state, "cannot_bet", "bet", choices)
    least, most = choices.bet
    if type(action.amount) is not int or not least <= action.amount <= most:
        raise _refuse(state, "illegal_amount", f"bet {_say(state, action.amount)}", choices)
    return bet(action.amount, state.actor)


def _call(state: Situation, action: actions.Call) -> Event:
    choices = legal(state, action.seat)
    if not choices.call:
        raise _refuse(state, "cannot_call", "call", choices)
    return called(choices.call, state.actor)


def _raise(state: Situation, action: actions.Raise) -> Event:
    choices = legal(state, action.seat)
    if choices.raise_to is None:
        raise _refuse(state, "cannot_raise", "raise", choices)
    least, most = choices.raise_to
    if type(action.to) is not int or not least <= action.to <= most:
        raise _refuse(state, "illegal_amount", f"raise to {_say(state, action.to)}", choices)
    return events.Raised(action.to - state.put[action.seat], action.seat, action.to)


def _fold(state: Situation, action: actions.Fold) -> Event:
    choices = legal(state, action.seat)
    if not choices.fold:
        raise _refuse(state, "cannot_fold", "fold", choices)
    return events.Folded("chosen", action.seat)


def _discard(state: Situation, action: actions.Discard) -> Event:
    choices = legal(state, action.seat)
    cards: object = action.cards
    if choices.discard is None:
        raise _refuse(state, "cannot_discard", "discard", choices)
    if not isinstance(cards, tuple) or not _ONLY_CARDS.issuperset(map(type, cards)):
        raise _refuse(state, "not_cards", f"discard {cards!r}", choices)
    if len(cards) > choices.discard:
        raise _refuse(state, "too_many_cards", f"discard {_named(cards)}", choices)
    different = set(cards)
    if len(different) != len(cards):
        raise _refuse(state, "repeated_card", f"discard {_named(cards)}", choices)
    hand = state.hands[action.seat]
    if not different.issubset(hand):
        card = next(card for card in cards if card not in hand)
        raise _refuse(state, "not_your_card", f"discard {card}, which is not in the hand", choices)
    return events.CardsDiscarded(cards, len(cards), action.seat)


def _named(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


_ONLY_CARDS: Final = frozenset({Card})


def _leave(state: Situation, action: Leave) -> Event:
    if state.cash:
        return cash.get_up(state, action)
    if action.seat < 0 or not has(state.persons, action.seat):
        raise IllegalAction("not_a_person", f"Seat {action.seat} cannot leave; only a person's seat may.")
    if not state.pausing:
        raise IllegalAction("not_between_rounds", "A player may leave between two rounds, not now.")
    if not has(state.seated, action.seat):
        raise IllegalAction("already_out", f"{state.names[action.seat]} is already out of the game.")
    return events.PlayerLeft(0, "withdrew", action.seat)


def _close(state: Situation, action: CloseGame) -> Event:
    if state.phase is not BETWEEN or (state.ending() and not state.pausing):
        raise IllegalAction("not_between_rounds", "A game of draw poker is closed between two rounds, not now.")
    return events.GameClosed()


def _forfeit(state: Situation, action: Forfeit) -> Event:
    legal(state, action.seat)
    if has(state.persons, action.seat):
        raise IllegalAction("not_a_program", f"{state.names[action.seat]} is a person, and is asked again.")
    return forfeited(action, events.Forfeited)


def _forgo(state: Situation, action: ForgoRound) -> Event:
    seat = action.seat
    if not state.actor:
        raise IllegalAction("dealer_to_act", "The dealer is to act; a round is forgone while a player is to choose.")
    if type(seat) is not int or seat < 1 or not has(state.live, seat):
        still = ", ".join(map(str, seats_in(state.live)))
        raise IllegalAction("already_out", f"Seat {seat!r} is not in this round; the seats still in are {still}.")
    return events.RoundForgone(seat)


_DECIDE: Final[dict[type[Action], Callable[[Situation, Any], Event]]] = {
    actions.Check: _check,
    actions.Bet: _bet,
    actions.Call: _call,
    actions.Raise: _raise,
    actions.Fold: _fold,
    actions.Discard: _discard,
    Leave: _leave,
    cash.SitDown: cash.sit_down,
    cash.BuyChips: cash.buy_chips,
    cash.SitOut: cash.sit_out,
    cash.SitIn: cash.sit_in,
    CloseGame: _close,
    Forfeit: _forfeit,
    ForgoRound: _forgo,
}


def action_of(event: Event) -> Action | None:
    """Return the action whose event this is, None for an event of the dealer's: the inverse of `decide`."""
    undeciding = _UNDECIDE.get(event.__class__)
    return None if undeciding is None else undeciding(event)


def _fold_of(event: events.Folded) -> Action | None:
    return actions.Fold(event.seat) if event.reason == "chosen" else None


def _leave_of(event: events.PlayerLeft) -> Action | None:
    return Leave(event.seat) if event.reason == "withdrew" else None


_UNDECIDE: Final[dict[type[Event], Callable[[Any], Action | None]]] = {
    events.Checked: lambda event: actions.Check(event.seat),
    events.Bet: lambda event: actions.Bet(event.seat, event.amount),
    events.Called: lambda event: actions.Call(event.seat),
    events.Raised: lambda event: actions.Raise(event.seat, event.to),
    events.Folded: _fold_of,
    events.CardsDiscarded: lambda event: actions.Discard(event.seat, event.cards),
    events.PlayerLeft: _leave_of,
    events.GotUp: lambda event: Leave(event.seat),
    events.SatDown: lambda event: cash.SitDown(event.seat, event.amount, event.name),
    events.ChipsBought: lambda event: cash.BuyChips(event.seat, event.amount),
    events.SatOut: lambda event: cash.SitOut(event.seat),
    events.SatIn: lambda event: cash.SitIn(event.seat),
    events.GameClosed: lambda _: CloseGame(),
    events.Forfeited: lambda event: Forfeit(event.seat, event.code),
    events.RoundForgone: lambda event: ForgoRound(event.seat),
}
