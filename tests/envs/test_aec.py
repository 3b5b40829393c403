"""Environments under PettingZoo's own tests, and our further promises."""

import builtins
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any, Final, cast

import numpy as np
import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.bots.learning import NoActionList
from pokersvc.core.common_events import Started
from pokersvc.core.event import EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_of, registered
from pokersvc.core.setup import Setup
from pokersvc.envs import Observation, RecordTooLong, env, raw_env
from pokersvc.envs.aec import CheckedEnv, GameEnv
from pokersvc.envs.table import EnvTable
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.evidence.audit import audit
from pokersvc.service import Service
from tests.evidence.support import exported, findings
from tests.nim.game import NIM
from tests.sealed.game import GameStarted, Sealed

from .tables import CASES, EVERY_TABLE, EnvCase

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its tests import one of its games in a way it has given up
    passes: Final[Callable[..., None]] = import_module("pettingzoo.test.api_test").api_test
    repeats: Final[Callable[..., None]] = import_module("pettingzoo.test.seed_test").seed_test

TOLD_BY_PETTING_ZOO = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",  # but an object of arrays, as in its own card games
    "ignore:Observation numpy array is all zeros:UserWarning",  # nothing has happened yet
)
HEADS_UP = EnvCase("draw", {"options": {"rules": "fixed-limit"}, "seats": 2})


def made(case: EnvCase) -> CheckedEnv:
    return env(case.kind, **case.table)


def text_of(environment: CheckedEnv | GameEnv) -> str | None:
    """Return the text that determines the cards of an episode."""
    source = started(environment).entropy
    return None if source is None else source.text


def started(environment: CheckedEnv | GameEnv) -> Started:
    return cast(Started, cast(GameEnv, environment.unwrapped).episode.events[0])


def seen(environment: CheckedEnv) -> Observation:
    observation = environment.last()[0]
    assert observation is not None
    return observation


