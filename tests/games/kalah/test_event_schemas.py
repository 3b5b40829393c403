"""The stored form of every event is frozen: a change of it is a new version with an upcaster, never an edit."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from pokersvc.games.event import secret_fields
from pokersvc.games.kalah.events import EVENT_TYPES

SNAPSHOT = Path(__file__).with_name("event_schemas.json")


def described() -> dict[str, Any]:
    """Return, for each type and version, its fields, which of them are secret, and the JSON that they may hold."""
    found = {}
    for (name, version), event_type in EVENT_TYPES.items():
        schema = TypeAdapter(event_type).json_schema()
        found[f"{name}/{version}"] = {
            "fields": [field.name for field in fields(event_type)],  # type: ignore[arg-type]  # a dataclass
            "secret": {field: audience.value for field, audience in secret_fields(event_type).items()},
            "schema": _without_prose(schema),
        }
    return found


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


RECORDED: dict[str, Any] = json.loads(SNAPSHOT.read_text("utf-8"))


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_recorded_event_keeps_its_stored_form(name: str) -> None:
    assert described().get(name) == RECORDED[name], (
        f"{name} is not as it was recorded: stored games hold it in that form. Keep the old dataclass in EVENT_TYPES,"
        f" make a new version with an upcaster from the old one, and add the new version to {SNAPSHOT.name}."
    )


def test_every_event_is_recorded() -> None:
    missing = set(described()) - set(RECORDED)
    assert not missing, f"{', '.join(sorted(missing))} is not in {SNAPSHOT.name}: add what `described()` says of it."
