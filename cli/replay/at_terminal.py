"""`pokersvc replay` at a terminal: a replayer that also follows a game still being played."""

import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Final

import pokersvc
from pokersvc import eventlog
from pokersvc.cli.drawing import fullscreen
from pokersvc.cli.drawing.colours import Painter
from pokersvc.cli.replay.replayer import Replayer
from pokersvc.cli.replay.viewpoint import viewer_of
from pokersvc.cli.setup.preferences import Preferences
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.service.cursor import Cursor

if TYPE_CHECKING:
    from pokersvc.core.drawing import Line, Room

LOOKS: Final = 0.4
"""The number of seconds between two reads of the log for new events."""


def replay_at_terminal(
    database: "pokersvc.Database",
    summary: "pokersvc.GameSummary",
    viewer: "pokersvc.Viewer",
    *,
    force: bool,
    round_: int | None,
    to: int | None,
) -> None:
    """Show a game at the terminal, from its first event or from ``round_`` or ``to``, until the person quits."""
    game_id = summary.game_id
    with pokersvc.EventLog(database).snapshot() as snapshot:
        cursor = Cursor(pokersvc.game_of(summary.kind), list(snapshot.read(game_id)), viewer)
    if to is not None and not cursor.go(to):
        raise InvalidValue(f"Game {game_id} has no event {to}; its events are 1 to {cursor.count}.")
    if round_ is not None and not cursor.go_to_round(round_):
        raise InvalidValue(f"Game {game_id} has no round {round_}.")
    painter = Painter.of_terminal(Preferences.of_this_person().colours)
    with ExitStack() as stack:
        changes = None
        if summary.outcome is None:
            with suppress(PokersvcError):  # a file that cannot be written is read all the same
                changes = stack.enter_context(eventlog.changes.Changes(database))
        _Replaying(database, summary, cursor, changes, force=force).show(painter)


class _Replaying:
    """A replayer that reads new events from the log."""

    def __init__(
        self,
        database: "pokersvc.Database",
        summary: "pokersvc.GameSummary",
        cursor: Cursor,
        changes: "eventlog.changes.Changes | None",
        *,
        force: bool,
    ) -> None:
        self._database, self._summary, self._changes = database, summary, changes
        self._replayer = Replayer(
            lambda: self._summary, cursor, lambda text: viewer_of(self._database, self._summary, text, force=force)
        )
        self._due = self._looked = 0.0

    def show(self, painter: Painter) -> None:
        """Show the replayer until the person quits."""
        fullscreen.show(self._lines, self._press, self._tick, painter)

    def _lines(self, room: "Room") -> "list[Line]":
        return self._replayer.screen(room)

    def _press(self, key: str) -> bool:
        self._replayer.press(key)
        self._due = time.monotonic() + self._replayer.seconds
        return self._replayer.closed

    def _tick(self) -> bool:
        now, changed = time.monotonic(), False
        if self._summary.outcome is None and now >= self._looked + LOOKS:
            self._looked, changed = now, self._look()
        if self._replayer.playing and now >= self._due:
            self._due = now + self._replayer.seconds
            self._replayer.play_on()
            changed = True
        return changed

    def _look(self) -> bool:
        """Read the events recorded since the last call, and return whether there were any."""
        if self._changes is not None and not self._changes.since_last():
            return False
        cursor, game_id = self._replayer.cursor, self._summary.game_id
        self._summary = pokersvc.game_summary(self._database, game_id)
        with pokersvc.EventLog(self._database).snapshot() as snapshot:  # after the summary: a finished game is complete
            head = snapshot.head(game_id)
            new = [] if head is None else snapshot.part(game_id, after=cursor.count, upto=head.count)
        cursor.extend(new)
        return bool(new)
