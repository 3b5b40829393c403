"""Tables for these tests: who sits at them, how a person plays, and what a game's log says."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.players import MinimumPlayer
from pokersvc.games.entropy import EntropySource
from pokersvc.games.event import AUDITOR
from pokersvc.games.game import HUMAN, Action, Entry, Outcome, Seat, Setup
from pokersvc.readmodels import READ_MODELS
from pokersvc.service import Recorded, Service

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")


def setup(*kinds: str, rounds: int | None = None, text: str | None = "table") -> Setup:
    """Seats of these kinds at a table of rising-ante, with decks that follow from a text."""
    seats = tuple(Seat(kind, name) for kind, name in zip(kinds, NAMES, strict=False))
    return Setup(seats, EntropySource.fresh() if text is None else EntropySource.from_text(text), rounds)


def started(service: Service, *kinds: str, rounds: int | None = None, text: str | None = "table") -> str:
    return service.start("draw", setup(*kinds, rounds=rounds, text=text))[0]


def choice(service: Service, game_id: str) -> Action:
    """What the seat on turn does: bet the least, call, stand pat."""
    state = service.table(game_id).state
    assert state.to_act is not None
    return MinimumPlayer().choose(state.view(state.to_act), state.legal(state.to_act), Random(0))


def act(service: Service, game_id: str) -> list[Recorded]:
    return service.act(game_id, choice(service, game_id))


def play_to_the_pause(service: Service, game_id: str) -> None:
    """Whoever is on turn acts, until a person may leave."""
    while not service.table(game_id).state.pausing:
        act(service, game_id)


def commands(service: Service, game_id: str) -> Iterator[list[Recorded]]:
    """Play a game to its end, whoever plays it, and give what each command recorded."""
    while (table := service.table(game_id)).state.outcome is None:
        if table.state.pausing:
            yield service.go_on(game_id)
        elif table.kind_to_act == HUMAN:
            yield act(service, game_id)
        else:
            yield service.step(game_id)


def play_out(service: Service, game_id: str) -> None:
    for _ in commands(service, game_id):
        pass


def told(log: EventLog, game_id: str) -> list[tuple[str, str, str | None]]:
    """What happened, without the ids, times and salts that are fresh in every game."""
    return [(record.type, record.payload, record.secret) for record in log.read(game_id)]


def types(recorded: list[Recorded]) -> list[str]:
    return [record.type for record, _ in recorded]


def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that the read models hold."""
    with database.read() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(table.select().order_by(*table.primary_key))]
            for table in READ_MODELS
        }


def stored(database: Database, log: EventLog) -> tuple[Any, ...]:
    """Everything that the database holds: what a command without a trace leaves as it was."""
    heads = list(log.games())
    return heads, [list(log.read(game_id)) for game_id, _ in heads], rows(database)


class Replayed(NamedTuple):
    """What replaying a log from its first event makes."""

    entries: list[tuple[int, Entry]]
    outcome: Outcome | None
    state: Any


def replayed(log: EventLog, game_id: str) -> Replayed:
    entries, state = [], None
    for step in Service(log).replay(game_id, AUDITOR, force=True):
        state = step.state
        if (entry := state.entry(step.event, "everyone")) is not None:
            entries.append((step.record.seq, entry))
    assert state is not None
    return Replayed(entries, state.outcome, state)


def as_the_log_says(service: Service, log: EventLog, game_id: str) -> bool:
    """Whether the state that the service holds is the one that the log makes."""
    table = service.table(game_id)
    head = log.head(game_id)
    assert head is not None
    return bool(table.count == head.count and table.state == replayed(log, game_id).state)
