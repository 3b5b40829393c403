"""Checks of hidden choices: whether other fields reveal a field that is marked as secret."""

from collections import defaultdict
from dataclasses import fields
from typing import ClassVar, Final, NamedTuple

from pokersvc.core.actions import Action, BetweenRounds, ServiceAction
from pokersvc.core.event import Event, secret_fields
from pokersvc.testing.plans import chance
from pokersvc.testing.promises import Promise
from pokersvc.testing.trial import FAILURES, PromiseCheck, Trial

ENOUGH: Final = 4
"""The fewest choices after which a public field that equals the hidden field every time is reported."""
ENOUGH_OF_TWO: Final = 12
"""As `ENOUGH`, for choices between yes and no, where fields are more often equal by chance."""


def chosen_otherwise(trial: Trial, action: Action) -> Event | None:
    """Return the event if a random program chooses instead; None if the program fails or there was no choice."""
    if isinstance(action, BetweenRounds | ServiceAction):
        return None
    random = chance(trial.plan.seed, "another choice", str(trial.number))
    state, program = trial.state, trial.game.players[random.choice(trial.programs)]()
    try:
        return state.decide(program.choose(state.view(action.seat), state.legal(action.seat), random))
    except FAILURES:  # a program that fails is reported where it plays
        return None


class _Pair(NamedTuple):
    """A type of event, with one of its hidden fields and one of its public fields."""

    event: str
    hidden: str
    public: str


class RepeatedCheck(PromiseCheck):
    """No public field of a choice repeats a hidden one.

    Two fields may be equal by chance, and one may follow from the other on purpose (the number of cards discarded, not
    which). So only a field that repeats the hidden one in every choice of a game, with different values, is reported.
    """

    promise: ClassVar = Promise.MARKED

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._repeated: defaultdict[_Pair, list[object]] = defaultdict(list)
        self._differing: set[_Pair] = set()

    def happening(self, event: Event, action: Action | None) -> None:
        """Record the fields of the choice, and those of another choice in its place."""
        if action is not None and not isinstance(action, BetweenRounds | ServiceAction):
            for one in (event, chosen_otherwise(self.trial, action)):
                if one is not None:
                    self._note(one)

    def over(self) -> None:
        """Report a public field that repeated the hidden one in every choice."""
        for pair, values in self._repeated.items():
            enough = ENOUGH_OF_TWO if all(isinstance(value, bool) for value in values) else ENOUGH
            if pair not in self._differing and len(values) >= enough and any(value != values[0] for value in values):
                raise self.trial.broken(
                    Promise.MARKED, f"`{pair.public}` of {pair.event} is public and repeats the hidden `{pair.hidden}`"
                )

    def _note(self, event: Event) -> None:
        secrets = secret_fields(type(event))
        said = {field.name: getattr(event, field.name) for field in fields(event)}
        for hidden in secrets:
            for public in said.keys() - secrets.keys() - {"seat"}:
                pair = _Pair(type(event).__name__, hidden, public)
                if said[hidden] is not None and _says(said[public], said[hidden]):
                    self._repeated[pair].append(said[hidden])
                elif said[hidden] is not None:
                    self._differing.add(pair)


def _says(public: object, hidden: object) -> bool:
    """Return whether a public value equals a hidden one or contains it, in a list or in a text."""
    if type(public) is type(hidden):
        return bool(public == hidden)
    if isinstance(public, tuple):
        return any(_says(one, hidden) for one in public)
    return isinstance(public, str) and str(hidden) in public
