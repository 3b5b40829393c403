"""A database of many games of one hand each, as imported ones are: a few hands, played again by other people."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from sqlalchemy import Connection

from pokersvc.core.chance import EntropySource
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.record import GENESIS, NewEvent, chain, timestamp
from pokersvc.eventlog.statements import Statements
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.games.draw_poker.players import RandomPlayer
from pokersvc.service.readmodels import (
    Line,
    Projector,
    facts_text,
    outcome_text,
    store_lines,
    store_listing,
    store_outcome,
)

HERO: Final = "Hero"
SEATS: Final = 6
DIFFERENT: Final = 500
"""Hands that are played; all others are the same hands with other people."""
PEOPLE: Final = 5_000
DAYS: Final = 365
_GAMES_AT_ONCE: Final = 1_000


class _Hand(NamedTuple):
    started: GameStarted
    events: list[NewEvent]
    lines: list[tuple[int, str]]
    """The event and the facts of each line of history."""
    outcome: str


def _played(number: int) -> _Hand:
    """Play a game of one hand with players who choose at random."""
    source = EntropySource.from_text(f"hand {number}")
    names = [HERO, *(f"Player{seat}" for seat in range(2, SEATS + 1))]
    seats = tuple(Seat("random", name) for name in names)
    started = DRAW_POKER.start(Setup(seats, source, 1, DRAW_POKER.options({"rules": "no-limit"})))
    state, entropy, random, player = DRAW_POKER.new(started), source.entropy(), Random(number), RandomPlayer()
    events, lines = [], []
    while state.outcome is None:
        event = state.dealer_event(entropy)
        if event is None:
            assert state.to_act is not None
            event = state.decide(player.choose(state.view(state.to_act), state.legal(state.to_act), random))
        state.apply(event)
        events.append(NewEvent(*DRAW_POKER.codec.encode(event)))
        if (entry := state.entry(event, EVERYONE)) is not None:
            lines.append((len(events) + 1, facts_text(entry)))
    return _Hand(started, events, lines[:1], outcome_text(state.outcome))


def _people(random: Random) -> Iterator[str]:
    """Name people of whom a few play much and many play little."""
    while True:
        yield f"Player{int(PEOPLE ** random.random())}"


def store(database: Database, count: int) -> None:
    """Write so many games to the log, with what lists and histories show of them."""
    random = Random("people")
    hands = [_played(number) for number in range(DIFFERENT)]
    first = datetime(2026, 1, 1, tzinfo=UTC)
    for start in range(0, count, _GAMES_AT_ONCE):
        with database.append() as connection:
            for number in range(start, min(start + _GAMES_AT_ONCE, count)):
                moment = first + timedelta(days=DAYS) * (number / count)
                _store(connection, f"hand-{number:08}", hands[number % DIFFERENT], _seats(random), moment)


def _seats(random: Random) -> tuple[Seat, ...]:
    names = dict.fromkeys(islice(_people(random), 3 * SEATS))
    while len(names) < SEATS - 1:
        names[next(_people(random))] = None
    seats = [Seat("human", name) for name in (HERO, *list(names)[: SEATS - 1])]
    random.shuffle(seats)
    return tuple(seats)


def _store(connection: Connection, game_id: str, hand: _Hand, seats: tuple[Seat, ...], moment: datetime) -> None:
    started = replace(hand.started, seats=seats)
    events = [NewEvent(*DRAW_POKER.codec.encode(started)), *hand.events]
    at = timestamp(moment)
    records = chain(game_id, events, count=0, head=GENESIS, recorded_at=at, command_id="imported")
    Statements.of(connection.dialect).store(connection, records, DRAW_POKER.kind)
    store_listing(connection, game_id, Projector(DRAW_POKER).start(started), at)
    store_lines(connection, game_id, [Line(1, seq, facts, again=False) for seq, facts in hand.lines])
    store_outcome(connection, game_id, hand.outcome)
