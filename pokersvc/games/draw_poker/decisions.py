"""The legal choices of a seat, and the event of each. The rules of the draw are here, those of betting in `turns`."""

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, Final

from pokersvc.betting import turns
from pokersvc.betting.choices import not_your_turn, refused
from pokersvc.betting.seats import has, seats_in
from pokersvc.cards import Card
from pokersvc.cards.unknown import AnyCard, UnknownCard, known_among
from pokersvc.core.actions import Action, BeginLevel, CloseGame, Forfeit, ForgoRound, IllegalAction, Leave
from pokersvc.core.common_events import forfeited
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import actions, entries, events
from pokersvc.games.draw_poker.actions import LegalActions
from pokersvc.games.draw_poker.cash_decisions import DECIDE_CASH, UNDECIDE_CASH, get_up
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.house.stakes import refused_stakes, stakes_of
from pokersvc.games.draw_poker.recorded_hands.recorded_events import RecordedCardsDiscarded
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.draws import most_to_discard, without
from pokersvc.streets.phases import BETWEEN, DRAW
from pokersvc.streets.showing import Show, ShowAgain, decide_show
from pokersvc.streets.state import repeats
from pokersvc.text import counted


def legal(state: Situation, seat: int) -> LegalActions:
    """Return the legal choices of the seat whose turn it is; raise `IllegalAction` for any other seat."""
    if seat != state.actor or not seat:
        raise not_your_turn(state, seat)
    found = state.cached_legal
    if found is None:
        drawing = state.phase is DRAW
        found = _UP_TO[most_to_discard(state)] if drawing else turns.choices_of(state, seat, _choices)
        state.cached_legal = found
    return found


MOST_ALIKE: Final = 128
"""The maximum number of events of each type, and of sets of choices, that are cached for reuse."""

_UP_TO: Final = tuple(LegalActions(discard=most) for most in range(HAND + 1))
"""The legal choices in the draw, indexed by the maximum number of cards to discard."""


_choices = lru_cache(MOST_ALIKE)(LegalActions)


def decide(state: Situation, action: Action) -> Event:
    """Return the event of an action; raise `IllegalAction` if the rules do not allow it now."""
    deciding = _DECIDE.get(type(action))
    if deciding is None:
        raise _no_action_here(action)
    return deciding(state, action)


def _no_action_here(action: Action) -> IllegalAction:
    return IllegalAction("unknown_action", f"{type(action).__name__} is not an action of draw poker.")


def default_action(state: Situation, seat: int, *, away: bool, random: Random) -> Action:
    """Return the action of a seat that ran out of time: it checks if it may, or else folds; in the draw, it stands pat.

    A seat that is away folds if it may, even if it could check.
    """
    choices = legal(state, seat)
    if choices.discard is not None:
        return actions.Discard(seat, ())
    if choices.fold and (away or not choices.check):
        return actions.Fold(seat)
    return actions.Check(seat)


# Events that recur often; each distinct one is made only once.
checked = lru_cache(MOST_ALIKE)(events.Checked)
bet = lru_cache(MOST_ALIKE)(events.Bet)
called = lru_cache(MOST_ALIKE)(events.Called)


def _check(state: Situation, action: actions.Check) -> Event:
    turns.decide_check(state, legal(state, action.seat))
    return checked(state.actor)


def _bet(state: Situation, action: actions.Bet) -> Event:
    return bet(turns.decide_bet(state, legal(state, action.seat), action.amount), state.actor)


def _call(state: Situation, action: actions.Call) -> Event:
    return called(turns.decide_call(state, legal(state, action.seat)), state.actor)


def _raise(state: Situation, action: actions.Raise) -> Event:
    return events.Raised(turns.decide_raise(state, legal(state, action.seat), action.to), action.seat, action.to)


def _fold(state: Situation, action: actions.Fold) -> Event:
    turns.decide_fold(state, legal(state, action.seat))
    return events.Folded("chosen", action.seat)


def _discard(state: Situation, action: actions.Discard | actions.DiscardUnknown) -> Event:
    choices = legal(state, action.seat)
    cards: object = action.cards
    if choices.discard is None:
        raise refused(state, "cannot_discard", "discard", choices)
    kinds = _ONLY_CARDS if state.recorded is None else _CARDS_OR_UNKNOWN
    if not isinstance(cards, tuple) or not kinds.issuperset(map(type, cards)):
        raise refused(state, "not_cards", f"discard {cards!r}", choices)
    if len(cards) > choices.discard:
        raise refused(state, "too_many_cards", f"discard {_named(cards)}", choices)
    different = set(cards)
    if len(different) != len(cards) and repeats(cards):
        raise refused(state, "repeated_card", f"discard {_named(cards)}", choices)
    hand = state.hands[action.seat]
    if state.recorded is not None:
        if without(hand, cards) is None:
            raise refused(state, "not_your_card", f"discard {_named(cards)}", choices)
        return RecordedCardsDiscarded(cards, len(cards), action.seat)
    if not different.issubset(hand):
        card = next(card for card in cards if card not in hand)
        raise refused(state, "not_your_card", f"discard {card}, which is not in the hand", choices)
    return events.CardsDiscarded(cards, len(cards), action.seat)