def played_out(environment: CheckedEnv, seed: int | None = None) -> dict[str, float]:
    """Play an episode in which each agent takes its first legal choice but one; return the rewards."""
    environment.reset(seed=seed)
    rewards = dict.fromkeys(environment.agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, terminated, _, _ = environment.last()
        assert observation is not None
        rewards[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        environment.step(None if terminated else int(legal[min(1, len(legal) - 1)]))
    return rewards


@EVERY_TABLE
@TOLD_BY_PETTING_ZOO
def test_every_table_passes_the_tests_of_petting_zoo(case: EnvCase, capsys: pytest.CaptureFixture[str]) -> None:
    passes(made(case))
    passes(raw_env(case.kind, **case.table))
    repeats(lambda: made(case))
    assert "Passed API test" in capsys.readouterr().out


@EVERY_TABLE
def test_the_rewards_of_an_episode_are_what_the_seats_gain(case: EnvCase) -> None:
    environment = made(case)
    rewards = played_out(environment, seed=4)
    episode = environment.unwrapped.episode
    assert list(rewards.values()) == list(episode.gains)
    game = game_of(case.kind)
    if game.unit == "chips" or case.kind == "kalah":
        assert sum(rewards.values()) == 0


def test_a_seed_decides_an_episode_and_those_that_follow_it() -> None:
    one, two = made(HEADS_UP), made(HEADS_UP)
    rewards = [[played_out(each, seed=7), *(played_out(each) for _ in range(5))] for each in (one, two)]
    assert rewards[0] == rewards[1]
    assert len({str(episode) for episode in rewards[0]}) > 1
    assert text_of(one) == "7/6"


def test_without_a_seed_no_two_episodes_are_alike() -> None:
    environment = made(HEADS_UP)
    texts = set()
    for each in (environment, environment, made(HEADS_UP)):
        each.reset()
        texts.add(text_of(each))
    assert len(texts) == 3


def test_an_illegal_number_ends_the_episode_at_the_cost_of_its_agent() -> None:
    environment = env("kalah", illegal_reward=-48)
    environment.reset(seed=1)
    environment.step(0)
    assert environment.agent_selection == "seat_2"
    environment.step(0)
    assert environment.agent_selection == "seat_1"
    assert seen(environment)["action_mask"][0] == 0
    environment.step(0)
    rewards = {}
    for agent in environment.agent_iter():
        _, rewards[agent], terminated, truncated, _ = environment.last()
        assert terminated
        assert truncated
        environment.step(None)
    assert rewards == {"seat_1": -48, "seat_2": 0}
    environment.reset(seed=1)
    assert not environment.last()[2]


def test_an_illegal_number_is_refused_without_wrappers() -> None:
    environment = raw_env("kalah")
    environment.reset(seed=1)
    environment.step(0)
    environment.step(0)
    with pytest.raises(IllegalAction, match=r"^0 is not legal now; legal are 1, 2, 3, 4, 5\.$") as refused:
        environment.step(0)
    assert refused.value.code == "not_legal"
    assert environment.agent_selection == "seat_1"


@pytest.mark.parametrize("number", [-1, 6, None])
def test_a_number_that_is_not_in_the_list_is_a_mistake_of_the_program(number: Any) -> None:
    environment = env("kalah")
    environment.reset()
    with pytest.raises(AssertionError):
        environment.step(number)


@pytest.mark.parametrize("use", ["step", "last", "agents", "agent_selection", "observe", "render"])
def test_nothing_is_known_before_the_first_reset(use: str) -> None:
    environment, calls = env("kalah"), {"step": (0,), "last": (), "observe": ("seat_1",), "render": ()}
    with pytest.raises((AttributeError, AssertionError), match="before"):
        getattr(environment, use)(*calls[use])


def test_without_wrappers_too_nothing_is_known_before_the_first_reset() -> None:
    with pytest.raises(InvalidValue, match="call `reset` first"):
        raw_env("kalah").step(0)


def test_bots_play_their_seats_by_themselves() -> None:
    environment = env("draw", options={"rules": "fixed-limit"}, seats=3, bots={1: "steady", 3: "random"})
    rewards = played_out(environment, seed=3)
    assert list(rewards) == ["seat_2"]
    events = environment.unwrapped.episode.events
    assert [seat.kind for seat in started(environment).seats] == ["steady", "learner.py:Learner", "random"]
    again = env("draw", options={"rules": "fixed-limit"}, seats=3, bots={1: "steady", 3: "random"})
    played_out(again, seed=3)
    assert again.unwrapped.episode.events == events


def test_an_environment_shows_the_table_in_words() -> None:
    environment = env("kalah", render_mode="ansi")
    environment.reset()
    assert "Player1" in str(environment.render())
    assert env("kalah").unwrapped.render() is None
    assert str(environment) == "pokersvc_v1"


def test_a_pickled_environment_is_made_anew() -> None:
    environment = pickle.loads(pickle.dumps(raw_env(HEADS_UP.kind, **HEADS_UP.table)))
    environment.reset(seed=7)
    assert text_of(environment) == "7"


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


@pytest.mark.parametrize("name", ["fixed-limit", "three rounds", "market", "kalah", "kuhn"])
def test_a_recorded_episode_is_a_game_like_any_other(name: str, database: Database) -> None:
    log = EventLog(database)
    service, case = Service(log), CASES[name]
    table: EnvTable = {**case.table, "learner": "mine.py:Mine"}
    environment = env(case.kind, record=service, **table)
    rewards = played_out(environment, seed=12)
    game_id = environment.unwrapped.game_id
    assert game_id is not None
    outcome = service.status(game_id).outcome
    assert outcome is not None
    [*_, last] = service.replay(game_id)
    assert last.state.outcome == outcome
    events = service.with_secrets.kept(game_id)
    assert events == environment.unwrapped.episode.events
    assert list(rewards.values()) == list(game_of(case.kind).gains(events[0], outcome))
    assert {seat.kind for seat in started(environment).seats} == {"mine.py:Mine"}
    assert [result.game_id for result in audit(database)] == [game_id, None]
    assert [result.findings for result in audit(database)] == [[], []]
    assert findings(exported(log, game_id, EVERYONE)) == []


def test_an_episode_that_was_not_finished_is_not_recorded(database: Database) -> None:
    environment = env("kalah", record=Service(EventLog(database)))
    environment.reset()
    environment.step(0)
    environment.reset()
    assert environment.unwrapped.game_id is None
    assert [result.game_id for result in audit(database)] == [None]


def test_a_record_that_outgrows_its_array_names_the_option() -> None:
    environment = env("kalah", length=20)
    environment.reset(seed=1)
    with pytest.raises(RecordTooLong, match=r"does not fit into 20 numbers; .* such as length=40\.$"):
        played_out(environment)
    assert environment.unwrapped.numbers.length == 20


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"seats": 0}, "0 cannot be the number of seats; an environment has 1 or more."),
        ({"seats": "two"}, "'two' cannot be the number of seats; an environment has 1 or more."),
        ({"seats": 11}, "11 players cannot play rising-ante; it takes 2 to 10."),
        ({"length": 0}, "A record cannot have the length 0; a length is 1 or more."),
        ({"bots": {3: "steady"}}, "A bot cannot play seat 3; seats are 1 to 2."),
        ({"bots": {1: "nobody"}}, "'nobody' cannot play seat 1; bots are "),
        ({"bots": {1: "steady", 2: "steady"}}, "Bots cannot play every seat of an environment; leave one"),
        ({"render_mode": "human"}, "There is no render mode 'human'; it is None or 'ansi'."),
        (
            {"actions": {"sizes": "huge"}},
            "The sizes of bets cannot be 'huge'; name some of min, half_pot, pot and all_in",
        ),
        ({"actions": {"sizes": ()}}, "The sizes of bets cannot be (); name some of"),
        ({"actions": {"sizes": ["min", "huge"]}}, "The sizes of bets cannot be ['min', 'huge']; name some of"),
        ({"actions": {"size": "min"}}, "The list of actions of 'draw' has no option 'size'; its options are sizes."),
        (
            {"actions": {"sizes": "all"}, "options": {"stack": "5001"}},
            "With sizes = 'all' each amount of chips has a number, so a table's chips may be at most 10000, not 10002.",
        ),
    ],
)
def test_a_table_that_cannot_be_is_refused_in_one_sentence(table: Any, why: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        env("draw", **table)
    assert str(refused.value).startswith(why)


def test_a_list_without_options_refuses_any() -> None:
    with pytest.raises(InvalidValue, match=r"^The list of actions of 'kalah' has no option 'sizes'; it has none\.$"):
        env("kalah", actions={"sizes": "all"})


def test_a_game_without_a_list_of_choices_says_what_it_lacks() -> None:
    with registered(NIM), pytest.raises(NoActionList, match="'nim' cannot be learned by numbers: its action Take says"):
        env("nim")


@contextmanager
def not_installed(package: str) -> Iterator[None]:
    whole = builtins.__import__

    def without(name: str, *arguments: Any, **named: Any) -> Any:
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(name=name)
        return whole(name, *arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "pokersvc.envs.aec", raising=False)
        patch.setattr(builtins, "__import__", without)
        yield


def test_without_the_extra_one_sentence_names_it() -> None:
    with not_installed("pettingzoo"), pytest.raises(InvalidValue, match="install pokersvc with the extra `rl`"):
        env("kalah")


class Lucky(Sealed):
    """A game whose number of rounds follows from its source of chance."""

    def start(self, setup: Setup) -> GameStarted:
        return super().start(replace(setup, rounds=1 + setup.source.secret[0] % 4))


def test_a_game_may_take_more_of_its_chance_into_its_start() -> None:
    with registered(game := Lucky()):
        environment = raw_env("sealed")
        rounds = set()
        for seed in range(8):
            environment.reset(seed=seed)
            begun = cast(GameStarted, started(environment))
            assert begun == game.start(Setup(begun.seats, EntropySource.from_text(str(seed))))
            rounds.add(begun.rounds)
    assert len(rounds) > 1
