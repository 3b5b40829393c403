"""Events as distinguishable sequences of whole numbers: the record in the observations of `pokersvc.envs`.

An event is the number of its type, from 1, and then its fields in alphabetical order:

- a number is itself, false and true are 0 and 1, and a card is its number, 0 to 51;
- one of several texts is its place among them, from 0; any other text is its length and its code points;
- a field that may be missing, such as hidden cards, is 0 if it is missing; otherwise 1 comes before it;
- a list is its length and its items; a pair or the like is its items; an object is its fields.

Fields that tell nothing about play are left out: seeds, salted digests and salts, and all secrets of the dealer. Types
of the same name that differ in nothing else, such as the deals to people and to bots, share one number.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Protocol, TypeAlias, Union, get_args, get_origin, get_type_hints

from pokersvc.core.event import Audience, Event, secret_fields
from pokersvc.core.rules import Rules
from pokersvc.errors import PokersvcError

Write: TypeAlias = Callable[[Any, list[int]], None]
"""Appends the numbers of a value to a list."""


class NoNumbers(PokersvcError):
    """An event that cannot be written as whole numbers, so that its game has no environment."""

    code = "no_numbers"


class EventTokens:
    """Writes the events of a game as whole numbers."""

    def __init__(self, game: Rules) -> None:
        self.types: Mapping[type[Event], int] = _numbered_types(game)
        """The type of an event → its number, in the order in which the game lists them."""
        self.forms = EventForms(self.types)
        """The type of an event → the encoding of its events."""

    def of(self, event: Event) -> list[int]:
        """Return an event as numbers, without a secret that was withheld."""
        return self.forms[event.__class__].write(event)


class EventForms(dict[type[Event], "EventForm"]):
    """Maps the type of an event to its encoding, made at first use."""

    def __init__(self, types: Mapping[type[Event], int]) -> None:
        super().__init__()
        self._types = types

    def __missing__(self, kind: type[Event]) -> "EventForm":
        """Return the encoding of events of a type; raise `NoNumbers` for a field that cannot be written as numbers."""
        found = self[kind] = EventForm(kind, self._types[kind])
        return found


class EventForm:
    """The encoding of events of one type."""

    def __init__(self, kind: type[Event], number: int) -> None:
        hints: dict[str, object] = get_type_hints(kind, include_extras=True)
        written = {name: _written(hints[name], f"{kind.__name__}.{name}") for name in _names(kind)}
        secret = secret_fields(kind)
        self.of_seat = bool(secret) and Audience.DEALER not in secret.values()
        """Whether the event has a secret that its seat sees, and nobody else."""
        self.write = _event_writer(number, written)
        """Writes an event as its seat sees it."""
        hidden = {name: _nothing if write is not None and name in secret else write for name, write in written.items()}
        self.write_hidden = _event_writer(number, hidden) if secret else self.write
        """Writes an event as others see it, who do not know its secret."""


def _numbered_types(game: Rules) -> dict[type[Event], int]:
    """Return the numbers of a game's types; types with the same name share a number if their fields are the same."""
    by_name: dict[str, list[type[Event]]] = {}
    for (name, _), event in game.event_types.items():
        if event not in game.upcasters:
            by_name.setdefault(name, []).append(event)
    numbers: dict[type[Event], int] = {}
    count = 0
    for alike in by_name.values():
        told: list[tuple[dict[str, object], int]] = []
        for event in alike:
            says = _said_by(event) if len(alike) > 1 else {}
            number = next((number for said, number in told if said == says), None)
            if number is None:
                number = count = count + 1
                told.append((says, number))
            numbers[event] = number
    return numbers


def _said_by(kind: type[Event]) -> dict[str, object]:
    """Return the types of the fields of an event that are written."""
    hints: dict[str, object] = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in _names(kind) if _written(hints[name], f"{kind.__name__}.{name}") is not None}


