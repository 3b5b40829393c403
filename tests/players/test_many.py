"""`choose_many`: players asked about many views at once, with a box and without one."""

import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.players import ChoiceForfeited, Programs, UnusablePlayer, Walls
from pokersvc.players.answering import PART, parts_of
from pokersvc.players.custom import CustomPlayer
from pokersvc.players.messages import MOST_TOGETHER
from tests.players.boxes.support import question

PLAYERS = """
import os
import struct
import time
from pokersvc.games.draw_poker.actions import Bet, Check, Discard

class Counts:
    def choose_many(self, views, legals, randoms):
        return [Bet(view.to_act, 50 + random.randrange(1000)) for view, random in zip(views, randoms, strict=True)]

class Long(Counts):
    def choose_many(self, views, legals, randoms):
        return [Bet(1, 10**3900) for view in views]

class Works(Counts):
    def choose_many(self, views, legals, randoms):
        while time.process_time() < 2.3:
            pass
        return super().choose_many(views, legals, randoms)

class Sleeps(Counts):
    def choose_many(self, views, legals, randoms):
        time.sleep(2)
        return super().choose_many(views, legals, randoms)

class Half:
    def choose_many(self, views, legals, randoms):
        return [Bet(1, 50 + place) if place % 2 else "Bet" for place in range(len(views))]

class Both(Counts):
    def choose(self, view, legal, random):
        raise AssertionError("it has choose_many")

class Mixes(Counts):
    def policy(self, view, legal):
        return {Check(view.to_act): 1.0}

class Forges:
    def choose_many(self, views, legals, randoms):
        for file in map(int, os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else range(3, 12):
            for claimed in (0, 1, 5, 2**31):
                try:
                    os.write(file, struct.pack(">cI", b"B", claimed) + b"A")
                except OSError:
                    pass
        return [Bet(1, 50)] * len(views)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many")
    (folder / "many.py").write_text(PLAYERS)
    return folder


def asks(count: int) -> list[tuple[Any, Any, Random]]:
    return [(*question(DRAW_POKER), Random(number)) for number in range(count)]


def player(programs: Programs, name: str) -> CustomPlayer:
    found = programs.of_many(DRAW_POKER, f"many.py:{name}")
    assert found is not None
    return found


@pytest.mark.parametrize("count", [1, 2, pytest.param(MOST_TOGETHER, marks=pytest.mark.slow)])
def test_each_view_has_the_answer_and_the_randomness_that_it_has_alone(programs: Programs, count: int) -> None:
    counts = player(programs, "Counts")
    together = counts.choose_many(asks(count))
    assert len({*map(str, together)}) > count / 2
    for number in {0, count // 2, count - 1}:
        assert counts.choose(*asks(count)[number]) == together[number]


def codes(found: list[Any]) -> list[str | None]:
    return [one.code if isinstance(one, ChoiceForfeited) else None for one in found]


def test_an_answer_that_is_no_action_forfeits_alone(programs: Programs) -> None:
    assert codes(player(programs, "Half").choose_many(asks(5))) == ["illegal", None, "illegal", None, "illegal"]


@pytest.mark.slow
@pytest.mark.parametrize("trusted", [True, False])
def test_a_batch_has_the_time_of_all_its_views(folder: Path, trusted: bool) -> None:
    """It works for longer than a choice about one view may, by the clock and of the processors."""
    with Programs(1, folder, Walls(trusted=trusted)) as programs:
        works = player(programs, "Works")
        assert codes(works.choose_many(asks(10))) == [None] * 10
        assert codes(works.choose_many(asks(1))) == ["timeout"]


@pytest.mark.slow
@pytest.mark.parametrize("trusted", [True, False])
def test_a_choice_is_late_though_nobody_looks_before_it_has_been_made(folder: Path, trusted: bool) -> None:
    """Whoever asks may play other games for longer than the limit, and finds the answer when it looks again."""
    with Programs(0.5, folder, Walls(trusted=trusted)) as programs:
        asked = player(programs, "Sleeps").question(asks(2))
        asked.begin()
        time.sleep(2.5)
        asked.look(wait=True)
        assert codes(asked.answers()) == ["timeout"] * 2


def test_answers_that_fill_a_pipe_many_times_arrive(programs: Programs) -> None:
    assert codes(player(programs, "Long").choose_many(asks(MOST_TOGETHER))) == [None] * MOST_TOGETHER


def test_what_a_player_writes_beside_its_answer_costs_only_its_own_batch(programs: Programs) -> None:
    forges = player(programs, "Forges")
    assert {*codes(forges.choose_many(asks(3)))} <= {"raised", None}
    assert codes(player(programs, "Counts").choose_many(asks(3))) == [None] * 3


def test_of_a_players_methods_the_policy_is_asked_first_and_then_choose_many(programs: Programs) -> None:
    assert programs.of_many(DRAW_POKER, "many.py:Mixes") is None
    both = programs.find(DRAW_POKER, "many.py:Both")
    assert both is not None
    assert type(both().choose(*asks(1)[0])).__name__ == "Bet"


def test_who_is_built_in_or_cannot_be_loaded_is_not_asked_about_many(programs: Programs, folder: Path) -> None:
    (folder / "broken.py").write_text("raise OSError")
    assert programs.of_many(DRAW_POKER, "minimum") is None
    assert programs.of_many(DRAW_POKER, "broken.py:Mine") is None
    with pytest.raises(UnusablePlayer, match=r"choose_many\(self, views, legals, randoms\)"):
        programs.find(DRAW_POKER, "many.py:struct")


@given(st.lists(st.tuples(st.binary(min_size=1, max_size=1), st.binary(max_size=40)), min_size=1, max_size=9))
def test_the_parts_of_a_batch_arrive_as_they_were_written(parts: list[tuple[bytes, bytes]]) -> None:
    batch = b"".join(PART.pack(kind, len(answer)) + answer for kind, answer in parts)
    assert parts_of(batch, len(parts)) == parts
    assert parts_of(batch, len(parts) + 1) is None
    assert parts_of(batch + b"A", len(parts)) is None
    assert parts_of(batch[:-1], len(parts)) is None


@given(st.binary(max_size=60), st.integers(1, 9))
def test_any_bytes_are_a_batch_of_that_many_answers_or_none(batch: bytes, count: int) -> None:
    found = parts_of(batch, count)
    assert found is None or len(found) == count
