"""The errors of the server, and the HTTP status of each."""

from pathlib import Path
from traceback import extract_tb
from typing import ClassVar, Final

from pokersvc.core.actions import IllegalAction
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.eventlog.errors import DatabaseBusy, DatabaseUnreachable, StorageFailed
from pokersvc.eventlog.log import ConcurrentUpdate
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.service.errors import CommandReused, LogFull, NothingToDo, NotOver
from pokersvc.text import counted


class ServerError(PokersvcError):
    """Base of the errors with which the server refuses a request."""

    status: ClassVar[int] = 400
    """The HTTP status."""


class UnknownTable(ServerError):
    """There is no table with that ID, or no seat with that number."""

    code = "unknown_table"
    status = 404


class WrongToken(ServerError):
    """The request has no token, or not the token of this seat or host."""

    code = "wrong_token"
    status = 401

    def __init__(self) -> None:
        super().__init__("This needs the token of this very seat or host: open the link again, or send it as a bearer.")


class LinkNotExchanged(ServerError):
    """The token is that of a seat's link, which can only be exchanged, once, for the token of a device."""

    code = "link_not_exchanged"
    status = 401

    def __init__(self) -> None:
        super().__init__(
            "This token is that of the seat's link: exchange it first, by a POST to the seat's session, and use the"
            " token that you are given."
        )


class LinkUsed(ServerError):
    """A seat's link was exchanged before; another device has had the seat since the time ``since``."""

    code = "link_used"
    status = 409

    def __init__(self, since: str | None) -> None:
        when = "" if since is None else f" since {since}"
        super().__init__(f"Another device has had this seat{when}: if it is not yours, ask the host for a new link.")
        self.since = since


class WrongCode(ServerError):
    """The words are not a valid code to move to another device at this table."""

    code = "wrong_code"
    status = 401

    def __init__(self) -> None:
        super().__init__(
            "These words are wrong, were used, or are older than five minutes: make new ones at the device that sits"
            " there."
        )


class WrongTime(ServerError):
    """The request cannot be met in the table's current state; ``code`` says why."""

    status = 409

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code  # type: ignore[misc]  # each reason has its own


class NotAllowed(ServerError):
    """The table or the server does not allow this at all."""

    code = "not_allowed"
    status = 403


class NotAdmitted(ServerError):
    """A person has taken a seat, but the host has not let them in yet."""

    code = "not_admitted"
    status = 403

    def __init__(self) -> None:
        super().__init__("The host has yet to let you in; until then you watch.")


class TooMany(ServerError):
    """Too many requests, streams or tables; try again after ``wait`` seconds."""

    code = "too_many"
    status = 429

    def __init__(self, message: str, wait: float = 60.0) -> None:
        super().__init__(message)
        self.wait = wait


class UnknownSharedHand(ServerError):
    """The token shares no hand now: it never did, its sharing has ended, or its hand may not be seen yet."""

    code = "unknown_hand"
    status = 404

    def __init__(self) -> None:
        super().__init__("No hand is shared by this link: it has been ended, or watchers have yet to see the hand.")


class TooManySharedHands(ServerError):
    """A seat already shares as many hands as it may."""

    code = "too_many_hands"
    status = 409

    def __init__(self, most: int) -> None:
        super().__init__(f"You share {counted(most, 'hand')} of this table, the most that one seat may: end one first.")


class StaleHead(ServerError):
    """A command names a head that is not the game's: someone else acted, or the server showed different histories."""

    code = "concurrent_update"
    status = 409

    def __init__(self, count: int, head: bytes) -> None:
        super().__init__("Someone else acted first: look at the game again, then decide.")
        self.count, self.head = count, head


_STATUS: Final[dict[type[PokersvcError], int]] = {
    UnknownGame: 404,
    ConcurrentUpdate: 409,
    NotOver: 409,
    LogFull: 409,
    CommandReused: 422,
    IllegalAction: 422,
    NothingToDo: 422,
    InvalidValue: 422,
    DatabaseBusy: 503,
    DatabaseUnreachable: 503,
    StorageFailed: 503,
}
UNEXPECTED: Final = 500


def status_of(error: PokersvcError) -> int:
    """Return the HTTP status for an error."""
    if isinstance(error, ServerError):
        return error.status
    return next((status for type_, status in _STATUS.items() if isinstance(error, type_)), UNEXPECTED)


def place_of(error: Exception) -> str:
    """Return where an exception was raised, without its message."""
    frames = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in extract_tb(error.__traceback__)]
    return f"{type(error).__name__} at {' < '.join(reversed(frames[-8:]))}"


def cause_of(error: Exception) -> str:
    """Return the part of an error that may be logged: its code, or its place if it was unexpected."""
    return error.code if isinstance(error, PokersvcError) else place_of(error)
