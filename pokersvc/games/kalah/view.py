"""A viewer's view of a game of Kalah: everything but the dealer's secret."""

from collections.abc import Iterable
from dataclasses import dataclass

from pokersvc.core.event import Event, Viewer
from pokersvc.core.record import Seen
from pokersvc.core.seats import SeatSeen
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.rules import KalahRules


@dataclass(frozen=True, slots=True)
class KalahView:
    """The board, and whose turn it is."""

    again: bool
    """Whether the seat to act has an extra turn: its last bean fell into its pot."""
    board: Board
    earlier: Iterable[tuple[Board, Side]]
    """The boards before each earlier move, from the first, and the side that moved."""
    move: int
    """The number of moves made."""
    record: Seen[Event]
    """All events so far; a game of Kalah is one round."""
    rules: KalahRules
    seats: tuple[SeatSeen, ...]
    to_act: int | None
    viewer: Viewer
