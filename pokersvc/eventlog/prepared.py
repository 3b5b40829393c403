"""Statements that are written in SQLAlchemy's terms, compiled once, then run as the driver's text.

Compiled again (or looked up in SQLAlchemy's cache) each time, and each value converted on its way, they take several
times as long: in an append of one event as long as everything else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Select, Update

from pokersvc.eventlog.record import Record


class Prepared:
    """A statement as the driver takes it, by position where the driver counts, else by name."""

    def __init__(
        self, statement: Select[Any] | Insert | Update, dialect: Dialect, columns: Sequence[str] | None = None
    ) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=columns)
        self.text = str(compiled)
        self._names: Sequence[str] | None = compiled.positiontup
        # Records are tuples in the order of the table's columns; they need no conversion.
        self._as_records = columns is not None and tuple(self._names or ()) == tuple(columns)

    def values(self, values: Mapping[str, object]) -> Any:
        """Return values as the driver takes them."""
        return values if self._names is None else tuple([values[name] for name in self._names])

    def run(self, connection: Connection, values: Mapping[str, object]) -> Any:
        """Execute with one set of values."""
        return connection.exec_driver_sql(self.text, self.values(values))

    def run_all(self, connection: Connection, records: Sequence[Record]) -> None:
        """Execute for each record."""
        if self._as_records:
            connection.exec_driver_sql(self.text, list(records))
        else:
            connection.exec_driver_sql(self.text, [record._asdict() for record in records])
