"""Logs with games, evidence of these games, and functions that tamper with both."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from pokersvc.core.event import EVERYONE, Viewer
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.evidence import checkpoint, export
from pokersvc.evidence.checkpoint import Checkpoint
from pokersvc.evidence.findings import Finding
from pokersvc.evidence.jsonl import lines_in
from pokersvc.evidence.keys import Signer
from pokersvc.evidence.verification import Known, Verification

AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
EVENT = NewEvent("Raised", 1, '{"seat":1,"to":20}')
HIDDEN = NewEvent("HandDealt", 1, '{"seat":1}', '{"cards":["AS"]}')


def record(log: EventLog, game_id: str, events: int = 3) -> None:
    """Record a game of commands of one event."""
    for number in range(events):
        log.append(game_id, [EVENT], expected=number, command_id=f"c{number}", kind="test", recorded_at=AT)


def checkpointed(
    log: EventLog, path: Path, *, previous: bytes | None = None, signer: Signer | None = None
) -> Checkpoint:
    """Write the checkpoint of a log to a file."""
    with log.snapshot() as snapshot, path.open("wb") as file:
        return checkpoint.write(file, snapshot, created_at=AT, previous=previous, signer=signer)


def compared(path: Path, database: Database, **options: Any) -> list[Finding]:
    with EventLog(database).snapshot() as snapshot:
        return list(checkpoint.compare(path, snapshot, **options))


def tampered(path: Path, *statements: str) -> None:
    """Change a SQLite database as somebody with write access to the file could."""
    with closing(sqlite3.connect(path)) as connection:
        for trigger in ("events_refuse_update", "events_refuse_delete"):
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def exported(log: EventLog, game_id: str, viewer: Viewer = EVERYONE, **options: Any) -> bytes:
    file = BytesIO()
    export.write(file, log, game_id, viewer, **options)
    return file.getvalue()


def verification(content: bytes, *known: Known) -> Verification:
    return Verification(lines_in(BytesIO(content), "file"), "file", known)


def findings(content: bytes, *known: Known) -> list[Finding]:
    """Verify an export, and return the findings."""
    return list(verification(content, *known).findings())


def lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def checks(found: Iterable[Finding]) -> list[str]:
    return [finding.check for finding in found]


def mutations(content: bytes) -> Iterator[bytes]:
    """Yield a file with one byte changed, removed or added, everywhere, and cut off everywhere."""
    for at, byte in enumerate(content):
        before, after = content[:at], content[at + 1 :]
        for other in {byte ^ 1, byte ^ 0x20, byte ^ 0x80, 0}:
            if other != byte:
                yield before + bytes([other]) + after
        yield before + after
        yield before
        for added in b" 0\n":
            yield before + bytes([added]) + content[at:]
