"""The bots that play Kalah."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from functools import lru_cache
from random import Random
from time import monotonic
from typing import Final

from pokersvc.core.actions import Action
from pokersvc.core.bots.kinds import Kinds
from pokersvc.core.bots.player import Player
from pokersvc.errors import InvalidValue
from pokersvc.games.kalah.actions import LegalActions, Sow
from pokersvc.games.kalah.board import Board, Side
from pokersvc.games.kalah.engine import Engine, Engines, Variant, engine, fast
from pokersvc.games.kalah.levels import SIGHTS, LevelPlayer
from pokersvc.games.kalah.perfect_play.perfect import PERFECT, PerfectPlayer
from pokersvc.games.kalah.search import MOST_DEPTH, Found, deepen, finish, keep, look_ahead
from pokersvc.games.kalah.view import KalahView

THINK: Final = 5.0
"""The default time limit of `smart` for a move, in seconds."""
MOST_SECONDS: Final = 86_400
PATIENCE: Final = 200_000
"""The number of sowings (about a second) made in plain Python, in searches to a fixed depth, before numba is loaded."""


class BadPlayer:
    """Sows from the lowest hole that has beans, as in the founding document."""

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the bot's move."""
        assert view.to_act is not None
        return Sow(view.to_act, legal.holes[0])


class RandomPlayer:
    """Sows from any hole that has beans."""

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the bot's move."""
        assert view.to_act is not None
        return Sow(view.to_act, random.choice(legal.holes))


class SmartPlayer:
    """Looks ahead: for some seconds, a number of sowings, or, with 0 seconds, to the end of the game.

    With few beans in play it searches to the end of the game and plays perfectly; with a time limit, only if the time
    suffices.
    """

    def __init__(self, depth: int | None = None, *, think: float = THINK) -> None:
        self._think, self._depth = think, depth

    def choose(self, view: KalahView, legal: LegalActions, random: Random) -> Action:
        """Return the bot's move."""
        assert view.to_act is not None
        side = Side(view.to_act)
        earlier = [board for board, mover in view.earlier if mover is side]
        return Sow(view.to_act, self.search(view.board, side, view.rules.empty_capture, earlier).hole)

    def search(self, board: Board, side: Side, empty_capture: bool = False, earlier: Sequence[Board] = ()) -> Found:
        """Return the best move that the bot finds.

        At a fixed depth it never gives up a margin that was proved exact, whether now or on one of the ``earlier``
        boards of the game at which it chose.
        """
        game = Variant(board.holes, board.total, empty_capture)
        if self._depth is not None:
            found = _at_depth(game, board, side, self._depth)
            if found.exact:
                return found
            before = [_at_depth(game, at, side, self._depth) for at in earlier]
            proved = [one.margin for one in before if one.exact]
            if not proved:
                return found
            with _engine(game, patient=True) as searching:
                return keep(searching, board, side, max(proved), found)
        with _engine(game, patient=False) as searching:
            if self._think == 0:
                return finish(searching, board, side)
            finishing = _in_play(board) <= game.finishing_beans
            return _in_time(searching, board, side, monotonic() + self._think, finishing=finishing)


@lru_cache(maxsize=1024)
def _at_depth(game: Variant, board: Board, side: Side, depth: int) -> Found:
    """Return the best move of a search to a depth, or to the end if few beans are in play; cached for later choices."""
    with _engine(game, patient=True) as searching:
        if _in_play(board) <= game.finishing_beans:
            return finish(searching, board, side)
        return look_ahead(searching, board, side, depth)


def _in_play(board: Board) -> int:
    return board.in_play(Side.SOUTH) + board.in_play(Side.NORTH)


class _TimeIsUp(Exception):
    """Raised to end a search when the time to think is over."""


class _Enough(Exception):
    """Raised when a search to the end has taken as many sowings as it took to search the last sowing deeper."""


def _in_time(searching: Engine, board: Board, side: Side, end: float, *, finishing: bool) -> Found:
    """Return the best move found by the time ``end``.

    With ``finishing``, half of the work goes into a search to the end: if that search takes too long, it costs no
    more than one sowing of depth; if it does not, its result is found soon.
    """

    def watch(_nodes: int) -> None:
        if monotonic() >= end:
            raise _TimeIsUp

    def sharing(nodes: int) -> None:
        watch(nodes)
        if nodes >= most:
            raise _Enough

    found = look_ahead(searching, board, side, 1)
    with suppress(_TimeIsUp):
        before = searching.nodes
        for found in deepen(searching, board, side, watch):
            watch(0)
            most = 2 * searching.nodes - before
            if finishing and not found.exact and most - searching.nodes >= searching.slice:
                with suppress(_Enough):
                    return finish(searching, board, side, found.margin, sharing)
            before = searching.nodes
    return found


