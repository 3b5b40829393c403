"""The result of a command that was just recorded, for followers in this process: they need not read it again."""

from collections.abc import Sequence
from typing import NamedTuple

from pokersvc.service.open_game import OpenGame, Status
from pokersvc.service.shown import StoredEvent
from pokersvc.service.table_status import TableStatus


class Committed(NamedTuple):
    """The events of one command, with all secrets, and the status of the game and its table after them."""

    game_id: str
    events: Sequence[StoredEvent]
    status: Status
    table: TableStatus


def committed(open_game: OpenGame, events: Sequence[StoredEvent]) -> Committed:
    """Return the result of a command just recorded; must be called before other threads can take the game."""
    return Committed(open_game.game_id, events, open_game.status, TableStatus.of(open_game))
