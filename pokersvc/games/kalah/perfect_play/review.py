"""The review of a side: what each of its moves cost, in beans at the end of the game under perfect play."""

from collections.abc import Container
from typing import Final

from pokersvc.core.bots.reviewing import Reviewed, ReviewedChoice, ReviewedRound, Reviewer, ReviewTerms
from pokersvc.core.event import Event
from pokersvc.games.kalah import events
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Variant, fast
from pokersvc.games.kalah.perfect_play.perfect import PERFECT, guess
from pokersvc.games.kalah.solver import Judgement, judge, judge_deeper, solver
from pokersvc.games.kalah.state import KalahState
from pokersvc.text import counted

THOUSANDS: Final = 5000
"""The number of sowings, in thousands, that are made for the exact cost of a move by default: some two seconds."""
SLOWER: Final = 20
"""How many times as long a sowing takes without numba; as many fewer are made."""
AHEAD: Final = 10
"""The number of sowings ahead to which a move is judged if its exact cost would take too long."""
AHEAD_KIND: Final = f"smart/{AHEAD}"


class _Enough(Exception):
    """Raised when a search has made as many sowings as it may."""


class KalahReviewer(Reviewer):
    """Judges the moves of one side by the end of the game or, where that is too far, by the pots some sowings ahead.

    A cost is exact if the search to the end takes no more sowings than it may, in thousands `ReviewTerms.samples`.
    """

    unit = "beans"
    called = None

    def __init__(self, started: events.GameStarted, seat: int, terms: ReviewTerms) -> None:
        """Begin with the start of the game."""
        self._state = KalahState.after(started)
        self._side = Side(seat)
        rules = started.rules
        game = Variant(rules.holes, self._state.board.total, rules.empty_capture)
        self._engine = solver(game)
        self._ahead = solver(game)
        thousands = THOUSANDS if terms.samples is None else terms.samples
        self._most = 1000 * thousands // (1 if fast(game) else SLOWER)
        self._made = 0

    def say(self, amount: float) -> str:
        """Return a number of beans as text."""
        return f"{amount:.0f}"

    def about(self, kind: str) -> str:
        """Return a sentence on what a move is compared with."""
        if kind == PERFECT:
            return "The program perfect plays without a mistake, so costs are exact."
        return f"Where that takes too long, a cost is by the pots {counted(AHEAD, 'sowing')} ahead, and not exact."

    def take(self, event: Event, judged: Container[int]) -> Reviewed | None:
        """Take the next event, and judge it if it is a move of the side."""
        state, found = self._state, None
        if isinstance(event, events.BeansSown) and event.seat == self._side:
            self._made += 1
            if 1 in judged:
                found = self._judged(state.board, state.moves + 1, event.hole)
        state.apply(event)
        if isinstance(event, events.GameEnded) and self._made:
            return ReviewedRound(1, self._side.label, state.board.margin(self._side), self._made)
        return found

    def _judged(self, board: Board, move: int, hole: int) -> ReviewedChoice:
        judgement, by = self._exact(board, hole), PERFECT
        if judgement is None:
            judgement, by = self._some_way_ahead(board, hole)
        return ReviewedChoice(
            round=1,
            number=self._made,
            when=f"move {move}",
            had=_row(board, self._side),
            situation=f"{self._side.other.label} {_row(board, self._side.other)}",
            chose=f"sow hole {hole}",
            by=by,
            would=((f"sow hole {judgement.best}", 1.0),),
            cost=float(judgement.cost),
            error=0.0,
        )

    def _exact(self, board: Board, hole: int) -> Judgement | None:
        """Return the move's judgement at the end of the game; None if that takes more sowings than are to be made."""
        end = self._engine.nodes + self._most

        def watch(nodes: int) -> None:
            if nodes >= end:
                raise _Enough

        try:
            near = guess(self._engine, board, self._side)
            return judge(self._engine, board, self._side, hole, watch, near)
        except _Enough:
            return None

    def _some_way_ahead(self, board: Board, hole: int) -> tuple[Judgement, str]:
        for judgement in judge_deeper(self._ahead, board, self._side, hole):
            if judgement.exact or judgement.depth == AHEAD:
                break
        return judgement, PERFECT if judgement.exact else AHEAD_KIND


def _row(board: Board, side: Side) -> str:
    return " ".join(map(str, board.row(side)))
