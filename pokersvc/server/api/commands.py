"""Carries out a seat's commands, for the fast path and for the routes of the framework."""

from starlette.requests import Request
from starlette.responses import Response

from pokersvc.core.randomness.share_events import BindSeat, OpenShare
from pokersvc.core.registry import game_of
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.server.authentication import SeatRequest
from pokersvc.server.commands import Asked
from pokersvc.server.errors import WrongTime
from pokersvc.server.models.bodies import CommandBody
from pokersvc.server.models.game_models import Chosen, InvalidAction, shape_of
from pokersvc.server.parts import Parts


def carried_out(parts: Parts, request: Request, table: str, seat: int, asked: CommandBody) -> Response:
    """Carry out an action of a seat, only once even if it is sent twice; return the answer with the recorded events."""
    opened = parts.authentication.seat(request, table, seat)
    parts.within(parts.command_rate, opened.table.game_id, seat)
    check_started(parts, opened.table.game_id)
    command_id = asked.id.lower()
    if asked.typed is not None and (events := parts.commands.before(opened, command_id)):
        return _events(events)
    # A client that does not see the game live cannot know its head, and must not learn it from a refusal.
    live = opened.table.shows_live(opened.seat)
    head = None if asked.head is None or not live else bytes.fromhex(asked.head)
    action = _action(parts, opened, asked)
    _by_own_knowledge(parts, opened, command_id, action)
    return _events(parts.commands.act(opened, Asked(command_id, head, action)))


def shared(
    parts: Parts, request: Request, table: str, seat: int, command_id: str, action: BindSeat | OpenShare
) -> Response:
    """Carry out a seat's part in a common shuffle (keys or a share), only once if sent twice; return the answer."""
    opened = parts.authentication.seat(request, table, seat)
    parts.within(parts.command_rate, opened.table.game_id, seat)
    check_started(parts, opened.table.game_id)
    return _events(parts.commands.act(opened, Asked(command_id.lower(), None, action)))


def check_started(parts: Parts, game_id: str) -> None:
    """Raise `WrongTime` if a game has not started."""
    try:
        parts.service.status(game_id, known=1)  # any copy of the game in memory is enough
    except UnknownGame:
        raise WrongTime("not_started", "The game has not started yet.") from None


def _events(events: list[bytes]) -> Response:
    return Response(b'{"events":[%s]}' % b",".join(events), media_type="application/json")


def _by_own_knowledge(parts: Parts, opened: SeatRequest, command_id: str, action: Chosen) -> None:
    """Try an action with only what the holder of a new link knows, so that a refusal reveals no earlier hand."""
    game_id = opened.table.game_id
    if not opened.seat.since or not isinstance(action, game_of(opened.table.kind).actions):
        return
    if not parts.log.command(game_id, command_id):
        with parts.viewer_copies.now(opened.table.kind, game_id, opened.viewpoint) as followed:
            followed.state.decide(action)


def _action(parts: Parts, opened: SeatRequest, asked: CommandBody) -> Chosen:
    if (asked.action is None) == (asked.typed is None):
        raise InvalidAction("A command has either an 'action' or what was 'typed'.")
    kind, seat = opened.table.kind, opened.seat.seat
    if asked.action is not None:
        return shape_of(kind).action(asked.action, seat)
    with parts.viewer_copies.now(kind, opened.table.game_id, opened.viewpoint) as followed:
        return followed.typed(asked.typed or "", advised=opened.table.settings["advice"])