def _event_writer(number: int, written: Mapping[str, Write | None]) -> Callable[[Event], list[int]]:
    writers = [(name, write) for name, write in written.items() if write is not None]
    if len(writers) > 1 and all(write is _whole for _, write in writers):  # most events, in a third of the time
        get: Callable[[Event], tuple[int, ...]] = attrgetter(*[name for name, _ in writers])
        return lambda event: [number, *get(event)]
    fields_of = [(attrgetter(name), write) for name, write in writers]

    def write(event: Event) -> list[int]:
        found = [number]
        for of, append in fields_of:
            append(of(event), found)
        return found

    return write


def _names(kind: type) -> list[str]:
    """Return the names of a dataclass's fields, in order."""
    return [field.name for field in fields(kind)]


def _nothing(value: object, out: list[int]) -> None:
    out.append(0)


def _bare(hint: object) -> object:
    """Return a type without its `Annotated` metadata."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _written(hint: object, where: str) -> Write | None:
    """Return the function that writes values of a type; None for values that are left out."""
    if get_origin(hint) is Annotated and Audience.DEALER in get_args(hint)[1:]:
        return None
    hint = _bare(hint)
    if hint is bytes:
        return None
    if hint is int:
        return _whole
    if hint is bool:
        return _one_of((False, True))
    if hint is str:
        return _text
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _one_of(arguments)
    if origin in (Union, UnionType):
        return _perhaps([one for one in arguments if one is not NoneType], where)
    if origin is tuple:
        return _items(arguments, where)
    if isinstance(hint, type):
        if issubclass(hint, Enum):
            return _one_of(tuple(hint))
        if is_dataclass(hint):
            return _object(_names(hint), get_type_hints(hint, include_extras=True), where)
        if hasattr(hint, "number"):
            return _numbered
    raise NoNumbers(f"{where} cannot be written as numbers: values of {hint!r} are not made of numbers and texts.")


def _whole(value: int, out: list[int]) -> None:
    out.append(value)


def _text(value: str, out: list[int]) -> None:
    out.append(len(value))
    out.extend(map(ord, value))


class Numbered(Protocol):
    """A value that is written as its number, such as a card."""

    @property
    def number(self) -> int:
        """The number."""


def _numbered(value: Numbered, out: list[int]) -> None:
    out.append(value.number)


def _list_of_numbered(value: Sequence[Numbered], out: list[int]) -> None:
    out.append(len(value))
    out.extend([item.number for item in value])


def _one_of(values: tuple[object, ...]) -> Write:
    places: Final = {value: place for place, value in enumerate(values)}
    return lambda value, out: out.append(places[value])


def _perhaps(of: list[object], where: str) -> Write | None:
    if len(of) != 1:
        raise NoNumbers(f"{where} cannot be written as numbers: it may have values of several types.")
    if (write := _written(of[0], where)) is None:
        return None

    def perhaps(value: object, out: list[int]) -> None:
        out.append(0 if value is None else 1)
        if value is not None:
            write(value, out)

    return perhaps


def _items(of: tuple[object, ...], where: str) -> Write | None:
    if len(of) == 2 and of[1] is Ellipsis:
        write_one = _written(of[0], where)
        return None if write_one is None else _list_of(write_one)
    writers = [(place, write) for place, one in enumerate(of) if (write := _written(one, where)) is not None]

    def items(value: tuple[object, ...], out: list[int]) -> None:
        for place, write in writers:
            write(value[place], out)

    return items if writers else None


def _list_of(write: Write) -> Write:
    def listed(value: tuple[object, ...], out: list[int]) -> None:
        out.append(len(value))
        for item in value:
            write(item, out)

    return _list_of_numbered if write is _numbered else listed


def _object(names: list[str], hints: Mapping[str, object], where: str) -> Write:
    writers = [
        (attrgetter(name), write) for name in names if (write := _written(hints[name], f"{where}.{name}")) is not None
    ]

    def write_object(value: object, out: list[int]) -> None:
        for of, write in writers:
            write(of(value), out)

    return write_object
