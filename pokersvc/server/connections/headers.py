"""The headers of every answer, whether from the application, the guard before it, or the connection itself."""

import json
from collections.abc import Iterable
from typing import Final, TypeAlias

Headers: TypeAlias = list[tuple[bytes, bytes]]

_ALWAYS: Final = {
    b"content-security-policy": (
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        b" font-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
        b" frame-ancestors 'none'"
    ),
    b"cross-origin-resource-policy": b"same-origin",
    b"referrer-policy": b"no-referrer",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
}
_BEHIND_HTTPS: Final = _ALWAYS | {b"cross-origin-opener-policy": b"same-origin"}
"""The headers over HTTPS; over plain HTTP, browsers ignore ``cross-origin-opener-policy`` and log a warning."""
_FOR_ONE: Final = {b"cache-control": b"no-store", b"vary": b"Authorization, Cookie"}


def always(*, secure: bool) -> Headers:
    """Return the headers that are the same in every answer; no answer sets them itself."""
    return list((_BEHIND_HTTPS if secure else _ALWAYS).items())


def for_one(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """Return the headers that keep an answer out of caches, except those that are already set, as for files."""
    named = {name for name, _ in headers}
    return [(name, value) for name, value in _FOR_ONE.items() if name not in named]


def refusal(code: str, message: str, wait: float = 0.0) -> tuple[Headers, bytes]:
    """Return the headers and the body of a refusal; the client may ask again after ``wait`` seconds."""
    body = json.dumps({"code": code, "message": message}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if wait:
        headers.append((b"retry-after", str(int(wait) + 1).encode()))
    return headers, body
