"""A game as one viewer may know it now, for who comes late to a long one."""

from contextlib import suppress
from datetime import UTC, datetime

from pokersvc.core.actions import CloseGame, IllegalAction
from pokersvc.core.clock import moment_of
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.core.state import State
from pokersvc.eventlog.record import timestamp
from pokersvc.server.followed import Followed
from pokersvc.server.shapes import json_of
from pokersvc.server.store import TableRow
from pokersvc.service import Service
from pokersvc.service.table_status import shares_status


def snapshot_of(table: TableRow, followed: Followed, service: Service, after: int) -> dict[str, object]:
    """Return where a game stands, with what was told after the event of this number."""
    state, viewer = followed.state, followed.eyes.viewer
    legal, view, words = followed.legal(), followed.view(), followed.game.words
    outcome = state.outcome
    return {
        "count": followed.count,
        "head": followed.head.hex(),
        "kind": table.kind,
        "status": "playing" if outcome is None else "over",
        "pausing": state.pausing,
        "ends_next": state.ends_next,
        "closable": _closable(table, state),
        "awaited": list(state.awaited),
        "your_turn": viewer in state.awaited,
        "legal": None if legal is None else json_of(legal),
        "view": json_of(view),
        "ask": None if legal is None else words.question(view, legal),
        "show": words.show(view),
        "clock": _clock(followed),
        "shares": _shares(followed),
        "paused": followed.table.paused,
        "sitting_out": list(followed.table.sitting_out),
        "lines": [line._asdict() for line in followed.lines if line.seq > after],
        "beforehand": _beforehand(followed, state),
        "between": _between(followed, state),
        "outcome": None if outcome is None else {"scores": list(outcome.scores), "ranks": list(outcome.ranks)},
        "settings": dict(table.settings),
    }


def _closable(table: TableRow, state: State) -> bool:
    """Tell whether the host may close the game now: by its rules, or as no person is in it any more."""
    if not any(seat.kind == HUMAN and state.playing(seat.seat) for seat in table.seats):
        return True
    with suppress(IllegalAction):
        state.decide(CloseGame())
        return True
    return False


def _clock(followed: Followed) -> dict[str, object] | None:
    """Return how long everybody has; None where the table has no clock."""
    clock, settings = followed.clock, followed.table.settings
    if clock is None or settings is None:
        return None
    return {
        "paused": followed.table.paused,
        "seconds": settings.seconds,
        "bank": {str(seat): left // 1000 for seat, left in clock.bank.items()},
        "deadline": {str(seat): timestamp(moment_of(at)) for seat, at in clock.deadlines.items()},
        "now": timestamp(datetime.now(UTC)),
    }


def _shares(followed: Followed) -> dict[str, object] | None:
    """Return where the common shuffle stands; None where the dealer shuffles alone."""
    shares = shares_status(followed.replay)
    if shares is None:
        return None
    return {
        "round": shares.round,
        "head": None if shares.head is None else shares.head.hex(),
        "asked": list(shares.asked),
        "waiting": list(shares.waiting),
        "bound": {str(seat): left for seat, left in shares.bound.items()},
        "due": shares.due,
        "deadline": None if shares.deadline is None else timestamp(shares.deadline),
        "seconds": shares.seconds,
    }


def _between(followed: Followed, state: State) -> list[str]:
    """Return what a seat may type between two rounds beside to leave, in games that have such a thing."""
    viewer = followed.eyes.viewer
    if viewer == EVERYONE or not state.pausing:
        return []
    return [one.said for one in followed.game.words.between_rounds(state.view(EVERYONE), viewer)]


def _beforehand(followed: Followed, state: State) -> list[str]:
    """Return what a seat should know before the next round, as it will not be asked."""
    viewer = followed.eyes.viewer
    if viewer == EVERYONE or not state.pausing or not state.playing(viewer):
        return []
    return list(followed.game.words.before_round(state.view(EVERYONE), viewer))
