"""The bases of table events and table actions, which a game does not know (`pokersvc.core.tables.table_events`)."""

from dataclasses import dataclass

from pokersvc.core.event import Event


class TableEvent(Event):
    """Base of the events at a table."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableAction:
    """Base of the actions at a table. A server decides who may take one; the table, only whether it is possible now."""
