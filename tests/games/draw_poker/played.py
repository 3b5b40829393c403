"""Whole random games, on which the invariants are tested."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from pokersvc.cards import FRESH_DECK, Card, shuffle
from pokersvc.cards.unknown import known_among
from pokersvc.core.actions import FORFEIT_CODES, Action, Forfeit, Leave
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, earlier_events, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.advising.players import PLAYERS
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.state import DrawPokerState

from .scenario import RISING_ANTE, rules_with

MAX_EVENTS: Final = 20_000

KINDS: Final = sorted(kind for kind in PLAYERS if "/" not in kind)
"""Bots for whole games; those that draw by Monte Carlo are left out, because they differ only in time."""
"""More than any game of these tests has."""


@dataclass(frozen=True)
class Plan:
    """A game to play; the same plan always gives the same game."""

    kinds: tuple[str, ...]
    rounds: int | None
    rules: DrawPokerRules = field(repr=False)
    seed: int
    stack: int

    @property
    def started(self) -> events.GameStarted:
        seats = tuple(Seat(kind, f"Player{seat}") for seat, kind in enumerate(self.kinds, 1))
        source = EntropySource.from_text(str(self.seed))
        return DRAW_POKER.start(Setup(seats, source, self.rounds, {"rules": self.rules}))


@cache
def _house(stack: int, discards: int, minimum: int, increase: int) -> DrawPokerRules:
    return rules_with(stack=stack, discards=discards, betting__minimum=minimum, ante__increase=increase)


@st.composite
def plans(draw: st.DrawFn, *, most_rounds: int | None = 3) -> Plan:
    """Games of 2 to 10 seats, half of them of the house itself, half with other numbers in its rules."""
    seats = draw(st.integers(2, 10))
    kinds = draw(st.lists(st.sampled_from([HUMAN, *KINDS]), min_size=seats, max_size=seats))
    rules = RISING_ANTE
    if draw(st.booleans()):
        rules = _house(
            draw(st.sampled_from([60, 120, 211, 400])),
            draw(st.integers(0, 5)),
            draw(st.sampled_from([1, 20, 50])),
            draw(st.sampled_from([0, 1, 7])),
        )
    rounds = None if most_rounds is None else draw(st.sampled_from([most_rounds, *range(1, most_rounds)]))
    return Plan(tuple(kinds), rounds, rules, draw(st.integers(0, 2**32)), rules.stack)


class Played:
    """A game in progress, with the random choices of its players."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.started = plan.started
        self.state: DrawPokerState = DRAW_POKER.new(self.started)
        self.random = Random(plan.seed)
        assert self.started.entropy is not None
        self.entropy = self.started.entropy.entropy()
        self.players = [None if kind == HUMAN else PLAYERS[kind]() for kind in plan.kinds]
        self.loose = Random(plan.seed + 1).random() < 0.5
        """Whether persons seldom fold: only then do many seats reach the draw."""

    def steps(self) -> Iterator[Event]:
        """Yield each event after it was applied, to the end of the game."""
        for _ in range(MAX_EVENTS):
            event = self.next_event()
            if event is None:
                return
            self.state.apply(event)
            yield event
        raise AssertionError("the game does not end")

    def next_event(self) -> Event | None:
        state = self.state
        if state.pausing and self.random.random() < 0.3:
            person = self.random.choice([s for s, kind in enumerate(self.plan.kinds, 1) if kind == HUMAN])
            if state.view(person).seat(person).standing != "out":
                return state.decide(Leave(person))
        if state.to_act is None:
            return state.dealer_event(self.entropy)
        return state.decide(self.choose(state.to_act))

    def choose(self, seat: int) -> Action:
        """Return a legal action of the seat on turn."""
        legal, player = self.state.legal(seat), self.players[seat - 1]
        if player is None:
            return self._person(seat, legal)
        if self.random.random() < 0.02:
            return Forfeit(seat, self.random.choice(FORFEIT_CODES))
        return player.choose(self.state.view(seat), legal, self.random)

    def _person(self, seat: int, legal: LegalActions) -> Action:
        actions = list(boundary_actions(self.state, seat))
        if self.loose and len(actions) > 1:
            actions = [action for action in actions if not isinstance(action, Fold)]
        if legal.bet is not None and self.loose:
            actions.append(Bet(seat, legal.bet[0]))
        return self.random.choice(actions)


