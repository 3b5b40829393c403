"""Snapshots: a game's current state as one viewer may know it, so that clients need not read all its events."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import datetime

from pokersvc.core.actions import Action, CloseGame, IllegalAction
from pokersvc.core.event import EVERYONE
from pokersvc.core.game import Game
from pokersvc.core.seats import HUMAN
from pokersvc.core.state import State
from pokersvc.core.tables.clock import microseconds, moment_of
from pokersvc.core.words import InvalidAnswer
from pokersvc.eventlog.record import timestamp
from pokersvc.server.following.viewer_copies import ViewerCopy
from pokersvc.server.models.game_models import json_of
from pokersvc.server.tables.rows import TableRow
from pokersvc.service import Service
from pokersvc.service.table_status import shares_status


def snapshot_of(table: TableRow, followed: ViewerCopy, service: Service, after: int) -> dict[str, object]:
    """Return the current state of a game for one viewer, with the lines of the events after number ``after``."""
    state, viewer = followed.state, followed.viewpoint.viewer
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
        "choices": _choices(followed.game, view, legal),
        "view": json_of(view),
        "ask": None if legal is None else words.question(view, legal),
        "show": words.show(view),
        "clock": _clock(followed, service.now()),
        "level": _level(followed, service.now()),
        "shares": _shares(followed),
        "paused": followed.table.paused,
        "sitting_out": list(followed.table.sitting_out),
        "lines": [line._asdict() for line in followed.lines if line.seq > after],
        "beforehand": _beforehand(followed, state),
        "between": _between(followed, state),
        "outcome": None if outcome is None else {"scores": list(outcome.scores), "ranks": list(outcome.ranks)},
        "settings": dict(table.settings),
    }


def _choices(game: Game, view: object, legal: object) -> list[dict[str, object]]:
    """Return each action that a seat may choose, with a label in words; none if the game does not list its actions."""
    if not isinstance(legal, Sequence) or not all(isinstance(one, Action) for one in legal):
        return []
    said = []
    for shortcut in game.words.shortcuts(view, legal):
        with suppress(InvalidAnswer, IllegalAction):
            said.append((game.words.read(shortcut.typed, view, legal), shortcut.does))
    return [
        {"action": json_of(one), "label": next((does for action, does in said if action == one), _called(one))}
        for one in legal
    ]


def _called(action: Action) -> str:
    """Return the name of an action for which the game has no words: its type and its fields, without the seat.

    >>> from pokersvc.core.actions import Forfeit, Leave
    >>> _called(Leave(1)), _called(Forfeit(1, "timeout"))
    ('Leave', 'Forfeit, code timeout')
    """
    own = (f"{field.name} {getattr(action, field.name)}" for field in fields(action))
    return ", ".join([type(action).__name__, *(said for said in own if not said.startswith("seat "))])


def _closable(table: TableRow, state: State) -> bool:
    """Return whether the host may close the game now: its rules allow it, or no person is in it any more."""
    if not any(seat.kind == HUMAN and state.playing(seat.seat) for seat in table.seats):
        return True
    with suppress(IllegalAction):
        state.decide(CloseGame())
        return True
    return False


def _clock(followed: ViewerCopy, now: datetime) -> dict[str, object] | None:
    """Return the clock as JSON: each seat's reserve and deadline; None if the table has no clock."""
    clock, settings = followed.clock, followed.table.settings
    if clock is None or settings is None:
        return None
    return {
        "paused": followed.table.paused,
        "seconds": settings.seconds,
        "bank": {str(seat): left // 1000 for seat, left in clock.bank.items()},
        "deadline": {str(seat): timestamp(moment_of(at)) for seat, at in clock.deadlines.items()},
        "now": timestamp(now),
    }


def _level(followed: ViewerCopy, now: datetime) -> dict[str, object] | None:
    """Return when the next level is due and when the break is over; None if no level ends by time."""
    clock = followed.level_clock
    if clock is None:
        return None
    ends, rests = clock.ends, clock.rests_until if clock.rest_left(microseconds(now)) else None
    return {
        "ends": None if ends is None else timestamp(moment_of(ends)),
        "rests_until": None if rests is None else timestamp(moment_of(rests)),
        "now": timestamp(now),
    }


def _shares(followed: ViewerCopy) -> dict[str, object] | None:
    """Return the state of the common shuffle; None if the dealer shuffles alone."""
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


def _between(followed: ViewerCopy, state: State) -> list[str]:
    """Return the texts that a seat may type between two rounds besides ``leave``; only some games have any."""
    viewer = followed.viewpoint.viewer
    if viewer == EVERYONE or not state.pausing:
        return []
    return [one.said for one in followed.game.words.between_rounds(state.view(EVERYONE), viewer)]


def _beforehand(followed: ViewerCopy, state: State) -> list[str]:
    """Return the warnings for a seat about what the next round does to it without asking."""
    viewer = followed.viewpoint.viewer
    if viewer == EVERYONE or not state.pausing or not state.playing(viewer):
        return []
    return list(followed.game.words.before_round(state.view(EVERYONE), viewer))
