"""The figures in docs/tournaments.md are what the commands there print."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.program import Program

PAGE = Path(__file__).parent.parent.parent / "docs" / "tournaments.md"
EXAMPLES = re.findall(
    r"^    \$ pokersvc (tournament (?:.*\\\n)*.*)\n\n((?:(?:    .*)?\n)+)", PAGE.read_text(), re.MULTILINE
)
LONG = "tournament --game market"
"""The start of the command in which players who look ahead play 240 games."""


def test_the_page_has_a_table() -> None:
    assert EXAMPLES
    assert all("± 95 %" in printed for _, printed in EXAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "printed"),
    [
        pytest.param(*one, id=one[0][:40], marks=[pytest.mark.exhaustive] * (one[0].startswith(LONG)))
        for one in EXAMPLES
    ],
)
def test_a_table_of_the_page_is_what_its_command_prints(tmp_path: Path, command: str, printed: str) -> None:
    said = Program(tmp_path).run(*shlex.split(command.replace("\\\n", " ")))
    assert said.split("\n") == [line.removeprefix("    ").rstrip() for line in printed.rstrip().split("\n")] + [""]
