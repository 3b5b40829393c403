"""Path and query parameters of requests, and descriptions of answers, for the OpenAPI document."""

from typing import Annotated, Any, Final

from fastapi import Depends, Path, Query

from pokersvc.server.authentication import GAME
from pokersvc.server.models.answers import Refusal
from pokersvc.server.models.bodies import MOST_SEQ
from pokersvc.server.tables.information import MOST_SEATS

_ID: Final = r"^[A-Za-z0-9_-]{1,64}$"
TableId = Annotated[str, Path(pattern=_ID, description="The id of a table, which means its last game, or of a game.")]
GameId = Annotated[str | None, Query(pattern=_ID, alias=GAME, description="The game of the table that is meant.")]
SeatNumber = Annotated[int, Path(ge=1, le=MOST_SEATS, description="A seat, from 1.")]


def _named(game: GameId = None) -> None:
    """Put a parameter that `Authentication` reads into the OpenAPI document of a route."""


NAMES_A_GAME: Final = [Depends(_named)]
"""The dependencies of routers whose requests may name a game of their table."""
After = Annotated[int, Query(ge=0, le=MOST_SEQ, description="What comes after the event of this number.")]
Snapshots = Annotated[
    bool, Query(description="Whether a viewer who sees the game live is sent a `snapshot` after new events.")
]

# FastAPI would compile a `model` again for each refusal of each route, which would take most of the starting time.
_REFUSED: Final = {"application/json": {"schema": {"$ref": f"#/components/schemas/{Refusal.__name__}"}}}
REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"content": _REFUSED, "description": description}
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
        "description": "Events: `record`, `snapshot`, `opened`, `lobby`, `table`, `connected`, `chat`, `gone` and "
        "`heartbeat`.",
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
