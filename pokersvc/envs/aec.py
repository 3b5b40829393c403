"""A game as an environment of PettingZoo, for one agent after another."""

from secrets import token_hex
from typing import Any, ClassVar, TypeAlias, cast

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from typing_extensions import Unpack

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.envs.episode import Episode
from pokersvc.envs.numbers import Numbers, Observation
from pokersvc.envs.table import EnvTable, setup_for
from pokersvc.errors import InvalidValue
from pokersvc.service import Service

WrappedEnv: TypeAlias = AECEnv[str, Observation, int]


class GameEnv(AECEnv[str, Observation, int], EzPickle):
    """An environment whose agents are the seats that no bot plays: ``seat_1``, ``seat_2`` and so on.

    An episode is a game. Its rewards come at its end: what each seat has gained, as tournaments count it.
    """

    metadata: ClassVar[dict[str, Any]] = {"is_parallelizable": False, "name": "pokersvc_v1", "render_modes": ["ansi"]}

    def __init__(
        self, game: str, *, record: Service | None = None, render_mode: str | None = None, **table: Unpack[EnvTable]
    ) -> None:
        """Make the environment, as `pokersvc.envs.env` says."""
        EzPickle.__init__(self, game, record=record, render_mode=render_mode, **table)
        if render_mode not in (None, "ansi"):
            raise InvalidValue(f"There is no render mode {render_mode!r}; it is None or 'ansi'.")
        self.render_mode = render_mode
        self.numbers = Numbers.of(game, **table)
        """How observations and actions are written as numbers."""
        self.game_id: str | None = None
        """The id under which the last finished episode was recorded; None if none was."""
        self._game, self._table, self._record = game_of(game), table, record
        self._bots = table.get("bots") or {}
        self._text, self._resets = "", 0
        self._episode: Episode | None = None
        seats = len(setup_for(self._game, table, EntropySource.fresh()).seats)
        self._seats = {f"seat_{seat}": seat for seat in range(1, seats + 1) if seat not in self._bots}
        self.possible_agents = list(self._seats)
        self.agents = []
        whole = np.iinfo(np.int64)

        def numbers_of(count: int) -> gymnasium.spaces.Box:
            return gymnasium.spaces.Box(int(whole.min), int(whole.max), (count,), np.int64)

        names = self.numbers.actions.names
        self.action_spaces = {agent: gymnasium.spaces.Discrete(len(names)) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "action_mask": gymnasium.spaces.Box(0, 1, (len(names),), np.int8),
                    "features": numbers_of(len(self.numbers.feature_names)),
                    "observation": numbers_of(self.numbers.length),
                }
            )
            for agent in self.possible_agents
        }

    @property
    def episode(self) -> Episode:
        """The game in progress; there is none before the first `reset`."""
        assert self._episode is not None
        return self._episode

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Observation]:
        """Return the shapes of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[int]:
        """Return the numbers of an agent's choices; ``numbers.actions.names`` says what they mean."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        With a seed it is the game with that text as its seed, such as ``7``; later episodes without a seed of their own
        are ``7/2``, ``7/3`` and so on. If no seed was ever given, nobody can predict the cards.
        """
        if seed is not None:
            self._text, self._resets = str(seed), 0
        elif not self._text:
            self._text = token_hex(16)
        self._resets += 1
        source = EntropySource.from_text(self._text if self._resets == 1 else f"{self._text}/{self._resets}")
        self._episode = Episode(self.numbers, setup_for(self._game, self._table, source), self._bots)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._select()

    def step(self, action: int) -> None:
        """Take the choice of the agent whose turn it is; raise `IllegalAction` for a number that its mask excludes."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.episode.choose(action)
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        self._select()

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows now, whether or not it is its turn."""
        return self.episode.observation(self._seats[agent])

    def render(self) -> str | None:
        """Return the game in words, as the agent whose turn it is sees it; None without a render mode."""
        return self.episode.said(self._seats[self.agent_selection]) if self.render_mode else None

    def close(self) -> None:
        """Do nothing: an environment holds nothing open."""

    def _select(self) -> None:
        """Select the agent whose turn it is or, at the end of the game, give rewards and record the game."""
        episode = self.episode
        if episode.turn is not None:
            self.agent_selection = f"seat_{episode.turn.seat}"
            return
        gains = episode.gains
        self.rewards = {agent: float(gains[seat - 1]) for agent, seat in self._seats.items()}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()
        if self._record is not None:
            self.game_id = token_hex(16)
            self._record.keep(self.game_id, self._game.kind, episode.events)


def wrapped(raw: GameEnv, illegal_reward: float) -> WrappedEnv:
    """Return an environment with the wrappers that PettingZoo's own card games have."""
    legal: WrappedEnv = TerminateIllegalWrapper(raw, illegal_reward=illegal_reward)
    return cast(WrappedEnv, OrderEnforcingWrapper(AssertOutOfBoundsWrapper(legal)))
