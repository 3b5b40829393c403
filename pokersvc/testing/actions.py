"""Checks of choices: refusals, decisions, and choices that come from a bot's process or that a person types."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from re import findall
from typing import Any, ClassVar, Final, TypeAlias

from pokersvc.core.actions import Action, BetweenRounds, Forfeit, IllegalAction, Leave, ServiceAction
from pokersvc.core.event import Event
from pokersvc.core.seats import HUMAN
from pokersvc.core.typevars import AnyView
from pokersvc.core.words import InvalidAnswer
from pokersvc.players.answers import Answers
from pokersvc.players.questions import QuestionReader, Questions
from pokersvc.testing.plans import chance
from pokersvc.testing.promises import Promise
from pokersvc.testing.states import same
from pokersvc.testing.trial import PromiseCheck, Trial

Typed: TypeAlias = Callable[[Action, AnyView], str]
"""A function that takes an action and the view of its seat, and returns the text that a person types for it."""

TRIED: Final = 4
"""The number of wrong actions tried at each choice."""
NONSENSE: Final = ("", " ", "?", "0", "-1", "1 2 3", "9" * 40, "no such thing", "\x00", "é" * 500)


@dataclass(frozen=True, slots=True)
class _NoAction(Action):
    """An action that no game has."""


class DecideCheck(PromiseCheck):
    """`decide` refuses actions that are not allowed, changes nothing, and `action_of` is its inverse."""

    promise: ClassVar = Promise.DECIDING

    def choosing(self, action: Action) -> None:
        """Try wrong actions and similar ones, and check that the state does not change."""
        trial, random = self.trial, chance(self.trial.plan.seed, "wrong actions", str(self.trial.number))
        possible = list(_wrong(action, len(trial.seats)))
        for wrong in [action, *random.sample(possible, min(TRIED, len(possible)))]:
            try:
                event = trial.state.decide(wrong)
            except IllegalAction as refused:
                self._refused(wrong, refused)
            except Exception as error:
                raise trial.broken(
                    Promise.REFUSING, f"{wrong!r} is refused by {type(error).__name__}: {error}"
                ) from error
            else:
                self._inverse(wrong, event)
            if trial.twin is not None and not same(trial.state, trial.twin):
                raise trial.broken(Promise.DECIDING, f"the state has changed after deciding on {wrong!r}")

    def happening(self, event: Event, action: Action | None) -> None:
        """Check that `action_of` returns None for an event of the dealer's."""
        if action is None and (found := self.trial.game.action_of(event)) is not None:
            raise self.trial.broken(Promise.ACTION_OF, f"{event} is the dealer's, and `action_of` returns {found!r}")

    def _refused(self, action: Action, refused: IllegalAction) -> None:
        """Check that a state with only what the seat may know refuses the action in the same words."""
        copy = self.trial.copies.get(action.seat)
        if copy is None:
            return
        try:
            copy.decide(action)
            again = ""
        except Exception as error:  # a refusal, or a failure because hidden data are missing
            again = str(error)
        if again != str(refused):
            raise self.trial.broken(
                Promise.REFUSING, f"the refusal of {action!r} depends on what is hidden from seat {action.seat}"
            )

    def _inverse(self, action: Action, event: Event) -> None:
        found = self.trial.game.action_of(event)
        if found != action:
            raise self.trial.broken(Promise.ACTION_OF, f"{action!r} makes {event}, whose action is {found!r}")
        codec = self.trial.game.codec
        try:
            read = codec.decode(*codec.encode(event))
        except Exception as error:
            raise self.trial.broken(
                Promise.REFUSING, f"{action!r} is accepted, and its event cannot be stored: {error}"
            ) from error
        if read != event:
            raise self.trial.broken(Promise.CODEC, f"{event} is read back as {read}")


def _wrong(action: Action, seats: int) -> Iterator[Action]:
    """Yield actions similar to the chosen one; most of them are wrong."""
    yield _NoAction(action.seat)
    yield Leave(action.seat)
    yield Forfeit(action.seat, "no reason")
    for seat in (0, -1, seats + 1, action.seat % seats + 1):
        yield replace(action, seat=seat)
    for field in fields(action):
        if field.name != "seat":
            for value in _values_beside(getattr(action, field.name)):
                yield replace(action, **{field.name: value})


