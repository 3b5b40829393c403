"""The check of games whose seats can shuffle together: decks are announced, and seats may forgo a round."""

from typing import ClassVar

from pokersvc.core.actions import Action, ForgoRound, IllegalAction
from pokersvc.core.event import Event, Viewer
from pokersvc.core.state import State
from pokersvc.testing.promises import BrokenPromise, Promise
from pokersvc.testing.states import same
from pokersvc.testing.trial import PromiseCheck, Trial


class TogetherCheck(PromiseCheck):
    """`deals_to` announces each deck's seats, the same to all viewers; a seat that must choose may forgo the round."""

    promise: ClassVar = Promise.TOGETHER

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._coming: tuple[int, ...] | None = None
        """The seats announced for the next deck, from its round's beginning until the shuffle; None at other times."""
        self._dealt: tuple[int, ...] = ()
        """The seats to which the last deck was dealt."""
        self._out: set[int] = set()
        """The seats that forwent the round."""
        self._check(trial.state)

    def happening(self, event: Event, action: Action | None) -> None:
        """Check, when a deck is shuffled, that `deals_to` announced its seats as the round began."""
        trial = self.trial
        if not trial.game.dealt_together:
            return
        announced = trial.state.deals_to()
        if announced is not None and action is None:
            self._coming, self._out = announced, set()
        if isinstance(action, ForgoRound):
            self._out.add(action.seat)
        if type(event) in trial.game.seeded:
            if self._coming is None:
                raise self._broken(f"{type(event).__name__} comes where `deals_to` announced no deck")
            self._dealt, self._coming = self._coming, None

    def happened(self, event: Event) -> None:
        """Check what is announced, which seats are asked, and which can forgo the round."""
        state = self.trial.state
        self._check(state)
        if not self.trial.game.dealt_together:
            return
        if self._coming is not None and (state.awaited or state.outcome is not None or state.deals_to() is not None):
            raise self._broken("`deals_to` announced a deck, and something else comes before it")
        for seat in state.awaited:
            if seat not in self._dealt or seat in self._out:
                why = "forwent the round" if seat in self._out else "is not among those to whom the deck was dealt"
                raise self._broken(f"seat {seat} is to choose, and {why}")
        for seat in (0, -1, *self.trial.seats, len(self.trial.seats) + 1):
            self._try(seat)

    def _check(self, state: State) -> None:
        to = state.deals_to()
        for viewer, copy in self.trial.copies.items():
            if (told := copy.deals_to()) != to:
                raise self._broken(f"`deals_to` is {to}, and {told} by what {_named(viewer)} may know")
        if to is None:
            return
        if not self.trial.game.dealt_together:
            raise self._broken(f"`deals_to` is {to} in a game that says no `dealt_together`")
        if not to or list(to) != sorted({*to}.intersection(self.trial.seats)):
            raise self._broken(f"`deals_to` is {to}, which is not seats of the game in ascending order")
        if state.awaited or state.outcome is not None:
            raise self._broken(f"`deals_to` is {to} although a seat is to choose or the game is over")

    def _try(self, seat: int) -> None:
        """Check that a seat that must choose may forgo the round, and one out of the round may not; apply nothing."""
        state, action = self.trial.state, ForgoRound(seat)
        made = self._made(state, action)
        if self.trial.twin is not None and not same(state, self.trial.twin):
            raise self.trial.broken(Promise.DECIDING, f"the state has changed after deciding on {action!r}")
        if made is not None and not state.awaited:
            raise self._broken(f"{action!r} was accepted although no seat is to choose")
        if made is not None and (seat not in self._dealt or seat in self._out):
            raise self._broken(f"{action!r} was accepted although the seat is not in the round")
        for viewer, copy in self.trial.copies.items() if state.awaited else ():
            if self._made(copy, action) != made:
                raise self._broken(f"whether {action!r} is allowed depends on what is hidden from {_named(viewer)}")
        if made is None and seat in state.awaited:
            raise self._broken(f"{action!r} was refused although the seat is to choose")

    def _made(self, state: State, action: ForgoRound) -> Event | None:
        try:
            return state.decide(action)
        except IllegalAction:
            return None

    def _broken(self, found: str) -> BrokenPromise:
        return self.trial.broken(Promise.TOGETHER, found)


def _named(viewer: Viewer) -> str:
    return f"seat {viewer}" if isinstance(viewer, int) else viewer
