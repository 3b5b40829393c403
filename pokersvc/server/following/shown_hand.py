"""A hand as its link shows it: its events and none after them, with one seat's own cards or with no seat's."""

from typing import Final

from pokersvc.core.event import EVERYONE
from pokersvc.core.registry import game_of
from pokersvc.core.state import State
from pokersvc.core.tables.table_events import TABLE_EVENTS
from pokersvc.eventlog.record import GENESIS
from pokersvc.server.following.viewer_copies import ViewerCopy
from pokersvc.server.following.wire import closed, members_of
from pokersvc.server.models.game_models import json_of
from pokersvc.server.tables.information import information, takes_rounds
from pokersvc.server.tables.rows import TableRow
from pokersvc.server.tables.shared_hands import SharedHand
from pokersvc.server.viewpoint import PUBLIC_VIEW, Viewpoint
from pokersvc.service import Service
from pokersvc.service.shown import Recorded

MOST: Final = 200
"""The most events in one answer."""
_OF_TABLE: Final = ("table", "game", "number", "kind", "title", "terms", "options")
"""The table's fields that a link to a hand shows: nothing that changes after the hand."""


def shown_hand(service: Service, row: TableRow, hand: SharedHand, after: int = 0) -> dict[str, object]:
    """Return a shared hand, with at most `MOST` of its events after event number ``after``."""
    begin = max(hand.first, after + 1)
    wanted = range(begin, begin + MOST)
    viewpoint = _viewpoint(row, hand)
    followed = ViewerCopy(row.kind, row.game_id, viewpoint)
    steps: list[dict[str, object]] = []
    before, number = GENESIS, None
    rounds = takes_rounds(game_of(row.kind))

    def take(recorded: Recorded, state: State) -> None:
        nonlocal before, number
        record, event = recorded
        if record.seq < hand.first:
            before = record.hash
            return
        if record.seq in wanted:
            shown = record if viewpoint.open(record.seq, event) else closed(record)
            steps.append(
                {"record": members_of(shown), "text": followed.lines[-1].text, "view": json_of(followed.view())}
            )
        if rounds and record.seq == hand.last and event.__class__ not in TABLE_EVENTS:
            entry = state.entry(event, EVERYONE)
            number = None if entry is None else entry.number

    followed.follow(service, take, hand.last)
    about = information(row)
    return {
        **{name: about[name] for name in _OF_TABLE},
        "round": number,
        "seat": hand.seat,
        "cards": hand.cards,
        "names": [seat.name for seat in followed.replay.seats],
        "first": hand.first,
        "last": hand.last,
        "before": before.hex(),
        "head": followed.head.hex(),
        "steps": steps,
    }


def _viewpoint(row: TableRow, hand: SharedHand) -> Viewpoint:
    """Return a point of view that opens only this hand's secrets, none from before the link's maker held the seat."""
    if not hand.cards:
        return PUBLIC_VIEW
    return Viewpoint(hand.seat, max(hand.first - 1, row.seat(hand.seat).since))
