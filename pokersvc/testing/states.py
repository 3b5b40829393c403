"""Checks of states: applying, replaying, dealing and asking."""

from typing import ClassVar

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, redact
from pokersvc.core.state import State, WithheldSecrets
from pokersvc.testing.promises import Promise
from pokersvc.testing.trial import PromiseCheck, Trial


def same(one: object, other: object) -> bool:
    """Return whether two states are equal; states of a class without `__eq__` are compared by their attributes."""
    if "__eq__" in {name for cls in type(one).__mro__[:-1] for name in vars(cls)}:
        return bool(one == other)
    return type(one) is type(other) and bool(one.__reduce_ex__(2)[2] == other.__reduce_ex__(2)[2])


class RecordedSeed:
    """The seed of one recorded event, as an audit passes it to the dealer."""

    def __init__(self, seed: bytes | None) -> None:
        self._recorded = seed

    def seed(self, index: int) -> bytes:
        """Return the recorded seed."""
        if self._recorded is None:
            raise LookupError("the dealer asks for a seed that its event does not record (`seed_of`)")
        return self._recorded


class ReplayCheck(PromiseCheck):
    """Events stored, read back and applied give the state in play, even after that state was asked for views."""

    promise: ClassVar = Promise.REPLAY

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        trial.twin = trial.game.new(self._read_back(trial.started))
        self._compare()

    def happened(self, event: Event) -> None:
        """Replay the event."""
        twin, self.trial.twin = self.trial.twin, None
        assert twin is not None
        twin.apply(self._read_back(event))
        self.trial.twin = twin
        self._compare()

    def _compare(self) -> None:
        if not same(self.trial.state, self.trial.twin):
            self.trial.twin = None
            raise self.trial.broken(Promise.REPLAY, "the state after the event differs from that in play")

    def _read_back(self, event: Event) -> Event:
        codec = self.trial.game.codec
        try:
            stored = codec.encode(event)
            read = codec.decode(*stored)
            again = codec.encode(read)
        except Exception as error:
            raise self.trial.broken(
                Promise.CODEC, f"{type(event).__name__} cannot be stored and read: {error}"
            ) from error
        if read != event:
            raise self.trial.broken(Promise.CODEC, f"{event} is read back as {read}")
        if stored != again or not codec.is_canonical(*stored):
            raise self.trial.broken(Promise.CODEC, f"{stored.payload} is not canonical JSON")
        return read


class DealerCheck(PromiseCheck):
    """The dealer's event is the same when the log is replayed with the seeds recorded in the log."""

    promise: ClassVar = Promise.DEALER

    def happening(self, event: Event, action: Action | None) -> None:
        """Deal again from the recorded seed."""
        if action is not None:
            return
        recorded = RecordedSeed(self.trial.game.seed_of(event))
        for state in (self.trial.state, self.trial.twin):
            if state is not None and (again := state.dealer_event(recorded)) != event:
                raise self.trial.broken(
                    Promise.DEALER, f"the dealer's event was {event}, and is {again} when asked again"
                )


class TurnsCheck(PromiseCheck):
    """Either the dealer acts next, or seats do, or the game is over; a seat that is not to act has no choice."""

    promise: ClassVar = Promise.PLAYS

    def happened(self, event: Event) -> None:
        """Check whose turn it is."""
        trial, state = self.trial, self.trial.state
        awaited = state.awaited
        for seat in awaited:
            if state.outcome is not None or state.pausing:
                raise trial.broken(Promise.PLAYS, f"seat {seat} is to act although the game is over or pauses")
            if state.dealer_event(trial.entropy) is not None:
                raise trial.broken(Promise.PLAYS, f"both the dealer and seat {seat} are to act")
            if not state.playing(seat):
                raise trial.broken(Promise.PLAYS, f"seat {seat} is to act and does not play any more")
        for seat in trial.seats:
            if seat not in awaited:
                try:
                    state.legal(seat)
                except IllegalAction:
                    continue
                raise trial.broken(Promise.REFUSING, f"`legal` has an answer for seat {seat}, which is not to act")


