"""Games as environments for reinforcement learning, by the interfaces of PettingZoo (extra `rl`).

`env` makes an environment of a game. `Numbers` turns what a seat sees into arrays, and numbers into the seat's actions;
it needs no extra, so a player that was trained on an environment can use it anywhere. `openspiel_game` makes a game for
OpenSpiel's algorithms (extra `openspiel`). `VectorEnv` plays many tables at once in arrays, and needs no extra.
`GameTree` is the whole tree of a small game for two, and `solve` solves such a game.
"""

from typing import TYPE_CHECKING, Final

from pokersvc.system.lazy import imported_when_used

if TYPE_CHECKING:
    from pokersvc.envs.game_tree import GameTree, InformationSet
    from pokersvc.envs.making import env, openspiel_game, openspiel_tree, raw_env
    from pokersvc.envs.numbers import Numbers, Observation, RecordTooLong
    from pokersvc.envs.solving import NotSolved, SolvedGame, TreeSolver, best_response, exploitability, solve
    from pokersvc.envs.steps import OtherGame, write_steps
    from pokersvc.envs.vectorised import VectorEnv, VectorStep

__all__ = [
    "GameTree", "InformationSet", "NotSolved", "Numbers", "Observation", "OtherGame", "RecordTooLong", "SolvedGame",
    "TreeSolver", "VectorEnv", "VectorStep", "best_response", "env", "exploitability", "openspiel_game",
    "openspiel_tree", "raw_env", "solve", "write_steps",
]  # fmt: skip

_NAMES: Final = {
    "pokersvc.envs.game_tree": "GameTree InformationSet",
    "pokersvc.envs.making": "env openspiel_game openspiel_tree raw_env",
    "pokersvc.envs.numbers": "Numbers Observation RecordTooLong",
    "pokersvc.envs.solving": "NotSolved SolvedGame TreeSolver best_response exploitability solve",
    "pokersvc.envs.steps": "OtherGame write_steps",
    "pokersvc.envs.vectorised": "VectorEnv VectorStep",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__ = imported_when_used(
        __name__, {name: (module, name) for module, names in _NAMES.items() for name in names.split()}
    )
