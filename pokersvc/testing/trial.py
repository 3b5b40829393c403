"""A game played under observation: programs and simulated people choose, and checks look at every event."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from random import Random
from typing import ClassVar, Final, TypeVar

from pokersvc.core.actions import FORFEIT_CODES, Action, BetweenRounds, Forfeit, ForgoRound, IllegalAction, Leave
from pokersvc.core.common_events import Started
from pokersvc.core.event import EVERYONE, Event, Viewer
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import Entropy
from pokersvc.core.seats import HUMAN
from pokersvc.core.state import State
from pokersvc.evidence.findings import place_of
from pokersvc.testing.plans import Plan
from pokersvc.testing.promises import BrokenPromise, Promise
from pokersvc.text import counted

MOST_EVENTS: Final = 20_000
"""A game with more events than this is reported as endless."""
LEAVES: Final = 0.15
"""The probability that somebody leaves between two rounds, if people play."""
FORFEITS: Final = 0.05
"""The probability that a program forfeits its choice."""
FORGOES: Final = 0.2
"""The probability that a seat forgoes a round, in games whose seats can shuffle together."""

FAILURES: Final = (Exception, SystemExit)
"""The exceptions caught from a game's faulty code; `SystemExit` is among them, so that the game cannot end the test."""

ArgumentT = TypeVar("ArgumentT")
ResultT = TypeVar("ResultT")


@dataclass
class Trial:
    """A game in play, and everything that was recorded of it."""

    plan: Plan
    started: Started
    state: State
    entropy: Entropy
    random: Random
    events: list[Event] = field(default_factory=list)
    """Every event, including the start."""
    number: int = 1
    """The number of the current event."""
    twin: State | None = None
    """The state from replaying the stored events; None once they cannot be replayed."""
    forgoing: list[int] = field(default_factory=list)
    """The seats that must forgo the round as soon as a seat must choose in it."""
    copies: dict[Viewer, State] = field(default_factory=dict)
    """Viewer → the state with only what this viewer may know; empty once the states cannot be computed."""

    @classmethod
    def of(cls, plan: Plan) -> "Trial":
        """Return the game after its start."""
        started = plan.game.start(plan.setup)
        return cls(plan, started, plan.game.new(started), plan.setup.source.entropy(), plan.random, [started])

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.plan.game

    @property
    def seats(self) -> range:
        """The numbers of the seats."""
        return range(1, len(self.plan.setup.seats) + 1)

    @property
    def viewers(self) -> list[Viewer]:
        """The viewers: everyone, and each seat."""
        return [EVERYONE, *self.seats]

    @property
    def programs(self) -> tuple[str, ...]:
        """The kinds of programs that choose, including for people."""
        return self.plan.programs

    def kind(self, seat: int) -> str:
        """Return the kind of a seat."""
        return self.plan.setup.seats[seat - 1].kind

    def broken(self, promise: Promise, found: str) -> BrokenPromise:
        """Return the error for something found at the current event."""
        return BrokenPromise(promise, found, kind=self.game.kind, seed=self.plan.seed, event=self.number)


class PromiseCheck:
    """A check that observes a game: its methods are called during the game, and raise `Trial.broken` for a fault."""

    promise: ClassVar[Promise]
    """The promise that is reported as broken if the game raises an exception during this check."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial

    def choosing(self, action: Action) -> None:
        """Check a choice before it is decided."""

    def happening(self, event: Event, action: Action | None) -> None:
        """Check an event before it is applied, with the action it comes from, or None for the dealer's."""

    def happened(self, event: Event) -> None:
        """Check an event after it was applied."""

    def over(self) -> None:
        """Check the game at its end."""


class Onlookers:
    """The checks of a game; a check is removed once it has found something."""

    def __init__(self, trial: Trial, checks: Sequence[Callable[[Trial], PromiseCheck]]) -> None:
        self.found: list[BrokenPromise] = []
        self._trial = trial
        self._checks = [check for make in checks if (check := self._tried(Promise.PLAYS, make, trial)) is not None]

    def tell(self, what: Callable[[PromiseCheck], None]) -> None:
        """Call every check that still observes the game."""
        before = len(self.found)
        for check in list(self._checks):
            self._tried(check.promise, what, check)
            if len(self.found) > before:
                before = len(self.found)
                self._checks.remove(check)

    def _tried(self, promise: Promise, what: Callable[[ArgumentT], ResultT], argument: ArgumentT) -> ResultT | None:
        try:
            return what(argument)
        except BrokenPromise as broken:
            self.found.append(broken)
        except FAILURES as error:
            self.found.append(broken_by(error, promise, self._trial))
        return None


