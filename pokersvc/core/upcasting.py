"""Upcast start events of early versions, which name no engine."""

from dataclasses import fields
from typing import Any, TypeVar

from pydantic import BaseModel

from pokersvc.core.event import Event

StartT = TypeVar("StartT", bound=Event)


def by_first_engine(stored: Any, start: type[StartT], rules: type[BaseModel]) -> StartT:
    """Convert an early start event to the type ``start``, with engine 1 and with players' kinds not hidden.

    ``rules`` is the current model of the rules; fields added to the model since then get their defaults.
    """
    said = {field.name: getattr(stored, field.name) for field in fields(stored)}
    said |= {"engine": 1, "hidden_kinds": False, "rules": rules.model_validate(stored.rules.model_dump())}
    return start(**said)
