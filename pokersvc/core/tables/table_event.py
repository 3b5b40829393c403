"""The bases of what happens at a table and not in its game (`pokersvc.core.tables.table_events`)."""

from dataclasses import dataclass

from pokersvc.core.event import Event


class TableEvent(Event):
    """Base of the events at a table."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableAction:
    """Base of what is done at a table. Who may do it, a server decides: here it is only whether it can be done now."""
