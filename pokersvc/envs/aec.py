"""A game as an environment of PettingZoo in which agents act one after another (AEC)."""

from secrets import token_hex
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from typing_extensions import Unpack

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of
from pokersvc.envs.episode import Episode
from pokersvc.envs.numbers import Numbers, Observation
from pokersvc.envs.table import EnvTable, EpisodeStarts
from pokersvc.errors import InvalidValue
from pokersvc.service import Service


class GameEnv(AECEnv[str, Observation, int | None], EzPickle):
    """An environment whose agents are the seats without a bot: ``seat_1``, ``seat_2`` and so on.

    An episode is a game. The rewards come at the end: each seat's gain, as tournaments count it.
    """

    def __init__(
        self, game: str, *, record: Service | None = None, render_mode: str | None = None, **table: Unpack[EnvTable]
    ) -> None:
        """Make the environment, as `pokersvc.envs.env` says."""
        EzPickle.__init__(self, game, record=record, render_mode=render_mode, **table)
        if render_mode not in (None, "ansi"):
            raise InvalidValue(f"There is no render mode {render_mode!r}; it is None or 'ansi'.")
        self.render_mode = render_mode
        self.metadata = {"is_parallelizable": False, "name": "pokersvc_v1", "render_modes": ["ansi"]}
        self._game, self._record = game_of(game), record
        self._starts = EpisodeStarts(self._game, table)
        self.numbers = Numbers(self._game, self._starts.first, table)
        """How observations and actions are written as numbers."""
        self.game_id: str | None = None
        """The id under which the last finished episode was recorded; None if none was."""
        self._bots = table.get("bots") or {}
        self._text, self._resets = "", 0
        self._episode: Episode | None = None
        self.begun = False
        """Whether `reset` was called."""
        self.over = False
        """Whether the episode is over; its agents then take only the last steps that PettingZoo requires."""
        seats = range(1, len(self._starts.first.seats) + 1)
        self._seats = {f"seat_{seat}": seat for seat in seats if seat not in self._bots}
        self._agents = {seat: agent for agent, seat in self._seats.items()}
        self.possible_agents = list(self._seats)
        self.agents = []
        whole = np.iinfo(np.int64)

        def numbers_of(count: int) -> gymnasium.spaces.Box:
            return gymnasium.spaces.Box(int(whole.min), int(whole.max), (count,), np.int64)

        names = self.numbers.actions.names
        self.action_spaces = {
            agent: cast("gymnasium.spaces.Space[int | None]", gymnasium.spaces.Discrete(len(names)))
            for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: cast(
                "gymnasium.spaces.Space[Observation]",
                gymnasium.spaces.Dict(
                    {
                        "action_mask": gymnasium.spaces.Box(0, 1, (len(names),), np.int8),
                        "features": numbers_of(len(self.numbers.feature_names)),
                        "observation": numbers_of(self.numbers.length),
                    }
                ),
            )
            for agent in self.possible_agents
        }

    @property
    def episode(self) -> Episode:
        """The game in progress, or else the last one; raise `InvalidValue` before the first `reset`."""
        if self._episode is None:
            raise InvalidValue("The environment has no episode yet; call `reset` first.")
        return self._episode

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Observation]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[int | None]:
        """Return the space of the numbers of an agent's choices; ``numbers.actions.names`` gives their meanings."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        With a seed, the episode is the game with that text as its seed, such as ``7``; later episodes without a seed of
        their own have the seeds ``7/2``, ``7/3`` and so on. If no seed was ever given, nobody can predict the cards.
        """
        if seed is not None:
            self._text, self._resets = str(seed), 0
        elif not self._text:
            self._text = token_hex(16)
        self._resets += 1
        source = EntropySource.from_text(self._text if self._resets == 1 else f"{self._text}/{self._resets}")
        self._episode = Episode(self.numbers, self._starts.start(source), source, self._bots)
        self.agents = self.possible_agents[:]
        self.begun, self.over = True, False
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = self.terminations.copy()
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on(self._episode)

    def step(self, action: int | None) -> None:
        """Take the choice of the agent whose turn it is; raise `IllegalAction` for a number that its mask excludes."""
        if self.over:
            self._was_dead_step(action)
            return
        episode = self.episode
        episode.choose(action)
        self._go_on(episode)

    def is_legal(self, action: int) -> bool:
        """Return whether the agent whose turn it is may choose this number."""
        turn = self.episode.turn
        return turn is not None and action in turn.numbers

    def disqualify(self, reward: float) -> None:
        """End the episode with a reward for the agent whose turn it is, and with 0 for the others."""
        self._end(dict.fromkeys(self.agents, 0.0) | {self.agent_selection: float(reward)})
        self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> Observation:
        """Return an agent's current observation, whether or not it is the agent's turn."""
        return self.episode.observation(self._seats[agent])

    def render(self) -> str | None:
        """Return the game in words, as the agent whose turn it is sees it; None without a render mode."""
        return self.episode.said(self._seats[self.agent_selection]) if self.render_mode else None

    def close(self) -> None:
        """Do nothing: an environment holds nothing open."""

    def _go_on(self, episode: Episode) -> None:
        """Select the agent to act or, at the end of the game, give rewards and record the game."""
        if episode.turn is not None:
            self.agent_selection = self._agents[episode.turn.seat]
            return
        gains = episode.gains
        self._end({agent: float(gains[seat - 1]) for agent, seat in self._seats.items()})
        if self._record is not None:
            self.game_id = token_hex(16)
            self._record.keep(self.game_id, self._game.kind, episode.events)

    def _end(self, rewards: dict[str, float]) -> None:
        self.over = True
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()


