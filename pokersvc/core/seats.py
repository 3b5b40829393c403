"""The players at a game's seats, and the facts about them that others may know."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import AfterValidator, ConfigDict, Field

from pokersvc.core.event import AUDITOR, Viewer
from pokersvc.errors import InvalidValue
from pokersvc.text import counted

HUMAN: Final = "human"
"""The kind of a seat whose choices come from a person; every other kind but `OPEN` is a bot's."""

OPEN: Final = "open"
"""The kind of a seat at which nobody has sat yet; it takes the name of the person who sits down (`State.seats_now`)."""

MAX_NAME: Final = 20


LONGEST_NAME: Final = 64
"""The maximum length of a name in a game that was played elsewhere."""


def check_name(name: str, longest: int = MAX_NAME) -> str:
    """Return a player's name; raise `InvalidValue` unless it is 1 to ``longest`` printable characters."""
    if not 1 <= len(name) <= longest or not name.isprintable() or name != name.strip():
        raise InvalidValue(
            f"{name!r} cannot be a name: a name is 1 to {longest} printable characters"
            " and neither starts nor ends with a space."
        )
    return name


def _stored_name(name: str) -> str:
    return check_name(name, LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class Seat:
    """The player at a seat: a name and a kind (`HUMAN`, `OPEN` or the kind of a bot)."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(strict=True, extra="forbid")

    kind: Annotated[str, Field(min_length=1)]
    """``human``, a built-in player (`Game.players`), or ``FILE.py:CLASS`` for a custom player."""
    name: Annotated[str, AfterValidator(_stored_name)]
    """1 to 20 printable characters; up to 64 if the game was played elsewhere."""


def open_seat(number: int) -> Seat:
    """Return a seat with this number at which nobody sits yet.

    >>> open_seat(5)
    Seat(kind='open', name='Seat5')
    """
    return Seat(OPEN, f"Seat{number}")


def taken(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats that a person or a bot has taken, including seats whose player has left."""
    return tuple([seat for seat in seats if seat.kind != OPEN])


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """The player at a seat, as a viewer may know them."""

    kind: str | None
    """The player's kind; None if it is hidden from the viewer."""
    name: str


def kind_seen(seat: Seat, number: int, viewer: Viewer, *, hidden: bool) -> str | None:
    """Return the kind of seat ``number``; None if it is hidden from this viewer.

    With `Setup.hidden_kinds`, kinds are hidden from other seats and from `EVERYONE` while the game is in progress.
    """
    return seat.kind if not hidden or seat.kind == OPEN or viewer in (number, AUDITOR) else None


def seats_seen(seats: tuple[Seat, ...], viewer: Viewer, *, hidden: bool) -> tuple[SeatSeen, ...]:
    """Return the player at each seat, as the viewer may know them."""
    return tuple(
        [SeatSeen(kind_seen(seat, number, viewer, hidden=hidden), seat.name) for number, seat in enumerate(seats, 1)]
    )


def say_seats(seats: Iterable[Seat], *, hidden_kinds: bool) -> str:
    """Return the players' names in a list, with their kinds unless kinds are hidden.

    >>> say_seats([Seat("human", "Ann"), Seat("steady", "Bob")], hidden_kinds=False)
    'Ann (human), Bob (steady)'
    >>> say_seats([Seat("human", "Ann"), Seat("steady", "Bob")], hidden_kinds=True)
    'Ann, Bob'
    >>> say_seats([Seat("human", "Ann"), Seat("steady", "Bob"), open_seat(3)], hidden_kinds=False)
    'Ann (human), Bob (steady), 1 open seat'
    """
    seats = tuple(seats)
    said = [seat.name if hidden_kinds else f"{seat.name} ({seat.kind})" for seat in taken(seats)]
    if still_open := len(seats) - len(said):
        said.append(counted(still_open, "open seat"))
    return ", ".join(said)