def broken_by(error: BaseException, promise: Promise, trial: Trial) -> BrokenPromise:
    """Return the error for an exception that was raised while a promise was checked."""
    broken = trial.broken(promise, f"{type(error).__name__} at {place_of(error)}: {error}")
    broken.__cause__ = error
    return broken


def play(trial: Trial, onlookers: Onlookers) -> None:
    """Play a game to its end, or as far as it goes."""
    try:
        while trial.state.outcome is None:
            action = _next_action(trial)
            trial.number += 1
            if action is not None:
                onlookers.tell(lambda check, action=action: check.choosing(action))  # type: ignore[misc]
            event = _next_event(trial, action)
            onlookers.tell(lambda check, event=event, action=action: check.happening(event, action))  # type: ignore[misc]
            if trial.game.dealt_together and type(event) in trial.game.seeded:
                trial.forgoing = [seat for seat in trial.seats if trial.random.random() < FORGOES]
            trial.state.apply(event)
            trial.events.append(event)
            onlookers.tell(lambda check, event=event: check.happened(event))  # type: ignore[misc]
            if trial.number == MOST_EVENTS:
                raise trial.broken(Promise.PLAYS, f"the game has no end after {counted(MOST_EVENTS, 'event')}")
        if trial.state.awaited or trial.state.dealer_event(trial.entropy) is not None:
            raise trial.broken(Promise.PLAYS, "the game is over and somebody is still to act")
        onlookers.tell(lambda check: check.over())
    except BrokenPromise as broken:
        onlookers.found.append(broken)
    except FAILURES as error:
        onlookers.found.append(broken_by(error, Promise.PLAYS, trial))


def _between_rounds(trial: Trial, people: Sequence[int]) -> Action | None:
    """Return a random action of a person between two rounds, or None if it is not allowed."""
    random = trial.random
    kinds: list[type[BetweenRounds]] = [Leave, *trial.game.between_rounds]
    kind = random.choice(kinds)
    amounts = {field.name: random.randint(1, 200) for field in fields(kind) if field.name != "seat"}
    action = kind(random.choice(people), **amounts)
    with suppress(IllegalAction):
        trial.state.decide(action)
        return action
    return None


def _next_action(trial: Trial) -> Action | None:
    """Return the next action of a seat, or None if the dealer is to act."""
    state, random = trial.state, trial.random
    if state.pausing:
        people = [seat for seat in trial.seats if trial.kind(seat) == HUMAN]
        if trial.game.between_rounds:
            return _between_rounds(trial, people) if people and random.random() < LEAVES else None
        people = [seat for seat in people if state.playing(seat)]
        return Leave(random.choice(people)) if people and random.random() < LEAVES else None
    if not state.awaited:
        return None
    while trial.forgoing:
        forgone = ForgoRound(trial.forgoing.pop(0))
        with suppress(IllegalAction):  # the seat was not dealt in
            state.decide(forgone)
            return forgone
    seat = random.choice(state.awaited)
    kind = trial.kind(seat)
    if kind != HUMAN and random.random() < FORFEITS:
        return Forfeit(seat, random.choice(FORFEIT_CODES))
    program = trial.game.players[random.choice(trial.programs) if kind == HUMAN else kind]()
    return program.choose(state.view(seat), state.legal(seat), random)


def _next_event(trial: Trial, action: Action | None) -> Event:
    state = trial.state
    if action is not None:
        try:
            return state.decide(action)
        except IllegalAction as refused:
            raise trial.broken(Promise.PLAYS, f"{action!r} was refused: {refused}") from refused
    event = state.dealer_event(trial.entropy)
    if event is None:
        raise trial.broken(Promise.PLAYS, "nobody is to act, and the game is not over")
    return event