def _discard_unknown(state: Situation, action: actions.DiscardUnknown) -> Event:
    if state.recorded is None:
        raise _no_action_here(action)
    return _discard(state, action)


def _named(cards: tuple[AnyCard, ...]) -> str:
    return " ".join(map(str, cards)) if known_among(cards) else counted(len(cards), "card")


_ONLY_CARDS: Final = frozenset({Card})
_CARDS_OR_UNKNOWN: Final = frozenset({Card, UnknownCard})


def _leave(state: Situation, action: Leave) -> Event:
    if state.cash:
        return get_up(state, action)
    if action.seat < 0 or not has(state.persons, action.seat):
        raise IllegalAction("not_a_person", f"Seat {action.seat} cannot leave; only a person's seat may.")
    if not state.pausing:
        raise IllegalAction("not_between_rounds", "A player can only leave between two rounds.")
    if not has(state.seated, action.seat):
        raise IllegalAction("already_out", f"{state.names[action.seat]} is already out of the game.")
    return events.PlayerLeft(0, "withdrew", action.seat)


def _show(state: Situation, action: Show) -> Event:
    cards, salts = decide_show(state, action, pausing=state.pausing)
    return events.CardsShown(cards, salts, action.seat)


def _change_stakes(state: Situation, action: actions.ChangeStakes) -> Event:
    if not state.changeable:
        raise IllegalAction("not_changeable", "The stakes of this game were fixed when it started.")
    if type(action.seat) is not int or action.seat < 0 or (action.seat and not has(state.persons, action.seat)):
        raise IllegalAction("not_a_person", f"Seat {action.seat!r} is not a person's; a host is a person.")
    if not state.pausing:
        raise IllegalAction("not_between_rounds", "The stakes can only be changed between two rounds.")
    if action.stakes == stakes_of(state.rules, state.next_ante):
        raise IllegalAction("nothing_changes", "These are the stakes already; name other amounts.")
    if (refused := refused_stakes(state.rules, action.stakes, cash=state.cash)) is not None:
        raise IllegalAction("illegal_amount", f"The stakes cannot be these: {refused.field} must be {refused.right}.")
    if state.cash and action.stakes.stack < (least := state.terms.at_cash.least):
        raise IllegalAction("illegal_amount", f"The stakes cannot be these: stack must be at least {least}.")
    return events.StakesChanged(action.seat or None, action.stakes)


def _begin_level(state: Situation, action: BeginLevel) -> Event:
    levels = state.schedule
    if levels is None or not levels.timed or state.stakes_level == len(levels.schedule):
        raise IllegalAction("no_such_level", "No level begins by time now.")
    price = state.price_to_stay()
    if (
        state.phase is not BETWEEN
        or state.ending()
        or state.chip_to_race is not None
        or any(state.stacks[seat] < price for seat in seats_in(state.seated))
    ):
        raise IllegalAction(
            "not_between_rounds",
            "A level can only begin between two rounds, after players without enough chips have gone out.",
        )
    return events.LevelBegan(state.stakes_level + 1)


def _close(state: Situation, action: CloseGame) -> Event:
    if state.phase is not BETWEEN or (state.ending() and not state.pausing) or state.cash_seats.admitted:
        raise IllegalAction("not_between_rounds", "A game of draw poker can only be closed between two rounds.")
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
    actions.DiscardUnknown: _discard_unknown,
    Leave: _leave,
    **DECIDE_CASH,
    Show: _show,
    ShowAgain: _show,
    entries.ReEnter: entries.decide_reenter,
    entries.TakeAddOn: entries.decide_add_on,
    actions.ChangeStakes: _change_stakes,
    CloseGame: _close,
    BeginLevel: _begin_level,
    Forfeit: _forfeit,
    ForgoRound: _forgo,
}


def action_of(event: Event) -> Action | None:
    """Return the action that made an event, None for an event of the dealer: the inverse of `decide`."""
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
    RecordedCardsDiscarded: lambda event: actions.DiscardUnknown(event.seat, event.cards or ()),
    events.PlayerLeft: _leave_of,
    **UNDECIDE_CASH,
    events.CardsShown: lambda event: ShowAgain(event.seat, event.cards, event.salts),
    events.StakesChanged: lambda event: actions.ChangeStakes(event.by or 0, event.stakes),
    events.Reentered: lambda event: entries.ReEnter(event.seat),
    events.AddOnTaken: lambda event: entries.TakeAddOn(event.seat),
    events.GameClosed: lambda _: CloseGame(),
    events.LevelBegan: lambda _: BeginLevel(),
    events.Forfeited: lambda event: Forfeit(event.seat, event.code),
    events.RoundForgone: lambda event: ForgoRound(event.seat),
}
