"""The programs that play Kalah."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Final

from pokersvc.errors import InvalidValue
from pokersvc.games.game import Action, Player
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Game, engine, fast
from pokersvc.games.kalah.search import MOST_DEPTH, Found, deepen, finish, look_ahead
from pokersvc.games.kalah.view import KalahView
from pokersvc.games.kinds import Kinds

THINK: Final = 5.0
"""Seconds that `smart` thinks where nobody says."""
MOST_SECONDS: Final = 86_400
PATIENCE: Final = 200_000
"""How many sowings a process searches at a fixed depth as plain Python, in about a second, before it loads numba."""


class BadPlayer:
    """Sows from the lowest hole that has beans, as in the founding document."""

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the choice."""
        assert view.to_act is not None
        return Sow(view.to_act, legal.holes[0])


class RandomPlayer:
    """Sows from any hole that has beans."""

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the choice."""
        assert view.to_act is not None
        return Sow(view.to_act, random.choice(legal.holes))


class SmartPlayer:
    """Looks ahead: for some seconds, a number of sowings, or with 0 seconds to the end of the game.

    With few beans in play it always sees the end, and then plays perfectly.
    """

    def __init__(self, depth: int | None = None, *, think: float = THINK) -> None:
        self._think, self._depth = think, depth

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the choice."""
        assert view.to_act is not None
        return Sow(view.to_act, self.search(view.board, Side(view.to_act), view.rules.empty_capture).hole)

    def search(self, board: Board, side: Side, empty_capture: bool = False) -> Found:
        """Return the best move that it finds. What it says is exact, it never gives up again."""
        game = Game(board.holes, board.total, empty_capture)
        in_play = board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)
        if self._depth is not None:
            searching = _engine(game, patient=True)
            if in_play <= game.finishing_beans:
                return finish(searching, board, side)
            # At the next choice, with more seen, a margin might look better than the one that was proved now.
            return replace(look_ahead(searching, board, side, self._depth), exact=False)
        searching = _engine(game, patient=False)
        if self._think == 0:
            return finish(searching, board, side)
        return _in_time(searching, board, side, monotonic() + self._think, finishing=in_play <= game.finishing_beans)


class _TimeIsUp(Exception):
    """The time to think is over."""


def _in_time(searching: Engine, board: Board, side: Side, end: float, *, finishing: bool) -> Found:
    """Return the best move found until a time."""

    def watch(_nodes: int) -> None:
        if monotonic() >= end:
            raise _TimeIsUp

    found = look_ahead(searching, board, side, 1)
    try:
        if finishing:
            return finish(searching, board, side, watch=watch)
        for deeper in deepen(searching, board, side, watch):
            found = deeper
            watch(0)
    except _TimeIsUp:
        pass
    return found


@lru_cache(maxsize=2)
def _plain(game: Game) -> Engine:
    return Engine(game)


@lru_cache(maxsize=2)
def _fastest(game: Game) -> Engine:
    return engine(game)


def _engine(game: Game, *, patient: bool) -> Engine:
    """Return the engine of a choice: the fastest; where time does not decide, plain until a process has thought long.

    Both find the same, and a process that makes a few choices never waits for numba.
    """
    if not patient:
        return _fastest(game)
    plain = _plain(game)
    if plain.nodes < PATIENCE or not fast(game):
        return plain
    return _fastest(game)


def thinking(kind: str, think: str) -> str:
    """Return the kind of a program that is to think for so many seconds; one that does not think stays as it is.

    `InvalidValue` for a text that is no time. What is said in the kind already stands.

    >>> thinking("smart", "2.5"), thinking("bad", "2.5"), thinking("smart/8", "1")
    ('smart/2.5s', 'bad', 'smart/8')
    """
    if f"smart/{think}s" not in KINDS:
        raise InvalidValue(
            f"A program cannot think for {think!r} seconds; a time is 0, for as long as it takes, up to {MOST_SECONDS},"
            " such as 2.5."
        )
    return f"smart/{think}s" if kind == "smart" else kind


class KalahKinds(Kinds):
    """Kind → what makes the program that plays it.

    Behind `smart` may stand what bounds its thinking: ``smart/8`` looks 8 sowings ahead, ``smart/2.5s`` thinks for 2.5
    seconds, ``smart/0s`` for as long as it takes. It is part of the kind, so that a resumed game thinks as much.

    >>> "smart/8" in KINDS, "smart/0s" in KINDS, "smart/0" in KINDS, "bad/8" in KINDS
    (True, True, False, False)
    """

    def __getitem__(self, kind: str) -> Callable[[], Player]:
        """Return what makes a program; `KeyError` for a kind that there is not."""
        if found := re.fullmatch(r"smart/((?:0|[1-9][0-9]{0,4})(?:\.[0-9]{1,3})?)s", kind):
            think = float(found[1])
            if think <= MOST_SECONDS:
                return lambda: SmartPlayer(think=think)
        if (found := re.fullmatch(r"smart/([0-9]+)", kind)) and (len(found[1]) > 4 or int(found[1]) > MOST_DEPTH):
            raise KeyError(kind)
        return super().__getitem__(kind)


KINDS: Final = KalahKinds({"bad": BadPlayer, "random": RandomPlayer}, {"smart": SmartPlayer})
