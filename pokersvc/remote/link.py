"""The link with which a player or spectator reaches a table: server, table and seat, but not the secret token."""

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from pokersvc.errors import InvalidValue, printable

_PATH: Final = re.compile(r"/(?:t|replay)/(?P<table>[A-Za-z0-9_-]{1,64})(?:/seat/(?P<seat>[1-9][0-9]{0,2}))?/?")
ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The form of a table's or a game's ID; files are named after games, so no server may send anything else."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_CODE: Final = re.compile(r"[a-z]{3,6}(?:[ -]+[a-z]{3,6}){5}", re.IGNORECASE)
"""Six words, which move a seat to this device."""


class Link(NamedTuple):
    """A table on a server, and a player's seat at the table; the seat is None for a spectator."""

    base: str
    """The server, such as ``https://table.example``."""
    table: str
    """The ID of the table, or of one of its games."""
    seat: int | None

    @property
    def door(self) -> str:
        """The path with which all requests of this viewer begin."""
        who = "watch" if self.seat is None else f"seats/{self.seat}"
        return f"/api/tables/{self.table}/{who}"

    def __str__(self) -> str:
        seat = "" if self.seat is None else f"seat/{self.seat}/"
        return f"{self.base}/t/{self.table}/{seat}"


def link_of(text: str) -> Link:
    """Parse a link; raise `InvalidValue` if it is not the link of a table, or has a token in it.

    >>> link_of("https://table.example/t/5f0c/seat/2/")
    Link(base='https://table.example', table='5f0c', seat=2)
    """
    address, hash_, _ = text.partition("#")
    if hash_:
        raise InvalidValue(
            "The link has its token in it, which every user of this machine can read in the list of processes: "
            f"give only {printable(address)} and type the token when you are asked."
        )
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise _not_a_link(address) from None
    found = _PATH.fullmatch(parts.path)
    if (
        found is None
        or parts.scheme not in ("http", "https")
        or not parts.hostname
        or parts.query
        or "@" in parts.netloc
    ):
        raise _not_a_link(address)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    base = f"{parts.scheme}://{host}" + ("" if port is None else f":{port}")
    return Link(base, found["table"], int(found["seat"]) if found["seat"] else None)


def token_in(text: str) -> str:
    """Return the token from a text: a token, or a link with the token after ``#``; errors never quote the token."""
    token = text.strip().rpartition("#")[2]
    if not _TOKEN.fullmatch(token):
        raise InvalidValue("That is not a token; it is the 22 letters and digits after the # of the seat's link.")
    return token


def token_or_code_in(text: str) -> str:
    """Return the token from a text, or else the six words that move a seat to this device, with spaces between them.

    >>> token_or_code_in("https://table.example/t/5f0c/move/#able-about-above-acorn-actor-adapt")
    'able about above acorn actor adapt'
    """
    words = text.strip().rpartition("#")[2]
    return " ".join(re.split("[ -]+", words.lower())) if _CODE.fullmatch(words) else token_in(text)


def _not_a_link(address: str) -> InvalidValue:
    return InvalidValue(
        f"{printable(address)!r} is not the link of a seat or of a table; one is like "
        "https://table.example/t/TABLE/seat/2/, and without seat/2/ you watch."
    )
