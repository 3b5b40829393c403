"""The check of the times in a log: each is a valid time, and all events of a command have the same time."""

from typing import NamedTuple

from pokersvc.eventlog.record import Record, SharedRecord, is_moment


class Wrong(NamedTuple):
    """A wrong time: a description of what was found, and of what should be there instead."""

    found: str
    expected: str


class Moments:
    """Checks the times of a game's events, in order."""

    def __init__(self) -> None:
        self._at: str | None = None
        self._command: str | None = None

    def check(self, record: Record | SharedRecord) -> Wrong | None:
        """Return the fault of the next event's time, or None; the time may equal the previous event's time."""
        at, command = record.recorded_at, record.command_id
        if at == self._at:
            self._command = command
            return None
        same_command = self._command is not None and command == self._command
        self._at, self._command = at, command
        if not is_moment(at):
            return Wrong(f"the moment {at!r}", "a moment that exists, written like 2026-01-31T12:00:00.000000Z")
        if same_command:
            return Wrong(f"the moment {at}", "that of the event before it, which is of the same command")
        return None
