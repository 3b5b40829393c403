"""Games as Python games of OpenSpiel, for its algorithms (https://github.com/google-deepmind/open_spiel).

A game begins with a chance node that picks one of ``deals`` deals, each with a seed of its own; what chance decides
later follows from that seed. Then the seats choose by numbers, as in the other environments (`pokersvc.envs.Numbers`).
"""

import json
from typing import Any, Final, Self
from urllib.parse import unquote

import numpy as np
import pyspiel
from numpy.typing import NDArray

from pokersvc.core.event import Event
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.envs.episode import Episode
from pokersvc.envs.numbers import Numbers
from pokersvc.envs.table import EnvTable, EpisodeStarts
from pokersvc.errors import InvalidValue

DEALS: Final = 1_000
"""The default number of deals from which chance draws."""
MOST_GAINED: Final = 1e9
"""The upper bound of a seat's gain or loss, which OpenSpiel requires."""
_DEFAULTS: Final = {"deals": DEALS, "game": "draw", "seed": "", "table": "%7B%7D"}
_KIND: Final = pyspiel.GameType(
    short_name="python_pokersvc",
    long_name="A game of pokersvc",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=10,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class SpielGame(pyspiel.Game):
    """A game of pokersvc; its parameters are those of `pokersvc.envs.openspiel_game`, with ``table`` as quoted JSON."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Take the parameters; raise `InvalidValue` for wrong ones."""
        given: dict[str, Any] = _DEFAULTS | (params or {})
        table: EnvTable = json.loads(unquote(given["table"]))
        if table.get("bots"):
            raise InvalidValue("OpenSpiel plays every seat itself; leave the bots out.")
        self.deals: int = given["deals"]
        self.seed: str = given["seed"]
        if type(self.deals) is not int or self.deals < 1:
            raise InvalidValue(f"{self.deals!r} cannot be the number of deals; give 1 or more.")
        kind = game_of(given["game"])
        self.starts = EpisodeStarts(kind, table)
        self.numbers = Numbers(kind, self.starts.first, table)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.numbers.actions.names),
            max_chance_outcomes=self.deals,
            num_players=len(self.starts.first.seats),
            min_utility=-MOST_GAINED,
            max_utility=MOST_GAINED,
            max_game_length=self.numbers.length,
        )
        super().__init__(_KIND, info, given)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the game itself, which never changes."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments from which the game can be made again."""
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> "SpielState":
        """Return the state before the deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "SpielObserver":
        """Return an observer of the whole record or, without perfect recall, of the figures, if the game has any."""
        if params:
            raise InvalidValue(f"Observers have no parameters, and {min(params)!r} is given.")
        recalls = iig_obs_type is None or iig_obs_type.perfect_recall
        return SpielObserver(self.numbers, recalls=recalls or not self.numbers.feature_names)


class _Dealt:
    """A game after its deal. Its copies, and states read from a file, play the same choices again."""

    def __init__(self, game: SpielGame, deal: int) -> None:
        self._game, self._deal = game, deal
        self._choices: list[int] = []
        source = EntropySource.from_text(f"{game.seed}/{deal}")
        self.episode = Episode(game.numbers, game.starts.start(source), source, {})

    def choose(self, number: int) -> None:
        self.episode.choose(number)
        self._choices.append(number)

    def __reduce__(self) -> tuple[object, ...]:
        return _played_again, (self._game, self._deal, self._choices)


def _played_again(game: SpielGame, deal: int, choices: list[int]) -> _Dealt:
    dealt = _Dealt(game, deal)
    for number in choices:
        dealt.choose(number)
    return dealt


class SpielState(pyspiel.State):
    """A game before or after its deal."""

    def __init__(self, game: SpielGame) -> None:
        """Begin before the deal."""
        super().__init__(game)
        self.spiel_game = game
        self.dealt: _Dealt | None = None

    def current_player(self) -> int:
        """Return the player whose turn it is (from 0), or OpenSpiel's constant for chance or the end."""
        if self.dealt is None:
            return int(pyspiel.PlayerId.CHANCE)
        turn = self.dealt.episode.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn.seat - 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, all equally likely."""
        deals = self.spiel_game.deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        turn = None if self.dealt is None else self.dealt.episode.turn
        return [] if turn is None or turn.seat - 1 != player else sorted(turn.numbers)

    def _apply_action(self, action: int) -> None:
        if self.dealt is None:
            self.dealt = _Dealt(self.spiel_game, action)
        else:
            self.dealt.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else self.spiel_game.numbers.actions.names[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.dealt is not None and self.dealt.episode.turn is None

    def returns(self) -> list[float]:
        """Return each player's gain; zeros before the end."""
        if self.dealt is None:
            return [0.0] * self.num_players()
        return [float(gain) for gain in self.dealt.episode.gains]

    @property
    def events(self) -> list[Event]:
        """The events so far, as a log has them; empty before the deal."""
        return [] if self.dealt is None else self.dealt.episode.events

    def __str__(self) -> str:
        """Return the choices so far."""
        return " ".join(map(str, self.history()))


class SpielObserver:
    """What a player sees, as a flat array of floats and as a text."""

    def __init__(self, numbers: Numbers, *, recalls: bool) -> None:
        """Observe the whole record if ``recalls``, otherwise only the current features."""
        name, count = ("record", numbers.length) if recalls else ("features", len(numbers.feature_names))
        self._numbers, self._recalls = numbers, recalls
        self.tensor: NDArray[np.float32] = np.zeros(count, np.float32)
        self.dict = {name: self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a player's observation into the array."""
        seen = self._seen(state, player)
        self.tensor[: len(seen)] = seen
        self.tensor[len(seen) :] = 0

    def string_from(self, state: SpielState, player: int) -> str:
        """Return a player's observation as a text: histories that the player can distinguish have different texts."""
        return f"{player}: {' '.join(map(str, self._seen(state, player).tolist()))}"

    def _seen(self, state: SpielState, player: int) -> NDArray[np.int64]:
        if state.dealt is None:
            return np.zeros(0, np.int64)
        found = state.dealt.episode.observation(player + 1)
        return np.trim_zeros(found["observation"], "b") if self._recalls else found["features"]


pyspiel.register_game(_KIND, SpielGame)


def loaded(parameters: dict[str, Any]) -> SpielGame:
    """Return a game by its parameters, as OpenSpiel loads it; raise `InvalidValue` for wrong ones."""
    found: SpielGame = pyspiel.load_game(_KIND.short_name, parameters)
    return found
