"""Observations as arrays and choices as numbers, the same for environments and for players."""

from collections.abc import Iterable, Sequence
from typing import Final, Self, TypedDict

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Unpack

from pokersvc.core.actions import Action, IllegalAction
from pokersvc.core.common_events import Started
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.typevars import AnyView
from pokersvc.envs.table import AsNumbers, EnvTable, EpisodeStarts
from pokersvc.envs.tokens import EventTokens
from pokersvc.errors import InvalidValue, PokersvcError, about
from pokersvc.text import counted

PADDING: Final = 0
"""The number that fills the array after the last event of a record; no event begins with it."""


class RecordTooLong(PokersvcError):
    """A game whose record does not fit into the observations of its environment."""

    code = "record_too_long"

    def __init__(self, length: int) -> None:
        super().__init__(
            f"The record of this game does not fit into {counted(length, 'number')}; make the environment with a"
            " greater length, such as length="
            f"{2 * length}."
        )


class Observation(TypedDict):
    """A seat's observation."""

    action_mask: NDArray[np.int8]
    """1 for each choice that the seat has now, by its number; all 0 if the seat need not choose."""
    features: NDArray[np.int64]
    """The seat's view as figures, which `Numbers.feature_names` names."""
    observation: NDArray[np.int64]
    """The events that the seat has seen, in the form of `pokersvc.envs.tokens`, and then `PADDING`.

    In an environment these are all events of the game; to a player they are the newest rounds that fit.
    """


class Numbers:
    """The encoding as arrays and numbers for the seats of games that all start in the same way."""

    def __init__(self, game: Game, started: Started, asked: AsNumbers) -> None:
        """Take a game and the event that starts it; raise `InvalidValue` for a wrong length or an unknown option."""
        self.game = game
        numbered = game.in_numbers(started, asked.get("actions") or {})
        self.actions = numbered.actions
        """The choices of a seat, with their names."""
        self.features = numbered.features
        """The function that writes a view as figures."""
        self.feature_names = numbered.feature_names
        """The name of each figure in ``features``."""
        self.tokens = EventTokens(game)
        """The encoding of events as numbers."""
        self.length: int = asked.get("length", numbered.longest_record)
        """The length of the array with the record."""
        if type(self.length) is not int or self.length < 1:
            with about("length"):
                raise InvalidValue(f"A record cannot have the length {self.length!r}; a length is 1 or more.")

    @classmethod
    def of(cls, kind: str = "draw", **table: Unpack[EnvTable]) -> Self:
        """Return the encoding that an environment made with the same arguments uses; see `env`.

        >>> Numbers.of("kalah").actions.names[:2]
        ('sow the hole 6 places from the pot', 'sow the hole 5 places from the pot')
        """
        game = game_of(kind)
        return cls(game, EpisodeStarts(game, table).first, table)

    def observation(self, view: AnyView, legal: object = None) -> Observation:
        """Return a seat's observation as arrays, from its view; without ``legal``, the seat need not choose.

        If the record is longer than the array, the array has the newest whole rounds that fit. Raise `RecordTooLong` if
        the round in progress does not fit.
        """
        found = np.zeros(self.length, np.int64)
        written = self._newest_rounds(view)
        found[: len(written)] = written
        numbers = () if legal is None else self.actions.legal(view, legal)
        return {
            "action_mask": self.mask(numbers),
            "features": np.array(self.features(view), np.int64),
            "observation": found,
        }

    def record(self, view: AnyView) -> list[int]:
        """Return the events that a seat has seen as numbers, without padding."""
        return self._written(view.record)

    def _newest_rounds(self, view: AnyView) -> list[int]:
        """Return the newest whole rounds of a record as numbers, as many as fit into the array."""
        found = self._written(view.record.round)
        if len(found) > self.length:
            raise RecordTooLong(self.length)
        for events in reversed(view.record.past):
            written = self._written(events)
            if len(written) + len(found) > self.length:
                break
            found = written + found
        return found

    def _written(self, events: Iterable[Event]) -> list[int]:
        return [number for event in events for number in self.tokens.of(event)]

    def mask(self, numbers: Sequence[int]) -> NDArray[np.int8]:
        """Return an array with 1 at each of these numbers, and 0 elsewhere."""
        found = bytearray(len(self.actions.names))
        for number in numbers:
            found[number] = 1
        return np.frombuffer(found, np.int8)  # numpy takes twice as long for the few numbers of a choice

    def action(self, number: int, view: AnyView, legal: object) -> Action:
        """Return the choice with a number; raise `IllegalAction` (``not_legal``) for one that the mask excludes."""
        if number not in (numbers := self.actions.legal(view, legal)):
            raise not_legal(number, list(numbers))
        return self.actions.action(int(number), view, legal)


def not_legal(number: object, legal: list[int]) -> IllegalAction:
    """Return the error for a number that the mask excludes."""
    return IllegalAction("not_legal", f"{number!r} is not legal now; legal are {', '.join(map(str, legal))}.")
