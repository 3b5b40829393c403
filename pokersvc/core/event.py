"""Events: immutable facts with a public payload; some also have a secret with an audience of its own."""

from dataclasses import fields
from enum import Enum
from typing import ClassVar, Final, Literal, TypeAlias, TypeVar, get_type_hints

from pydantic import ConfigDict

from pokersvc.core.value import Value
from pokersvc.errors import PokersvcError

EVERYONE: Final = "everyone"
"""The viewer who knows only what is public: no seed, and no secret that was not shown."""
AUDITOR: Final = "auditor"
"""The viewer who knows everything, every secret and every seed."""
Viewer: TypeAlias = int | Literal["everyone", "auditor"]
"""The point of view: a seat (from 1), everyone (the public view) or an auditor (who sees all)."""


class Audience(Enum):
    """The audience that may see the secret of an event while the game is in progress.

    A secret field is declared ``Annotated[Type | None, Audience.SEAT]`` (or ``DEALER``). It is None only if the secret
    was withheld from the reader: an event with a withheld secret is never stored.
    """

    SEAT = "seat"
    """Only the player at the seat in the event's field ``seat``, and auditors."""
    DEALER = "dealer"
    """No seat: only the dealer and auditors know the secret."""


class SaltedDigest:
    """A marker of salted digests that commit to a secret, and of their salts: ``Annotated[Type, COMMITTED]``.

    Views need not show such a field, although it belongs to the secret.
    """


COMMITTED: Final = SaltedDigest()


class Event(Value):
    """Base of every event: a frozen, slotted dataclass of ints, texts, booleans, lists and objects of them.

    Fields stand in alphabetical order, so that an event written field by field is canonical JSON.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        strict=True, extra="forbid", ser_json_bytes="hex", val_json_bytes="hex"
    )


class ImpossibleEvent(PokersvcError):
    """An event that cannot happen in the current state, which is left unchanged."""

    code = "impossible_event"

    def __init__(self, event: object, why: str) -> None:
        # The event itself may hold secrets, so the message says only what is wrong with it.
        super().__init__(f"{type(event).__name__} cannot happen here: {why}.")


EventT = TypeVar("EventT", bound=Event)


def secret_fields(event_type: type[Event]) -> dict[str, Audience]:
    """Return the secret fields of a type of event, each with its audience."""
    found = _SECRET_FIELDS.get(event_type)
    if found is None:
        found = _SECRET_FIELDS[event_type] = _find_secret_fields(event_type)
    return found


_SECRET_FIELDS: Final[dict[type[Event], dict[str, Audience]]] = {}


def _find_secret_fields(event_type: type[Event]) -> dict[str, Audience]:
    return {
        name: marker
        for name, hint in get_type_hints(event_type, include_extras=True).items()
        for marker in getattr(hint, "__metadata__", ())
        if isinstance(marker, Audience)
    }


def commits_by(event_type: type[Event], field: str) -> bool:
    """Return whether a field of a type of event is marked as `COMMITTED`."""
    hint = get_type_hints(event_type, include_extras=True)[field]
    return COMMITTED in getattr(hint, "__metadata__", ())


def may_see(event: Event, viewer: Viewer) -> bool:
    """Return whether the viewer may see the event's secret; True for an event without one."""
    made = type(event)
    if made in _OF_SEAT:
        of_seat = _OF_SEAT[made]
    else:
        audiences = {*secret_fields(made).values()}
        of_seat = _OF_SEAT[made] = audiences == {Audience.SEAT} if audiences else None
    if of_seat is None or viewer == AUDITOR:
        return True
    seat: object = getattr(event, "seat", None)
    return of_seat and seat == viewer


_OF_SEAT: Final[dict[type[Event], bool | None]] = {}
"""Type of event → whether its secret is for its seat, and not for the dealer alone; None for an event without one."""


def redact(event: EventT, viewer: Viewer) -> EventT:
    """Return the event as the viewer may know it: secrets hidden from the viewer are None."""
    return event if may_see(event, viewer) else withhold(event)


def withhold(event: EventT) -> EventT:
    """Return the event without its secret."""
    made = type(event)
    without = _WITHOUT_SECRET.get(made)
    if without is None:
        hidden = secret_fields(made)
        names = [one.name for one in fields(event) if one.init]
        without = _WITHOUT_SECRET[made] = tuple((name, name in hidden) for name in names)
    values = {name: None if hidden else getattr(event, name) for name, hidden in without}
    return made(**values)


_WITHOUT_SECRET: Final[dict[type[Event], tuple[tuple[str, bool], ...]]] = {}
"""Type of event → its fields, and whether each is secret: a cache, which `dataclasses.replace` does not have."""
