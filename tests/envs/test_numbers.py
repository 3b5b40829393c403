"""Choices as numbers and what a seat sees as arrays: nothing is lost, and nothing is told that is hidden."""

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Final, cast

import numpy as np
import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.event import redact
from pokersvc.core.replay import Replay
from pokersvc.core.state import State
from pokersvc.envs import Numbers, Observation, RecordTooLong, raw_env
from pokersvc.envs.aec import GameEnv
from pokersvc.envs.table import EnvTable
from pokersvc.envs.tokens import EventTokens
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet, Discard, LegalActions, Raise

from .tables import CASES, EVERY_TABLE, EnvCase, choosing

SMALL: Final = ("kuhn", "leduc", "small_draw")
"""Games so small that a seat sees the same in different ones."""


def as_bytes(observation: Observation) -> tuple[bytes, ...]:
    arrays = observation["action_mask"], observation["features"], observation["observation"]
    return tuple([array.tobytes() for array in arrays])


def states(case: EnvCase, seed: int) -> Iterator[tuple[State, GameEnv]]:
    """Yield the state and the environment before each choice of an episode, and after its last event."""
    for env in choosing(case, seed, Random(seed)):
        replay = Replay(env.numbers.game)
        for event in env.episode.events:
            replay.take(event)
        yield replay.state, env


@EVERY_TABLE
def test_each_legal_number_is_a_different_choice_that_the_rules_allow_and_is_found_again(case: EnvCase) -> None:
    for state, env in states(case, seed=1):
        if (turn := env.episode.turn) is None:
            continue
        actions = [env.numbers.action(number, turn.view, turn.legal) for number in turn.numbers]
        events = [state.decide(action) for action in actions]
        assert len(set(events)) == len(events) >= 1
        assert [env.numbers.actions.number(action, turn.view, turn.legal) for action in actions] == [*turn.numbers]
        assert list(turn.numbers) == sorted(turn.numbers)
        names = env.numbers.actions.names
        assert len(names) == len(set(names)) > max(turn.numbers)


@EVERY_TABLE
def test_an_environment_shows_what_follows_from_a_view_and_a_player_sees_the_same(case: EnvCase) -> None:
    for state, env in states(case, seed=2):
        for agent in env.possible_agents:
            seat = int(agent.removeprefix("seat_"))
            legal = state.legal(seat) if seat == next(iter(state.awaited), None) else None
            seen = env.observe(agent)
            assert as_bytes(seen) == as_bytes(env.numbers.observation(state.view(seat), legal))
            assert seen["features"].shape == (len(env.numbers.feature_names),)
            assert env.observation_space(agent).contains(seen)
    of_player = Numbers.of(case.kind, **case.table)
    assert (of_player.length, of_player.actions.names) == (env.numbers.length, env.numbers.actions.names)


@EVERY_TABLE
def test_observations_differ_exactly_where_a_seat_can_tell_histories_apart(case: EnvCase) -> None:
    histories: dict[tuple[object, ...], tuple[bytes, ...]] = {}
    met = 0
    for seed in range(40 if case.kind in SMALL else 2):
        for state, env in states(case, seed):
            for agent in env.possible_agents:
                met += 1
                seat = int(agent.removeprefix("seat_"))
                awaited = seat == next(iter(state.awaited), None)
                history = (seat, awaited, *state.view(seat).record)
                seen = histories.setdefault(history, as_bytes(env.observe(agent)))
                assert seen == as_bytes(env.observe(agent)), "the seat cannot tell them apart"
    own = {(*history[:2], *seen) for history, seen in histories.items()}
    assert len(own) == len(histories), "the seat can tell them apart"
    assert met > len(histories) or case.kind not in SMALL


def test_a_hidden_card_leaves_no_trace() -> None:
    tokens = EventTokens(DRAW_POKER)
    *_, env = choosing(CASES["fixed-limit"], 3, Random(3))
    for event in env.episode.events[1:]:
        form = tokens.forms[type(event)]
        seen = {str(tokens.of(one)) for one in (redact(event, seat) for seat in range(1, 7))}
        assert str(form.write_hidden(event)) in seen
        assert len(seen) == (2 if form.of_seat else 1)
        assert not form.of_seat or form.write(event) != form.write_hidden(event)


