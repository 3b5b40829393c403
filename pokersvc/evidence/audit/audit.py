"""The audit of games: one pass over the records of each."""

import json
import sqlite3
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Float, cast, func, select
from sqlalchemy.exc import SQLAlchemyError

from pokersvc.core.books import LedgerPage
from pokersvc.core.event import Event
from pokersvc.core.game import Game
from pokersvc.core.registry import game_of, usable
from pokersvc.errors import PokersvcError
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.errors import DatabaseDamaged, translated
from pokersvc.eventlog.record import ChainBroken, Record
from pokersvc.eventlog.snapshot import Head, Snapshot
from pokersvc.eventlog.tables import games as logged
from pokersvc.evidence.audit.coverage import with_coverage
from pokersvc.evidence.audit.integrity import check_integrity
from pokersvc.evidence.audit.projection import ProjectionCheck
from pokersvc.evidence.audit.reading import AnyRecord
from pokersvc.evidence.audit.report import Audited, damage
from pokersvc.evidence.audit.seeds import repeated_in
from pokersvc.evidence.audit.tallies import RandomSums, TalliedGame, TalliedGames
from pokersvc.evidence.audit.timestamps import Moments
from pokersvc.evidence.audit.walk import Walk
from pokersvc.evidence.checkpoint import compare
from pokersvc.evidence.findings import Check, Finding
from pokersvc.service.read_models.projections import Projector, after

Ledger = Callable[[str, LedgerPage], None]
"""Called with a game's id and a page of the game's ledger."""
Progress = Callable[[int], None]
"""Called with the number of events checked since the last call."""

_NO_MISTAKES: Final = (PokersvcError, SQLAlchemyError, sqlite3.Error, OSError, UnicodeDecodeError)
"""The errors of a database, or of a caller's ledger function: they end an audit, and are no findings."""
STEP: Final = 1000
"""The number of events between two reports of progress."""


def events_in(database: Database, game_ids: Iterable[str] | None = None) -> int:
    """Return the number of events that the games table states for all games, or for the given games."""
    with database.read() as connection:
        counts = select(func.sum(cast(logged.c.count, Float)))  # a float, so that no sum is too large
        statements = [counts] if game_ids is None else [counts.where(logged.c.game_id == one) for one in game_ids]
        found = sum(connection.scalar(statement) or 0.0 for statement in statements)
        return int(found) if isfinite(found) else 0


def audit(
    database: Database,
    game_ids: Iterable[object] | None = None,
    *,
    checkpoint: Path | None = None,
    only_chain: bool = False,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
    sums: RandomSums | None = None,
    tallied: Mapping[object, int] | None = None,
) -> Iterator[Audited]:
    """Check games in one consistent snapshot, and yield the result for each game.

    Without ``game_ids`` all games are checked in the order of their ids, and then the data that belongs to no game.
    Memory does not grow with the log. ``ledger`` is given the pages of each game's ledger as they are completed. An id
    that is not a text is a finding.

    ``sums`` are the random numbers of an audit that several processes share, and ``tallied`` maps each game to the
    number of its rounds that the tallies count, which by default is read from the list of games.

    With a ``checkpoint``, the log is first compared with it; raises the errors of `pokersvc.evidence.checkpoint.read`.
    """
    if game_ids is not None:
        game_ids = list(game_ids)
    with database.read() as connection:
        if checkpoint is not None:
            yield compared(checkpoint, connection, game_ids)
        sums = sums or RandomSums()
        auditor = _Auditor(database.label, connection, only_chain, ledger, progress or (lambda _: None), sums, tallied)
        if game_ids is not None:
            yield from with_coverage(map(auditor.audit, game_ids), checkpoint, game_ids)
            return
        games = TalliedGames(connection, sums)
        yield from with_coverage(games.through(auditor.audit_all()), checkpoint, None)
        yield check_integrity(database, connection, games, only_chain=only_chain)


def compared(checkpoint: Path, connection: Connection, game_ids: Container[object] | None) -> Audited:
    """Return a result with a finding for each game that was removed, cut off or rewritten since a checkpoint."""
    result = Audited(None)
    for finding in compare(checkpoint, Snapshot(connection), only=game_ids):
        result.add(finding)
    return result