class RoundsCheck(PromiseCheck):
    """The dealer's event after a pause begins a new round in ``state.record``, unless it ends the game."""

    promise: ClassVar = Promise.ROUNDS

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._dealt = False
        """Whether the dealer has acted: a pause before the dealer's first event follows no round."""
        self._before: int | None = None

    def happening(self, event: Event, action: Action | None) -> None:
        """Store the number of the last round, if the dealer acts after a pause."""
        state, by_dealer = self.trial.state, action is None
        self._before = state.record.number if by_dealer and self._dealt and state.pausing else None
        self._dealt = self._dealt or by_dealer

    def happened(self, event: Event) -> None:
        """Check that a dealer's event after a pause began a new round or ended the game."""
        state = self.trial.state
        if self._before is not None and state.outcome is None and state.record.number == self._before:
            raise self.trial.broken(
                Promise.ROUNDS, f"{type(event).__name__} follows a pause, and is recorded in the round before it"
            )


class AskingCheck(PromiseCheck):
    """Every method except `apply` leaves the state unchanged."""

    promise: ClassVar = Promise.ASKING

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self.happened(trial.started)

    def happened(self, event: Event) -> None:
        """Call every method that asks the state for something."""
        trial, state = self.trial, self.trial.state
        for viewer in (*trial.viewers, AUDITOR):
            state.view(viewer)
            if event is not trial.started:
                state.entry(event, viewer)
        state.dealer_event(trial.entropy)
        for seat in state.awaited:
            state.legal(seat)
        if trial.twin is not None and not same(state, trial.twin):
            raise trial.broken(Promise.ASKING, "the state has changed after it was asked for views, lines and choices")


class WithheldCheck(PromiseCheck):
    """A state with only what a viewer may know gives the same public facts, and the same view for that viewer."""

    promise: ClassVar = Promise.WITHHELD

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        trial.copies = {viewer: trial.game.new(redact(trial.started, viewer)) for viewer in trial.viewers}
        self._compare(trial.started)

    def happened(self, event: Event) -> None:
        """Apply the event as each viewer may know it, and compare."""
        copies, self.trial.copies = self.trial.copies, {}
        for viewer, copy in copies.items():
            copy.apply(redact(event, viewer))
        self.trial.copies = copies
        self._compare(event)

    def _compare(self, event: Event) -> None:
        for viewer, copy in self.trial.copies.items():
            self._compare_copy(viewer, copy)
            state = self.trial.state
            if len(self.trial.events) > 1 and copy.entry(redact(event, viewer), viewer) != state.entry(event, viewer):
                raise self.trial.broken(
                    Promise.VIEW_HIDES,
                    f"the line of history for {_named(viewer)} does not follow from what it may know",
                )
            self._record(viewer)

    def _compare_copy(self, viewer: Viewer, copy: State) -> None:
        state, broken = self.trial.state, self.trial.broken
        for what in ("awaited", "outcome", "pausing"):
            if getattr(copy, what) != getattr(state, what):
                raise broken(Promise.WITHHELD, f"`{what}` depends on what is hidden from {_named(viewer)}")
        if [copy.playing(seat) for seat in self.trial.seats] != [state.playing(seat) for seat in self.trial.seats]:
            raise broken(Promise.WITHHELD, f"`playing` depends on what is hidden from {_named(viewer)}")
        if viewer in state.awaited and copy.legal(viewer) != state.legal(viewer):
            raise broken(Promise.WITHHELD, f"`legal` for {_named(viewer)} depends on what is hidden from it")
        if copy.view(viewer) != state.view(viewer):
            raise broken(Promise.VIEW_HIDES, f"the view of {_named(viewer)} does not follow from what it may know")
        if state.outcome is None and not state.awaited and not state.pausing:
            try:
                due = copy.dealer_event(self.trial.entropy)
            except WithheldSecrets:
                return
            if due is None:
                raise broken(Promise.WITHHELD, f"the dealer has nothing to do for {_named(viewer)}")

    def _record(self, viewer: Viewer) -> None:
        events = [redact(event, viewer) for event in self.trial.events[1:]]
        if list(self.trial.state.view(viewer).record) != events:
            raise self.trial.broken(
                Promise.VIEW_SHOWS, f"the record in the view of {_named(viewer)} is not the events as it may know them"
            )


def _named(viewer: Viewer) -> str:
    return viewer if viewer == EVERYONE else f"seat {viewer}"
