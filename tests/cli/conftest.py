"""Fixtures: homes of the program, an empty one for each test, and one with games for tests that only read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pokersvc.cli.play import asked_once
from tests.cli.program import TWO_MINIMUM, Program, lines_of


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Fixture: the program with an empty home."""
    program = Program(tmp_path)
    yield program
    program.close()


@pytest.fixture
def another(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Program]]:
    """Fixture: a function that makes further empty homes."""
    made: list[Program] = []

    def make() -> Program:
        made.append(Program(tmp_path_factory.mktemp("home")))
        return made[-1]

    yield make
    for program in made:
        program.close()


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fixture: whoever runs the program inside this process can be asked once, as at a terminal."""
    monkeypatch.setattr(asked_once, "can_ask", lambda: True)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """Fixture: the program with a home of three games, which tests may only read.

    The oldest is a demo of steady players to its end, then two rounds of minimum bets between A and B; the newest
    is a person's, who has bet in round 2 and has yet to draw.
    """
    program = Program(tmp_path_factory.mktemp("played"))
    program.run("play", "--auto", "--opponents", "steady", "--seed", "demo")
    program.run(*TWO_MINIMUM, "--rounds", "2", "--seed", "demo")
    program.ended("play", "--player", "Zoë=human", "--player", "Bob=minimum", "--seed", "demo", typed=ROUND_AND_A_BIT)
    yield program
    program.close()


ROUND_AND_A_BIT = lines_of("bet 50", "", "check", "call", "", "bet 50")
