"""One game of an environment in memory: it runs until a learner must choose, and takes choices as numbers."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokersvc.core.actions import IllegalAction
from pokersvc.core.common_events import Started
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.state import State
from pokersvc.core.typevars import AnyView
from pokersvc.envs.numbers import Numbers, Observation, RecordTooLong, not_legal
from pokersvc.players import choice_of


class LearnerTurn(NamedTuple):
    """A learner's turn: the seat, its observation, and its legal choices."""

    seat: int
    view: AnyView
    legal: object
    numbers: Sequence[int]
    """The numbers of the legal choices."""


class Episode:
    """A game in progress; ``bots`` play their seats by themselves."""

    def __init__(self, numbers: Numbers, started: Started, source: EntropySource, bots: Mapping[int, str]) -> None:
        self._numbers, self._source, self._bots = numbers, source, bots
        self._game = game = numbers.game
        self._state: State = game.new(started)
        self._entropy = source.entropy()
        self._seen: Final = [SeenNumbers(seat, numbers) for seat in range(1, len(game.seats(started)) + 1)]
        self.events: list[Event] = [started]
        """All events so far, in the form of the log's events."""
        self.turn: LearnerTurn | None = None
        """The turn of a learner; None once the game is over. If several must choose, it is the first one's turn."""
        self._go_on()

    @property
    def gains(self) -> tuple[int, ...]:
        """Each seat's gain, as tournaments count it; zeros before the end."""
        outcome = self._state.outcome
        return (0,) * len(self._seen) if outcome is None else tuple(self._game.gains(self.events[0], outcome))

    def choose(self, number: int | None) -> None:
        """Take the choice of the seat whose turn it is; raise `IllegalAction` for a number that is not legal."""
        turn = self.turn
        if turn is None:
            raise IllegalAction("game_over", "The game is over; nobody chooses any more.")
        if number is None or (number := int(number)) not in turn.numbers:
            raise not_legal(number, list(turn.numbers))
        self._take(self._state.decide(self._numbers.actions.action(number, turn.view, turn.legal)))
        self._go_on()

    def observation(self, seat: int) -> Observation:
        """Return a seat's current observation; raise `RecordTooLong` if its record does not fit."""
        turn = self.turn
        mine = turn is not None and turn.seat == seat
        view = turn.view if turn is not None and mine else self._state.view(seat)
        return {
            "action_mask": self._numbers.mask(turn.numbers if turn is not None and mine else ()),
            "features": np.array(self._numbers.features(view), np.int64),
            "observation": self._seen[seat - 1].array(),
        }

    def said(self, viewer: int) -> str:
        """Return the game as text, as a seat sees it."""
        return "\n".join(self._game.words.show(self._state.view(viewer)))

    def _go_on(self) -> None:
        """Play until a learner must choose or the game is over."""
        state, self.turn = self._state, None
        while True:
            if not (awaited := state.awaited):
                if (event := state.dealer_event(self._entropy)) is None:
                    return
                self._take(event)
            elif (kind := self._bots.get(awaited[0])) is not None:
                random = self._source.program_random(awaited[0], len(self.events) + 1)
                self._take(choice_of(self._game.players[kind], state, awaited[0], random).event)
            else:
                view, legal = state.view(awaited[0]), state.legal(awaited[0])
                self.turn = LearnerTurn(awaited[0], view, legal, self._numbers.actions.legal(view, legal))
                return

    def _take(self, event: Event) -> None:
        self._state.apply(event)
        self.events.append(event)
        form = self._numbers.tokens.forms[event.__class__]
        if not form.of_seat:
            written = form.write_hidden(event)
            for seen in self._seen:
                seen.new += written
            return
        written = form.write(event)
        hidden, seat = form.write_hidden(event), getattr(event, "seat", None)
        for seen in self._seen:
            seen.new += written if seen.seat == seat else hidden


class SeenNumbers:
    """The record of a seat as a growing sequence of numbers."""

    __slots__ = ("_array", "_filled", "new", "seat")

    def __init__(self, seat: int, numbers: Numbers) -> None:
        self.seat = seat
        self._array = np.zeros(numbers.length, np.int64)
        self._filled = 0
        self.new: list[int] = []
        """The numbers of the latest events, which are not in the array yet."""

    def array(self) -> NDArray[np.int64]:
        """Return a copy of the whole record, padded; raise `RecordTooLong` if it does not fit."""
        if self.new:
            filled = self._filled + len(self.new)
            if filled > len(self._array):
                raise RecordTooLong(len(self._array))
            self._array[self._filled : filled] = self.new
            self._filled, self.new = filled, []
        return self._array.copy()
