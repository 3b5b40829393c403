"""Which address made which table; kept only in memory, so that no file tells from where people play."""

from collections import OrderedDict
from threading import Lock

from pokersvc.server.connections.rate_limits import MOST_KEYS
from pokersvc.server.errors import TooMany
from pokersvc.server.tables.store import ALONE, TableStore, weight_within


class Makers:
    """Counts the tables that each address made since the server was started; thread-safe."""

    def __init__(self, tables: TableStore, most: int) -> None:
        self._tables, self._most = tables, most
        self._lock = Lock()
        self._made: OrderedDict[str, list[str]] = OrderedDict()

    def check(self, address: str, weight: int) -> None:
        """Raise `TooMany` if an address has too many unfinished tables to make one of this weight."""
        weight = weight_within(self._most, weight)
        with self._lock:
            made = list(self._made.get(address, ()))
        if len(made) * ALONE + weight <= self._most:
            return
        still_open = self._tables.open_among(made)
        with self._lock:
            if address in self._made:
                self._made[address] = [one for one in self._made[address] if one in still_open or one not in made]
        if sum(still_open.values()) + weight > self._most:
            raise TooMany(
                f"Your address may have {self._most} tables that are not over, and one with bots alone counts as"
                f" {weight_within(self._most, ALONE)}: close some, then make another.",
                600.0,
            )

    def note(self, address: str, table_id: str) -> None:
        """Note that an address has made a table."""
        with self._lock:
            self._made.setdefault(address, []).append(table_id)
            self._made.move_to_end(address)
            if len(self._made) > MOST_KEYS:
                self._made.popitem(last=False)
