"""Path and query parameters of requests, and descriptions of answers, for the OpenAPI document."""

from typing import Annotated, Any, Final

from fastapi import Path, Query

from pokersvc.server.models.answers import Refusal
from pokersvc.server.tables.information import MOST_SEATS

TableId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="The id of a table, and of its game.")]
SeatNumber = Annotated[int, Path(ge=1, le=MOST_SEATS, description="A seat, from 1.")]
MOST_SEQ: Final = 2**31 - 1
After = Annotated[int, Query(ge=0, le=MOST_SEQ, description="What comes after the event of this number.")]

REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Refusal, "description": description}
    for status, description in {
        400: "Not a request that can be read.",
        401: "The token is missing or wrong.",
        403: "Not allowed, or from another site's page.",
        404: "There is no such table.",
        408: "The body came too slowly.",
        409: "Not as the table stands.",
        413: "The body is too long.",
        421: "The server is not called by this name.",
        422: "Refused; the message says why.",
        431: "The headers are too long.",
        429: "Too many requests.",
        503: "The database is busy.",
    }.items()
}
EVENT_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Server-sent events: `record`, `opened`, `lobby` and `gone`.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
EXPORT: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "A file for `pokersvc verify`.",
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    }
}
EMPTY: Final[dict[int | str, dict[str, Any]]] = {204: {"description": "Done."}}