@pytest.mark.parametrize("name", [house.name for house in DRAW_POKER.houses()])
@pytest.mark.parametrize("seats", [2, 6])
def test_the_default_length_holds_the_longest_hand(name: str, seats: int) -> None:
    """Every agent makes the minimum raise, and calls if it may not raise."""
    env = raw_env("draw", options={"rules": name}, seats=seats)
    for seed in range(3):
        env.reset(seed=seed)
        while env.agents and not env.over:
            assert env.episode.turn is not None
            numbers = [number for number in env.episode.turn.numbers if number in (1, 2)]
            env.step(max(numbers, default=env.episode.turn.numbers[-1]))
        taken = np.flatnonzero(env.observe("seat_1")["observation"])[-1] + 1
        assert taken <= env.numbers.length


def test_the_default_length_is_exactly_what_a_market_of_proposals_takes() -> None:
    env = raw_env("market", seats=3, rounds=2)
    env.reset(seed=1)
    while not env.over:
        assert env.episode.turn is not None
        env.step(env.episode.turn.numbers[-1])
    taken = np.flatnonzero(env.observe("seat_1")["observation"])[-1] + 1
    assert taken == env.numbers.length - 2 * 3 - (3 - 1), "without forfeits, and with one winner"


def test_sizes_are_amounts_of_the_pot_and_no_amount_has_two_numbers() -> None:
    env = raw_env("draw", options={"rules": "no-limit"}, seats=2)
    env.reset(seed=1)
    turn = env.episode.turn
    assert turn is not None
    assert env.numbers.actions.names[:6] == (
        "fold", "check or call", "bet or raise min", "bet or raise half_pot", "bet or raise pot", "bet or raise all_in",
    )  # fmt: skip
    assert turn.legal == LegalActions(fold=True, call=1, raise_to=(4, 200))
    chosen = [env.numbers.action(number, turn.view, turn.legal) for number in turn.numbers[2:]]
    assert chosen == [Raise(turn.seat, 4), Raise(turn.seat, 6), Raise(turn.seat, 200)], "half the pot of 4 is the least"
    assert list(turn.numbers) == [0, 1, 2, 4, 5]
    assert env.numbers.actions.number(Raise(turn.seat, 50), turn.view, turn.legal) is None
    assert env.numbers.actions.number(Bet(turn.seat, 4), turn.view, turn.legal) is None


def test_all_sizes_are_all_amounts() -> None:
    case = CASES["all sizes"]
    env = raw_env(case.kind, **case.table)
    env.reset(seed=1)
    turn = env.episode.turn
    assert turn is not None
    assert list(turn.numbers) == [0, 1, *range(1 + 4, 1 + 200 + 1)]
    assert env.numbers.actions.names[5] == "bet or raise to 4"
    assert env.numbers.action(5, turn.view, turn.legal) == Raise(turn.seat, 4)
    assert env.numbers.actions.number(Raise(turn.seat, 199), turn.view, turn.legal) == 200


def test_a_discard_is_known_in_whatever_order_it_names_cards() -> None:
    env = raw_env("draw", options={"rules": "fixed-limit"}, seats=2)
    env.reset(seed=1)
    while (turn := env.episode.turn) is not None and cast(LegalActions, turn.legal).discard is None:
        env.step(1)
    assert turn is not None
    hand = sorted(turn.view.seat(turn.seat).cards)
    number = env.numbers.actions.number(Discard(turn.seat, (hand[3], hand[1])), turn.view, turn.legal)
    assert number is not None
    assert env.numbers.actions.names[number] == "discard 2 4"
    assert env.numbers.action(number, turn.view, turn.legal) == Discard(turn.seat, (hand[1], hand[3]))
    assert env.numbers.actions.names[3] == "stand pat"


def test_features_are_as_a_seat_sees_the_table() -> None:
    env = raw_env("draw", options={"rules": "fixed-limit"}, seats=3)
    env.reset(seed=1)
    assert env.agent_selection == "seat_1", "the button, as the others are the blinds"
    mine = dict(zip(env.numbers.feature_names, env.observe("seat_1")["features"].tolist(), strict=True))
    assert [mine[name] for name in ("stage", "round", "pot", "price", "to_call", "button", "to_act")] == [
        2, 1, 3, 2, 2, 0, 0,
    ]  # fmt: skip
    assert [mine[f"seat {seat} put"] for seat in range(3)] == [0, 1, 2]
    assert mine["card 1"] < mine["card 2"] < mine["card 3"] < mine["card 4"] < mine["card 5"]
    other = dict(zip(env.numbers.feature_names, env.observe("seat_2")["features"].tolist(), strict=True))
    assert [other[f"seat {seat} put"] for seat in range(3)] == [1, 2, 0]
    assert (other["to_call"], other["button"], other["to_act"]) == (1, 2, 2)


