"""Requests for a game, answered from the point of view of one seat or of a watcher."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Final

from fastapi import Header, Request
from fastapi.responses import JSONResponse, Response

from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.registry import game_of
from pokersvc.core.seats import Seat
from pokersvc.core.state import State
from pokersvc.core.tables.table_words import event_words
from pokersvc.eventlog.record import Record, SharedRecord
from pokersvc.evidence import export
from pokersvc.server.connections.rate_limits import address_of
from pokersvc.server.errors import NotAllowed, WrongTime
from pokersvc.server.following.pushed_snapshots import maker
from pokersvc.server.following.snapshot import snapshot_of
from pokersvc.server.following.stream import EventStream
from pokersvc.server.following.viewer_copies import ViewerCopy
from pokersvc.server.models.game_models import json_of
from pokersvc.server.parts import Parts
from pokersvc.server.tables.rows import SeatRow, TableRow
from pokersvc.server.viewpoint import DELAYED_VIEW, PUBLIC_VIEW, Viewpoint
from pokersvc.service.shown import Recorded

MOST_STEPS: Final = 200
"""The most steps of a replay in one answer."""


class Viewing:
    """Makes the answers about a game for one viewer: its stream, snapshot, replay and file."""

    def __init__(self, parts: Parts, table: TableRow, seat: SeatRow | None = None) -> None:
        self._parts, self._table, self._seat = parts, table, seat
        self._viewpoint = PUBLIC_VIEW if seat is None else Viewpoint(seat.seat, seat.since)
        self._upto: int | None = None
        """The number of the last event that the viewer may know; None if they see the game live."""
        if not table.shows_live(seat):
            self._viewpoint = DELAYED_VIEW
            self._upto, self._table, _ = parts.delay.known(table, None if seat is None else seat.seat)

    def stream(self, request: Request, after: int, *, snapshots: bool) -> Response:
        """Return the stream of the events after event number ``after``; with ``snapshots``, it sends those too."""
        parts, seat = self._parts, self._seat
        return EventStream(
            parts.hub,
            parts.streams,
            parts.presence,
            self._table.game_id,
            self._viewpoint,
            after,
            token=None if seat is None else seat.token,
            held=seat,
            address=address_of(request),
            changes=self._table.changes,
            delay=parts.delay,
            seat=None if seat is None else seat.seat,
            snapshots=maker(parts.service, parts.viewer_copies) if snapshots else None,
        )

    def snapshot(self, after: int) -> Response:
        """Return the game's current state."""
        self._started()
        self._parts.presence.visit(self._table.game_id)
        with self._parts.viewer_copies.now(
            self._table.kind, self._table.game_id, self._viewpoint, self._upto
        ) as followed:
            return JSONResponse(snapshot_of(self._table, followed, self._parts.service, after))

    def replay(self, begin: int, end: int | None) -> Response:
        """Return the steps of the game from event ``begin`` to event ``end``, at most 200."""
        self._started()
        part = _Part(begin, end)

        def take(recorded: Recorded, state: State, followed: ViewerCopy) -> None:
            part.take(recorded.record, followed.lines[-1].text, followed.view)

        self._parts.viewer_copies.steps(self._table.kind, self._table.game_id, self._viewpoint, take, self._upto)
        return part.answer()

    def opened(self, begin: int, end: int | None) -> Response:
        """Return steps of a finished game with every hand; raise `NotAllowed` if the table keeps hands hidden."""
        self._started()
        table, service = self._table, self._parts.service
        if not table.settings["opens_seeds"]:
            raise NotAllowed("This table keeps its decks closed.")
        self._require_whole()
        if service.status(table.game_id).outcome is None:
            raise WrongTime("not_over", "The game is not over; its decks are opened then.")
        part, game = _Part(begin, end), game_of(table.kind)
        seats = tuple(Seat(seat.kind, seat.name or "") for seat in table.seats)
        for record, event, state in service.with_secrets.replay(table.game_id):
            part.take(record, event_words(game, event, state, seats), partial(state.view, AUDITOR))
        return part.answer()

    def export(self) -> Response:
        """Return the game's file for `pokersvc verify`."""
        self._started()
        self._require_whole()
        file = BytesIO()
        viewer = self._viewpoint.viewer
        if viewer != EVERYONE and self._viewpoint.since:
            raise WrongTime("link_replaced", "A replaced link shows no hand from before: take everyone's file.")
        export.write(file, self._parts.log, self._table.game_id, viewer)
        whose = "everyone" if viewer == EVERYONE else f"seat-{viewer}"
        name = f"{self._table.game_id[:8]}-{whose}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(file.getvalue(), media_type="application/jsonl", headers=headers)

    def _require_whole(self) -> None:
        if self._upto is not None:
            self._parts.delay.require_whole(self._table)

    def _started(self) -> None:
        if self._upto == 0 or self._parts.log.head(self._table.game_id) is None:
            raise WrongTime("not_started", "The game has not started yet; the table itself is at /api/tables/{table}.")


class _Part:
    """The requested part of a replay: its steps from event ``begin`` to event ``end``, at most 200."""

    def __init__(self, begin: int, end: int | None) -> None:
        most = begin + MOST_STEPS - 1
        self._wanted = range(begin, min(most, most if end is None else end) + 1)
        self._steps: list[dict[str, object]] = []
        self._count = 0

    def take(self, record: Record | SharedRecord, text: str, view: Callable[[], object]) -> None:
        """Take the game's next event, its text and the view after it; keep them as a step if it was requested."""
        self._count = record.seq
        if record.seq in self._wanted:
            about = {"seq": record.seq, "recorded_at": record.recorded_at, "type": record.type}
            self._steps.append({**about, "text": text, "view": json_of(view())})

    def answer(self) -> Response:
        """Return the answer with the steps and the number of the game's events."""
        return JSONResponse({"count": self._count, "steps": self._steps})


def position(after: int, last_event_id: str | None) -> int:
    """Return the number of the event after which a stream begins: that of ``Last-Event-ID`` if a browser reconnects."""
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdecimal() and len(last_event_id) < 10:
        return int(last_event_id)
    return after


LastEventId = Header(default=None, alias="Last-Event-ID", description="The last event that the reader has.")
