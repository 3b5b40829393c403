"""Events as they are sent: the stored texts, byte for byte, so that recipients can hash them."""

import json
from typing import NamedTuple

from pokersvc.core.event import EVERYONE, Audience, Event, may_see, secret_fields
from pokersvc.eventlog.record import Record, SharedRecord, Withheld, digest_of, shared
from pokersvc.server.viewpoint import Viewpoint
from pokersvc.service.shown import StoredEvent


class Wired(NamedTuple):
    """One event as JSON in two forms: with a digest in place of its secret, and with the secret.

    Most viewers share the bytes of one form.
    """

    seq: int
    closed: bytes
    """JSON with the digest in place of a secret that not everyone may know."""
    opened: bytes | None
    """JSON with the secret, for viewers who may know it; None if everyone may, if no seat may, or if there is no
    secret."""
    event: Event

    def to(self, viewpoint: Viewpoint) -> bytes:
        """Return the JSON for a viewer."""
        if self.opened is not None and viewpoint.open(self.seq, self.event):
            return self.opened
        return self.closed


def wired(stored: StoredEvent) -> Wired:
    """Return an event in the forms that viewers are sent: with a digest in place of its secret, and with the secret."""
    record, event = stored
    if record.secret is None or may_see(event, EVERYONE):
        return Wired(record.seq, json_of(record), None, event)
    dealers = Audience.DEALER in secret_fields(type(event)).values()
    return Wired(record.seq, json_of(shared(record, opened=False)), None if dealers else json_of(record), event)


def members_of(record: Record | SharedRecord) -> dict[str, object]:
    """Return a record as the JSON object that is sent."""
    members: dict[str, object] = {
        "seq": record.seq,
        "type": record.type,
        "version": record.version,
        "recorded_at": record.recorded_at,
        "command_id": record.command_id,
        "n": record.n,
        "payload": record.payload,
    }
    if isinstance(record.secret, Withheld):
        members["digest"] = record.secret.hex()
    elif record.secret is not None:
        assert record.salt is not None
        members["secret"], members["salt"] = record.secret, record.salt.hex()
    members["hash"] = record.hash.hex()
    return members


def json_of(record: Record | SharedRecord) -> bytes:
    """Return a record as canonical JSON in one line, the only form that the page accepts."""
    return json.dumps(members_of(record), separators=(",", ":"), sort_keys=True).encode()


def closed(record: Record | SharedRecord) -> Record | SharedRecord:
    """Return a record with the digest in place of its secret."""
    if isinstance(record, Record):
        return shared(record, opened=False)
    if record.secret is None or isinstance(record.secret, Withheld):
        return record
    return SharedRecord(*record[:8], Withheld(digest_of(record)), None, record.hash)


def message(event: str, data: bytes, id_: int | None = None) -> bytes:
    r"""Return a server-sent event; ``data`` must be one line.

    >>> message("gone", b"{}")
    b'event: gone\ndata: {}\n\n'
    """
    named = b"" if id_ is None else b"id: %d\n" % id_
    return b"%sevent: %s\ndata: %s\n\n" % (named, event.encode(), data)


OPEN = b": open\n\n"
"""A comment that shows a client at once that its stream is open."""
HEARTBEAT = message("heartbeat", b"{}")
"""An event that shows each end that the other is still there; a browser would hide a comment from its page."""
