"""Games in which seats forgo rounds, as at tables that shuffle together; here no table has agreed to anything."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

from pokersvc.core.actions import ForgoRound, IllegalAction
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.core.setup import Setup
from pokersvc.core.state import State
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent, Record
from pokersvc.players import Programs
from tests.clock import FIRST

Missed = Mapping[int, tuple[int, ...]]
"""The number of a deck, from 1 → the seats that forgo the round for which it is shuffled."""

_COMMAND: Final = "one command"


def play_missed(path: Path, game_id: str, kind: str, setup: Setup, missed: Missed) -> list[Record]:
    """Play a game of programs in which seats forgo rounds, and return what the log has of it."""
    game = game_of(kind)
    started = game.start(setup)
    happened = [started, *_events(game.new(started), kind, setup.source, missed)]
    codec = game.codec
    with Database.for_writing(str(path)) as database:
        events = [NewEvent(*codec.encode(event)) for event in happened]
        return EventLog(database).append(game_id, events, expected=0, command_id=_COMMAND, kind=kind, recorded_at=FIRST)


def _events(state: State, kind: str, source: EntropySource, missed: Missed) -> list[Event]:
    game, entropy, random, programs = game_of(kind), source.entropy(), Random(0), Programs()
    happened: list[Event] = []
    decks, due = 0, list[int]()
    while state.outcome is None:
        event = state.dealer_event(entropy)
        if event is None:
            seat = state.awaited[0]
            event = _forgone(state, due)
            if event is None:
                player = programs.find(game, state.view(seat).seat(seat).kind)
                assert player is not None
                event = state.decide(player().choose(state.view(seat), state.legal(seat), random))
        if type(event) in game.seeded:
            decks += 1
            due = list(missed.get(decks, ()))
        state.apply(event)
        happened.append(event)
    return happened


def _forgone(state: State, due: list[int]) -> Event | None:
    while due:
        try:
            return state.decide(ForgoRound(due.pop(0)))
        except IllegalAction:  # it was not dealt in
            continue
    return None


def some_missed(seats: int, decks: int, random: Random) -> Missed:
    """Return seats that miss decks at random, one seat at least never."""
    return {
        deck: tuple(seat for seat in range(1, seats + 1) if random.random() < 0.3)[: seats - 1]
        for deck in range(1, decks + 1)
    }
