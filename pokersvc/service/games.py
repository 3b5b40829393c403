"""The interface through which a session uses its game, whether in this process (a service) or at a server's table."""

from typing import Protocol

from pokersvc.core.actions import Action
from pokersvc.core.event import Viewer
from pokersvc.core.tables.table_event import TableAction
from pokersvc.service.open_game import Status, Turn
from pokersvc.service.shown import Recorded


class Games(Protocol):
    """Games that can be followed and played. `Service` documents what each method does, returns and raises."""

    def status(self, game_id: str) -> Status:
        """Return the status of a game."""
        ...

    def turn(self, game_id: str, seat: int) -> Turn:
        """Return the turn of a seat that must choose."""
        ...

    def since(self, game_id: str, count: int, head: bytes, *, viewer: Viewer) -> list[Recorded]:
        """Return the events that follow a game's first ``count`` events."""
        ...

    def act(
        self, game_id: str, action: Action, *, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[Recorded]:
        """Record a choice."""
        ...

    def table_act(
        self, game_id: str, action: TableAction, *, viewer: Viewer, expected: int | None, command_id: str | None
    ) -> list[Recorded]:
        """Record an action at the table."""
        ...

    def go_on(self, game_id: str, *, viewer: Viewer, expected: int | None, command_id: str | None) -> list[Recorded]:
        """Begin the next round."""
        ...

    def step(self, game_id: str, *, viewer: Viewer, expected: int | None) -> list[Recorded]:
        """Have a bot choose."""
        ...

    def play_round(self, game_id: str, *, viewer: Viewer, expected: int | None) -> list[Recorded]:
        """Have bots choose until a line of the history is complete."""
        ...
