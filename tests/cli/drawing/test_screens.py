"""Drawn tables equal the stored `screens`; `python -m tests.cli.drawing.screens` stores the current ones."""

import pytest

from tests.cli.drawing import screens
from tests.cli.program import Program

QUICK = {"hidden-cards", "open-cards", "board", "blinds", "replayer"}
"""One screen for each kind of table; the others take a second or more."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK))
        for name in sorted({path.name.rpartition("-")[0] for path in screens.FOLDER.iterdir()})
    ],
)
def test_a_table_looks_as_it_was_kept(program: Program, name: str) -> None:
    for file, shown in screens.screens(program, name):
        assert shown == (screens.FOLDER / file).read_text("utf-8"), file
        columns = int(file.rpartition("-")[2].partition("x")[0])
        assert max(map(len, shown.splitlines())) <= columns
