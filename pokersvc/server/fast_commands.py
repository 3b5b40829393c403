"""The fast path of commands, without the framework's routers, dependencies and threads, which cost more than a command.

A request that is not a well-formed command takes the framework's path, which does the same and says what is wrong. That
path is in the OpenAPI document.
"""

import json
import re
from contextlib import nullcontext
from typing import Final, NamedTuple

from pydantic import ValidationError
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pokersvc.errors import PokersvcError
from pokersvc.server.api.commands import carried_out
from pokersvc.server.connections.turns import precedence_of
from pokersvc.server.models.bodies import CommandBody
from pokersvc.server.parts import Parts
from pokersvc.server.refusals import refusal_of
from pokersvc.server.tables.information import MOST_SEATS

_PATH: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,64})/seats/([1-9][0-9]?)/commands")
_JSON: Final = (b"content-type", b"application/json")


class _Command(NamedTuple):
    """A request that is a command."""

    table: str
    seat: int
    asked: CommandBody


class FastCommands:
    """Answers commands, and passes everything else on."""

    def __init__(self, app: ASGIApp, parts: Parts) -> None:
        self._app, self._parts = app, parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a command, or pass the request on with the part of its body that was read."""
        path = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if path is None or _JSON not in scope["headers"] or int(path[2]) > MOST_SEATS:
            await self._app(scope, receive, send)
            return
        message = await receive()
        if (asked := _asked(message)) is None:
            await self._app(scope, _first(message, receive), send)
            return
        connection = precedence_of(scope)
        plays = connection is not None and connection.plays
        threads = self._parts.threads if plays else self._parts.threads_of_others
        try:
            with nullcontext() if connection is None else connection.while_carried_out():
                answer = await threads.call(carried_out, self._parts, Request(scope), path[1], int(path[2]), asked)
            if connection is not None:
                connection.answered = True
        except PokersvcError as error:
            answer = refusal_of(error)
        await answer(scope, receive, send)


def _asked(message: Message) -> CommandBody | None:
    """Return the command in a message's body; None if the body is incomplete or is no valid command."""
    if message["type"] != "http.request" or message.get("more_body"):
        return None
    try:
        return CommandBody.model_validate(json.loads(message["body"]))
    except (ValidationError, ValueError, RecursionError):
        return None


def _first(message: Message, receive: Receive) -> Receive:
    """Return a receive function whose first message is one that was taken already."""
    taken = [message]

    async def again() -> Message:
        return taken.pop() if taken else await receive()

    return again
