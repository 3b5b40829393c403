"""Games in which one event is forged and all hashes are recomputed."""

import json
from collections.abc import Callable
from typing import Any

from pokersvc.eventlog.record import Record
from pokersvc.evidence.findings import Finding

from .played import Tampered


def only(findings: list[Finding], check: str) -> list[Finding]:
    return [finding for finding in findings if finding.check == check]


def forged(tampered: Tampered, game_id: str, type_: str, change: Callable[[Record], Record], which: int = 0) -> int:
    """Change one event of a type, recompute all hashes and rebuild the read models; return the event's number."""
    records = tampered.records(game_id)
    at = [at for at, record in enumerate(records) if record.type == type_][which]
    tampered.rewrite(game_id, [*records[:at], change(records[at]), *records[at + 1 :]])
    return at + 1


def public(**fields: Any) -> Callable[[Record], Record]:
    """Return a change to the public part of an event."""

    def change(record: Record) -> Record:
        return record._replace(payload=canonical({**json.loads(record.payload), **fields}))

    return change


def hidden(**fields: Any) -> Callable[[Record], Record]:
    """Return a change to the secret part of an event."""

    def change(record: Record) -> Record:
        assert record.secret is not None
        return record._replace(secret=canonical({**json.loads(record.secret), **fields}))

    return change


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
