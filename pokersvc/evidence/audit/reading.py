"""Reading the events of a log or a copy, with the check of the schema."""

from collections.abc import Callable
from contextlib import suppress
from textwrap import shorten
from typing import Final, TypeAlias

from pokersvc.core.codec import EncodedEvent, UnreadableEvent
from pokersvc.core.event import Audience, Event, Viewer, redact, secret_fields
from pokersvc.core.game import Game
from pokersvc.eventlog.record import Record, SharedRecord, Withheld
from pokersvc.evidence.findings import Check

AnyRecord: TypeAlias = Record | SharedRecord
"""A record of a log, or of a copy, which may have a digest in place of a secret."""

Report = Callable[[Check, AnyRecord | None, str, str], None]
"""Called with the check, the record (None: the whole game), and descriptions of what was found and expected."""

Met = Callable[[AnyRecord, Event], None]
"""Called with a record and its decoded event, which has the secrets that the record shows."""

MOST_SHOWN: Final = 300
"""The maximum number of characters of a text that a finding shows."""


class Reader:
    """Reads records with the codec of their game, and reports invalid and non-canonical ones.

    ``met`` is given every record that could be read.
    """

    def __init__(self, game: Game, report: Report, met: Met | None = None) -> None:
        self._codec = game.codec
        self._report = report
        self.met = met

    def read(self, record: AnyRecord) -> Event | None:
        """Decode a record and return its event; if it cannot be read, report why and return None."""
        try:
            event = self._codec.decode(record.type, record.version, record.payload, shown_secret(record))
        except UnreadableEvent as error:
            why = shorten(str(error), MOST_SHOWN).rstrip(".")
            self._report("schema", record, "what cannot be read", f"an event that can be read ({why})")
            return None
        if secret_fields(type(event)):
            if record.secret is None and withheld(event):
                self._report("schema", record, "no secret", f"the secret of a {record.type}")
        elif record.secret is not None:
            self._report("schema", record, "a secret", f"none, as a {record.type} has no secret")
        if self.met is not None:
            self.met(record, event)
        return event

    def expect_canonical(self, record: AnyRecord, event: Event) -> None:
        """Report a record whose JSON is not canonical for its version."""
        secret = shown_secret(record)
        if self._codec.is_canonical(record.type, record.version, record.payload, secret):
            return
        coded = None
        with suppress(UnreadableEvent):  # an event cannot be encoded without its secret
            coded = self._codec.encode(event)
        expected = "canonical JSON"
        if coded is not None and coded.payload != record.payload and coded.version == record.version:
            expected = f"canonical JSON, {coded.payload}"
        self._report("schema", record, "JSON that is not canonical", expected)


def shown_secret(record: AnyRecord) -> str | None:
    """Return the secret of a record if the copy shows it, or None."""
    return None if isinstance(record.secret, Withheld) else record.secret


def known_to(event: Event, viewer: Viewer) -> Event:
    """Return an event of a copy as the viewer may know it, but with the dealer's secrets if the copy shows them."""
    opened = Audience.DEALER in secret_fields(type(event)).values()
    return event if opened else redact(event, viewer)


def withheld(event: Event) -> bool:
    """Return whether an event lacks a secret field."""
    return any(getattr(event, name) is None for name in secret_fields(type(event)))


def difference(record: AnyRecord, coded: EncodedEvent, *, over: bool) -> tuple[str, str]:
    """Describe the stored event and the expected event; secrets are shown only if the game is over."""
    found, expected = quoted(record.type, record.payload), quoted(coded.type, coded.payload)
    if (record.type, record.payload) != (coded.type, coded.payload):
        return found, expected
    if over:
        return f"{found} with the secret {shown_secret(record)}", f"the secret {coded.secret}"
    return f"{found} with another secret", "the secret that follows (it is shown when the game is over)"


def quoted(type_: object, payload: object) -> str:
    """Return an event as it is stored, truncated if it is long."""
    text = f"{type_} {payload}"
    return text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
