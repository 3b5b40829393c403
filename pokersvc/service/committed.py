"""What a command has just recorded, for whoever follows the games of this process and need not read it again."""

from collections.abc import Sequence
from typing import NamedTuple

from pokersvc.service.open_game import OpenGame, Status
from pokersvc.service.shown import StoredEvent
from pokersvc.service.table_status import TableStatus


class Committed(NamedTuple):
    """The events of one command, secrets and all, and where the game then stands."""

    game_id: str
    events: Sequence[StoredEvent]
    status: Status
    table: TableStatus


def committed(open_game: OpenGame, events: Sequence[StoredEvent]) -> Committed:
    """Return what a command has recorded; its game is with nobody else yet."""
    return Committed(open_game.game_id, events, open_game.status, TableStatus.of(open_game))