class CheckedEnv(OrderEnforcingWrapper[str, Observation, int | None]):
    """An environment with the checks of three PettingZoo wrappers in one, which takes a fraction of their time.

    Like `OrderEnforcingWrapper`, it checks the order of calls; like `AssertOutOfBoundsWrapper`, it checks that a number
    is in the list; and like `TerminateIllegalWrapper`, it ends an episode at a number that the mask excludes.
    """

    def __init__(self, raw: GameEnv, illegal_reward: float) -> None:
        super().__init__(raw)
        self._raw = raw
        self._illegal_reward = illegal_reward

    @property
    def unwrapped(self) -> GameEnv:
        """The environment without the checks."""
        return self._raw

    @property
    def agents(self) -> list[str]:
        """The agents that are still in the episode."""
        return self._raw.agents if self._raw.begun else self._before_reset("agents")

    @agents.setter
    def agents(self, agents: list[str]) -> None:
        self._raw.agents = agents

    @property
    def agent_selection(self) -> str:
        """The agent whose turn it is."""
        return self._raw.agent_selection if self._raw.begun else self._before_reset("agent_selection")

    @agent_selection.setter
    def agent_selection(self, agent: str) -> None:
        self._raw.agent_selection = agent

    def _before_reset(self, name: str) -> Any:
        raise AttributeError(f"{name} cannot be accessed before reset")

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return the observation of the agent whose turn it is, its reward so far, and whether its episode is over."""
        return super().last(observe) if not self._raw.begun else self._raw.last(observe)

    def step(self, action: int | None) -> None:
        """Take the choice of the agent whose turn it is."""
        raw = self._raw
        if not raw.begun or not raw.agents or raw.over:
            super().step(action)
            return
        self._has_updated = True
        count = len(raw.numbers.actions.names)
        assert action is not None, "an agent must choose until its episode is over"
        assert 0 <= action < count, f"{action!r} is not in the action space, 0 to {count - 1}"
        number = int(action)  # numpy's own numbers are slow to compare
        if raw.is_legal(number):
            raw.step(number)
        else:
            EnvLogger.warn_on_illegal_move()
            raw.disqualify(self._illegal_reward)

    def __str__(self) -> str:
        """Return the name of the environment, not of a wrapper."""
        return str(self._raw)