_plain: Final = Engines(Engine)
_fastest: Final = Engines(engine)


@contextmanager
def _engine(game: Variant, *, patient: bool) -> Iterator[Engine]:
    """Lend an engine for a choice: the fastest or, if ``patient``, a plain one until it has made `PATIENCE` sowings.

    Both find the same moves, and a process that makes only a few choices never waits for numba.
    """
    if patient:
        with _plain.of(game) as plain:
            if plain.nodes < PATIENCE or not fast(game):
                yield plain
                return
    with _fastest.of(game) as fastest:
        yield fastest


def thinking(kind: str, think: str) -> str:
    """Return the kind ``smart`` with a time limit in seconds; other kinds, and kinds with a limit, are unchanged.

    Raise `InvalidValue` if the text is no time.

    >>> thinking("smart", "2.50"), thinking("bad", ".5"), thinking("smart/8", "1")
    ('smart/2.5s', 'bad', 'smart/8')
    """
    try:
        seconds = Decimal(think)
    except (ArithmeticError, TypeError, ValueError):  # not a number
        seconds = Decimal("nan")
    writable = seconds.is_finite() and (not seconds or -4 < seconds.adjusted() < 5)
    bounded = f"smart/{(seconds + 0).normalize():f}s" if writable else ""
    if bounded not in KINDS:
        raise InvalidValue(
            f"A bot cannot think for {think!r} seconds; a time is 0 (no limit), or 0.001 to"
            f" {MOST_SECONDS} with three decimals at most, such as 2.5."
        )
    return bounded if kind == "smart" else kind


def timed(kind: str) -> bool:
    """Return whether a bot has a time limit, so that it may choose differently when it is asked again.

    >>> timed("smart"), timed("smart/2.5s"), timed("smart/0s"), timed("smart/8"), timed("bad")
    (True, True, False, False, False)
    """
    return kind == "smart" or (kind.startswith("smart/") and kind.endswith("s") and kind != "smart/0s")


class KalahKinds(Kinds):
    """The kinds of bots of Kalah, each with a function that makes the bot.

    `smart` may be followed by a limit of its search: ``smart/8`` looks 8 sowings ahead, ``smart/2.5s`` thinks for 2.5
    seconds (at most three decimals, the last not zero), ``smart/0s`` for as long as it takes. The limit is part of the
    kind, so that a resumed game searches as much. Servers offer only listed kinds; `perfect` is not listed, because its
    first moves take long.

    >>> "smart/8" in KINDS, "smart/0s" in KINDS, "smart/0" in KINDS, "bad/8" in KINDS
    (True, True, False, False)
    >>> "level-20" in KINDS, "level-21" in KINDS, "perfect" in KINDS, "perfect" in list(KINDS)
    (True, False, True, False)
    """

    def __getitem__(self, kind: str) -> Callable[[], Player]:
        """Return a function that makes the bot; raise `KeyError` for an unknown kind."""
        if found := re.fullmatch(r"smart/((?:0|[1-9][0-9]{0,4})(?:\.[0-9]{0,2}[1-9])?)s", kind):
            think = float(found[1])
            if think <= MOST_SECONDS:
                return lambda: SmartPlayer(think=think)
        if kind == PERFECT:
            return PerfectPlayer
        if (found := re.fullmatch(r"smart/([0-9]+)", kind)) and (len(found[1]) > 4 or int(found[1]) > MOST_DEPTH):
            raise KeyError(kind)
        return super().__getitem__(kind)


def _level(number: int) -> Callable[[], Player]:
    return lambda: LevelPlayer(number)


LEVELS: Final = {f"level-{number:02}": _level(number) for number in range(1, len(SIGHTS) + 1)}
KINDS: Final = KalahKinds({"bad": BadPlayer, **LEVELS, "random": RandomPlayer}, {"smart": SmartPlayer})
SAID: Final = {
    "bad": "always sows from the lowest hole that has beans",
    **dict.fromkeys(LEVELS, "one of 20 levels: level-01 is the weakest, level-20 the strongest"),
    PERFECT: "never makes a mistake, but may think for minutes about the first moves",
    "random": "sows from any hole that has beans",
    "smart": "looks ahead for some seconds; smart/8 looks 8 sowings ahead",
}
"""How each kind plays, for those who choose one."""
