"""How the class of a custom player is found: in a file, or in a module that is installed."""

import importlib
import importlib.util
import os
import sys
from typing import Any

from pokersvc.players.worker import MISSING, NO_CHOICE, RAISED


class NoPlayerError(Exception):
    """What was loaded is no player: the first argument is the kind of what is to be said of that."""


def loaded(where: str, name: str) -> Any:
    """Return the class of the player: of a file, or of a module that is installed."""
    if where.endswith(".py"):
        sys.path.insert(0, os.path.dirname(where))  # noqa: PTH120 - what stands beside the file can be imported
        module_name = "pokersvc_player_" + os.path.basename(where)[:-3]  # noqa: PTH119
        spec = importlib.util.spec_from_file_location(module_name, where)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[module_name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        module = importlib.import_module(where)
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
        if found is None:
            raise NoPlayerError(MISSING)
    if not callable(found) or not callable(getattr(found, "choose", None)):
        raise NoPlayerError(NO_CHOICE)
    if (ranking := sys.modules.get("pokersvc.cards.ranking")) is not None:
        ranking.by_strength()  # a table of 30 ms, which else each choice would make again
    return found


def why_not(error: BaseException) -> tuple[bytes, str]:
    """Return what to say of a player that could not be loaded: the kind of that, and the words of the player."""
    if isinstance(error, NoPlayerError):
        return error.args[0], ""
    try:
        return RAISED, f"{type(error).__name__}: {error}"
    except BaseException:  # words are made by code of the player's, too
        return RAISED, type(error).__name__
