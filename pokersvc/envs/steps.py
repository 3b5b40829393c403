"""Recorded games as an offline data set: one row for each choice, with the seat's observation and its return."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, cast

from pokersvc.core.common_events import Started
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of
from pokersvc.core.replay import Replay
from pokersvc.core.setup import Options
from pokersvc.envs.numbers import Numbers
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.snapshot import Snapshot, UnknownGame
from pokersvc.evidence.jsonl import check_new, written
from pokersvc.histories.archive import import_pyarrow

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ROWS_IN_A_GROUP: Final = 10_000
"""The number of rows that are buffered before they are written."""


class ChoiceRow(TypedDict):
    """A choice of a seat."""

    game: str
    seq: int
    """The number of the event of the choice in its game."""
    seat: int
    action_mask: list[int]
    features: list[int]
    observation: list[int]
    """The record of the seat as numbers, without padding."""
    action: int | None
    """The number of the choice; None if the list of choices lacks it, such as a bet of a size not listed."""
    gain: int
    """The seat's gain at the end of the game, which is the return of each of the seat's choices."""


class OtherGame(InvalidValue):
    """A game whose choices cannot be in the same file as those of the games before it."""

    code = "other_game"

    def __init__(self, game_id: str, differs: str) -> None:
        super().__init__(
            f"Game {game_id} {differs} than the games before it; write games of one kind and house, with as many seats,"
            " to one file."
        )


def write_steps(
    database: Database, path: Path, game_ids: Sequence[str] | None = None, *, actions: Options | None = None
) -> int:
    """Write the choices of all finished games, or of the given ones, to a Parquet file; return the number of choices.

    The games must be of one kind and house, with as many seats: `OtherGame` names the first that is not. ``actions``
    are options of the games' list of choices. Games that were played elsewhere are left out. The file shows what the
    seats saw, including hidden cards, so only its owner may read it.
    """
    pa = import_pyarrow()
    check_new(path)
    whole, wholes = pa.int64(), pa.list_(pa.int64())
    types = {"game": pa.string(), "action_mask": pa.list_(pa.int8()), "features": wholes, "observation": wholes}
    schema = pa.schema([(name, types.get(name, whole)) for name in ChoiceRow.__annotations__])
    waiting: list[ChoiceRow] = []
    count = 0
    with written(path, private=True) as file, pa.parquet.ParquetWriter(file, schema) as writer:
        for row in _rows(database, game_ids, actions or {}):
            waiting.append(row)
            count += 1
            if len(waiting) == ROWS_IN_A_GROUP:
                writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
                waiting = []
        writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
    return count


def _rows(database: Database, game_ids: Sequence[str] | None, actions: Options) -> Iterator[ChoiceRow]:
    first: dict[str, object] = {}
    with database.read() as connection:
        snapshot = Snapshot(connection)
        kinds = {game_id: head.kind for game_id, head in snapshot.games()}
        for game_id in kinds if game_ids is None else game_ids:
            if game_id not in kinds:
                raise UnknownGame(f"There is no game {game_id!r}; `pokersvc games` lists them.")
            rows, shared = _of_game(snapshot, game_of(kinds[game_id]), game_id, actions)
            if not rows:
                continue
            first = first or shared
            for differs, value in shared.items():
                if value != first[differs]:
                    raise OtherGame(game_id, differs)
            yield from rows


def rules_of(started: Started) -> object:
    """Return the rules of a start: its field of that name, else all of the game's own fields except the rounds."""
    own = {field.name: getattr(started, field.name) for field in fields(cast("DataclassInstance", started))}
    return own.get("rules") or {name: own[name] for name in own.keys() - Started.__annotations__.keys() - {"rounds"}}


def _shared(started: Started, numbers: Numbers) -> dict[str, object]:
    """Return the values that all games of a file must share, each by the words for a game with a different value."""
    return {
        "is of another kind": started.game,
        "has another number of seats": len(started.seats),
        "has other rules": rules_of(started),
        "has other choices or figures": (numbers.actions.names, numbers.feature_names),
    }


def _of_game(
    snapshot: Snapshot, game: Game, game_id: str, actions: Options
) -> tuple[list[ChoiceRow], dict[str, object]]:
    """Return a game's choices (none if it is unfinished or was played elsewhere), and the values of `_shared`."""
    rows, replay = list[ChoiceRow](), Replay(game)
    with closing(snapshot.read(game_id)) as records:
        started = cast(Started, replay.read(next(records)))
        numbers = Numbers(game, started, {"actions": actions})
        if game.record_check(started) is not None:
            return [], {}
        for record in records:
            event = game.codec.decode(record.type, record.version, record.payload, record.secret)
            action, state = game.action_of(event), replay.state
            if type(action) in game.actions and action is not None and action.seat in state.awaited:
                view, legal = state.view(action.seat), state.legal(action.seat)
                rows.append(
                    {
                        "game": game_id,
                        "seq": record.seq,
                        "seat": action.seat,
                        "action_mask": numbers.mask(numbers.actions.legal(view, legal)).tolist(),
                        "features": list(numbers.features(view)),
                        "observation": numbers.record(view),
                        "action": numbers.actions.number(action, view, legal),
                        "gain": 0,
                    }
                )
            replay.take(event, record.recorded_at, record.hash)
    if (outcome := replay.state.outcome) is None:
        return [], {}
    gains = game.gains(started, outcome)
    return [{**row, "gain": gains[row["seat"] - 1]} for row in rows], _shared(started, numbers)
