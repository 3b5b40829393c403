"""The program without advice, which would take most of the time of these tests, and is the subject of few."""

import pytest

from tests.cli.program import Program


@pytest.fixture
def program(program: Program) -> Program:
    """Fixture: the program with an empty home, without advice."""
    program.variables["POKERSVC_ADVICE"] = "no"
    return program
