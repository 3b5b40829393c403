"""The review of a side: the cost of each of its moves, in beans at the end of the game under perfect play."""

from collections.abc import Container
from contextlib import suppress
from functools import cached_property
from typing import Final

from pokersvc.core.bots.reviewing import Reviewed, ReviewedChoice, ReviewedRound, Reviewer, ReviewTerms
from pokersvc.core.event import Event
from pokersvc.games.kalah import events
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import SLOTS, Engine, KnownEndgames, Variant, engine, fast
from pokersvc.games.kalah.perfect_play.endgames import WrongEndgames, known_to
from pokersvc.games.kalah.perfect_play.perfect import PERFECT, guess
from pokersvc.games.kalah.solver import Judgement, judge, judge_deeper
from pokersvc.games.kalah.state import KalahState
from pokersvc.text import counted

THOUSANDS: Final = 5000
"""The number of sowings, in thousands, that are made for the exact cost of a move by default: some two seconds."""
SLOWER: Final = 20
"""Without numba, a sowing takes this many times as long, and the number of sowings is divided by this."""
AHEAD: Final = 10
"""The number of sowings ahead to which a move is judged if its exact cost would take too long."""
THOUSANDS_AHEAD: Final = 1000
"""The number of sowings, in thousands, after which a move is judged by fewer than `AHEAD` sowings ahead."""
MOVES: Final = 40
"""The number of moves that may take all these sowings; later moves may take only a fraction."""
PART: Final = 20
"""Later moves may take the sowings divided by this."""
_BY_DEPTH: Final = "smart/"


class _Enough(Exception):
    """Raised when a search has made as many sowings as it may."""


class _Search:
    """An engine, and how many sowings it may still make."""

    def __init__(self, engine: Engine, most: int) -> None:
        self.engine, self._most, self._left = engine, most, MOVES * most
        self._begun = self._end = 0

    def begin(self) -> bool:
        """Begin with the next move; return whether the engine may still make sowings."""
        self._left -= self.engine.nodes - self._begun
        self._begun = self.engine.nodes
        self._end = self._begun + max(self._most // PART, min(self._most, self._left))
        return self._end > self._begun

    def watch(self, nodes: int) -> None:
        """Raise `_Enough` if this move's sowings have been made."""
        if nodes >= self._end:
            raise _Enough


class KalahReviewer(Reviewer):
    """Judges the moves of one side by the end of the game or, if that is too far, by the pots some sowings ahead.

    A cost is exact if the search to the end takes at most `ReviewTerms.samples` thousand sowings.
    """

    unit = "beans"
    called = None

    def __init__(self, started: events.GameStarted, seat: int, terms: ReviewTerms) -> None:
        """Begin with the start of the game."""
        self._state = KalahState.after(started)
        self._side = Side(seat)
        self._game = Variant(started.rules.holes, self._state.board.total, started.rules.empty_capture)
        self._thousands = THOUSANDS if terms.samples is None else terms.samples
        self._made = 0

    @cached_property
    def _to_the_end(self) -> _Search:
        known: KnownEndgames | None = None
        with suppress(WrongEndgames):  # without the endgames fewer costs are exact, but none differs
            known = known_to(self._game)
        return self._search(self._thousands, known)

    @cached_property
    def _ahead(self) -> _Search:
        return self._search(THOUSANDS_AHEAD, None)

    def _search(self, thousands: int, known: KnownEndgames | None) -> _Search:
        """Return a search whose table has room for the sowings that may be made for a move."""
        most = 1000 * thousands // (1 if fast(self._game) else SLOWER)
        slots = next((size for size in SLOTS if size >= most), SLOTS[-1])
        return _Search(engine(self._game, most_slots=slots, known=known), most)

    def say(self, amount: float) -> str:
        """Return a number of beans as text."""
        return f"{amount:.0f}"

    def about(self, kind: str) -> str:
        """Return a sentence on the standard with which a move is compared."""
        if kind == PERFECT:
            return "The program perfect plays without a mistake, so costs are exact."
        depth = int(kind.removeprefix(_BY_DEPTH))
        return f"Where that takes too long, a cost is by the pots {counted(depth, 'sowing')} ahead, and not exact."

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
        """Return the move's judgement at the end of the game; None if that takes more sowings than allowed."""
        search = self._to_the_end
        if not search.begin():
            return None
        try:
            near = guess(search.engine, board, self._side, search.watch)
            return judge(search.engine, board, self._side, hole, search.watch, near)
        except _Enough:
            return None

    def _some_way_ahead(self, board: Board, hole: int) -> tuple[Judgement, str]:
        """Return the move's judgement by a search some sowings ahead, at least one."""
        search = self._ahead
        search.begin()
        found = next(judge_deeper(search.engine, board, self._side, hole))
        with suppress(_Enough):
            for found in judge_deeper(search.engine, board, self._side, hole, search.watch):
                search.watch(search.engine.nodes)
                if found.exact or found.depth == AHEAD:
                    break
        return found, PERFECT if found.exact else f"{_BY_DEPTH}{found.depth}"


def _row(board: Board, side: Side) -> str:
    return " ".join(map(str, board.row(side)))
