"""Help texts name what a reader types, not Python types."""

import re

import pytest

from pokersvc.cli.main import Program
from tests.cli.program import Program as Run

COMMANDS = [[name] for name in Program.lazy] + [["kalah", "perft"], ["kalah", "solve"], ["db", "backup"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_arguments_are_shown_without_python_types(command: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    printed = Run(tmp_path_factory.mktemp("home")).run(*command, "--help")
    assert re.findall(r"<(?:str|int|float|path|list\[\w+\])>|[{}]", printed) == []
