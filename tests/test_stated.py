"""The numbers that modules state, and how their values are made, are those that are listed: see `tests.stated`."""

import json
from typing import Final

import pytest

from .stated import STORED, modules, stated

LISTED: Final = json.loads(STORED.read_text("utf-8"))


@pytest.mark.parametrize("file", modules())
def test_a_module_states_what_is_listed(file: str) -> None:
    assert stated(file) == LISTED[file]


def test_modules_that_are_gone_are_not_listed() -> None:
    assert list(LISTED) == modules()
