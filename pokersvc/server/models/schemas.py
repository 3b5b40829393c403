"""JSON schemas that cover every game, made from those of all games, for the OpenAPI document."""

from typing import Any, TypeAlias

from pokersvc.core.registry import game_kinds, usable
from pokersvc.server.models.game_models import shape_of

Schema: TypeAlias = dict[str, Any]
"""A JSON schema."""


def any_of(what: str, *others: Schema) -> Schema:
    """Return one schema for the actions, the views or the choices of all games; it also allows ``others``.

    Definitions are written inline, so that none clashes with another's.
    """
    schemas = [shape_of(kind).schemas()[what] for kind in game_kinds() if usable(kind)]
    return {"anyOf": [_resolved(schema, schema.get("$defs", {})) for schema in (*schemas, *others)]}


def _resolved(value: Any, definitions: Schema) -> Any:
    if isinstance(value, dict):
        if "$ref" in value:
            return _resolved(definitions[value["$ref"].rpartition("/")[2]], definitions)
        return {
            name: _resolved(inner, definitions)
            for name, inner in value.items()
            if name not in ("$defs", "discriminator")
        }
    return [_resolved(inner, definitions) for inner in value] if isinstance(value, list) else value
