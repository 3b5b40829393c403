"""Checks of hidden information: the same game with other cards, seen by viewers who may and who may not notice.

A second game runs beside the first with the same events but other seeds. Wherever the dealer reports a result of
chance, it is replaced by the second dealer's result, one field at a time; wherever a seat chooses, its choice is
replaced by another that the seat might have made.
"""

from copy import deepcopy
from dataclasses import fields, replace
from random import Random
from typing import ClassVar, Final

from pokersvc.core.actions import Action
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer, commits_by, redact, secret_fields
from pokersvc.core.randomness.chance import SEED_BYTES
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.state import State
from pokersvc.core.typevars import AnyView
from pokersvc.errors import InvalidValue
from pokersvc.testing.choices import chosen_otherwise
from pokersvc.testing.plans import chance
from pokersvc.testing.promises import Promise
from pokersvc.testing.trial import PromiseCheck, Trial

RECORD: Final = "record"
"""The name of the field of a view that contains the game's events."""


class OtherEntropy:
    """Random seeds, in place of those of the game that is checked."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def seed(self, index: int) -> bytes:
        """Return a new random seed, whatever the index."""
        return self._random.randbytes(SEED_BYTES)


class HiddenCheck(PromiseCheck):
    """A result of chance is shown to a viewer both in the event and in the view, or in neither."""

    promise: ClassVar = Promise.VIEW_HIDES

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._entropy = OtherEntropy(chance(trial.plan.seed, "another deal"))
        self._other: State | None = None
        """The same game with another seed for its current round; None before the first seed."""
        self._next: Event | None = None

    def happening(self, event: Event, action: Action | None) -> None:
        """Have another seed dealt, or another choice made, and compare the views after either event."""
        self._next = event
        if action is not None:
            self._choose_otherwise(event, action)
            return
        game = self.trial.game
        if (seed := game.seed_of(event)) is not None:
            self._other = deepcopy(self.trial.state)
        other = self._dealt_otherwise(event)
        if other is None or other == event:
            return
        if seed is not None:  # the other game takes over the seed alone, not what follows from it
            names = [field.name for field in fields(event) if getattr(event, field.name) == seed]
            self._next = _changed(event, {name: getattr(other, name) for name in names})
        elif type(event) not in game.dealt:
            raise self.trial.broken(
                Promise.DEALT, f"{type(event).__name__} follows from the seed and is not in `dealt`"
            )
        for name in _differing(event, other):
            self._vary(event, name, getattr(other, name))

    def happened(self, event: Event) -> None:
        """Apply the event to the game with the other seed."""
        if self._other is not None and self._next is not None:
            self._other.apply(self._next)

    def _dealt_otherwise(self, event: Event) -> Event | None:
        """Return the dealer's event for another seed if it has the same type, else None."""
        if self._other is None:
            return None
        try:
            other = self._other.dealer_event(self._entropy)
        except Exception:  # with this seed the game cannot have come so far
            return None
        return other if type(other) is type(event) else None

    def _choose_otherwise(self, event: Event, action: Action) -> None:
        """Compare the views after a choice with the views after another choice of the same type."""
        other = chosen_otherwise(self.trial, action)
        if other is None or type(other) is not type(event):
            return
        # If several fields differ, one may follow from another: see `RepeatedCheck`.
        if len(names := _differing(event, other)) == 1:
            self._vary(event, names[0], getattr(other, names[0]), chosen=True)

    def _vary(self, event: Event, name: str, value: object, *, chosen: bool = False) -> None:
        """Compare the views after an event with those after an event that differs in one field.

        A field that a seat has ``chosen`` need not be shown in a view, unless an auditor's view shows it and others
        hide it.
        """
        changed = _changed(event, {name: value})
        real, varied = deepcopy(self.trial.state), deepcopy(self.trial.state)
        real.apply(event)
        try:
            varied.apply(changed)
        except Exception:  # the field cannot change without others
            return
        if chosen and without_record(real.view(AUDITOR)) == without_record(varied.view(AUDITOR)):
            return
        secret = name in secret_fields(type(event))
        where = f"`{name}` of {type(event).__name__}"
        for viewer in self.trial.viewers:
            one, other = real.view(viewer), varied.view(viewer)
            if redact(event, viewer) == redact(changed, viewer):
                if one != other:
                    raise self.trial.broken(
                        Promise.VIEW_HIDES, f"the view of {_named(viewer)} shows {where}, which is hidden from it"
                    )
            elif without_record(one) == without_record(other) and not commits_by(type(event), name):
                if secret:
                    raise self.trial.broken(
                        Promise.VIEW_SHOWS, f"the view of {_named(viewer)} does not show {where}, which it knows"
                    )
                raise self.trial.broken(
                    Promise.MARKED,
                    f"{where} is shown to {_named(viewer)} by the event and not by the view; mark it, or show it",
                )


def _differing(one: Event, other: Event) -> list[str]:
    """Return the fields in which two events of the same type differ."""
    names = [field.name for field in fields(one)]
    return [name for name in names if getattr(one, name) != getattr(other, name)]


def _changed(event: Event, values: dict[str, object]) -> Event:
    """Return an event with other values in some of its fields."""
    return replace(event, **values)


class HiddenKindsCheck(PromiseCheck):
    """If a game hides which bot plays at a seat, a viewer's view does not depend on the bots at other seats."""

    promise: ClassVar = Promise.VIEW_HIDES

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self._others: dict[Viewer, State] = {}
        if not trial.plan.setup.hidden_kinds:
            return
        for viewer in trial.viewers:
            seats = tuple(self._other(seat, number == viewer) for number, seat in enumerate(trial.plan.setup.seats, 1))
            if seats != trial.plan.setup.seats:
                try:
                    started = trial.game.start(replace(trial.plan.setup, seats=seats))
                except InvalidValue:
                    continue
                self._others[viewer] = trial.game.new(started)
        self._compare()

    def _other(self, seat: Seat, stays: bool) -> Seat:
        others = [kind for kind in self.trial.programs if kind != seat.kind]
        return seat if stays or seat.kind == HUMAN or not others else replace(seat, kind=others[0])

    def happened(self, event: Event) -> None:
        """Apply the event to the other games, and compare the views."""
        for state in self._others.values():
            state.apply(event)
        self._compare()

    def _compare(self) -> None:
        if self.trial.state.outcome is not None:
            return
        for viewer, state in self._others.items():
            if without_record(state.view(viewer)) != without_record(self.trial.state.view(viewer)):
                raise self.trial.broken(
                    Promise.VIEW_HIDES, f"the view of {_named(viewer)} shows of which kind others are, which is hidden"
                )


def without_record(view: AnyView) -> dict[str, object]:
    """Return the fields of a view without the events."""
    return {field.name: getattr(view, field.name) for field in fields(view) if field.name != RECORD}


def _named(viewer: Viewer) -> str:
    return viewer if viewer == EVERYONE else f"seat {viewer}"
