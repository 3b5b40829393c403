"""The page of docs/reference about events, made from their classes, with an example of each.

Examples are events of the frozen logs in tests/logs where these have one, and else made from the frozen schema.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pokersvc import Game
from pokersvc.core.codec import EventTypes
from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.core.tables.table_events import TABLE_EVENT_TYPES
from tests.docs.each_game import own_games

TESTS: Final = Path(__file__).parents[1]
LOGS: Final = TESTS / "logs"
SCHEMAS: Final = TESTS / "games" / "event_schemas"

USUAL: Final[Mapping[str, Any]] = {
    "amount": 20, "button": 1, "code": "USD", "count": 5, "dialect": "pokerstars", "exponent": 2, "first_line": 1,
    "hand": 1, "length": 1000, "level": "I", "line": 4, "name": "Ann", "number": "4711", "round": 3, "seconds": 30,
    "site": "pokerstars", "size": 1200, "table": "Andromeda", "text": "as the file has it",
    "utc": "2026-01-31T12:00:00Z", "zone": "ET",
}  # fmt: skip
"""Typical values of fields in generated examples."""

CARDS: Final = ("Ac", "Ad", "Jh", "3s", "2d")


class Stored(NamedTuple):
    """A stored event."""

    payload: Any
    secret: Any


def events() -> Iterator[str]:
    """Yield the parts of the page."""
    yield "# Events"
    yield (
        "Every event that a log can hold, in its current version, with an example: its payload, and its secret where it"
        " has one. [The log](../log.md) defines how they are stored and hashed; a secret is shown only to whom it"
        " belongs. Older versions are read too, and [frozen schemas](../architecture.md) keep them as they are."
    )
    recorded = from_logs()
    for game in own_games():
        yield f"## Events of {game.kind}"
        rows = []
        for event, version in current(game.event_types):
            example = recorded.get((game.kind, event.__name__, version)) or (
                begun(game) if event is game.start_event else made(game.kind, event.__name__, version)
            )
            rows.append(described(event, version, example))
        yield "\n".join(rows)
    yield "## Events at a table"
    yield "Any game may have these where it is played at a table with a clock, or shuffled together."
    table = current(TABLE_EVENT_TYPES)
    yield "\n".join(described(event, version, made("table", event.__name__, version)) for event, version in table)


def current(types: EventTypes) -> list[tuple[type[Event], int]]:
    """Return the events that are written now, each with its version, in alphabetical order."""
    newest = {name: max(version for other, version in types if other == name) for name, _ in types}
    return [(types[name, version], version) for name, version in sorted(newest.items())]


def described(event: type[Event], version: int, example: Stored) -> str:
    """Return an event as an item of a list: its name, version and meaning, then its payload and secret."""
    said = " ".join((event.__doc__ or "").split("\n\n")[0].split())
    said = re.sub(r":[a-z]+:(?=`)", "", said).replace("``", "`")
    payload, secret = (
        None if part is None else json.dumps(part, sort_keys=True, separators=(",", ":")) for part in example
    )
    return f"- **{event.__name__}**, version {version}: {said} `{payload}`" + (f" Secret: `{secret}`" if secret else "")


def from_logs() -> dict[tuple[str, str, int], Stored]:
    """Map kind, type and version to the shortest such event in the logs."""
    found: dict[tuple[str, str, int], Stored] = {}
    for path in sorted(LOGS.rglob("*.jsonl")):
        kind = ""
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            payload = json.loads(record["payload"])
            kind = payload.get("game", kind) if record["seq"] == 1 else kind
            stored = Stored(payload, json.loads(record["secret"]) if record["secret"] else None)
            found.setdefault((kind, record["type"], record["version"]), stored)
    return found


def begun(game: Game) -> Stored:
    """Return the first event of a game with seats as people would fill them."""
    seats = (Seat("human", "Ann"), Seat("random", "Bob"))
    event = game.start(Setup(seats, EntropySource.from_text("demo")))
    payload, secret = game.codec.encode(event)[2:4]
    stored = json.loads(payload)
    return Stored(stored | {"program": "1.0.0"}, json.loads(secret) if secret else None)


def made(kind: str, name: str, version: int) -> Stored:
    """Return an example that follows the frozen schema of an event."""
    frozen = json.loads((SCHEMAS / kind / f"{name}.{version}.json").read_text("utf-8"))
    whole = example_of(frozen["schema"], "", frozen["schema"].get("$defs", {}))
    secret = {field: whole.pop(field) for field in frozen["secret"]}
    return Stored(whole, secret or None)


def example_of(schema: Any, name: str, named: Mapping[str, Any]) -> Any:
    """Return a value that fits a schema, and is typical for a field of this name."""
    if "$ref" in schema:
        return example_of(named[schema["$ref"].rpartition("/")[2]], name, named)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return CARDS[0] if CARDS[0] in schema["enum"] else schema["enum"][0]
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if one.get("type") != "null":
            return example_of(one, name, named)
    match schema.get("type"):
        case "object":
            return {field: example_of(one, field, named) for field, one in schema.get("properties", {}).items()}
        case "array":
            return array(schema, name, named)
        case "integer" | "number":
            usual = USUAL.get(name)
            return usual if isinstance(usual, int) else schema.get("minimum", 1)
        case "boolean":
            return True
        case "string":
            return text(schema, name)
    return None


def array(schema: Any, name: str, named: Mapping[str, Any]) -> list[Any]:
    """Return a list that a schema allows: of cards where it can be."""
    if "prefixItems" in schema:
        return [example_of(one, name, named) for one in schema["prefixItems"]]
    if CARDS[0] in schema["items"].get("enum", ()):
        return list(CARDS[: schema.get("maxItems", 5)])
    return [example_of(schema["items"], name.removesuffix("s"), named)] * schema.get("minItems", 1)


def text(schema: Any, name: str) -> str:
    """Return a text that a schema allows."""
    if schema.get("format") in ("hex", "binary") or "[0-9a-f]" in schema.get("pattern", ""):
        return "0f" * int(schema.get("minLength", 32))  # of bytes
    return str(USUAL.get(name, name))