def boundary_actions(state: DrawPokerState, seat: int) -> Iterator[Action]:
    """Yield the actions that `legal` announces: of each amount and number of cards the least and the most."""
    legal = state.legal(seat)
    if legal.discard is not None:
        hand = known_among(state.view(seat).seat(seat).cards)
        for count in range(min(legal.discard, 5) + 1):
            yield Discard(seat, hand[5 - count :])
    if legal.check:
        yield Check(seat)
    if legal.fold:
        yield Fold(seat)
    if legal.call:
        yield Call(seat)
    if legal.bet is not None:
        yield from (Bet(seat, amount) for amount in dict.fromkeys(legal.bet))
    if legal.raise_to is not None:
        yield from (Raise(seat, to) for to in dict.fromkeys(legal.raise_to))


def any_action(state: DrawPokerState, random: Random) -> Action:
    """Return an action of any kind, seat, amount or cards: mostly an illegal one."""
    seat = random.choice([state.to_act or 1, random.randrange(-1, len(state.seats) + 2)])
    amount = random.choice([-1, 0, 1, 19, 20, 49, 50, 51, 999, 1000, 1001, random.randrange(2000)])
    cards = tuple(random.choices(FRESH_DECK, k=random.randrange(7)))
    makers: list[Callable[[], Action]] = [
        lambda: Check(seat),
        lambda: Fold(seat),
        lambda: Call(seat),
        lambda: Bet(seat, amount),
        lambda: Raise(seat, amount),
        lambda: Discard(seat, cards),
        lambda: Leave(seat),
        lambda: Forfeit(seat, random.choice(["raised", "no such code"])),
    ]
    return random.choice(makers)()


def play(plan: Plan) -> tuple[events.GameStarted, list[Event]]:
    """Play a game to its end; return how it started and every event after that."""
    game = Played(plan)
    return game.started, list(game.steps())


class Cards:
    """Tracks every card by the events alone, independently of the engine."""

    def __init__(self) -> None:
        self.deck: list[Card] = []
        self.hands: dict[int, list[Card]] = {}
        self.discards: dict[int, list[Card]] = {}
        self.folded: list[Card] = []
        self.seed = b""
        self.server = 0

    def follow(self, event: Any, stage: str) -> None:
        """Move the cards that an event moves; fail if they cannot come from there."""
        match event:
            case events.DeckShuffled(seed=bytes(seed)):
                self.__init__()  # type: ignore[misc]  # a new round
                self.seed, self.deck = seed, list(shuffle(FRESH_DECK, seed))
            case (
                events.HandDealt(cards=tuple(cards), seat=seat)
                | earlier_events.HandDealt(cards=tuple(cards), seat=seat)
            ):
                self.hands[seat] = self._deal(known_among(cards))
            case events.CardsDiscarded(cards=tuple(cards), seat=seat):
                for card in known_among(cards):
                    self.hands[seat].remove(card)
                self.discards[seat], self.server = list(known_among(cards)), seat
            case (
                events.CardsDrawn(cards=tuple(cards), seat=seat)
                | earlier_events.CardsDrawn(cards=tuple(cards), seat=seat)
            ):
                assert not set(cards) & set(self.discards[seat]), "a player was dealt their own discard"
                self.hands[seat] += self._deal(known_among(cards))
            case events.Folded(seat=seat):
                self.folded += self.hands.pop(seat)
            case events.PlayerLeft(seat=seat) if seat in self.hands:  # at an ante after the deal, or between rounds
                self.folded += self.hands.pop(seat)
            case events.Forfeited(seat=seat) if stage != "draw":
                self.folded += self.hands.pop(seat)
            case events.DeckReshuffled(count=count, number=number):
                own = self.server
                fresh = [*self.folded, *(c for seat, cards in self.discards.items() if seat != own for c in cards)]
                assert not self.deck, "the rest of the deck is dealt first"
                assert len(fresh) == count
                self.deck = list(shuffle(sorted(fresh), self.seed, f"reshuffle/{number}"))
                self.folded, self.discards = [], {own: self.discards[own]}
            case events.HandsOpened(hands=hands):
                assert {hand.seat: list(hand.cards) for hand in hands} == self.hands

    def _deal(self, cards: tuple[Card, ...]) -> list[Card]:
        assert tuple(self.deck[: len(cards)]) == cards, "cards are dealt from the top of the deck"
        del self.deck[: len(cards)]
        return list(cards)

    @property
    def all(self) -> list[Card]:
        """All cards, sorted."""
        discards = [card for cards in self.discards.values() for card in cards]
        hands = [card for cards in self.hands.values() for card in cards]
        return sorted([*self.deck, *hands, *discards, *self.folded])
