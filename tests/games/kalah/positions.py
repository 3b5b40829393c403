"""Boards of games played at random, and plain minimax on them, which knows nothing of how searches are made."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from pokersvc.games.kalah.board import POT, Board, Side


class Turn(NamedTuple):
    """A board and the side that is to move."""

    board: Board
    side: Side

    def after(self, hole: int, *, empty_capture: bool = False) -> "Turn":
        """Return the board after a move; at the end of the game, the remaining beans are swept."""
        board, side, last = self.board.sow(self.side, hole)
        if board.captured(self.side, (side, last), empty_capture=empty_capture):
            board = board.capture(self.side, last)
        if board.over:
            board = board.swept()
        return Turn(board, self.side if last == POT else self.side.other)

    @property
    def in_play(self) -> int:
        return self.board.in_play(Side.SOUTH) + self.board.in_play(Side.NORTH)


def random_game(random: Random, holes: int, beans: int, *, empty_capture: bool = False) -> Iterator[Turn]:
    """Yield every board of a random game at which a side is to move."""
    turn = Turn(Board.start(holes, beans), Side.SOUTH)
    while not turn.board.over:
        yield turn
        turn = turn.after(random.choice(turn.board.moves(turn.side)), empty_capture=empty_capture)


def random_turns(
    seed: int, count: int, holes: int, beans: int, *, empty_capture: bool = False, most: int = 10_000
) -> list[Turn]:
    """Return boards of random games with at most the given number of beans in play."""
    random = Random(seed)
    found: list[Turn] = []
    while len(found) < count:
        found += [
            turn for turn in random_game(random, holes, beans, empty_capture=empty_capture) if turn.in_play <= most
        ]
    return random.sample(found, count)


@lru_cache(1 << 18)
def minimax(turn: Turn, depth: int | None, *, empty_capture: bool = False, exact: int = -1) -> int:
    """Return South's margin under perfect play: at the end, or after the given number of sowings.

    With up to ``exact`` beans in play it is the margin at the end all the same.
    """
    if depth is not None and turn.in_play <= exact and not turn.board.over:
        depth = None
    if depth == 0 or turn.board.over:
        return turn.board.margin(Side.SOUTH)
    deeper = None if depth is None else depth - 1
    margins = [
        minimax(turn.after(hole, empty_capture=empty_capture), deeper, empty_capture=empty_capture, exact=exact)
        for hole in turn.board.moves(turn.side)
    ]
    return max(margins) if turn.side is Side.SOUTH else min(margins)
