"""Makes environments: imports the extras `rl` and `openspiel`, and reports them if they are missing."""

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from typing_extensions import Unpack

from pokersvc.envs.table import EnvTable
from pokersvc.errors import InvalidValue
from pokersvc.service import Service

if TYPE_CHECKING:
    from pokersvc.envs.aec import CheckedEnv, GameEnv
    from pokersvc.envs.game_tree import GameTree
    from pokersvc.envs.openspiel import SpielGame
    from pokersvc.envs.tree_in_openspiel import TreeGame


def raw_env(
    game: str = "draw", *, record: Service | None = None, render_mode: str | None = None, **table: Unpack[EnvTable]
) -> "GameEnv":
    """Return the environment of a game without wrappers: an illegal number raises `IllegalAction`.

    The other arguments are those of `env`.
    """
    try:
        from pokersvc.envs.aec import GameEnv
    except ModuleNotFoundError as error:
        raise InvalidValue("Environments need PettingZoo; install pokersvc with the extra `rl`.") from error
    return GameEnv(game, record=record, render_mode=render_mode, **table)


def env(
    game: str = "draw",
    *,
    illegal_reward: float = -1,
    record: Service | None = None,
    render_mode: str | None = None,
    **table: Unpack[EnvTable],
) -> "CheckedEnv":
    """Return the environment of a game in which agents act one after another (PettingZoo's AEC).

    ``game`` is a kind, and ``table`` says who plays what (`pokersvc.envs.table.EnvTable`). Every finished episode is
    recorded in the service ``record``, if there is one. An illegal number ends the episode with ``illegal_reward`` for
    the agent, and 0 for the others. ``render_mode`` is None or ``ansi``. Raise `InvalidValue` for a table that cannot
    be played at.
    """
    raw = raw_env(game, record=record, render_mode=render_mode, **table)
    from pokersvc.envs.aec import CheckedEnv

    return CheckedEnv(raw, illegal_reward)


def openspiel_game(game: str = "draw", *, deals: int = 1_000, seed: str = "", **table: Unpack[EnvTable]) -> "SpielGame":
    """Return a game for OpenSpiel's algorithms; ``table`` has the arguments of `env`, without bots.

    ``deals`` is the number of deals, one of which chance draws first, and ``seed`` the text from which they follow.
    Raise `InvalidValue` for a table that cannot be played at.
    """
    try:
        from pokersvc.envs.openspiel import loaded
    except ModuleNotFoundError as error:
        raise _without_openspiel() from error
    try:
        written = json.dumps(table)
    except TypeError as error:
        raise InvalidValue(f"The table {table!r} cannot be written as JSON, as OpenSpiel wants it.") from error
    return loaded({"deals": deals, "game": game, "seed": seed, "table": quote(written)})


def openspiel_tree(tree: "GameTree") -> "TreeGame":
    """Return the tree of a small game for OpenSpiel's algorithms, with the exact probabilities of chance."""
    try:
        from pokersvc.envs.tree_in_openspiel import TreeGame
    except ModuleNotFoundError as error:
        raise _without_openspiel() from error
    return TreeGame(tree)


def _without_openspiel() -> InvalidValue:
    return InvalidValue("OpenSpiel's algorithms need OpenSpiel; install pokersvc with the extra `openspiel`.")
