"""Answers to refused requests: a code and a sentence, which quotes no secret from the request."""

import logging
from collections.abc import Sequence
from typing import Final

from starlette.responses import JSONResponse, Response

from pokersvc.errors import PokersvcError, printable
from pokersvc.server.errors import UNEXPECTED, LinkUsed, StaleHead, TooMany, status_of

_log: Final = logging.getLogger("pokersvc.server")


def refusal(status: int, code: str, message: str, **more: object) -> Response:
    """Return the answer to a refused request."""
    return JSONResponse({"code": code, "message": message, **more}, status)


def field_of(place: Sequence[int | str]) -> str | None:
    """Return the form field at a location in a request's body; None for any other location.

    >>> field_of(("body", "settings", "seconds")), field_of(("body", "seats", 1, "name"))
    ('seconds', 'seats.2.name')
    """
    match place:
        case ("body", "seats", int(index), *parts):
            return ".".join(["seats", str(index + 1), *map(str, parts)])
        case ("body", *_, str(name)):
            return name
        case _:
            return None


def refusal_of(error: PokersvcError) -> Response:
    """Return the answer to a request that failed with an error."""
    status = status_of(error)
    if status == UNEXPECTED:
        _log.error("A request failed (%s).", error.code)
        return refusal(status, "failed", "Something went wrong in the server; it is in its log.")
    more: dict[str, object] = {}
    if isinstance(error, StaleHead):
        more = {"count": error.count, "head": error.head.hex()}
    if isinstance(error, LinkUsed):
        more = {"since": error.since}
    if error.field is not None:
        more["field"] = error.field
    said = refusal(status, error.code, printable(error), **more)
    if isinstance(error, TooMany):
        said.headers["Retry-After"] = str(int(error.wait) + 1)
    return said
