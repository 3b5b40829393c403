"""Which games there are, by their kinds."""

from importlib import import_module
from typing import Final

from pokersvc.core.game import Game
from pokersvc.errors import InvalidValue


class UnknownGameKind(InvalidValue):
    """A kind of game that is not in the registry."""

    code = "unknown_game_kind"


_REGISTRY: Final[dict[str, str | Game]] = {
    "draw": "pokersvc.games.draw_poker:DRAW_POKER",
    "market": "pokersvc.games.poker_market:POKER_MARKET",
    "kalah": "pokersvc.games.kalah:KALAH",
}
"""Kind of game → where it is; a game is imported when it is first asked for."""


def register(game: Game) -> None:
    """Add a game to the registry, so that the service and the program know it."""
    _REGISTRY[game.kind] = game


def game_kinds() -> list[str]:
    """Return the kinds of the games there are."""
    return list(_REGISTRY)


def game_of(kind: str) -> Game:
    """Return the game of a kind; `UnknownGameKind` if there is none."""
    found = _REGISTRY.get(kind)
    if found is None:
        raise UnknownGameKind(f"There is no game {kind!r}; the games are {', '.join(_REGISTRY)}.")
    if isinstance(found, str):
        module, _, name = found.partition(":")
        found = _REGISTRY[kind] = getattr(import_module(module), name)
        assert isinstance(found, Game)
    return found
