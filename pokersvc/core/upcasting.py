"""Upcast start events of earlier versions, which name no engine, to events that do."""

from dataclasses import fields
from typing import Any, TypeVar

from pydantic import BaseModel

from pokersvc.core.event import Event

StartT = TypeVar("StartT", bound=Event)


def by_first_engine(stored: Any, start: type[StartT], rules: type[BaseModel]) -> StartT:
    """Return a stored start as an event of the type ``start``: by engine 1, with the kinds of all players known.

    ``rules`` is the model of today's rules; fields added since then get their defaults.
    """
    said = {field.name: getattr(stored, field.name) for field in fields(stored)}
    said |= {"engine": 1, "hidden_kinds": False, "rules": rules.model_validate(stored.rules.model_dump())}
    return start(**said)
