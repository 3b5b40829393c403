"""Cookies with tokens; each is limited to one URL path, so that a browser can hold several seats."""

from fastapi import Request, Response

from pokersvc.server.authentication import COOKIE, token_of
from pokersvc.server.parts import Parts
from pokersvc.server.tables.rows import TableRow

DAYS = 30


def traded(parts: Parts, request: Request, row: TableRow, address: str, door: str, token: str | None) -> Response:
    """Return an empty answer that sets a cookie for a door (``host`` or ``seats/2``) at an address of a table.

    Without ``token``, the cookie has the request's own token, and is for the address of the table itself.
    """
    where, held = (row.table_id, token_of(request)) if token is None else (address, token)
    response = Response(status_code=204)
    set_cookie(parts, request, response, where, door, held or "")
    return response


def set_cookie(parts: Parts, request: Request, response: Response, address: str, door: str, token: str) -> None:
    """Set a cookie for a door (``host`` or ``seats/2``) at an address of a table."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=DAYS * 24 * 3600,
        path=f"/api/tables/{address}/{door}",
        secure=parts.settings.secure or request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
