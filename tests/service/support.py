"""Tables for these tests: their seats, a person's choices, and facts about a game's log."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import Engine, Select, Table, event, select

from pokersvc.core.actions import Action
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.core.state import Entry, Outcome
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.advising.players import MinimumPlayer
from pokersvc.service import Recorded, Service
from pokersvc.service.read_models.projections import READ_MODELS

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")


def setup(*kinds: str, rounds: int | None = None, text: str | None = "table") -> Setup:
    """Seats of these kinds at a table of rising-ante, with decks that follow from a text."""
    seats = tuple(Seat(kind, name) for kind, name in zip(kinds, NAMES, strict=False))
    return Setup(seats, EntropySource.fresh() if text is None else EntropySource.from_text(text), rounds)


def started(service: Service, *kinds: str, rounds: int | None = None, text: str | None = "table") -> str:
    return service.start("draw", setup(*kinds, rounds=rounds, text=text))[0]


def choice(service: Service, game_id: str) -> Action:
    """Return the choice of the seat to act: the minimum bet, a call, or to stand pat."""
    seat = service.status(game_id).to_act
    assert seat is not None
    turn = service.turn(game_id, seat)
    return MinimumPlayer().choose(turn.view, turn.legal, Random(0))


def act(service: Service, game_id: str) -> list[Recorded]:
    return service.act(game_id, choice(service, game_id))


def play_to_the_pause(service: Service, game_id: str) -> None:
    """Act for the seat to act, until a person may leave."""
    while not service.status(game_id).pausing:
        act(service, game_id)


def commands(service: Service, game_id: str) -> Iterator[list[Recorded]]:
    """Play a game to its end, and return the events recorded by each command."""
    while (status := service.status(game_id)).outcome is None:
        if status.pausing:
            yield service.go_on(game_id)
        elif status.kind_to_act == HUMAN:
            yield act(service, game_id)
        else:
            yield service.step(game_id)


def play_out(service: Service, game_id: str) -> None:
    for _ in commands(service, game_id):
        pass


def told(log: EventLog, game_id: str) -> list[tuple[str, str, str | None]]:
    """Return the events, without the IDs, times and salts that differ in every game."""
    return [(record.type, record.payload, record.secret) for record in log.read(game_id)]


def types(recorded: list[Recorded]) -> list[str]:
    return [record.type for record, _ in recorded]


def facts_in(table: Table) -> Select[tuple[Any, ...]]:
    """Return read models' facts about games, without how much is in the tallies, which may differ."""
    return select(*[column for column in table.columns if column.name != "counted"])


def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that the read models hold."""
    with database.read() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(facts_in(table).order_by(*table.primary_key))]
            for table in READ_MODELS
        }


def stored(database: Database, log: EventLog) -> tuple[Any, ...]:
    """Return the whole content of the database, which a command without effect leaves unchanged."""
    heads = list(log.games())
    return heads, [list(log.read(game_id)) for game_id, _ in heads], rows(database)


class Replayed(NamedTuple):
    """The result of replaying a log from its first event; of a repeated history line, the last version."""

    entries: list[tuple[int, Entry]]
    outcome: Outcome | None
    state: Any


def replayed(log: EventLog, game_id: str) -> Replayed:
    entries: dict[int, tuple[int, Entry]] = {}
    state = None
    for step in Service(log).with_secrets.replay(game_id, force=True):
        state = step.state
        if (entry := state.entry(step.event, "everyone")) is not None:
            entries[entry.number] = step.record.seq, entry
    assert state is not None
    return Replayed(list(entries.values()), state.outcome, state)


def as_the_log_says(service: Service, log: EventLog, game_id: str) -> bool:
    """Whether the state that the service holds is the one that the log makes."""
    head = log.head(game_id)
    assert head is not None
    with service._open_games.held(game_id) as table:
        known = table.count == head.count and table.head == head.hash
        return bool(known and table.state == replayed(log, game_id).state)


@contextmanager
def transactions() -> Iterator[list[None]]:
    """Count the transactions that are opened while the context lasts, in any database."""
    opened: list[None] = []

    def begin(_connection: object) -> None:
        opened.append(None)

    event.listen(Engine, "begin", begin)
    try:
        yield opened
    finally:
        event.remove(Engine, "begin", begin)
