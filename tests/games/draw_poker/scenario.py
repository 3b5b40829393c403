"""A game for testing rules: given events, when a seat acts, then an event or a refusal."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import pytest

from pokersvc.cards import Card, parse_cards
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import Action, BetweenRounds, IllegalAction
from pokersvc.core.event import EVERYONE, Event, EventT, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.randomness.stream import derive
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Discard, LegalActions
from pokersvc.games.draw_poker.house.houses import preset, rules_of
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.situation import COMMITTING
from pokersvc.games.draw_poker.state import DrawPokerState
from pokersvc.games.draw_poker.view import DrawPokerView
from tests.games.draw_poker.committed import hand_dealt

RISING_ANTE: Final = preset("rising-ante")

ACES, KINGS, QUEENS, NOTHING = "AH AD 8C 6S 3C", "KH KD 9C 7S 2C", "QH QD TC 5S 4C", "JH 9D 7C 4S 2D"
"""Four hands that one deck can deal, from the best to the worst."""


class Scenario:
    """A game whose dealer acts only when asked to, and commits to each card as where people play."""

    def __init__(self, started: events.GameStarted) -> None:
        if started.engine >= COMMITTING and not any(seat.kind == HUMAN for seat in started.seats):
            started = replace(started, hidden_kinds=True)
        self.state: DrawPokerState = DRAW_POKER.new(started)
        self.log: list[Event] = [started]

    # Given.

    def given(self, *happened: Event | Action) -> "Scenario":
        """Apply events as they are, and actions, each after the dealer's pending events."""
        for what in happened:
            if isinstance(what, Action):
                if not isinstance(what, BetweenRounds):  # which comes before what the dealer does
                    self.deal_on()
                self._apply(self.state.decide(what))
            else:
                self._apply(what)
        return self

    def deal_on(self) -> list[Event]:
        """Let the dealer act until a seat must choose, a person may leave or the game is over; return the events."""
        done: list[Event] = []
        while (event := self.state.dealer_event(DEALER)) is not None:
            done.append(self._apply(event))
            if isinstance(event, events.RoundEnded):
                break
        return done

    def ready(self) -> "Scenario":
        """Let the dealer act until a seat must choose."""
        self.deal_on()
        return self

    def _apply(self, event: Event) -> Event:
        self.state.apply(event)
        self.log.append(event)
        return event

    # When and then.

    def event_of(self, action: Action) -> Event:
        """Return the event that an action becomes."""
        return self.state.decide(action)

    def refusal(self, action: Any) -> str:
        """Return the error code of a refused action; check that the state is unchanged."""
        before = deepcopy(self.state)
        with pytest.raises(IllegalAction) as refused:
            self.state.decide(action)
        assert self.state == before, f"refusing {action} changed the state"
        assert str(refused.value).endswith("."), "a refusal is a sentence"
        return refused.value.code

    def dealer(self) -> Event | None:
        """Return the dealer's next event."""
        return self.state.dealer_event(DEALER)

    @property
    def to_act(self) -> int | None:
        return self.state.to_act

    @property
    def legal(self) -> LegalActions:
        """The legal actions of the seat to act."""
        assert self.state.to_act is not None
        return self.state.legal(self.state.to_act)

    def view(self, viewer: Viewer = EVERYONE) -> DrawPokerView:
        return self.state.view(viewer)

    def hand(self, seat: int) -> tuple[Card, ...]:
        return known_among(self.view(seat).seat(seat).cards)

    @property
    def stacks(self) -> tuple[int, ...]:
        return tuple(seat.stack for seat in self.view().seats)

    @property
    def pot(self) -> int:
        return self.view().pot


class _Dealer:
    def seed(self, index: int) -> bytes:
        return derive(b"a table to try rules at", "deck", index)


DEALER: Final = _Dealer()


def rules_with(**changes: Any) -> DrawPokerRules:
    """Return the rules of rising-ante with changed fields; fields of a part are named as ``betting__minimum``."""
    data = RISING_ANTE.model_dump()
    for name, value in changes.items():
        *parts, field = name.split("__")
        part = data
        for key in parts:
            part = part[key]
        part[field] = value
    return rules_of(data, "changed")


def seated(
    players: int = 2,
    *,
    persons: Iterable[int] = (),
    rounds: int | None = None,
    rules: DrawPokerRules = RISING_ANTE,
    engine: int = DRAW_POKER.engine,
) -> Scenario:
    """A game before its first round; its seats are programs' but for ``persons``."""
    seats = tuple(Seat(HUMAN if seat in set(persons) else "random", f"Player{seat}") for seat in range(1, players + 1))
    setup = Setup(seats, EntropySource.from_text("a table"), rounds, {"rules": rules})
    return Scenario(replace(DRAW_POKER.start(setup), engine=engine))


def after_earlier_rounds(game: Scenario, stacks: Iterable[int] = (), carried: int = 0) -> Scenario:
    """Set the stacks and the pot that earlier rounds have left."""
    if stacks := list(stacks):
        game.state.stacks[1:] = stacks
    game.state.pot = carried
    return game


def dealt(
    players: int = 2,
    *hands: str,
    stacks: Iterable[int] = (),
    carried: int = 0,
    persons: Iterable[int] = (),
    rules: DrawPokerRules = RISING_ANTE,
) -> Scenario:
    """Round 1 in its first betting: antes of 5 are paid (``stacks`` are those before), hands are dealt.

    ``hands`` are given to the seats in order; without them the dealer deals.
    """
    game = after_earlier_rounds(seated(players, persons=persons, rules=rules), stacks, carried)
    if not hands:
        return game.ready()
    assert len(hands) == players
    while game.to_act is None and not isinstance(game.dealer(), events.HandDealt):
        event = game.dealer()
        assert event is not None
        game.given(event)
    return game.given(*(hand_dealt(parse_cards(cards), seat) for seat, cards in enumerate(hands, 1)))


def stand_pat(*seats: int) -> list[Action]:
    """Return the actions by which seats stand pat."""
    return [Discard(seat, ()) for seat in seats]


def happened(done: Iterable[Event], *types: type[EventT]) -> list[EventT]:
    """Return the events of some types."""
    return [event for event in done if isinstance(event, types)]
