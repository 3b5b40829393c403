"""Write and read events: canonical JSON, checked by pydantic, with one adapter per type and version."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from pokersvc.core.event import Event, secret_fields
from pokersvc.errors import PokersvcError

EventTypes: TypeAlias = Mapping[tuple[str, int], type[Event]]
"""(stored name, version) → the dataclass; the log has its own names, so a class may be renamed."""

Upcasters: TypeAlias = Mapping[type[Event], Callable[[Any], Event]]
"""The dataclass of an old version → the function that converts its events to the next version."""

MOST_TEXTS: Final = 512
"""The maximum number of texts that are cached per type of event."""
LONGEST_TEXT: Final = 200
"""Texts of more characters than this are not cached, so that memory stays small with any log."""

ReadT = TypeVar("ReadT")


class UnreadableEvent(PokersvcError):
    """A stored event of a type, version or content that this version of pokersvc cannot read."""

    code = "unreadable_event"


class EncodedEvent(NamedTuple):
    """An event as the log stores it: type and version, and the exact texts of its payload and secret."""

    type: str
    version: int
    payload: str
    secret: str | None


class EventCodec:
    """Writes and reads the events of one game.

    An event of an old version is read in that version's own schema, then converted by the upcasters, one version at
    a time; only the newest version of a type is written.
    """

    def __init__(self, types: EventTypes, upcasters: Upcasters) -> None:
        self._forms = {key: _form(*key, event_type) for key, event_type in types.items()}
        self._upcasters = upcasters
        self._current = {form.event_type: form for form in self._forms.values() if form.event_type not in upcasters}
        self._plain: dict[tuple[str, int], _Texts[Event]] = {
            key: form.texts
            for key, form in self._forms.items()
            if not secret_fields(form.event_type) and form.event_type not in upcasters
        }
        """(type, version) → the reader of events without a secret, for the newest versions only."""
        self._parted: dict[tuple[str, int], Callable[[str, str | None], Event]] = {
            key: form.decode
            for key, form in self._forms.items()
            if isinstance(form, _SecretForm) and form.event_type not in upcasters
        }
        """(type, version) → the reader of events with a secret, for the newest versions only."""

    def names_of(self, types: Collection[type[Event]]) -> frozenset[str]:
        """Return the names under which events of these types are stored, each in its newest version."""
        return frozenset(form.type for event_type, form in self._current.items() if event_type in types)

    def encode(self, event: Event) -> EncodedEvent:
        """Write an event; raise `UnreadableEvent` if its secret was withheld."""
        return self._current[type(event)].encode(event)

    def is_stored_as(
        self, event: Event, type_: str, version: int, payload: str, secret: str | None, *, withheld: bool = False
    ) -> bool:
        """Return whether `encode` gives exactly these texts for the event; a ``withheld`` secret is not compared."""
        form = self._current[type(event)]
        if form.type != type_ or form.version != version:
            return False
        return form.public_text(event) == payload and (withheld or form.secret_text(event) == secret)

    def decode(self, type_: str, version: int, payload: str, secret: str | None) -> Event:
        """Read a stored event and convert it to the newest version; without its secret, its secret fields are None."""
        key = (type_, version)
        try:  # the fast path: most events are of the newest version
            if secret is None and (texts := self._plain.get(key)) is not None:
                return texts[payload]
            if (read := self._parted.get(key)) is not None:
                return read(payload, secret)
        except ValidationError as error:
            raise _unreadable(type_, version, error) from error
        event = self.decode_stored(type_, version, payload, secret)
        while (lift := self._upcasters.get(type(event))) is not None:
            event = lift(event)
        return event

    def decode_stored(self, type_: str, version: int, payload: str, secret: str | None) -> Event:
        """Read a stored event in the version it was written in, without upcasting."""
        form = self._forms.get((type_, version))
        if form is None:
            raise UnreadableEvent(
                f"An event of type {type_!r}, version {version}, is not known to this pokersvc;"
                " a newer one may be able to read it."
            )
        try:
            return form.decode(payload, secret)
        except ValidationError as error:
            raise _unreadable(type_, version, error) from error

    def is_canonical(self, type_: str, version: int, payload: str, secret: str | None) -> bool:
        """Return whether the stored texts are exactly, byte for byte, the texts that their version would write.

        Raise `UnreadableEvent` if that version cannot even read them. A withheld secret is not checked.
        """
        event = self.decode_stored(type_, version, payload, secret)
        return self._forms[type_, version].is_canonical(event, payload, secret)


def _unreadable(type_: str, version: int, error: ValidationError) -> UnreadableEvent:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the payload"
    return UnreadableEvent(f"The stored {type_} (version {version}) is not valid: {where}: {first['msg']}.")


class _Form:
    """Writes and reads the events of one type and version without a secret."""

    def __init__(self, type_: str, version: int, event_type: type[Event]) -> None:
        self.type, self.version, self.event_type = type_, version, event_type
        self.adapter: TypeAdapter[Event] = TypeAdapter(event_type)
        self.texts: _Texts[Event] = _Texts(self.adapter)
        self.write = self.adapter.serializer.to_json

    def encode(self, event: Event) -> EncodedEvent:
        return EncodedEvent(self.type, self.version, self.public_text(event), self.secret_text(event))

    def public_text(self, event: Event) -> str:
        return self.write(event, ensure_ascii=True).decode()

    def secret_text(self, event: Event) -> str | None:
        return None

    def decode(self, payload: str, secret: str | None) -> Event:
        if secret is not None:
            raise UnreadableEvent(f"The stored {self.type} has a secret, but an event of this type has none.")
        return self.texts[payload]

    def is_canonical(self, event: Event, payload: str, secret: str | None) -> bool:
        return secret is None and self.public_text(event) == payload


class _SecretForm(_Form):
    """Writes and reads the events of one type and version with a secret; payload and secret are parsed separately."""

    def __init__(self, type_: str, version: int, event_type: type[Event]) -> None:
        super().__init__(type_, version, event_type)
        self.secrets = set(secret_fields(event_type))
        hints: dict[str, object] = get_type_hints(event_type, include_extras=True)
        names = [field.name for field in fields(event_type)]
        self.public_texts = _Texts(_part(f"{type_}Payload", {n: hints[n] for n in names if n not in self.secrets}))
        secret = _part(f"{type_}Secret", {n: hints[n] for n in names if n in self.secrets})
        self.read_secret: Callable[[str], dict[str, object]] = secret.validator.validate_json
        self.withheld: dict[str, object] = dict.fromkeys(self.secrets)

    def public_text(self, event: Event) -> str:
        return self.write(event, exclude=self.secrets, ensure_ascii=True).decode()

    def secret_text(self, event: Event) -> str | None:
        for name in self.secrets:
            if getattr(event, name) is None:
                raise UnreadableEvent(f"A {self.type} whose secret was withheld cannot be stored.")
        return self.write(event, include=self.secrets, ensure_ascii=True).decode()

    def decode(self, payload: str, secret: str | None) -> Event:
        hidden = self.withheld
        if secret is not None:
            hidden = self.read_secret(secret)
            if None in hidden.values():
                raise UnreadableEvent(f"The stored secret of a {self.type} is null; a secret must not be empty.")
        return self.event_type(**self.public_texts[payload], **hidden)

    def is_canonical(self, event: Event, payload: str, secret: str | None) -> bool:
        return self.public_text(event) == payload and (secret is None or self.secret_text(event) == secret)


def _part(name: str, hints: dict[str, object]) -> TypeAdapter[dict[str, object]]:
    """Return an adapter that parses and checks one part of an event: its payload or its secret."""
    return TypeAdapter(with_config(Event.__pydantic_config__)(TypedDict(name, hints)))  # type: ignore[operator]  # named at run time


class _Texts(dict[str, ReadT]):
    """A cache of JSON text → parsed value; a text that is missing is parsed and checked when it is looked up.

    A log repeats the same few texts: who called how much, who checked. Looking a text up takes a fraction
    of the time of parsing it, and equal events are one object. The cached values are never modified.
    """

    def __init__(self, adapter: TypeAdapter[ReadT]) -> None:
        # The adapter's own method would double the cost.
        self._read = cast(Callable[[str], ReadT], adapter.validator.validate_json)

    def __missing__(self, text: str) -> ReadT:
        value = self._read(text)
        if len(text) <= LONGEST_TEXT:
            if len(self) >= MOST_TEXTS:
                self.clear()
            self[text] = value
        return value


def _form(type_: str, version: int, event_type: type[Event]) -> _Form:
    names = [field.name for field in fields(event_type)]
    if names != sorted(names):
        raise TypeError(f"The fields of {event_type.__name__} must stand in alphabetical order, not {names}.")
    return (_SecretForm if secret_fields(event_type) else _Form)(type_, version, event_type)
