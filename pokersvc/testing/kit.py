"""The kit for authors of games: plays a game many times, and checks the promises of the contract."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pokersvc.core.game import Game
from pokersvc.core.registry import registered
from pokersvc.core.setup import Options
from pokersvc.evidence.findings import place_of
from pokersvc.testing.actions import DecideCheck, ProcessCheck, Typed, TypingCheck, typed_plainly
from pokersvc.testing.apart import ApartCheck
from pokersvc.testing.chance import HiddenCheck, HiddenKindsCheck
from pokersvc.testing.choices import RepeatedCheck
from pokersvc.testing.drawn import DrawnCheck
from pokersvc.testing.lapses import LapseCheck
from pokersvc.testing.plans import Plan, Plans
from pokersvc.testing.promises import BrokenPromise, Promise
from pokersvc.testing.schemas import wrong_schemas
from pokersvc.testing.sessions import SessionsCheck
from pokersvc.testing.start import StartCheck
from pokersvc.testing.states import AskingCheck, DealerCheck, ReplayCheck, RoundsCheck, TurnsCheck, WithheldCheck
from pokersvc.testing.stored import StoredGame, check_tournament
from pokersvc.testing.together import TogetherCheck
from pokersvc.testing.trial import FAILURES, Onlookers, PromiseCheck, Trial, play
from pokersvc.testing.wording import BooksCheck, WordsCheck

GAMES: Final = 20
"""Minimum number of games played by default."""
ROUNDS: Final = 8
"""The number of rounds of the longest games by default."""
STORED: Final = 2
"""The number of games that are also played through the service."""

CHECKS: Final[tuple[Callable[[Trial], PromiseCheck], ...]] = (
    StartCheck, ApartCheck, ReplayCheck, DealerCheck, TurnsCheck, RoundsCheck, AskingCheck, HiddenCheck,
    RepeatedCheck, WithheldCheck, HiddenKindsCheck, DecideCheck, LapseCheck, TogetherCheck, ProcessCheck, BooksCheck,
    SessionsCheck, WordsCheck,
)  # fmt: skip
"""The checks of a game, in the order in which their findings are reported."""


def check_game(
    game: Game,
    *,
    seeds: Iterable[int] | None = None,
    options: Sequence[Options] | None = None,
    programs: Sequence[str] | None = None,
    typed: Typed = typed_plainly,
    rounds: int = ROUNDS,
    schemas: Path | None = None,
    stored: int = STORED,
) -> None:
    """Raise `BrokenPromise` for the first promise of the contract that a game is found to break.

    One game is played for each of the ``seeds``, in turn with each of the ``options`` (default: the game's houses, or
    no options if it has none) and each number of seats that the game takes, by the kinds of ``programs`` (default: all
    of the game) and by simulated people. By default these are 20 games, or more if there are more combinations of
    options and numbers of seats. The first ``stored`` games, and a small tournament, go through the service and a
    temporary database.

    If the game takes a number of rounds, a played game has up to three, and every fifth has ``rounds``: raise
    ``rounds`` to find faults that show only later in a game.

    ``typed(action, view)`` returns what a person types for an action: by default its name and its values. ``schemas``
    is the folder with the stored forms of the game's events (`write_schemas`); by default they are not checked.

    The same seed plays the same game: to find the same fault again, pass the error's ``seed`` as ``seeds=[seed]``.
    """
    if schemas is not None:
        _raise(list(wrong_schemas(game, schemas)))
    plans = Plans.of(game, options, programs, rounds)
    seeds = list(range(max(GAMES, len(plans.tables))) if seeds is None else seeds)
    for seed in seeds:
        _raise(_found_in(plans.plan(seed), typed))
    with registered(game):
        for seed in seeds[:stored]:
            plan = plans.plan(seed)
            with _Breaking(Promise.SERVICE, game, seed):
                StoredGame(plan).check()
        if stored:
            with _Breaking(Promise.TOURNAMENT, game, None):
                check_tournament(plans)


def _found_in(plan: Plan, typed: Typed) -> list[BrokenPromise]:
    """Play a game, and return the broken promises found in it, in order."""
    try:
        trial = Trial.of(plan)
    except FAILURES as error:
        raise _broken_by(error, Promise.PLAYS, plan.game, plan.seed) from error
    onlookers = Onlookers(
        trial,
        [*CHECKS, partial(TypingCheck, typed=typed), DrawnCheck],
    )
    play(trial, onlookers)
    return onlookers.found


def _raise(found: list[BrokenPromise]) -> None:
    """Raise the first broken promise, with the others as its notes."""
    if found:
        first, *others = found
        for other in others:
            first.add_note(str(other))
        raise first


def _broken_by(error: BaseException, promise: Promise, game: Game, seed: int | None) -> BrokenPromise:
    found = f"{type(error).__name__} at {place_of(error)}: {error}"
    return BrokenPromise(promise, found, kind=game.kind, seed=seed, event=None)


class _Breaking:
    """A context in which any exception breaks a promise."""

    def __init__(self, promise: Promise, game: Game, seed: int | None) -> None:
        self._said = promise, game, seed

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, FAILURES) and not isinstance(error, BrokenPromise):
            raise _broken_by(error, *self._said) from error
