"""Finds the origin of imported hands for lists of games: site, number, table and the time of play."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import Connection, select

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.tables import events as logged
from pokersvc.service.read_models.history import GameSummary

_AT_ONCE: Final = 64
"""Number of games per query."""

_T = TypeVar("_T")


class Quoted(NamedTuple):
    """The origin of an imported hand."""

    site: str
    number: str
    """The hand's number at the site."""
    table: str | None
    played: str | None
    """When the hand was played, in UTC: ``2026-01-31T12:00:00Z``; None if its file does not say."""
    findings: int
    """The number of the hand's lines that contradict others."""


def with_origin(
    database: Database, games: Iterable[tuple[GameSummary, _T]]
) -> Iterator[tuple[GameSummary, _T, Quoted | None]]:
    """Yield each pair of a game and a value with the origin of the game's hand: None for a game played here."""
    left = iter(games)
    while some := list(islice(left, _AT_ONCE)):
        with database.read() as connection:
            quoted = _quoted(connection, [game.game_id for game, _ in some])
        yield from ((game, beside, quoted.get(game.game_id)) for game, beside in some)


def origin(connection: Connection, game_id: str) -> Quoted | None:
    """Return the origin of a game; None if it was played here."""
    return _quoted(connection, [game_id]).get(game_id)


def _quoted(connection: Connection, game_ids: list[str]) -> dict[str, Quoted]:
    of = logged.c
    asked = select(of.game_id, of.payload).where(of.game_id.in_(game_ids), of.seq == 2, of.type == "HandQuoted")
    return {game_id: _of(json.loads(payload)) for game_id, payload in connection.execute(asked)}


def _of(quote: dict[str, object]) -> Quoted:
    played, findings, table = quote["played"], quote["findings"], quote["table"]
    return Quoted(
        str(quote["site"]),
        str(quote["number"]),
        None if table is None else str(table),
        str(played["utc"]) if isinstance(played, dict) else None,
        len(findings) if isinstance(findings, list) else 0,
    )