def _values_beside(value: object) -> Iterator[Any]:
    if type(value) is int:
        yield from (value - 1, value + 1, 0, -1, 10**30, float(value), str(value))
    elif isinstance(value, tuple):
        yield from ((), value + value, value[1:], list(value), (*value, None))
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, str):
        yield from ("", value + "?", value.swapcase())
    yield from (None, object())


class ProcessCheck(PromiseCheck):
    """A view reaches a player's own process unchanged, and the player's action comes back unchanged."""

    promise: ClassVar = Promise.PROCESS

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._questions, self._heard = Questions(), QuestionReader()
        self._answers = Answers(trial.game.actions)

    def choosing(self, action: Action) -> None:
        """Write and read the question as for a player's process, and the answer as from that process."""
        trial, seat = self.trial, action.seat
        if isinstance(action, BetweenRounds | ServiceAction):
            return
        question = trial.state.view(seat), trial.state.legal(seat)
        if (heard := self._heard.read(self._questions.write(question))) != question:
            raise trial.broken(Promise.PROCESS, f"a view of seat {seat} is different when it arrives: {heard!r}")
        if type(action) not in trial.game.actions:
            raise trial.broken(Promise.PROCESS, f"{type(action).__name__} is chosen and is not in `actions`")
        written = self._answers.write(action)
        if written is None or self._answers.read(written) != action:
            raise trial.broken(Promise.PROCESS, f"{action!r} cannot be sent")


class TypingCheck(PromiseCheck):
    """A person can type every choice with the words of the question."""

    promise: ClassVar = Promise.TYPED

    def __init__(self, trial: Trial, typed: Typed) -> None:
        super().__init__(trial)
        self._typed = typed

    def choosing(self, action: Action) -> None:
        """Check that a typed choice is read as that choice, and that nonsense raises no error but `InvalidAnswer`."""
        trial, seat, words = self.trial, action.seat, self.trial.game.words
        if isinstance(action, BetweenRounds | ServiceAction) or trial.kind(seat) != HUMAN:
            return
        view, legal = trial.state.view(seat), trial.state.legal(seat)
        question, text = words.ask(view, legal), self._typed(action, view)
        if not question.strip():
            raise trial.broken(Promise.TYPED, "the question is empty")
        if words.explain(text, view, legal) is not None:
            raise trial.broken(Promise.TYPED, f"{text!r} is read as a request to explain")
        try:
            read = words.read(text, view, legal)
        except InvalidAnswer as error:
            raise trial.broken(Promise.TYPED, f"{text!r}, typed for {action!r}, is refused: {error}") from error
        if read != action:
            raise trial.broken(Promise.TYPED, f"{text!r}, typed for {action!r}, is read as {read!r}")
        known = findall(r"[^\W\d_]+", question.lower())
        if unsaid := [word for word in findall(r"[^\W\d_]+", self._without_values(text, action)) if word not in known]:
            raise trial.broken(Promise.TYPED, f"the question {question!r} does not say {unsaid[0]!r} for {action!r}")
        for nonsense in NONSENSE:
            if words.explain(nonsense, view, legal) is None:
                try:
                    words.read(nonsense, view, legal)
                except InvalidAnswer:
                    continue

    @staticmethod
    def _without_values(text: str, action: Action) -> str:
        """Return the words of a typed answer without the values of its action."""
        values = {part.lower() for value in _values(action) for part in value.split()}
        return " ".join(word for word in text.lower().split() if word not in values)


def _values(action: Action) -> Iterator[str]:
    """Yield the values of an action's fields as a person may type them."""
    for field in fields(action):
        value = getattr(action, field.name)
        if field.name != "seat":
            yield from map(str, value if isinstance(value, tuple) else (value,))


def typed_plainly(action: Action, _view: object) -> str:
    """Return an action's name in lower case, then its values: ``Take(seat=1, stones=2)`` is typed ``take 2``."""
    name = " ".join(findall(r"[A-Z][a-z0-9]*", type(action).__name__)).lower()
    return " ".join([name, *_values(action)])
