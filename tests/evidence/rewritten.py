"""Exports that are parsed, changed and reassembled, as a forger would do."""

import json
from collections.abc import Callable
from typing import Any

from pokersvc.eventlog.record import event_hash
from pokersvc.evidence.jsonl import line_of

from .support import lines


def events_in(content: bytes) -> list[dict[str, Any]]:
    """Return the lines after the header."""
    return [json.loads(line) for line in lines(content)[1:]]


def shown(content: bytes) -> list[tuple[str, int | None]]:
    """Return the type and seat of every event whose secret is opened."""
    return [(line["type"], json.loads(line["payload"]).get("seat")) for line in events_in(content) if "secret" in line]


def changed(content: bytes, seq: int, /, **members: Any) -> bytes:
    """Change members of the line of an event (0: the first line); None removes one."""
    found = lines(content)
    line = {**json.loads(found[seq]), **members}
    found[seq] = line_of({name: value for name, value in line.items() if value is not None})
    return b"".join(found)


def closed(content: bytes, *seqs: int) -> bytes:
    """Withhold secrets that an export shows, which needs no change of a hash."""
    for seq in seqs:
        content = changed(content, seq, secret=None, salt=None)
    header = json.loads(lines(content)[0])
    return changed(content, 0, opened=[seq for seq in header["opened"] if seq not in seqs])


def rechained(content: bytes, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    """Change the events and recompute the hashes, as somebody who forges the whole file would do."""
    header, events = json.loads(lines(content)[0]), events_in(content)
    change(events)
    head = bytes(32)
    for seq, event in enumerate(events, 1):
        event["seq"] = seq
        public = {name: event[name] for name in ("n", "type", "version", "recorded_at", "command_id", "payload")}
        digest = bytes.fromhex(event.get("digest", ""))
        head = event_hash(head, seq=seq, game_id=header["game"], digest=digest, **public)
        event["hash"] = head.hex()
    header |= {"count": len(events), "head": head.hex()}
    return b"".join(map(line_of, [header, *events]))
