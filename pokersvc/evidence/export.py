"""Exports: one game in a file of its own, with the secrets that its reader may see and digests of all others.

The file is verified without any database (`pokersvc.evidence.verification`). The format is documented in
docs/exports.md.
"""

from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import BinaryIO, Final

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer, may_see
from pokersvc.core.registry import game_of
from pokersvc.core.tables.table_events import TableSet
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import Record, SharedRecord, digest_of, shared
from pokersvc.evidence.jsonl import line_of
from pokersvc.service import NotOver, Service

FORMAT: Final = "pokersvc/export/1"


@dataclass(frozen=True, slots=True)
class Export:
    """The first line of an export: it names the game, the viewer of the copy, and the length and head of the log."""

    viewer: Viewer
    """The viewer of the copy: a seat, everyone or an auditor."""
    count: int
    """The number of its events."""
    game_id: str
    head: bytes
    """The hash of its last event, 32 bytes."""
    kind: str
    """The kind of the game."""
    opened: tuple[int, ...]
    """The numbers of the events whose secrets are opened although the viewer could not see them."""


def write(
    file: BinaryIO,
    log: EventLog,
    game_id: str,
    viewer: Viewer = EVERYONE,
    *,
    opened: Collection[int] = (),
    force: bool = False,
) -> Export:
    """Export a game as the viewer may know it, plus the secrets of the events ``opened``; return the first line.

    If the table opens its seeds and the game is over, the seeds are opened too, for everybody.
    While the game is in progress, only the viewer's own secrets are opened; raises NotOver for others without
    ``force``. The chain is verified on the way (`ChainBroken`). Raises InvalidValue for an event that is not there or
    has no secret.
    """
    others = _others(log, game_id, viewer, {*opened, *_promised(log, game_id)}, force=force)
    with log.snapshot() as snapshot:
        head = snapshot.head(game_id)
        assert head is not None  # it has just been read, and games do not go away
        export = Export(viewer, head.count, game_id, head.hash, head.kind, others)
        decode = game_of(head.kind).codec.decode
        shown = (
            shared(one, opened=one.seq in others or may_see(decode(one.type, one.version, one.payload, None), viewer))
            for one in snapshot.read(game_id)
        )
        write_lines(file, export, shown)
    return export


def write_lines(file: BinaryIO, export: Export, records: Iterable[Record | SharedRecord]) -> None:
    """Write an export from its first line and its records, each with its secret or without."""
    file.write(line_of(_header(export)))
    file.writelines(line_of(_line(record)) for record in records)


def _promised(log: EventLog, game_id: str) -> tuple[int, ...]:
    """Return the numbers of the events whose secrets a table opens to everybody, as promised, after the game."""
    with log.snapshot() as snapshot, closing(snapshot.read(game_id, upto=2)) as records:
        promised = any(one.type == TableSet.__name__ and '"opens_seeds":true' in one.payload for one in records)
    return tuple(one.seq for one in Service(log).opened(game_id)) if promised else ()


def _others(log: EventLog, game_id: str, viewer: Viewer, opened: Collection[int], *, force: bool) -> tuple[int, ...]:
    """Return, in order, the events to open that the viewer could not see; raise an error if opening is refused."""
    wanted, others = set(opened), []
    over = False
    count = 0
    eyes = EVERYONE if viewer == AUDITOR else viewer  # an auditor would be refused before anything is read
    upto = None if wanted or (viewer == AUDITOR and not force) else 1
    for count, (record, event, state) in enumerate(Service(log).replay(game_id, eyes, upto=upto), 1):
        over = state.outcome is not None
        if count in wanted:
            if record.secret is None:
                raise InvalidValue(f"Event {count} of game {game_id} ({record.type}) has no secret to open.")
            if not may_see(event, viewer):
                others.append(count)
    if wanted and not 1 <= min(wanted) <= max(wanted) <= count:
        outside = min(wanted) if min(wanted) < 1 else max(wanted)
        raise InvalidValue(f"Game {game_id} has no event {outside}; its events are 1 to {count}.")
    if not over and not force:
        if viewer == AUDITOR:
            raise NotOver(
                f"Game {game_id} is not over, but an auditor's export opens every secret; wait for its end, or add"
                " --force."
            )
        if others:
            raise NotOver(
                f"Game {game_id} is not over, but the secret of event {others[0]} is not the reader's; wait for its"
                " end, or add --force."
            )
    return tuple(others)


def _header(export: Export) -> dict[str, object]:
    return {
        "as": export.viewer,
        "count": export.count,
        "format": FORMAT,
        "game": export.game_id,
        "head": export.head.hex(),
        "kind": export.kind,
        "opened": list(export.opened),
    }


def _line(record: Record | SharedRecord) -> dict[str, object]:
    line: dict[str, object] = {
        "command_id": record.command_id,
        "hash": record.hash.hex(),
        "n": record.n,
        "payload": record.payload,
        "recorded_at": record.recorded_at,
        "seq": record.seq,
        "type": record.type,
        "version": record.version,
    }
    if digest := digest_of(record):
        line["digest"] = digest.hex()
    if record.salt is not None:  # not withheld
        line |= {"salt": record.salt.hex(), "secret": record.secret}
    return line
