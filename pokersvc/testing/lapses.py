"""The check of the default action of a seat whose time is over."""

from typing import ClassVar

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import Event
from pokersvc.core.state import State
from pokersvc.testing.plans import chance
from pokersvc.testing.promises import Promise
from pokersvc.testing.states import same
from pokersvc.testing.trial import PromiseCheck, Trial


class LapseCheck(PromiseCheck):
    """`default_action` names a legal move for every seat that must choose, using only what the seat may know."""

    promise: ClassVar = Promise.LAPSING

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self.happened(trial.started)

    def happened(self, event: Event) -> None:
        """Ask for the default action of every seat that must choose, without applying it."""
        trial, state = self.trial, self.trial.state
        for seat in state.awaited:
            for away in (False, True):
                action = self._named(state, seat, away=away)
                self._expect_unchanged(Promise.ASKING, "it was asked what a seat does whose time is over")
                try:
                    state.decide(action)
                except IllegalAction as refused:
                    raise trial.broken(Promise.LAPSING, f"{action!r} was refused: {refused}") from refused
                self._expect_unchanged(Promise.DECIDING, f"deciding on {action!r}")
                copy = trial.copies.get(seat)
                if action.seat != seat or (copy is not None and self._named(copy, seat, away=away) != action):
                    raise trial.broken(Promise.LAPSING, f"{action!r} is not legal for seat {seat} by what it may know")

    def _expect_unchanged(self, promise: Promise, after: str) -> None:
        if self.trial.twin is not None and not same(self.trial.state, self.trial.twin):
            raise self.trial.broken(promise, f"the state has changed after {after}")

    def _named(self, state: State, seat: int, *, away: bool) -> Action:
        random = chance(self.trial.plan.seed, "lapses", f"{self.trial.number} {seat} {away}")
        return state.default_action(seat, away=away, random=random)
