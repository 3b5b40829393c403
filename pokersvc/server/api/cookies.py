"""Cookies with tokens; each is limited to one URL path, so that a browser can hold several seats."""

from fastapi import Request, Response

from pokersvc.server.authentication import COOKIE
from pokersvc.server.parts import Parts

DAYS = 30


def set_cookie(parts: Parts, request: Request, path: str, token: str) -> Response:
    """Return an empty answer that sets a cookie with the token for a URL path."""
    response = Response(status_code=204)
    response.set_cookie(
        COOKIE,
        token,
        max_age=DAYS * 24 * 3600,
        path=path,
        secure=parts.settings.secure or request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response
