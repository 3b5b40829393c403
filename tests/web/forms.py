"""Make the forms of all events that the page's verifier holds a log to: ``python -m tests.web.forms``.

They are those by which the service reads its log, so that none is written twice.
"""

import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from pokersvc.cards import CARDS
from pokersvc.core.codec import EventTypes
from pokersvc.core.event import Event, secret_fields
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.tables.table_events import TABLE_EVENT_TYPES
from tests.web.node import SERVED, write

FORMS: Final = SERVED / "verify" / "forms.js"

_CARDS: Final = sorted(card.notation for card in CARDS)
_NAMES: Final = {
    "Seat": "name(64)",
    "PurchaseAsked": "name(20)",
    "SatDown": "name(20)",
    "SatDown2": "name(20)",
}
"""By the type that it stands in: how a name is checked, of which schemas in JSON say nothing."""
_SHORT: Final = {
    "whole(0)": "count",
    "whole(1)": "number",
    "whole(0, 1000000000)": "chips",
    "whole(1, 1000000000)": "bet",
    "list(number)": "numbers",
    "list(card)": "cards",
    "either(card, one('??'))": "anyCard",
    "list(anyCard)": "someCards",
    "maybe(someCards)": "maybeCards",
    "one(true, false)": "flag",
    "text(0, 200)": "words",
    "one('illegal', 'raised', 'timeout')": "code",
}
"""What is used often, by a name."""
_HEAD: Final = """\
/** Made by `python -m tests.web.forms`: of each event the form of its public fields, then of its secret ones. */

import { card, either, hex, list, maybe, name, one, text, whole } from "./form.js";

"""


class _Forms:
    """Forms as they are written, and the constants that they need."""

    def __init__(self) -> None:
        self.constants: dict[str, str] = {}
        """The text of each, by its name."""

    def event(self, event_type: type[Event]) -> str:
        """Return the form of an event: of its public fields, and where it has any of its secret ones."""
        schema = TypeAdapter(event_type).json_schema()
        secret = secret_fields(event_type)
        members: dict[str, Any] = schema.get("properties", {})
        public = {field: form for field, form in members.items() if field not in secret}
        written = [self._object(event_type.__name__, public, schema)]
        if secret:
            open_ = {field: members[field]["anyOf"][0] for field in sorted(secret)}
            written.append(self._object(event_type.__name__, open_, schema))
        return f"[{', '.join(written)}]"

    def _object(self, title: str, members: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
        forms = ((field, self._form(form, schema, title, field)) for field, form in members.items())
        fields = (field if field == form else f"{field}: {form}" for field, form in forms)
        return f"{{ {', '.join(fields)} }}" if members else "{}"

    def _form(self, form: Mapping[str, Any], schema: Mapping[str, Any], title: str, field: str) -> str:
        return self._short(self._written(form, schema, title, field))

    def _short(self, written: str) -> str:
        if written not in _SHORT:
            return written
        self.constants.setdefault(_SHORT[written], written)
        return _SHORT[written]

    def _written(self, form: Mapping[str, Any], schema: Mapping[str, Any], title: str, field: str) -> str:
        if "$ref" in form:
            return self._part(form["$ref"].removeprefix("#/$defs/"), schema)
        if "anyOf" in form:
            parts = [self._form(part, schema, title, field) for part in form["anyOf"] if part.get("type") != "null"]
            assert len(parts) == 1, form
            return f"maybe({parts[0]})"
        if "const" in form:
            return f"one({_literal(form['const'])})"
        if "enum" in form:
            values = form["enum"]
            if sorted(values) == _CARDS:
                return "card"
            if sorted(values) == sorted(["??", *_CARDS]):
                return "either(card, one('??'))"
            return f"one({', '.join(map(_literal, values))})"
        match form["type"]:
            case "boolean":
                return "one(true, false)"
            case "integer":
                return _call("whole", form["minimum"], form.get("maximum"))
            case "array":
                return self._list(form, schema, title, field)
            case "string":
                return _text(form, title, field)
        raise TypeError(f"No form is known for {form}.")

    def _list(self, form: Mapping[str, Any], schema: Mapping[str, Any], title: str, field: str) -> str:
        items = form.get("items") or form["prefixItems"][0]
        assert all(part == items for part in form.get("prefixItems", ()))
        of = self._form(items, schema, title, field)
        return _call("list", of, form.get("minItems"), form.get("maxItems"))

    def _part(self, ref: str, schema: Mapping[str, Any]) -> str:
        """Return the name of a part that several may have; two of one name that differ are told apart."""
        written = self._object(ref, schema["$defs"][ref]["properties"], schema)
        for name, other in self.constants.items():
            if other == written:
                return name
        base = ref.removeprefix("_").removesuffix("Rules") or ref
        base = base[0].lower() + base[1:]
        while base in self.constants:
            base += "_"
        self.constants[base] = written
        return base


def _call(name: str, *arguments: object) -> str:
    given = list(arguments)
    while given and given[-1] is None:
        given.pop()
    return f"{name}({', '.join('0' if one is None else str(one) for one in given)})"


def _text(form: Mapping[str, Any], title: str, field: str) -> str:
    least, most, pattern = form.get("minLength"), form.get("maxLength"), form.get("pattern")
    if form.get("format") == "binary":
        assert least == most
        return f"hex({most})"
    if pattern == "^[0-9a-f]{64}$":
        return "hex(32)"
    if field == "name" and title in _NAMES:
        return _NAMES[title]
    if pattern is not None:
        return f"text({least or 0}, {most or 99}, /{pattern}/)"
    return _call("text", least, most)


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def forms() -> str:
    """Return the module, not yet formatted."""
    made = _Forms()
    tables = [("TABLE", "", TABLE_EVENT_TYPES)]
    tables += [(kind, "...TABLE, ", game_of(kind).event_types) for kind in sorted(_kinds())]
    bodies = {name: f"{{ {rest}{_events(made, types)} }}" for name, rest, types in tables}
    constants = "".join(
        f"const {name} = {written.replace(chr(39), chr(34))};\n" for name, written in made.constants.items()
    )
    table = bodies.pop("TABLE").replace("'", '"')
    games = ", ".join(f"{kind}: {body}" for kind, body in bodies.items()).replace("'", '"')
    return (
        f"{_HEAD}{constants}\nconst TABLE = {table};\n\n"
        f"/** @type {{Record<string, Record<string, Form[]>>}} */\nexport const FORMS = {{ {games} }};\n"
    )


def _kinds() -> list[str]:
    return [kind for kind in game_kinds() if game_of(kind).__module__.startswith("pokersvc.")]


def _events(made: _Forms, types: EventTypes) -> str:
    ordered = sorted(types.items(), key=lambda item: item[0])
    return ", ".join(f"{name}{version}: {made.event(event)}" for (name, version), event in ordered)


def plain(module: str) -> str:
    """Return a module without what a formatter changes, to be compared."""
    return re.sub(r",(?=[}\])])", "", re.sub(r"\s", "", module)).replace('"', "'")


def main() -> int:
    """Write the module."""
    FORMS.write_text(forms(), encoding="ascii")
    return write()


if __name__ == "__main__":
    sys.exit(main())
