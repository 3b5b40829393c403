"""Recorded games as an offline data set: the observations, choices and gains match the environment's."""

import stat
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.envs import OtherGame, raw_env, write_steps
from pokersvc.envs.aec import GameEnv
from pokersvc.envs.steps import rules_of
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.snapshot import UnknownGame
from pokersvc.histories.checking import check
from pokersvc.histories.importing import Became, store
from pokersvc.service import Service
from tests.histories.test_importing import HAND
from tests.nim.game import NIM

from .tables import CASES, EnvCase


@pytest.fixture
def database() -> Iterator[Database]:
    with Database.for_writing(":memory:") as opened:
        yield opened


def steps_of(env: GameEnv, seed: int) -> Iterator[tuple[int, list[int], list[int], list[int], int]]:
    """Play a recorded episode at random, and yield each choice with its seat's observation."""
    random = Random(seed)
    env.reset(seed=seed)
    while not env.over:
        turn = env.episode.turn
        assert turn is not None
        seen, number = env.observe(env.agent_selection), random.choice(turn.numbers)
        arrays = [seen["action_mask"].tolist(), seen["features"].tolist(), seen["observation"].tolist()]
        yield turn.seat, *arrays, number
        env.step(number)


@pytest.mark.parametrize("name", ["fixed-limit", "market", "kalah", "kuhn", "sealed"])
def test_the_rows_are_the_choices_of_the_episodes_that_were_recorded(
    name: str, database: Database, tmp_path: Path
) -> None:
    case: EnvCase = CASES[name]
    env = raw_env(case.kind, record=Service(EventLog(database)), **case.table)
    expected = {}
    for seed in range(3):
        steps = list(steps_of(env, seed))
        gains = env.episode.gains
        expected[env.game_id] = [(*step, gains[step[0] - 1]) for step in steps]
    path = tmp_path / "steps.parquet"
    assert write_steps(database, path) == sum(map(len, expected.values()))
    rows = pq.read_table(path).to_pylist()
    found: dict[str, list[tuple[object, ...]]] = {}
    for row in rows:
        padded = row["observation"] + [0] * (env.numbers.length - len(row["observation"]))
        step = row["seat"], row["action_mask"], row["features"], padded, row["action"], row["gain"]
        found.setdefault(row["game"], []).append(step)
    assert found == expected
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def played(service: Service, house: str, seats: int, game_id: str, rounds: int = 2) -> None:
    """Play a game of built-in bots, whose bets have any size."""
    bots = tuple([Seat("steady", f"Bot{seat}") for seat in range(seats)])
    setup = Setup(bots, EntropySource.from_text(game_id), rounds, {"rules": house})
    service.start("draw", setup, game_id=game_id)
    while service.status(game_id).outcome is None:
        service.play_round(game_id)


def test_a_bet_of_another_size_has_no_number_unless_all_sizes_have(database: Database, tmp_path: Path) -> None:
    played(Service(EventLog(database)), "no-limit", 3, "any-size")
    some, every = tmp_path / "some.parquet", tmp_path / "every.parquet"
    assert write_steps(database, some, actions={"sizes": ["all_in"]}) == write_steps(
        database, every, ["any-size"], actions={"sizes": "all"}
    )
    numbers = pq.read_table(some).column("action").to_pylist()
    assert None in numbers
    assert None not in pq.read_table(every).column("action").to_pylist()


def test_a_game_that_is_not_over_is_left_out_and_one_with_other_seats_is_refused(
    database: Database, tmp_path: Path
) -> None:
    service = Service(EventLog(database))
    bots = (Seat("steady", "Ann"), Seat("steady", "Bob"))
    service.start("draw", Setup(bots, EntropySource.from_text("on"), 2, {"rules": "fixed-limit"}), game_id="on")
    played(service, "fixed-limit", 2, "two")
    path = tmp_path / "steps.parquet"
    write_steps(database, path)
    assert set(pq.read_table(path).column("game").to_pylist()) == {"two"}
    played(service, "fixed-limit", 3, "zthree")
    with pytest.raises(OtherGame, match="Game zthree has another number of seats than the games before it"):
        write_steps(database, tmp_path / "both.parquet")
    assert [file.name for file in tmp_path.iterdir()] == ["steps.parquet"], "no part of it is left"


def test_games_of_two_houses_with_the_same_choices_are_not_written_to_one_file(
    database: Database, tmp_path: Path
) -> None:
    service = Service(EventLog(database))
    played(service, "no-limit", 3, "first", rounds=1)
    played(service, "no-limit", 3, "longer", rounds=2)
    played(service, "pot-limit", 3, "other", rounds=1)
    names = {
        raw_env("draw", options={"rules": house}, seats=3).numbers.actions.names for house in ("no-limit", "pot-limit")
    }
    assert len(names) == 1
    assert write_steps(database, tmp_path / "one.parquet", ["longer", "first"]) > 0
    with pytest.raises(OtherGame, match=r"^Game other has other rules than the games before it; write games"):
        write_steps(database, tmp_path / "both.parquet", ["first", "longer", "other"])


def test_games_of_two_kinds_are_not_written_to_one_file(database: Database, tmp_path: Path) -> None:
    ids = []
    for kind in ("kuhn", "leduc"):
        env = raw_env(kind, record=Service(EventLog(database)))
        assert list(steps_of(env, 1))
        assert env.game_id is not None
        ids.append(env.game_id)
    with pytest.raises(OtherGame, match=f"^Game {ids[1]} is of another kind than the games before it"):
        write_steps(database, tmp_path / "both.parquet", ids)


def test_what_a_game_without_named_rules_adds_to_its_start_are_its_rules() -> None:
    def rules(text: str, rounds: int, piles: int) -> object:
        seats = (Seat("careful", "Ann"), Seat("careless", "Bob"))
        return rules_of(NIM.start(Setup(seats, EntropySource.from_text(text), rounds, {"piles": piles})))

    assert rules("one", 1, 2) == rules("two", 2, 2) != rules("one", 1, 3)


def test_a_game_that_is_not_there_is_named(database: Database, tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match="nowhere"):
        write_steps(database, tmp_path / "steps.parquet", ["nowhere"])


def test_a_hand_that_was_dealt_elsewhere_is_left_out(database: Database, tmp_path: Path) -> None:
    service, hands = Service(EventLog(database)), tmp_path / "hands.txt"
    hands.write_text(HAND, "utf-8")
    assert [one.became for one in store(service, check([hands]))] == [Became.STORED]
    assert write_steps(database, tmp_path / "steps.parquet") == 0
