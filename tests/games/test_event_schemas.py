"""The stored form of every event is frozen: a change of it is a new version with an upcaster, never an edit."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import TypeAdapter

from pokersvc.core.event import secret_fields
from pokersvc.core.registry import game_kinds, game_of

SNAPSHOTS: Final = Path(__file__).with_name("event_schemas")
GAMES: Final = ("draw", "market", "kalah")


def described(kind: str) -> dict[str, Any]:
    """Return, for each type and version, its fields, which of them are secret, and the JSON that they may hold."""
    found = {}
    for (name, version), event_type in game_of(kind).event_types.items():
        schema = TypeAdapter(event_type).json_schema()
        found[f"{name}/{version}"] = {
            "fields": [field.name for field in fields(event_type)],  # type: ignore[arg-type]  # a dataclass
            "secret": {field: audience.value for field, audience in secret_fields(event_type).items()},
            "schema": _without_prose(schema),
        }
    return found


def _inlined(described: dict[str, Any]) -> dict[str, Any]:
    """Put every part in the place that refers to it: the classes that stand for a stored form may be renamed."""
    parts = described["schema"].get("$defs", {})

    def inlined(schema: Any) -> Any:
        if isinstance(schema, list):
            return [inlined(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return inlined(parts[schema["$ref"].rpartition("/")[2]])
        return {key: inlined(part) for key, part in schema.items() if key != "$defs"}

    return {**described, "schema": inlined(described["schema"])}


def _without_prose(schema: Any) -> Any:
    """Drop titles and docstrings, which may be reworded; not fields that have such a name."""
    if isinstance(schema, list):
        return [_without_prose(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without_prose(part) for name, part in value.items()}
        if key in ("properties", "$defs")
        else _without_prose(value)
        for key, value in schema.items()
        if key not in ("title", "description")
    }


RECORDED: Final[dict[str, dict[str, Any]]] = {
    kind: json.loads((SNAPSHOTS / f"{kind}.json").read_text("utf-8")) for kind in GAMES
}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in GAMES for name in sorted(RECORDED[kind])])
def test_a_recorded_event_keeps_its_stored_form(kind: str, name: str) -> None:
    found = described(kind).get(name)
    assert found is not None, f"{name} cannot be read any more."
    assert _inlined(found) == _inlined(RECORDED[kind][name]), (
        f"{name} is not as it was recorded: stored games hold it in that form. Keep the old dataclass in EVENT_TYPES,"
        f" make a new version with an upcaster from the old one, and add the new version to {kind}.json."
    )


@pytest.mark.parametrize("kind", GAMES)
def test_every_event_is_recorded(kind: str) -> None:
    missing = set(described(kind)) - set(RECORDED[kind])
    assert not missing, f"{', '.join(sorted(missing))} is not in {kind}.json: add what `described()` says of it."


def test_the_events_of_every_game_are_recorded() -> None:
    assert [
        kind for kind in game_kinds() if kind not in GAMES and not type(game_of(kind)).__module__.startswith("tests.")
    ] == []
