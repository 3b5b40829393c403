"""The projector: makes the read models of a game from its events.

It is fed the same way whoever asks: a command that is being recorded, `pokersvc db rebuild`, and the audit that
compares the stored read models with what it makes. Everything it makes is facts, as text the way it is stored; the
words for them are made when they are shown.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.game import Game
from pokersvc.core.seats import Seat
from pokersvc.core.state import Entry, Outcome, State


class Listing(NamedTuple):
    """What the list of games says of a game from its start."""

    kind: str
    facts: str
    """What is played: JSON."""
    seats: str
    """JSON."""


class Line(NamedTuple):
    """A line of history that an event completed."""

    number: int
    """In the game, from 1."""
    seq: int
    """Of the event."""
    facts: str
    """JSON."""
    again: bool
    """Whether it stands in the place of the line that has its number already."""


class Projector:
    """Makes the read models of one game; fed with the events in order, each with the state that it made."""

    __slots__ = ("_game",)

    def __init__(self, game: Game) -> None:
        self._game = game

    def start(self, started: Event) -> Listing:
        """Return what the list says of a game that an event starts."""
        game = self._game
        return Listing(game.kind, _json(game.facts(started)), seats_text(game.seats(started)))

    def line(self, seq: int, event: Event, state: State) -> Line | None:
        """Return the line of history that an event completed, as everyone may know it."""
        entry = state.entry(event, EVERYONE)
        return None if entry is None else Line(entry.number, seq, facts_text(entry), entry.again)

    def outcome(self, state: State) -> str | None:
        """Return how the game ended, as JSON; None while it is on."""
        outcome = state.outcome
        return None if outcome is None else outcome_text(outcome)


_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def seats_text(seats: Sequence[Seat]) -> str:
    """Return who plays, as it is stored."""
    return _json([{"kind": seat.kind, "name": seat.name} for seat in seats])


def facts_text(entry: Entry) -> str:
    """Return the facts of a line of history, as they are stored."""
    return _json(entry.facts)


def outcome_text(outcome: Outcome) -> str:
    """Return how a game ended, as it is stored."""
    return _json({"ranks": list(outcome.ranks), "scores": list(outcome.scores)})


def _json(value: Any) -> str:
    return _CANONICAL.encode(value)
