"""The numbers that modules state, and how their values are made, are those that are listed: see `tests.stated`."""

import json
from typing import Final

import pytest

from .stated import ROOMS, STORED, modules, stated

LISTED: Final = json.loads(STORED.read_text("utf-8"))


@pytest.mark.parametrize("room", ROOMS)
def test_modules_state_what_is_listed(room: str) -> None:
    files = [file for file in modules() if file.startswith(f"pokersvc/{room}/")]
    assert {file: stated(file) for file in files} == {file: LISTED.get(file) for file in files}


def test_modules_that_are_gone_are_not_listed() -> None:
    assert list(LISTED) == modules()
