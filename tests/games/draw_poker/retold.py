"""Hands dealt by the engine and converted to imported ones, with some cards unknown."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from pokersvc.cards import Card
from pokersvc.cards.unknown import AnyCard, unknown
from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Discard, DiscardUnknown, Fold
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.recorded_hands.recorded import RecordedHand
from pokersvc.games.draw_poker.recorded_hands.recorded_events import Award, CardsLearned, SeatCards
from pokersvc.games.draw_poker.state import DrawPokerState

from .played import boundary_actions

_WithCards: TypeAlias = events.HandDealt | events.CardsDiscarded | events.CardsDrawn


class Dealt(NamedTuple):
    """A hand that the engine dealt, from a seed."""

    state: DrawPokerState
    log: list[Event]
    actions: list[Action]

    def cards(self, type_: type[_WithCards], seat: int) -> Sequence[Card]:
        """Return the cards of a seat's events of a type."""
        found = [event.cards or () for event in self.log if isinstance(event, type_) and event.seat == seat]
        return [card for cards in found for card in cards]

    @property
    def started(self) -> events.GameStarted:
        """The event that started the game."""
        started = self.log[0]
        assert isinstance(started, events.GameStarted)
        return started

    @property
    def dealt_in(self) -> list[int]:
        """The seats that were dealt a hand."""
        return [event.seat for event in self.log if isinstance(event, events.HandDealt)]


def dealt(rules: DrawPokerRules, stacks: tuple[int, ...], seed: int, *, loose: bool = True) -> Dealt:
    """Deal a hand, in which everybody acts at random; loose players seldom fold."""
    random = Random(seed)
    numbers = tuple(range(1, len(stacks) + 1))
    table = CashTable(button=random.choice(numbers), numbers=numbers, stacks=stacks)
    seats = tuple(Seat(HUMAN, f"Player{seat}") for seat in numbers)
    started = DRAW_POKER.start(Setup(seats, EntropySource.from_text(str(seed)), 1, {"rules": rules, "table": table}))
    assert started.entropy is not None
    state, entropy = DRAW_POKER.new(started), started.entropy.entropy()
    found = Dealt(state, [started], [])
    while state.outcome is None:
        if state.to_act is None:
            event = state.dealer_event(entropy)
            assert event is not None
        else:
            choices = list(boundary_actions(state, state.to_act))
            if loose and len(choices) > 1:
                choices = [choice for choice in choices if not isinstance(choice, Fold)]
            action = random.choice(choices)
            found.actions.append(action)
            event = state.decide(action)
        state.apply(event)
        found.log.append(event)
    return found


def retold(hand: Dealt, hidden: set[int]) -> tuple[RecordedHand, list[Action]]:
    """Return a hand as a file tells it whose cards of some seats are unknown unless shown."""
    cards = []
    for seat in hand.dealt_in:
        shown = next((e.cards for e in hand.log if isinstance(e, events.HandShown) and e.seat == seat), ())
        drawn: Sequence[AnyCard] = hand.cards(events.CardsDrawn, seat)
        now: Sequence[AnyCard] = hand.cards(events.HandDealt, seat)
        if seat in hidden:
            now, drawn = unknown(5), ()
        cards.append(SeatCards(tuple(now), tuple(drawn), shown, seat))
    pots = [event for event in hand.log if isinstance(event, events.PotAwarded) and event.reason == "showdown"]
    awards = tuple([Award(pot.pot, pot.shares) for pot in pots])
    mucked = tuple(event.seat for event in hand.log if isinstance(event, events.HandMucked))
    actions = [
        DiscardUnknown(one.seat, unknown(len(one.cards))) if isinstance(one, Discard) and one.seat in hidden else one
        for one in hand.actions
    ]
    assert hand.started.table is not None
    names = tuple(seat.name for seat in hand.started.seats)
    told = RecordedHand(
        seats=names, rules=hand.started.rules, table=hand.started.table, cards=tuple(cards), mucked=mucked,
        awards=awards,
    )  # fmt: skip
    return told, actions


def learned(hand: Dealt, seat: int) -> CardsLearned:
    """Return all cards of a seat, as they become known later."""
    dealt_, gone, drawn = (
        tuple(hand.cards(type_, seat)) for type_ in (events.HandDealt, events.CardsDiscarded, events.CardsDrawn)
    )
    return CardsLearned(dealt_, gone, drawn, (), seat)
