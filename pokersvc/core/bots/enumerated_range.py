"""The range of a small game: every course of the game that fits what one seat has seen."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple

from pokersvc.core.actions import Action
from pokersvc.core.bots.estimates import EnumeratedEstimate, after, made
from pokersvc.core.bots.policy import Policy
from pokersvc.core.bots.ranges import Range
from pokersvc.core.event import Event, redact
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.state import StateT
from pokersvc.core.typevars import ViewT


class Course(NamedTuple, Generic[StateT]):
    """A course that the game may have taken: its state, in which nothing that matters is hidden, and its weight."""

    state: StateT
    weight: float


class EnumeratedRange(Range[StateT, ViewT], Generic[StateT, ViewT]):
    """A range for a small game, computed exactly by trying every outcome of chance.

    A game says which choice checks, calls or stands pat (`passive`), which actions are weighed, and which action gives
    up.
    """

    def __init__(self, begun: StateT, seat: int, estimate: EnumeratedEstimate[StateT]) -> None:
        """Begin with the state at the start of the game, in which nothing is hidden yet."""
        self._seat, self._estimate = seat, estimate
        self._courses = [Course(begun, 1.0)]
        self._narrowed: list[Course[StateT]] | None = None
        # `dealer_event` requires seeds, but nothing is dealt from these seeds.
        self._entropy = EntropySource.from_text("range").entropy()

    @abstractmethod
    def passive(self, state: StateT) -> Action:
        """Return the action of the seat to act that leads to the end of the game without further bets."""

    def weights(self) -> list[float]:
        """Return the weight of each possible course."""
        return [course.weight for course in self._courses]

    def views(self, state: StateT, chosen: tuple[Event, ...]) -> list[ViewT]:
        """Return, for each possible course, the view that the other seat would have."""
        views: list[ViewT] = [_followed(course.state, chosen).view(3 - self._seat) for course in self._courses]
        return views

    def values(self, state: StateT, chosen: tuple[Event, ...]) -> list[float]:
        """Return, for each possible course, the expected result over all outcomes of chance."""
        return [self._to_the_end(_followed(course.state, chosen)) for course in self._courses]

    def choices(self, state: StateT) -> Sequence[Action]:
        """Return the other seat's actions in a state with nothing hidden; by default, those this seat considers."""
        return self.actions(state)

    def narrow(self, state: StateT, event: Event, policies: Sequence[Policy]) -> bool:
        """Extend each course by every choice that fits what the seat saw; return whether there is one.

        An illegal action cannot have been made, so its probability in a policy is ignored.
        """
        self._narrowed = self._followed_by(event, policies)
        if self._narrowed:
            return True
        self._narrowed = self._followed_by(event, [{}] * len(self._courses))
        return False

    def _followed_by(self, event: Event, policies: Sequence[Policy]) -> list[Course[StateT]]:
        """Return the courses after a choice, as the seat sees it; an empty policy stands for a uniform one."""
        return [
            Course(after(course.state, came), course.weight * part)
            for course, policy in zip(self._courses, policies, strict=True)
            for came, part in (self._seen_as(course.state, event, policy) if policy else self._any(course.state, event))
            if part > 0
        ]

    def _seen_as(self, state: StateT, event: Event, policy: Policy) -> list[tuple[Event, float]]:
        """Return the events of a policy's actions that look to the seat like this event, with probabilities."""
        return [
            (came, part)
            for action, part in policy.items()
            if (came := made(state, action)) is not None and redact(came, self._seat) == event
        ]

    def _any(self, state: StateT, event: Event) -> list[tuple[Event, float]]:
        """Return every choice that the seat cannot tell from this event; if there is none, return the event itself."""
        actions = self.choices(state)
        return self._seen_as(state, event, dict.fromkeys(actions, 1 / max(1, len(actions)))) or [(event, 1.0)]

    def take(self, state: StateT, event: Event) -> None:
        """Extend each course by every outcome of chance that fits what the seat saw."""
        if self._narrowed:
            self._courses, self._narrowed = self._narrowed, None
            return
        found = []
        for course in self._courses:
            outcomes = [] if course.state.awaited else self._estimate.outcomes(course.state)
            for came, part in outcomes or [(event, 1.0)]:
                if not outcomes or redact(came, self._seat) == event:
                    found.append(Course(after(course.state, came), course.weight * part))
        self._courses = found

    def _to_the_end(self, state: StateT) -> float:
        if (outcome := state.outcome) is not None:
            return float(outcome.scores[self._seat - 1])
        if state.to_act is not None:
            return self._to_the_end(after(state, state.decide(self.passive(state))))
        if found := self._estimate.outcomes(state):
            return sum(part * self._to_the_end(after(state, came)) for came, part in found)
        event = state.dealer_event(self._entropy)
        assert event is not None  # nobody chooses, and the game is not over
        return self._to_the_end(after(state, event))


def _followed(state: StateT, chosen: tuple[Event, ...]) -> StateT:
    for event in chosen:
        state = after(state, event)
    return state
