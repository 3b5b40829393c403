"""The events that start, forfeit and leave, as every game repeats them."""

from dataclasses import replace

from pokersvc.core.event import Event


def open_kinds(event: Event) -> Event:
    """Return an event as it is told to who may know of all kinds: an auditor, and everybody once the game is over."""
    return replace(event, hidden_kinds=False) if getattr(event, "hidden_kinds", False) else event  # type: ignore[type-var]  # every event is a dataclass
