"""How a start that names no engine, as earlier versions stored it, is upcast to one that does."""

from dataclasses import fields
from typing import Any, TypeVar

from pydantic import BaseModel

from pokersvc.core.event import Event

StartT = TypeVar("StartT", bound=Event)


def by_first_engine(stored: Any, start: type[StartT], rules: type[BaseModel]) -> StartT:
    """Return a stored start as an event of the type ``start``: by engine 1, with the kinds of all players known.

    ``rules`` is the model of today's rules; fields that they have gained get their defaults.
    """
    said = {field.name: getattr(stored, field.name) for field in fields(stored)}
    said |= {"engine": 1, "hidden_kinds": False, "rules": rules.model_validate(stored.rules.model_dump())}
    return start(**said)
