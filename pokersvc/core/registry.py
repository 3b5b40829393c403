"""The games by kind: those built in, those registered, and those that installed packages offer.

A package offers a game by an entry point in the group ``pokersvc.games``. The name of the entry point is the game's
kind, and its value refers to an instance of a `Game`. Packages are searched only when a kind is not built in, or when
all kinds are listed.
"""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Final

from pokersvc.core.game import Game
from pokersvc.core.words import HistoryWords
from pokersvc.errors import InvalidValue, PokersvcError, printable

ENTRY_POINTS: Final = "pokersvc.games"
"""The entry point group by which an installed package offers games."""


class UnknownGameKind(InvalidValue):
    """No game of this kind is in the registry."""

    code = "unknown_game_kind"


class GameKindTaken(InvalidValue):
    """A game cannot be registered, because another game already has its kind."""

    code = "game_kind_taken"


class UnusableGame(PokersvcError):
    """A game of an installed package that cannot be used; the other games can still be used."""

    code = "unusable_game"


class GameShadowed(UserWarning):
    """An installed package offers a game of a kind that another game has; the package's game is ignored."""


_REGISTRY: Final[dict[str, str | Game]] = {
    "draw": "pokersvc.games.draw_poker:DRAW_POKER",
    "market": "pokersvc.games.poker_market:POKER_MARKET",
    "kalah": "pokersvc.games.kalah:KALAH",
}
"""Kind of game → the game, or ``module:name`` to import it from when it is first needed."""
BUILT_IN: Final = frozenset(_REGISTRY)
"""The kinds of games that come with pokersvc."""


_PACKAGED: Final[dict[tuple[str, ...], Game]] = {}
"""(entries of `sys.path`, kind) → the game loaded from an installed package."""


def register(game: Game) -> None:
    """Add a game to the registry; raise `GameKindTaken` if another game has its kind."""
    if _REGISTRY.setdefault(game.kind, game) is not game:
        raise GameKindTaken(f"There is already a game of kind {game.kind!r}; give yours another kind.")


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """Register a game within the block, for a trial; it replaces any other game of its kind until the block ends."""
    before = _REGISTRY.get(game.kind)
    _REGISTRY[game.kind] = game
    try:
        yield
    finally:
        if before is None:
            del _REGISTRY[game.kind]
        else:
            _REGISTRY[game.kind] = before


def game_kinds() -> list[str]:
    """Return the kinds of all games: first those built in or registered, then those that packages offer, sorted."""
    return [*_REGISTRY, *sorted(_offered().keys() - _REGISTRY)]


def has_game(kind: str) -> bool:
    """Return whether there is a game of a kind, without checking that it can be used."""
    return kind in _REGISTRY or kind in _offered()


def usable(kind: str) -> bool:
    """Return whether the game of a kind can be used; a built-in game always can, and is not imported."""
    return why_unusable(kind) is None


def why_unusable(kind: str) -> UnknownGameKind | UnusableGame | None:
    """Return the error if there is no game of a kind, or if the game cannot be used; None for a usable game."""
    if kind not in _REGISTRY:
        try:
            game_of(kind)
        except (UnknownGameKind, UnusableGame) as refused:
            return refused
    return None


def game_of(kind: str) -> Game:
    """Return the game of a kind; raise `UnknownGameKind` if there is none, `UnusableGame` if a package's is broken."""
    found = _REGISTRY.get(kind)
    if isinstance(found, str):
        module, _, name = found.partition(":")
        found = _REGISTRY[kind] = getattr(import_module(module), name)
        assert isinstance(found, Game)
    if found is None:
        if kind not in _offered():
            raise UnknownGameKind(f"There is no game {kind!r}; the games are {', '.join(game_kinds())}.")
        where = (*sys.path, kind)
        found = _PACKAGED[where] = _PACKAGED.get(where) or _loaded(kind, _offered()[kind])
    return found


def history_words_of(kind: str) -> HistoryWords:
    """Return the `HistoryWords` of a kind of game, if possible without importing the rest of the game."""
    found = _REGISTRY.get(kind)
    if isinstance(found, str):  # it was not imported yet
        module = f"{found.partition(':')[0]}.history_words"
        with suppress(ModuleNotFoundError):  # a game in one module
            if find_spec(module) is not None:
                words: HistoryWords = import_module(module).HISTORY_WORDS
                return words
    return game_of(kind).words


def _offered() -> dict[str, tuple[EntryPoint, ...]]:
    """Return kind → the entry points of installed packages that offer it; warn with `GameShadowed` once."""
    return _offered_on(tuple(sys.path))


@cache
def _offered_on(_path: tuple[str, ...]) -> dict[str, tuple[EntryPoint, ...]]:
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(group=ENTRY_POINTS):
        if point.name in _REGISTRY:
            warnings.warn(
                f"{_package(point)} offers a game of kind {point.name!r}, which is built in; the package's is ignored.",
                GameShadowed,
                stacklevel=2,
            )
        elif point not in (others := found.get(point.name, ())):
            found[point.name] = (*others, point)
    return found


def _loaded(kind: str, points: tuple[EntryPoint, ...]) -> Game:
    first, *others = points
    if others:
        packages = list(dict.fromkeys(map(_package, points)))
        if len(packages) == 1:
            values = " and ".join(point.value for point in points)
            raise UnusableGame(
                f"The game {kind!r} cannot be used: {packages[0]} offers it more than once, as {values};"
                " it must offer a kind once."
            )
        raise UnusableGame(
            f"The game {kind!r} cannot be used: {' and '.join(packages)} offer it; uninstall all but one."
        )
    unusable = f"The game {kind!r}, which {_package(first)} offers as {first.value!r}, cannot be used"
    if not first.pattern.match(first.value):
        raise UnusableGame(f"{unusable}: an entry point must name a game, as in 'kuhn:KUHN'.")
    try:
        found = first.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an import may raise anything; even SystemExit must not end the program
        raise UnusableGame(f"{unusable}: {type(error).__name__}: {printable(error)}.") from error
    if not isinstance(found, Game):
        raise UnusableGame(f"{unusable}: it must be an instance of a subclass of pokersvc.Game.")
    if found.kind != kind:
        raise UnusableGame(f"{unusable}: its kind is {found.kind!r}; the entry point must have the same name.")
    return found


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name} {point.dist.version}" if point.dist else "a package"
