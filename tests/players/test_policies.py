"""Players with a policy: pokersvc draws the action from it, `choose` is not asked, and what is no policy forfeits."""

from collections import Counter
from fractions import Fraction
from math import inf, nan, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import WrongPolicy, checked, drawn
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold, Raise
from pokersvc.players import Programs, UnusablePlayer, Walls, choice_of
from pokersvc.players.answers import Answers
from pokersvc.service import Service
from tests.service.support import as_the_log_says, play_out

ANSWERS = Answers(DRAW_POKER.actions)
PLAYERS = """
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold

def evenly(view, legal):
    seat = view.to_act
    if legal.discard is not None:
        return [Discard(seat, ()), Discard(seat, view.seat(seat).cards[:1])]
    return [Call(seat) if legal.call else Check(seat), *([Fold(seat)] if legal.fold else [])]

class Mixes:
    def policy(self, view, legal):
        actions = evenly(view, legal)
        return {action: 1 / len(actions) for action in actions}

    def choose(self, view, legal, random):
        raise AssertionError("it has a policy")

class KeepsOne:
    def __init__(self):
        self.policy = lambda view: None

    def choose(self, view, legal, random):
        return evenly(view, legal)[0]

class Wrong:  # gives at each seat what is no policy, each time for another reason
    def policy(self, view, legal):
        seat = view.to_act
        match seat:
            case 1:
                return {action: 0.3 for action in evenly(view, legal)}
            case 2:
                return evenly(view, legal)
            case 3:
                return {Check(seat + 1): 1.0}
            case 4:
                return {Bet(seat, amount): 0.001 for amount in range(1000)}
        raise OSError

class Neither:
    policy = 5
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("policies")
    (folder / "mixing.py").write_text(PLAYERS)
    return folder


# Drawing.


def test_actions_are_drawn_as_often_as_the_policy_says() -> None:
    policy: dict[Action, float] = {Fold(1): 0.125, Call(1): 0.0, Raise(1, 8): 0.5, Raise(1, 20): 0.375}
    random, number = Random("policy"), 20_000
    came = Counter(drawn(policy, random).action for _ in range(number))
    for action, probability in policy.items():
        assert abs(came[action] - number * probability) <= 4 * sqrt(number * probability * (1 - probability))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8).filter(lambda weights: sum(weights) > 0), st.integers())
def test_what_is_drawn_has_a_probability_and_takes_one_random_number(weights: list[float], seed: int) -> None:
    policy: dict[Action, float] = {Raise(1, to): weight / sum(weights) for to, weight in enumerate(weights)}
    random, same = Random(seed), Random(seed)
    action, checked_policy = drawn(policy, random)
    assert policy[action] > 0
    assert checked_policy == {action: probability for action, probability in policy.items() if probability}
    same.random()
    assert random.getstate() == same.getstate()


@pytest.mark.parametrize(
    "policy",
    [
        None, {}, [Fold(1)], {"fold": 1.0}, {Fold(1): "1"}, {Fold(1): True}, {Fold(1): nan}, {Fold(1): inf},
        {Fold(1): -0.5, Call(1): 1.5}, {Fold(1): 0.999}, {Fold(1): 0.6, Call(1): 0.6}, {Fold(1): 0},
    ],
)  # fmt: skip
def test_what_is_no_policy_is_refused_in_a_sentence(policy: object) -> None:
    with pytest.raises(WrongPolicy, match=r"\.$"):
        checked(policy)


def test_any_real_number_is_a_probability() -> None:
    policy: dict[Action, Any] = {Fold(1): np.float32(0.25), Call(1): Fraction(1, 4), Check(1): np.float64(0.5)}
    assert checked(policy) == {Fold(1): 0.25, Call(1): 0.25, Check(1): 0.5}
    assert ANSWERS.read_policy(ANSWERS.write_policy(policy) or b"") == checked(policy)


# As bytes.

ACTIONS = st.one_of(
    st.sampled_from([Fold(1), Call(2), Check(3), Discard(1, ())]),
    st.builds(Raise, st.integers(1, 10), st.integers(0, 99)),
)


@given(st.dictionaries(ACTIONS, st.floats(0, 1, exclude_min=True), min_size=1, max_size=20))
def test_a_policy_is_read_as_it_was_written(policy: dict[Action, float]) -> None:
    written = ANSWERS.write_policy(policy)
    assert written is not None
    read = ANSWERS.read_policy(written)
    assert read == policy
    assert list(read) == list(policy), "the order decides what a random number means"


@given(st.binary(max_size=60))
def test_any_bytes_are_a_policy_of_actions_or_none(answer: bytes) -> None:
    read = ANSWERS.read_policy(answer)
    assert read is None or all(isinstance(action, Action) for action in read)


@pytest.mark.parametrize(
    "answer",
    [b"", b"1.0", b'x Fold {"seat":1}', b'0.5 Fold {"seat":1}\n0.5 Fold {"seat":1}', b'1 Leave {"seat":1}', b"\n"],
)
def test_bytes_that_are_no_policy(answer: bytes) -> None:
    assert ANSWERS.read_policy(answer) is None


# In a game.


def started(service: Service, *kinds: str, rounds: int) -> str:
    seats = tuple(map(Seat, kinds, ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")))
    setup = Setup(seats, EntropySource.from_text("policies"), rounds, {"rules": "no-limit", "stack": "1000"})
    return service.start("draw", setup, game_id="policies")[0]


@pytest.mark.slow
def test_the_action_is_drawn_and_choose_is_not_asked(programs: Programs, log: EventLog) -> None:
    service = Service(log, programs=programs)
    game_id = started(service, "mixing.py:Mixes", "mixing.py:Mixes", rounds=20)
    play_out(service, game_id)
    chosen = Counter(record.type for record in log.read(game_id))
    assert chosen["Forfeited"] == 0
    assert chosen["Called"] + chosen["Checked"] > 3
    assert chosen["Folded"] > 3, "about every other time that it must call"
    assert as_the_log_says(service, log, game_id)


@pytest.mark.slow
def test_in_a_box_and_outside_the_same_is_drawn(folder: Path) -> None:
    found = []
    for trusted in (True, False):
        with Programs(2, folder, Walls(trusted=trusted)) as programs:
            log = EventLog(Database.for_writing(":memory:"))
            service = Service(log, programs=programs)
            game_id = started(service, "mixing.py:Mixes", "minimum", rounds=5)
            play_out(service, game_id)
            found.append([record.payload for record in log.read(game_id)])
    assert found[0] == found[1]


def test_an_object_may_keep_something_of_its_own_by_that_name(programs: Programs, log: EventLog) -> None:
    service = Service(log, programs=programs)
    game_id = started(service, "mixing.py:KeepsOne", "minimum", rounds=1)
    play_out(service, game_id)
    assert "Forfeited" not in {record.type for record in log.read(game_id)}


def test_what_is_no_policy_forfeits(programs: Programs, log: EventLog) -> None:
    service = Service(log, programs=programs)
    game_id = started(service, *["mixing.py:Wrong"] * 5, "minimum", rounds=1)
    play_out(service, game_id)
    forfeits = [step.event for step in service.replay(game_id) if isinstance(step.event, events.Forfeited)]
    codes = {forfeit.seat: forfeit.code for forfeit in forfeits}
    assert codes == {1: "illegal", 2: "illegal", 3: "illegal", 4: "illegal", 5: "raised"}


def test_a_class_needs_one_of_both(programs: Programs, log: EventLog) -> None:
    with pytest.raises(UnusablePlayer, match=r"a method choose\(.*\) or policy\("):
        started(Service(log, programs=programs), "mixing.py:Neither", "minimum", rounds=1)


class BuiltIn:
    """A player in this process, which only has a policy."""

    def policy(self, view: Any, legal: Any) -> dict[Action, float]:
        return {Call(view.to_act) if legal.call else Check(view.to_act): 0.5, Fold(view.to_act): 0.5}


def test_a_player_in_this_process_may_mix_too() -> None:
    seats = (Seat("minimum", "Ann"), Seat("minimum", "Bob"))
    source = EntropySource.from_text("built in")
    state = DRAW_POKER.new(DRAW_POKER.start(Setup(seats, source, 1, {"rules": "no-limit"})))
    while (event := state.dealer_event(source.entropy())) is not None:
        state.apply(event)
    seat, random = state.awaited[0], Random("built in")
    came = Counter(type(choice_of(BuiltIn, state, seat, random).event).__name__ for _ in range(100))
    assert {*came} == {"Called", "Folded"}
    assert 25 < came["Called"] < 75
