"""The check that states are independent: an event applied to one changes no other."""

from collections.abc import Iterator
from copy import deepcopy
from typing import ClassVar

from pokersvc.core.actions import Action
from pokersvc.core.event import AUDITOR, Event
from pokersvc.core.state import State
from pokersvc.testing.chance import without_record
from pokersvc.testing.promises import Promise
from pokersvc.testing.trial import PromiseCheck, Trial


class ApartCheck(PromiseCheck):
    """An event applied to a copy of the state, or to another game with the same start, leaves the state unchanged.

    This check comes before all others that use copies: if states share something, the others report misleading faults.
    """

    promise: ClassVar = Promise.APART

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._second = trial.game.new(trial.started)
        if self._second is trial.state:
            raise trial.broken(Promise.APART, "`begin` returns the same state for two games")

    def happening(self, event: Event, action: Action | None) -> None:
        """Apply the event to a copy and to another game, before the state itself takes it."""
        state = self.trial.state
        shown = list(self._shown(state))
        for whose, other in (("a copy of it", deepcopy(state)), ("another game", self._second)):
            other.apply(event)
            if list(self._shown(state)) != shown:
                raise self.trial.broken(
                    Promise.APART, f"the state has changed after an event was applied to {whose}: they share a part"
                )

    def _shown(self, state: State) -> Iterator[object]:
        """Yield everything that a state shows to an auditor, as values that no later event changes."""
        yield _kept((state.awaited, state.outcome, state.pausing))
        yield _kept(without_record(state.view(AUDITOR)))
        yield from (_kept(state.legal(seat)) for seat in state.awaited)


def _kept(value: object) -> object:
    """Return a deep copy of a value, or the value itself if it cannot be copied, which `ProcessCheck` reports."""
    try:
        return deepcopy(value)
    except Exception:
        return value
