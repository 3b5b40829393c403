"""Poker as a game of the service, made of a list of streets, and the programs that play it."""

from random import Random
from typing import ClassVar

from pokersvc.betting.choices import Choices
from pokersvc.core.actions import Action
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.setup import Options, Setup
from pokersvc.errors import InvalidValue

from . import events
from .state import PokerState, PokerView, Variant
from .words import PokerWords


class AnyPlayer:
    """Chooses anything, and seldom folds."""

    def choose(self, view: PokerView, legal: Choices, random: Random) -> Action:
        assert view.to_act is not None
        return any_action(view.to_act, legal, random)


class CallingPlayer:
    """A bot that checks or calls."""

    def choose(self, view: PokerView, legal: Choices, random: Random) -> Action:
        seat = view.to_act
        assert seat is not None
        if legal.call:
            return events.Call(seat)
        return events.Check(seat) if legal.check else events.Bet(seat, legal.bet[0]) if legal.bet else events.Fold(seat)


def any_action(seat: int, legal: Choices, random: Random) -> Action:
    """Return any action that is allowed."""
    possible: list[tuple[Action, int]] = []
    if legal.check:
        possible.append((events.Check(seat), 4))
    if legal.call:
        possible.append((events.Call(seat), 5))
    if legal.bet:
        possible.append((events.Bet(seat, random.randint(*legal.bet)), 4))
    if legal.raise_to:
        possible.append((events.Raise(seat, random.randint(*legal.raise_to)), 4))
    if legal.fold:
        possible.append((events.Fold(seat), 1))
    actions, weights = zip(*possible, strict=True)
    chosen: Action = random.choices(actions, weights)[0]
    return chosen


class Poker(Game[events.GameStarted, PokerState, PokerView, Choices]):
    """Poker as a list of streets, for the service; each subclass has its own kind and variant."""

    variant: ClassVar[Variant]
    event_types = events.EVENT_TYPES
    start_event = events.GameStarted
    actions = (events.Check, events.Bet, events.Call, events.Raise, events.Fold)
    players = {"any": AnyPlayer, "calling": CallingPlayer}  # noqa: RUF012 - as the contract declares it
    words = PokerWords()
    dealt = frozenset({events.DeckShuffled, events.CardsDealt, events.UpCardsDealt, events.BoardDealt})
    seeded = frozenset({events.DeckShuffled})
    unit = "chips"
    tournament_rounds = 1

    def options(self, given: Options) -> Options:
        if unknown := set(given) - {"stack"}:
            raise InvalidValue(f"Poker has no option {min(unknown)!r}; its option is 'stack'.")
        return {"stack": given.get("stack", 40)}

    def default_seats(self, options: Options) -> int:
        return 3

    def default_kind(self, options: Options) -> str:
        return "any"

    def start(self, setup: Setup) -> events.GameStarted:
        if not 2 <= len(setup.seats) <= 10:
            raise InvalidValue(f"{len(setup.seats)} players cannot play; it takes 2 to 10.")
        self.check_kinds(setup.seats)
        stack = self.options(setup.options or {})["stack"]
        return events.GameStarted(**self.started_as(setup), game=self.kind, rounds=setup.rounds or 6, stack=stack)

    def begin(self, started: events.GameStarted) -> PokerState:
        return PokerState(started, self.variant)

    def action_of(self, event: Event) -> Action | None:
        match event:
            case events.Checked():
                return events.Check(event.seat)
            case events.BetMade():
                return events.Bet(event.seat, event.amount)
            case events.Called():
                return events.Call(event.seat)
            case events.Raised():
                return events.Raise(event.seat, event.to)
            case events.Folded():
                return events.Fold(event.seat)
        return super().action_of(event)