class _Auditor:
    """Audits games one by one, and holds the state that their audits share."""

    def __init__(
        self,
        label: str,
        connection: Connection,
        only_chain: bool,
        ledger: Ledger | None,
        progress: Progress,
        sums: RandomSums,
        tallied: Mapping[object, int] | None,
    ) -> None:
        self._label = label
        self._connection = connection
        self._only_chain = only_chain
        self._ledger = ledger
        self._progress = progress
        self._sums = sums
        self._tallied = tallied

    def audit_all(self) -> Iterator[Audited]:
        """Check every game in the games table."""
        listed = Audited(None)
        try:
            with translated(self._label):
                for game_id in Snapshot(self._connection).ids():
                    yield self.audit(game_id)
        except DatabaseDamaged as error:
            listed.add(damage(None, error))
            yield listed

    def audit(self, game_id: object) -> Audited:
        """Check one game, and return the result."""
        if not isinstance(game_id, str):
            result = Audited(None)
            result.add(Finding(None, None, None, "chain", f"{game_id!r} as the id of a game", "a text"))
            return result
        result = Audited(game_id, only_chain=self._only_chain)
        try:
            with translated(self._label):
                heads = Snapshot(self._connection).heads(game_id)
                if len(heads) > 1:
                    result.add(Finding(game_id, None, None, "chain", "two rows in the games table", "one"))
                if not heads:  # the index differs from the table, or the game is only in a checkpoint
                    result.add(Finding(game_id, None, None, "storage", "no such game in the games table", "one"))
                else:
                    self._check(game_id, heads[0], result)
        except DatabaseDamaged as error:
            result.add(damage(game_id, error))
        return result

    def _check(self, game_id: str, head: Head, result: Audited) -> None:
        def broken(error: ChainBroken, record: Record | None) -> None:
            type_ = str(record.type) if record is not None and record.seq == error.seq else None
            result.add(Finding(game_id, error.seq, type_, "chain", error.found, error.expected))

        snapshot = Snapshot(self._connection)
        if (moved := snapshot.displaced(game_id)) is not None:
            result.add(
                Finding(game_id, *moved, None, "chain", "a row before that of an earlier event", "one behind it")
            )
        with closing(snapshot.read_on(game_id, head, broken)) as records:
            first = next(records, None)
            kind = _kind_played(head, first, game_id, result)
            counted = self._counted(chain([] if first is None else [first], records), result)
            if result.known and not self._only_chain:
                try:
                    self._follow(game_of(kind), game_id, counted, result)
                except _NO_MISTAKES:
                    raise
                except Exception as error:
                    result.fail(error, None, None)
            deque(counted, maxlen=0)  # check the chain to its end, even if `_follow` stopped early

    def _follow(self, game: Game, game_id: str, records: Iterator[Record], result: Audited) -> None:
        def report(check: Check, record: AnyRecord | None, found: str, expected: str) -> None:
            seq, type_ = (None, None) if record is None else (_number(record), str(record.type))
            result.add(Finding(game_id, seq, type_, check, found, expected))

        def differs(seq: int | None, found: str, expected: str) -> None:
            result.add(Finding(game_id, seq, None, "read_models", found, expected))

        def failed(record: AnyRecord | None, error: Exception) -> None:
            seq, type_ = (None, None) if record is None else (_number(record), str(record.type))
            result.fail(error, seq, type_)

        def give(page: LedgerPage) -> None:
            assert self._ledger is not None
            self._ledger(game_id, page)

        projector = Projector(game)
        with closing(ProjectionCheck(self._connection, game_id, differs)) as projection:
            ledger = None if self._ledger is None else give
            rounds = projection.counted if self._tallied is None else self._tallied.get(game_id, 0)
            tallied = TalliedGame(game, game_id, rounds, self._sums)

            def met(record: AnyRecord, event: Event) -> None:
                tallied.take(record, event)
                projection.met(_number(record), projector.take(event, record.recorded_at))

            walk = Walk(game, report, failed, over=projection.over, projector=projector, ledger=ledger, met=met)
            follow, started_at = walk.follow, ""
            for record in records:
                started_at = started_at or record.recorded_at
                line = follow(record)
                if line is not None:
                    projection.line(line)
            walk.end()
            result.tallied = tallied.found
            result.missed_shares = walk.missed_shares
            result.unchecked = dict(walk.unchecked)
            if walk.state is not None and walk.started is not None:
                outcome = projector.outcome(walk.state)
                result.over = outcome is not None
                listing = projector.start(walk.started)
                if walk.reseating is not None:
                    listing = after(listing, walk.reseating)
                projection.end(listing, projector.began_at or started_at, outcome)
        for finding in repeated_in(self._connection, game, game_id):
            result.add(finding)
        result.shuffled = walk.shuffled if result.intact else None

    def _counted(self, records: Iterable[Record], result: Audited) -> Iterator[Record]:
        """Yield the records while counting them and checking their times."""
        count, check_moment = 0, Moments().check
        for record in records:
            count += 1
            if (wrong := check_moment(record)) is not None:
                result.add(Finding(result.game_id, _number(record), str(record.type), "chain", *wrong))
            yield record
            if not count % STEP:
                self._progress(STEP)
        result.events = count
        self._progress(count % STEP)


def _number(record: AnyRecord) -> int | None:
    """Return an event's number; None if the database holds something else."""
    return record.seq if type(record.seq) is int else None


def _kind_played(head: Head, first: Record | None, game_id: str, result: Audited) -> str:
    """Return the kind of game from the first event, or else from the games table; report it if they differ."""
    stored: object = head.kind
    said = stored if isinstance(stored, str) else repr(stored)
    try:
        played = json.loads(first.payload)["game"] if first is not None else said
    except (ValueError, TypeError, KeyError, RecursionError):  # the schema is checked when the game is followed
        played = said
    result.kind = said
    if isinstance(played, str) and played != said:
        result.add(Finding(game_id, None, None, "chain", f"the kind {said!r} in the games table", repr(played)))
        if usable(played):
            result.kind = said = played
    result.known = usable(said)
    return said
