"""What a seat may choose and what its choice becomes: the rules of betting and of the draw.

One set of rules for every house; what differs is a field of `Betting`. Amounts are chips. The *price* is what
each seat has to have put in to stay in; a seat faces a bet when it has put in less.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from pokersvc.cards import Card
from pokersvc.core.actions import Action, Forfeit, IllegalAction, Leave
from pokersvc.core.event import Event
from pokersvc.core.given import forfeited
from pokersvc.games.draw_poker import actions, events
from pokersvc.games.draw_poker.actions import LegalActions, either
from pokersvc.games.draw_poker.deck import out_of_play
from pokersvc.games.draw_poker.phases import DRAW
from pokersvc.games.draw_poker.seats import has, seats_in
from pokersvc.games.draw_poker.table import Table
from pokersvc.text import counted


def legal(table: Table, seat: int) -> LegalActions:
    """Return what the seat whose turn it is may choose; `IllegalAction` if it is not."""
    if seat != table.actor or not seat:
        whose = f"it is {table.names[table.actor]}'s turn" if table.actor else "the dealer is to act"
        raise IllegalAction("not_your_turn", f"Seat {seat} cannot act now; {whose}.")
    found = table.cached_legal
    if found is None:
        found = table.cached_legal = _draw(table) if table.phase is DRAW else _betting(table, seat)
    return found


MOST_ALIKE: Final = 128
"""How many events of a type are kept to be used again."""

_UP_TO: Final = tuple(LegalActions(discard=most) for most in range(6))
"""What may be chosen in the draw, by the most cards that may be discarded."""


_choices = lru_cache(MOST_ALIKE)(LegalActions)


def _draw(table: Table) -> LegalActions:
    most = table.rules.discards
    if most > table.deck_left:
        most = min(most, table.deck_left + len(out_of_play(table)))
    return _UP_TO[most]


def _betting(table: Table, seat: int) -> LegalActions:
    owed = table.price - table.put[seat]
    stack = table.stacks[seat]
    if owed > 0:
        if owed > stack:
            owed = stack if table.rules.betting.short == "all_in" else 0
        return _choices(False, True, owed, None, _raise_range(table, seat))
    fold = table.rules.betting.fold_free
    if table.price:
        return _choices(True, fold, 0, None, _raise_range(table, seat))
    return _choices(table.may_check(), fold, 0, _bet_range(table, seat))


def _bet_range(table: Table, seat: int) -> tuple[int, int] | None:
    rules, stack, least = table.rules.betting, table.stacks[seat], table.minimum()
    if rules.short == "all_in":
        most = {"pot_limit": max(table.pot, least), "fixed_limit": least}.get(rules.raises, stack)
        if rules.maximum is not None:
            most = min(most, rules.maximum)
        return min(least, stack), min(most, stack)
    if stack < least:
        return None
    return least, stack if rules.maximum is None else min(stack, rules.maximum)


def _raise_range(table: Table, seat: int) -> tuple[int, int] | None:
    rules, price = table.rules.betting, table.price
    if rules.raises == "none":
        return None
    most = table.put[seat] + table.stacks[seat]
    if rules.raises == "double":
        doubled = 2 * price
        return (doubled, doubled) if doubled <= (rules.cap or 0) and doubled <= most else None
    if most <= price or not _reopened(table, seat) or not _others_above(table, seat):
        return None
    if rules.raises == "fixed_limit":
        if rules.most_bets is not None and table.bets >= rules.most_bets:
            return None
        to = min(table.level + table.step, most)
        return to, to
    least = price + table.step
    if rules.raises == "pot_limit":
        return min(least, most), min(most, max(least, price + table.pot + price - table.put[seat]))
    return min(least, most), most


def _reopened(table: Table, seat: int) -> bool:
    """Tell whether a seat may raise: it has not acted, or the price has risen by a full raise since it did."""
    acted = table.acted[seat]
    if acted < 0:
        return True
    risen = table.price - acted
    return (2 * risen if table.rules.betting.raises == "fixed_limit" else risen) >= table.step


def _others_above(table: Table, seat: int) -> bool:
    """Tell whether another player still in could put in more than the present price."""
    return any(
        table.put[other] + table.stacks[other] > table.price
        for other in seats_in(table.live & ~table.all_in & ~(1 << seat))
    )


def decide(table: Table, action: Action) -> Event:
    """Return the event of an action; `IllegalAction` for one that the rules do not allow now."""
    deciding = _DECIDE.get(type(action))
    if deciding is None:
        raise IllegalAction("unknown_action", f"{type(action).__name__} is no action of draw poker.")
    return deciding(table, action)


# Events that are the same again and again: most are made once.
checked = lru_cache(MOST_ALIKE)(events.Checked)
bet = lru_cache(MOST_ALIKE)(events.Bet)
called = lru_cache(MOST_ALIKE)(events.Called)


def _refuse(table: Table, code: str, action: str, choices: LegalActions) -> IllegalAction:
    return IllegalAction(code, f"{table.names[table.actor]} cannot {action} now; {say_legal(choices)}.")


def say_legal(choices: LegalActions) -> str:
    """Return the legal choices in words.

    >>> say_legal(LegalActions(fold=True, call=50))
    'the choices are to call 50 or to fold'
    """
    if choices.discard is not None:
        return f"the choice is to discard at most {counted(choices.discard, 'card')}"
    said = [f"to {choice}" for choice in choices.said()]
    return f"the {'choices are' if len(said) > 1 else 'choice is'} {either(said)}"


def _check(table: Table, action: actions.Check) -> Event:
    choices = legal(table, action.seat)
    if not choices.check:
        raise _refuse(table, "cannot_check", "check", choices)
    return checked(table.actor)


def _bet(table: Table, action: actions.Bet) -> Event:
    choices = legal(table, action.seat)
    if choices.bet is None:
        raise _refuse(table, "cannot_bet", "bet", choices)
    least, most = choices.bet
    if type(action.amount) is not int or not least <= action.amount <= most:
        raise _refuse(table, "illegal_amount", f"bet {action.amount!r}", choices)
    return bet(action.amount, table.actor)


def _call(table: Table, action: actions.Call) -> Event:
    choices = legal(table, action.seat)
    if not choices.call:
        raise _refuse(table, "cannot_call", "call", choices)
    return called(choices.call, table.actor)


def _raise(table: Table, action: actions.Raise) -> Event:
    choices = legal(table, action.seat)
    if choices.raise_to is None:
        raise _refuse(table, "cannot_raise", "raise", choices)
    least, most = choices.raise_to
    if type(action.to) is not int or not least <= action.to <= most:
        raise _refuse(table, "illegal_amount", f"raise to {action.to!r}", choices)
    return events.Raised(action.to - table.put[action.seat], action.seat, action.to)


def _fold(table: Table, action: actions.Fold) -> Event:
    choices = legal(table, action.seat)
    if not choices.fold:
        raise _refuse(table, "cannot_fold", "fold", choices)
    return events.Folded("chosen", action.seat)


def _discard(table: Table, action: actions.Discard) -> Event:
    choices = legal(table, action.seat)
    cards: object = action.cards
    if choices.discard is None:
        raise _refuse(table, "cannot_discard", "discard", choices)
    if not isinstance(cards, tuple) or not _ONLY_CARDS.issuperset(map(type, cards)):
        raise _refuse(table, "not_cards", f"discard {cards!r}", choices)
    if len(cards) > choices.discard:
        raise _refuse(table, "too_many_cards", f"discard {_named(cards)}", choices)
    different = set(cards)
    if len(different) != len(cards):
        raise _refuse(table, "repeated_card", f"discard {_named(cards)}", choices)
    hand = table.hands[action.seat]
    if not different.issubset(hand):
        card = next(card for card in cards if card not in hand)
        raise _refuse(table, "not_your_card", f"discard {card}, which is not in the hand", choices)
    return events.CardsDiscarded(cards, len(cards), action.seat)


def _named(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


_ONLY_CARDS: Final = frozenset({Card})


def _leave(table: Table, action: Leave) -> Event:
    if action.seat < 0 or not has(table.persons, action.seat):
        raise IllegalAction("not_a_person", f"Seat {action.seat} cannot leave; only a person's seat may.")
    if not table.pausing:
        raise IllegalAction("not_between_rounds", "A player may leave between two rounds, not now.")
    if not has(table.seated, action.seat):
        raise IllegalAction("already_out", f"{table.names[action.seat]} is already out of the game.")
    return events.PlayerLeft(0, "withdrew", action.seat)


def _forfeit(table: Table, action: Forfeit) -> Event:
    legal(table, action.seat)
    if has(table.persons, action.seat):
        raise IllegalAction("not_a_program", f"{table.names[action.seat]} is a person, and is asked again.")
    return forfeited(action, events.Forfeited)


_DECIDE: Final[dict[type[Action], Callable[[Table, Any], Event]]] = {
    actions.Check: _check,
    actions.Bet: _bet,
    actions.Call: _call,
    actions.Raise: _raise,
    actions.Fold: _fold,
    actions.Discard: _discard,
    Leave: _leave,
    Forfeit: _forfeit,
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
    events.Forfeited: lambda event: Forfeit(event.seat, event.code),
}
