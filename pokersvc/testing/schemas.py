"""The stored forms of events, frozen in files: one JSON file for each type and version, in the author's package."""

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pokersvc.core.event import Event, secret_fields
from pokersvc.core.game import Game
from pokersvc.testing.promises import BrokenPromise, Promise


def write_schemas(game: Game, folder: Path) -> list[Path]:
    """Write the files that are missing in a folder, and return them. Existing files are never changed."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for (name, version), event_type in game.event_types.items():
        path = folder / f"{name}.{version}.json"
        if not path.exists():
            path.write_text(json.dumps(stored_form(event_type), indent=1, sort_keys=True) + "\n", "utf-8")
            written.append(path)
    return written


def wrong_schemas(game: Game, folder: Path) -> Iterator[BrokenPromise]:
    """Yield an error for each stored form without a file or unlike its file, and each file without an event type."""

    def broken(found: str) -> BrokenPromise:
        return BrokenPromise(Promise.SCHEMAS, found, kind=game.kind, seed=None, event=None)

    missing = {f"{name}.{version}.json": event_type for (name, version), event_type in game.event_types.items()}
    for path in sorted(folder.glob("*.json")):
        event_type = missing.pop(path.name, None)
        if event_type is None:
            yield broken(f"{path.stem} has a file and no event type, so stored games that have it cannot be read")
        elif _inlined(json.loads(path.read_text("utf-8"))) != _inlined(stored_form(event_type)):
            yield broken(
                f"{path.stem} is not as {path.name} has it; keep the old class under its version, and make a new"
                " version with an upcaster from it"
            )
    for name in sorted(missing):
        yield broken(f"{name} is missing in {folder.name}; `write_schemas` writes it")
    for (name, version), event_type in game.event_types.items():
        names = [field.name for field in fields(event_type)]
        if names != sorted(names):
            yield broken(f"the fields of {name}.{version} do not stand in alphabetical order: {', '.join(names)}")


def stored_form(event_type: type[Event]) -> dict[str, object]:
    """Return the fields of a type of event, the secret ones among them, and the type's JSON schema."""
    return {
        "fields": [field.name for field in fields(event_type)],
        "secret": {field: audience.value for field, audience in secret_fields(event_type).items()},
        "schema": _without_prose(TypeAdapter(event_type).json_schema()),
    }


def _inlined(described: dict[str, Any]) -> dict[str, object]:
    """Inline every referenced part: references name classes, and renaming a class must not change a stored form."""
    parts = described["schema"].get("$defs", {})

    def inlined(schema: object) -> object:
        if isinstance(schema, list):
            return [inlined(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return inlined(parts[schema["$ref"].rpartition("/")[2]])
        return {key: inlined(part) for key, part in schema.items() if key != "$defs"}

    return {**described, "schema": inlined(described["schema"])}


def _without_prose(schema: object) -> object:
    """Drop titles and descriptions, which may be reworded, but not fields that have these names."""
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
