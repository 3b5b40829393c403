"""A small game's whole tree as a game of OpenSpiel, with exact probabilities, for OpenSpiel's exact algorithms."""

from collections.abc import Sequence
from typing import Final, Self

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.policy import tabular_policy_from_callable

from pokersvc.core.actions import Action
from pokersvc.envs.game_tree import SEATS, GameTree, Node, Strategy

_KIND: Final = pyspiel.GameType(
    short_name="python_pokersvc_tree",
    long_name="A small game of pokersvc",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)


class TreeGame(pyspiel.Game):
    """The game of a tree; OpenSpiel cannot load it by name."""

    def __init__(self, tree: GameTree) -> None:
        """Take a tree."""
        self.tree = tree
        nodes = list(tree.nodes())
        most = max(abs(gain) for node in nodes for gain in node.gains)
        info = pyspiel.GameInfo(
            num_distinct_actions=1 + max(number for sets in tree.sets for one in sets for number in one.numbers),
            max_chance_outcomes=max(1, *[len(node.chances) for node in nodes]),
            num_players=SEATS,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=tree.size,
        )
        super().__init__(_KIND, info, {})

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself, which never changes."""
        return self

    def policy(self, strategies: Sequence[Strategy]) -> object:
        """Return the strategies of both seats as a policy of OpenSpiel (a `TabularPolicy`)."""

        def probabilities(state: TreeState) -> dict[int, float]:
            one = state.node.chooses
            assert one is not None  # OpenSpiel asks only where a player chooses
            return dict(zip(one.numbers, strategies[one.seat - 1][one.places].tolist(), strict=True))

        return tabular_policy_from_callable(self, probabilities)

    def new_initial_state(self) -> "TreeState":
        """Return the first state."""
        return TreeState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> "TreeObserver":
        """Return the only observer, which observes everything that a player knows."""
        return TreeObserver()


class TreeState(pyspiel.State):
    """A state: a node of the tree."""

    def __init__(self, game: TreeGame) -> None:
        """Begin before the first event."""
        super().__init__(game)
        self.tree_game = game
        self.node: Node = game.tree.root

    def action(self, number: int) -> Action:
        """Return the action with a number that is legal now."""
        assert self.node.chooses is not None
        return self.node.chooses.actions[self.node.chooses.numbers.index(number)]

    def current_player(self) -> int:
        """Return the player whose turn it is (from 0), or OpenSpiel's constant for chance or the end."""
        if self.node.chooses is not None:
            return self.node.chooses.seat - 1
        return int(pyspiel.PlayerId.CHANCE if self.node.children else pyspiel.PlayerId.TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the number and the probability of each outcome."""
        return list(enumerate(self.node.chances))

    def _legal_actions(self, player: int) -> list[int]:
        one = self.node.chooses
        return [] if one is None or one.seat - 1 != player else list(one.numbers)

    def _apply_action(self, action: int) -> None:
        one = self.node.chooses
        self.node = self.node.children[action if one is None else one.numbers.index(action)]

    def _action_to_string(self, player: int, action: int) -> str:
        return f"outcome {action}" if player < 0 else str(self.action(action))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self.node.children

    def returns(self) -> list[float]:
        """Return each player's gain; zeros before the end."""
        return list(self.node.gains or (0.0,) * SEATS)

    def information_state_string(self, player: int | None = None) -> str:
        """Return a text for the situation of the player to act; different situations have different texts."""
        one = self.node.chooses
        assert one is not None
        return f"{one.seat}: {one.number}"

    def __str__(self) -> str:
        """Return the choices so far."""
        return " ".join(map(str, self.history()))


class TreeObserver:
    """A player's observation, as the text of its information set."""

    def __init__(self) -> None:
        """Begin without arrays: the observation is a text only."""
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}

    def set_from(self, state: TreeState, player: int) -> None:
        """Write nothing."""

    def string_from(self, state: TreeState, player: int) -> str:
        """Return the text of the player's information set."""
        return state.information_state_string(player)
