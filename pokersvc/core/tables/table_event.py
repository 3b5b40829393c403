"""The base classes of table events and actions, which belong to no game (`pokersvc.core.tables.table_events`)."""

from dataclasses import dataclass

from pokersvc.core.event import Event


class TableEvent(Event):
    """Base of the events at a table."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableAction:
    """Base of the actions at a table: the table decides what is possible, and a server decides who may do it."""