def test_a_player_is_refused_a_number_that_is_not_legal_and_a_record_that_is_too_long() -> None:
    env = raw_env("kalah")
    env.reset()
    turn = env.episode.turn
    assert turn is not None
    with pytest.raises(IllegalAction, match="6 is not legal now"):
        env.numbers.action(6, turn.view, turn.legal)
    env.step(0)
    assert env.episode.turn is not None
    view_of_seat_2 = env.episode.turn.view
    with pytest.raises(RecordTooLong, match="fit into 2 numbers"):
        Numbers.of("kalah", length=2).observation(view_of_seat_2)


@pytest.mark.parametrize(
    ("kind", "longer"),
    [
        pytest.param("draw", {"rounds": 10}, id="hands"),
        pytest.param("market", {"options": {"markets": 4}}, id="markets"),
    ],
)
def test_a_player_sees_the_newest_whole_rounds_of_a_game_longer_than_its_array(kind: str, longer: EnvTable) -> None:
    numbers = Numbers.of(kind, seats=2)
    begins = 0
    for env in choosing(EnvCase(kind, {**longer, "seats": 2, "length": 10_000}), 1, Random(1)):
        if (turn := env.episode.turn) is None:
            break
        seen = numbers.observation(turn.view, turn.legal)
        rounds = [
            [number for event in events for number in numbers.tokens.of(event)]
            for events in (*turn.view.record.past, turn.view.record.round)
        ]
        begins = next(at for at in range(len(rounds)) if sum(map(len, rounds[at:])) <= numbers.length)
        fitting = list(chain.from_iterable(rounds[begins:]))
        assert seen["observation"].tolist() == fitting + [0] * (numbers.length - len(fitting))
        assert (seen["action_mask"].nonzero()[0] == turn.numbers).all()
    assert begins > 3, "the game is much longer than the array"


def figures(env: GameEnv, agent: str) -> dict[str, int]:
    return dict(zip(env.numbers.feature_names, env.observe(agent)["features"].tolist(), strict=True))


def test_a_market_is_counted_from_the_seat_itself() -> None:
    env = raw_env("market", seats=3)
    env.reset(seed=1)
    proposer = int(env.agent_selection.removeprefix("seat_"))
    assert figures(env, "seat_1")["proposer"] == -1
    number = env.numbers.actions.names.index("card 1 for card 5 of seat +2")
    mine, theirs = (
        figures(env, env.agent_selection)["seat 0 card 1"],
        figures(env, env.agent_selection)["seat 2 card 5"],
    )
    env.step(number)
    for seat in (1, 2, 3):
        seen = figures(env, f"seat_{seat}")
        assert (seen["gives"], seen["gets"], seen["proposer"]) == (mine, theirs, (proposer - seat) % 3)
        assert seen["stage"] == 2
    assert env.agent_selection == f"seat_{(proposer + 1) % 3 + 1}"
    assert env.observe(env.agent_selection)["action_mask"].nonzero()[0].tolist() == [1, 2]


def test_a_board_shows_the_own_side_first() -> None:
    env = raw_env("kalah")
    env.reset()
    env.step(0)
    south, north = figures(env, "seat_1"), figures(env, "seat_2")
    assert [south[f"own hole {left} from the pot"] for left in range(6, 0, -1)] == [0, 5, 5, 5, 5, 4]
    assert [north[f"other hole {left} from the pot"] for left in range(6, 0, -1)] == [0, 5, 5, 5, 5, 4]
    assert (south["own_turn"], north["own_turn"]) == (0, 1)
    env.step(4)
    south, north = figures(env, "seat_1"), figures(env, "seat_2")
    assert [north[f"own hole {left} from the pot"] for left in range(6, 0, -1)] == [4, 4, 4, 4, 0, 5]
    assert [south[f"own hole {left} from the pot"] for left in range(6, 0, -1)] == [1, 6, 5, 5, 5, 4]
    assert (north["own pot"], south["other pot"], south["own pot"], north["other pot"]) == (1, 1, 0, 0)
