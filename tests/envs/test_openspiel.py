"""Games of ours in OpenSpiel: its own test of a game, and the same games as in the other environments."""

import pickle
from typing import Any

import pytest

from pokersvc.core.registry import game_kinds
from pokersvc.envs import env, openspiel_game
from pokersvc.errors import InvalidValue

from .tables import EVERY_TABLE, EnvCase

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this platform")

TABLES: list[tuple[str, dict[str, Any]]] = [
    *((kind, {}) for kind in game_kinds()),
    ("draw", {"options": {"rules": "fixed-limit"}, "seats": 2}),
    ("draw", {"options": {"rules": "no-limit"}, "seats": 3}),
]


@EVERY_TABLE
def test_openspiel_finds_nothing_wrong(case: EnvCase, capfd: pytest.CaptureFixture[str]) -> None:
    game = openspiel_game(case.kind, deals=5, **case.table)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


@pytest.mark.parametrize(("kind", "table"), TABLES)
def test_a_game_goes_as_in_the_environment_of_the_same_seed(kind: str, table: dict[str, Any]) -> None:
    state = openspiel_game(kind, deals=3, seed="7", **table).new_initial_state()
    assert state.is_chance_node()
    assert [outcome for outcome, _ in state.chance_outcomes()] == [0, 1, 2]
    state.apply_action(2)
    environment = env(kind, **table)
    environment.reset(seed=7)
    environment.reset()  # the game of 7/2
    while not state.is_terminal():
        agent = environment.agent_selection
        assert agent == f"seat_{state.current_player() + 1}"
        observation = environment.observe(agent)
        assert observation is not None
        legal = observation["action_mask"].nonzero()[0].tolist()
        assert state.legal_actions() == legal
        assert state.information_state_tensor() == pytest.approx(observation["observation"].tolist())
        action = legal[len(legal) // 2]
        state.apply_action(action)
        environment.step(action)
    assert state.returns() == [environment.rewards[agent] for agent in environment.possible_agents]


def test_copies_and_stored_states_go_on_by_themselves() -> None:
    state = openspiel_game("draw", deals=2, seats=2).new_initial_state()
    state.apply_action(0)
    copies = state.clone(), pickle.loads(pickle.dumps(state))
    state.apply_action(state.legal_actions()[0])
    for copy in copies:
        assert str(copy) == "0"
        copy.apply_action(copy.legal_actions()[0])
        assert copy.events == state.events


def test_algorithms_of_openspiel_run() -> None:
    from open_spiel.python.algorithms import outcome_sampling_mccfr

    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(openspiel_game("kalah", options={"holes": 1, "beans": 2}))
    solver.iteration()
    assert solver.average_policy().action_probabilities is not None


@pytest.mark.parametrize(
    "table", [{"deals": 0}, {"bots": {1: "steady"}}, {"seats": 1}, {"options": {"rules": object()}}]
)
def test_a_table_that_cannot_be_is_refused_in_a_sentence(table: dict[str, Any]) -> None:
    with pytest.raises(InvalidValue, match=r"\.$"):
        openspiel_game("draw", **table)
