"""What a viewer may know of a game of Kalah, which is everything but the dealer's secret."""

from dataclasses import dataclass

from pokersvc.games.event import Viewer
from pokersvc.games.game import Seat
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.rules import KalahRules


@dataclass(frozen=True, slots=True)
class KalahView:
    """The board, and whose turn it is."""

    again: bool
    """Whether the seat to act is so because its last bean fell into its pot."""
    board: Board
    move: int
    """How many moves were made."""
    rules: KalahRules
    seats: tuple[Seat, ...]
    to_act: int | None
    viewer: Viewer
    earlier: tuple[tuple[Board, Side], ...] = ()
    """The boards at which somebody chose before, from the first, and the side that did."""
